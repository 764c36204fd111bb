"""Books on both databases: every test that asks for them runs on SQLite and on PostgreSQL."""

import shutil
from collections.abc import Callable, Iterator
from datetime import date
from itertools import count
from pathlib import Path

import pytest

from feltworks.house.progressive.ledger import Ledger
from feltworks.house.storage.database import Database
from feltworks.house.storage.migration import open_database
from tests.house.desk import FIRST_DAY, Desk, signed, terms
from tests.house.floor import approve, hire
from tests.house.servers import postgresql

_NAMES = (f"gran {number}" for number in count(1))


@pytest.fixture(scope="session")
def postgresql_url() -> Iterator[str]:
    with postgresql() as url:
        yield url


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def books_url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Where the books of this run are kept."""
    if request.param == "postgresql":
        url: str = request.getfixturevalue("postgresql_url")
        return url
    return f"sqlite:///{tmp_path_factory.mktemp('books') / 'books.sqlite'}"


@pytest.fixture(scope="session")
def books(books_url: str) -> Iterator[Database]:
    database = open_database(books_url)
    hire(database)
    yield database
    database.close()


@pytest.fixture(scope="session")
def staffed_books(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Books with everybody in them and one game approved, to be copied by tests that need a house of their own."""
    path = tmp_path_factory.mktemp("staffed") / "books.sqlite"
    database = open_database(str(path))
    hire(database)
    approve(database, "fu-bacc")
    database.close()
    return path


@pytest.fixture
def staffed(staffed_books: Path, own_keys: None, tmp_path: Path) -> Iterator[Database]:  # noqa: ARG001 (after the books)
    """A house of its own with everybody in it."""
    database = open_database(str(shutil.copy(staffed_books, tmp_path)))
    yield database
    database.close()


@pytest.fixture
def open_gran(books: Database) -> Callable[..., Desk]:
    """Open a progressive of its own for a test, with the settings it asks for."""

    def open_one(*, day: date = FIRST_DAY, **settings: object) -> Desk:
        return Desk(Ledger.open(books, next(_NAMES), terms(**settings), signed("opening", day)), day)

    return open_one
