"""Damage to the books of tables and users is found, whoever goes behind their back."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text

from feltworks.house.storage.migration import open_database
from feltworks.house.tables.books import TableBooks
from feltworks.house.verification import verify_books
from tests.house.floor import VOIDERS, Pit


@pytest.fixture
def unguarded(staffed_books: Path, own_keys: Path) -> Iterator[Pit]:
    """A table with a day behind it, in books whose guards are taken away."""
    database = open_database(str(shutil.copy(staffed_books, own_keys.parent)))
    pit = Pit(TableBooks(database))
    pit.open(1_000_00)
    pit.books.void("fill", pit.fill(100_00).slip.serial, "so that something is void", VOIDERS)
    pit.fill(300_00)
    pit.finish_day(900_00, 700_00)
    with database.transaction() as connection:
        for name in connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'")).scalars():
            connection.execute(text(f"DROP TRIGGER {name}"))
    yield pit
    database.close()


def troubles(pit: Pit) -> str:
    return "; ".join(trouble for book in verify_books(pit.books.database) for trouble in book.troubles)


def test_books_that_nobody_touched_are_whole(unguarded: Pit) -> None:
    assert troubles(unguarded) == ""


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        (
            "DELETE FROM slip WHERE kind = 'fill' AND serial = 2",
            "the win is stored at 30000 cents; the slips make 60000",
        ),
        (
            "UPDATE slip SET serial = 7 WHERE kind = 'fill' AND serial = 2",
            "sealed a slip that is missing or changed: fill, 2",
        ),
        (
            "UPDATE slip SET cents = 71000 WHERE kind = 'count'",
            "the win is stored at 30000 cents; the slips make 31000",
        ),
        ("DELETE FROM slip_void", "the slips make 20000"),
        (
            "DELETE FROM signature WHERE position = 'security'",
            "sealed a signature that is missing or changed: security, sam",
        ),
        ("UPDATE account SET cents = cents + 1 WHERE name = 'win'", "account win is stored at"),
        ("UPDATE posting SET explanation = 'nothing' WHERE kind = 'void'", "is not what was sealed"),
        ("UPDATE person SET role = 'administrator' WHERE name = 'dan'", "user dan is stored as administrator"),
        (
            "UPDATE person SET active = 0 WHERE name = 'dan'",
            "dan is stored as dismissed; the journal says dealer",
        ),
        ("UPDATE person SET name = 'eve' WHERE name = 'reg'", "user reg is stored as nobody"),
    ],
)
def test_damage_is_named(unguarded: Pit, damage: str, sentence: str) -> None:
    with unguarded.books.database.transaction() as connection:
        connection.execute(text(damage))
    assert sentence in troubles(unguarded)
