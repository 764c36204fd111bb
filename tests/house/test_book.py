"""The page being written: what stands under a key is looked up by the key, however long the book is."""

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import Connection, text

from feltworks.errors import PostingRefused
from feltworks.house.journal.book import Page
from feltworks.house.journal.posting import Entry
from feltworks.house.storage.database import Database
from tests.house.desk import Desk, signed

Opener = Callable[..., Desk]
LONG = 6_000


def keys(prefix: str = "") -> list[str]:
    """Keys that a filled book has, and as many that it has not."""
    return [f"{prefix}old {n}" for n in range(0, LONG, 10)] + [f"{prefix}new {n}" for n in range(LONG // 10)]


def fill(books: Database, name: str, prefix: str = "") -> None:
    with books.transaction() as connection:
        page = Page(connection, name)
        for number in range(LONG):
            page.add("bench", f"{number}", signed(f"{prefix}old {number}"), [Entry("bank", "house", 1)])
        page.write()


def test_many_keys_are_found_at_once(books: Database, open_gran: Opener) -> None:
    name, other = open_gran().ledger.name, open_gran().ledger.name
    fill(books, name)
    fill(books, other)
    with books.transaction() as connection:
        earlier = Page(connection, name).earlier(keys())
    assert {key: found.number for key, found in earlier.items()} == {
        f"old {number}": number + 2 for number in range(0, LONG, 10)
    }
    assert earlier["old 70"].facts == "70"


def sqlite_steps(connection: Connection, work: Callable[[], Any]) -> int:
    """Hundreds of steps that SQLite's machine takes for some work."""
    steps = 0

    def count() -> None:
        nonlocal steps
        steps += 1

    driver: Any = connection.connection.driver_connection
    driver.set_progress_handler(count, 100)
    work()
    driver.set_progress_handler(None, 0)
    return steps


def rows_read(connection: Connection, work: Callable[[], Any]) -> int:
    """Rows of the journal that PostgreSQL reads for some work, matching or not."""
    read = text(
        "SELECT pg_stat_get_xact_tuples_returned(c.oid) + coalesce((SELECT sum("
        "pg_stat_get_xact_tuples_returned(i.indexrelid)) FROM pg_index i WHERE i.indrelid = c.oid), 0) "
        "FROM pg_class c WHERE c.relname = 'posting'"
    )
    before = connection.execute(read).scalar_one()
    work()
    return int(connection.execute(read).scalar_one() - before)


@pytest.mark.parametrize("repeated", [1, 8])
def test_a_batch_of_keys_is_looked_up_without_reading_the_book(
    books: Database, open_gran: Opener, repeated: int
) -> None:
    """Asked several times, since PostgreSQL keeps a plan after some."""
    name = open_gran().ledger.name
    wanted = keys(name)
    fill(books, name, name)
    with books.transaction() as connection:
        page = Page(connection, name)
        for _ in range(repeated - 1):
            page.earlier(wanted)
        if books.is_sqlite:
            assert sqlite_steps(connection, lambda: page.earlier(wanted)) * 100 < 50 * len(wanted)
        else:
            assert rows_read(connection, lambda: page.earlier(wanted)) <= len(wanted)


def post(desk: Desk, key: str, line: Entry) -> None:
    with desk.ledger.database.transaction() as connection:
        page = Page(connection, desk.ledger.name)
        page.add("bench", "{}", signed(key), [line])
        page.write(commit=True)
        if not desk.ledger.database.is_sqlite:  # others see it before the connection is given back
            assert desk["bank"] == 1


def test_a_small_page_is_written_and_committed_in_one_go_or_not_at_all(open_gran: Opener) -> None:
    gran = open_gran()
    post(gran, "whole", Entry("bank", "house", 1))
    with pytest.raises(PostingRefused, match="a prize is lowered only for a listed reason"):
        post(gran, "refused", Entry("jackpot", "house", 1))
    assert (gran["bank"], gran.ledger.balances().postings) == (1, 2)
