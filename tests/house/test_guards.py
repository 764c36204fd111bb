"""The database guards the journal itself: whoever writes past our code is refused as well."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from sqlalchemy import text

from feltworks.errors import FeltError, PostingRefused, StorageTrouble
from feltworks.house.journal.book import book_number
from feltworks.house.progressive.acts import Contribution
from feltworks.house.storage.database import Database
from tests.house.desk import ROYALS, Desk

Opener = Callable[..., Desk]


def run(desk: Desk, *statements: str) -> None:
    """Run statements of one's own in one transaction; :book is the desk's book."""
    database = desk.ledger.database
    with database.transaction() as connection:
        book = book_number(connection, desk.ledger.name)
        for statement in statements:
            connection.execute(text(statement), {"book": book} if ":book" in statement else {})


def posting(number: int = 3, *, lines: int = 1, witness: str = "'bob'", previous: str = "book.hash") -> str:
    return (
        "INSERT INTO posting (book, number, key, kind, day, made_at, made_by, witness, explanation, facts,"
        f" lines, previous, hash) SELECT id, {number}, 'forged', 'forged', '2008-08-01', 'now', 'eve',"
        f" {witness}, 'because', '{{}}', {lines}, {previous}, book.hash FROM book WHERE id = :book"
    )


def line(debit: str, credit: str, cents: int = 1, *, reason: str = "NULL", number: int = 3, place: int = 1) -> str:
    return (
        "INSERT INTO entry (book, number, line, debit, credit, cents, reason)"
        f" VALUES (:book, {number}, {place}, '{debit}', '{credit}', {cents}, {reason})"
    )


@pytest.fixture
def desk(open_gran: Opener) -> Desk:
    gran = open_gran()
    gran.lose(1)
    return gran


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE posting SET explanation = 'other' WHERE book = :book",
        "DELETE FROM posting WHERE book = :book AND number = 2",
        "UPDATE entry SET cents = cents + 1 WHERE book = :book",
        "DELETE FROM entry WHERE book = :book",
        "DELETE FROM account WHERE book = :book",
        "UPDATE account SET kind = 'house' WHERE book = :book",
        "DELETE FROM book WHERE id = :book",
        "UPDATE book SET number = 1 WHERE id = :book",
        "UPDATE book SET name = 'other' WHERE id = :book",
        "UPDATE reason SET credit = 'house'",
        "DELETE FROM reason",
        "INSERT INTO account (book, name, kind, cents) VALUES (:book, 'pocket', 'house', 5)",
    ],
)
def test_what_is_written_stays(desk: Desk, statement: str) -> None:
    before = desk.ledger.balances()
    with pytest.raises(PostingRefused):
        run(desk, statement)
    assert desk.ledger.balances() == before


@pytest.mark.parametrize(
    ("lines", "head", "words"),
    [
        ([line("jackpot", "house")], posting(), "listed reason"),
        ([line("jackpot", "receipts", reason="'gross receipts'")], posting(), "listed reason"),
        ([line("jackpot", "house", reason="'whim'")], posting(), "listed reason"),
        ([line("bank", "house", reason="'won'")], posting(), "listed reason"),
        ([line("jackpot", "house", reason="'won'")], posting(witness="NULL"), "two persons"),
        ([line("bank", "house")], posting(lines=2), "all its lines"),
        ([line("bank", "house", number=2, place=2)], posting(), "sealed"),
        ([line("bank", "house", number=4)], posting(4), "follows"),
        ([line("bank", "house")], posting(previous="book.hash || book.hash"), "follows"),
        ([line("bank", "house", 0)], posting(), "moves_something"),
        ([line("bank", "bank")], posting(), "moves_somewhere"),
        ([line("house", "bank")], posting(), "held_is_not_negative"),
        ([line("jackpot", "house", 50_001, reason="'won'")], posting(), "owed_is_not_negative"),
        ([line("bank", "pocket")], posting(), "(?i)foreign key|accounts of its book"),
        ([line("pocket", "bank")], posting(), "(?i)foreign key|accounts of its book|held_is_not_negative"),
        ([line("bank", "house")], posting(witness="'eve'"), "two_different_persons"),
        ([line("bank", "house")], "SELECT 1", "(?i)foreign key"),
    ],
)
def test_a_posting_that_breaks_a_rule_is_refused_as_a_whole(
    desk: Desk, lines: list[str], head: str, words: str
) -> None:
    before = desk.ledger.balances()
    with pytest.raises(FeltError, match=words):
        run(desk, *lines, head)
    assert desk.ledger.balances() == before


def test_a_posting_that_breaks_none_is_taken(desk: Desk) -> None:
    run(desk, line("bank", "house", 7), posting())
    assert (desk["bank"], desk.ledger.balances().postings) == (7, 3)


def test_all_accounts_of_a_book_add_up_to_nothing(books: Database, desk: Desk) -> None:
    desk.play(ROYALS[0])
    desk.end_day()
    with books.snapshot() as connection:
        sums = connection.execute(text("SELECT sum(cents) FROM account GROUP BY book")).scalars()
        assert set(sums) == {0}


def test_two_writers_lose_no_update(desk: Desk) -> None:
    """Both read before either writes, unless the first locks the second out: then nothing is lost."""
    from concurrent.futures import ThreadPoolExecutor

    def lose(number: int) -> None:
        desk.post(Contribution("1", str(number), 1))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lose, range(40)))
    assert desk["box"] == 4_100


def test_of_several_writers_under_one_key_one_is_heard(desk: Desk) -> None:
    """The same key with other content is refused, also where all come at once and nobody has read it yet."""
    from concurrent.futures import ThreadPoolExecutor

    def lose(wagers: int) -> bool:
        try:
            return not desk.post(Contribution("1", "all", wagers)).repeated
        except PostingRefused:
            return False

    before = desk["box"]
    with ThreadPoolExecutor(4) as pool:
        heard = [wagers for wagers, was in zip(range(1, 7), pool.map(lose, range(1, 7)), strict=True) if was]
    assert desk["box"] - before == 100 * sum(heard)
    assert len(heard) == 1


def test_a_database_out_of_reach_is_told_in_one_sentence() -> None:
    from feltworks.house.storage.migration import open_database

    for url, words in [
        ("mysql://somewhere/books", "mysql URLs cannot be used"),
        ("sqlite:///no/such/folder/books.sqlite", "no folder"),
        ("postgresql://nobody@localhost:1/books", "refused"),
        ("://", "cannot be used"),
    ]:
        with pytest.raises(StorageTrouble, match=words):
            open_database(url)


def test_the_days_of_two_desks_are_their_own(open_gran: Opener) -> None:
    first, second = open_gran(), open_gran()
    first.lose(1)
    second.day += timedelta(days=1)
    second.lose(1)
    assert (first["box"], second["box"]) == (100, 100)
