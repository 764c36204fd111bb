"""A staffed house whose letters are in order, on both databases."""

from collections.abc import Callable, Iterator

import pytest

from feltworks.house.storage.database import Database
from feltworks.house.tables.books import TableBooks
from tests.house.floor import Pit, approve, hire


@pytest.fixture(scope="session")
def table_books(books: Database) -> TableBooks:
    hire(books)
    approve(books, "fu-bacc")
    return TableBooks(books)


@pytest.fixture
def new_pit(table_books: TableBooks) -> Iterator[Callable[[], Pit]]:
    """Tables that no other test has; those still open are closed, since only so many may be."""
    pits: list[Pit] = []

    def new() -> Pit:
        pits.append(Pit(table_books))
        return pits[-1]

    yield new
    for each in pits:
        if each.state == "open":
            each.close(0)


@pytest.fixture
def pit(new_pit: Callable[[], Pit]) -> Pit:
    return new_pit()
