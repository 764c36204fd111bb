"""Damage is found: whatever is changed behind the books' back, `verify` names it; and the export balances."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from fractions import Fraction
from pathlib import Path

import pytest
from sqlalchemy import text

from feltworks.errors import UnknownName
from feltworks.house.journal.beancount import export_lines
from feltworks.house.journal.verification import Verification
from feltworks.house.progressive.acts import Adjustment, Deposit, DepositTest, Maximum, Seeding, Share
from feltworks.house.progressive.ledger import Ledger
from feltworks.house.rebuild import verify_progressive
from feltworks.house.storage.database import Database
from feltworks.house.storage.migration import open_database
from feltworks.house.tables.books import TableBooks
from feltworks.house.verification import verify_books
from tests.house.desk import CINCOS, FLUSH, ROYALS, Desk, signed, terms
from tests.house.falsify import eventful_house
from tests.house.floor import DAY, Pit, hire

Opener = Callable[..., Desk]


def busy(gran: Desk) -> Desk:
    """A desk after some eventful days."""
    gran.bring(460_000)
    gran.play(CINCOS, ROYALS[0], FLUSH)
    gran.end_day()
    gran.post(Seeding(1_000))
    gran.post(Adjustment("jackpot", -30, "malfunction"), explanation='display said "$5,000" \\ wrong')
    gran.post(Maximum(5_000_000))
    gran.cover()
    return gran


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Desk]:
    """Books of one's own, whose guards are taken away so that they can be damaged."""
    database = open_database(str(tmp_path / "damaged.sqlite"))
    hire(database)
    yield busy(Desk(Ledger.open(database, "gran", terms(recovery=Fraction(1, 2)), signed("opening"))))
    database.close()


def damaged(desk: Desk, statement: str) -> Verification:
    database = desk.ledger.database
    with database.transaction() as connection:
        rows = connection.execute(text("SELECT name FROM sqlite_master WHERE type = 'trigger'"))
        for (name,) in rows.all():
            connection.execute(text(f"DROP TRIGGER {name}"))
        connection.execute(text(statement))
    return verify_progressive(database, "gran")


def test_whole_books_verify(open_gran: Opener) -> None:
    gran = busy(open_gran(increment=30, recovery=Fraction(1, 2)))
    verified = verify_progressive(gran.ledger.database, gran.ledger.name)
    assert (verified.troubles, verified.postings) == ([], gran.ledger.balances().postings)


def test_every_book_is_verified_and_an_unknown_one_is_refused(alone: Desk) -> None:
    assert [book.book for book in verify_books(alone.ledger.database)] == ["house users", "gran"]
    with pytest.raises(UnknownName):
        verify_books(alone.ledger.database, ["other"])


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("UPDATE posting SET explanation = 'nothing' WHERE number = 4", "posting 4 is not what was sealed"),
        ("UPDATE posting SET made_by = 'eve' WHERE number = 2", "posting 2 is not what was sealed"),
        (
            "UPDATE entry SET cents = 1 WHERE number = 4 AND line = 1",
            "posting 4 is not what was sealed",
        ),
        ("DELETE FROM entry WHERE number = 4 AND line = 1", "posting 4 has other lines"),
        ("UPDATE posting SET hash = previous WHERE number = 3", "posting 4 does not carry the seal"),
        ("UPDATE account SET cents = cents - 1 WHERE name = 'jackpot'", "account jackpot is stored at"),
        ("UPDATE account SET cents = cents - 1 WHERE name = 'jackpot'", "and not to nothing"),
        ("UPDATE book SET number = number - 1", "is its last, but it ends with"),
        ("UPDATE progressive SET state = 'stopped'", "its state is not the one"),
        ("UPDATE progressive SET maximum = NULL", "its state is not the one"),
        ("UPDATE posting SET facts = replace(facts, '-30', '-31')", "has other lines than its act"),
        ("UPDATE posting SET facts = '{}' WHERE number = 5", "posting 5 cannot have been posted"),
    ],
)
def test_damage_is_found(alone: Desk, statement: str, words: str) -> None:
    assert any(words in trouble for trouble in damaged(alone, statement).troubles)


def test_a_posting_cut_off_the_end_is_missed(alone: Desk) -> None:
    last = alone.ledger.balances().postings
    of = "(SELECT id FROM book WHERE name = 'gran')"
    verified = damaged(alone, f"DELETE FROM posting WHERE book = {of} AND number = {last}")
    assert any("but it ends with" in trouble for trouble in verified.troubles)


def test_bean_check_passes_on_the_exported_journal(open_gran: Opener, tmp_path: Path) -> None:
    gran = busy(open_gran(increment=30, recovery=Fraction(1, 2)))
    gran.post(DepositTest())
    left = {name: gran[name] for name in ("jackpot", "backup", "second-backup", "overflow") if gran[name]}
    gran.remove(*(Share(account, cents, "players") for account, cents in left.items()))
    path = tmp_path / "gran.beancount"
    path.write_text("\n".join(_exported(gran.ledger.database, gran.ledger.name)) + "\n", encoding="utf-8")
    assert _checked(path) == ""
    path.write_text(path.read_text(encoding="utf-8").replace(" 500.00 USD", " 500.01 USD", 1), encoding="utf-8")
    assert "does not balance" in _checked(path)


def test_an_exported_balance_that_is_not_the_journals_is_found(open_gran: Opener, tmp_path: Path) -> None:
    gran = open_gran()
    gran.post(Deposit(1_234))
    lines = list(_exported(gran.ledger.database, gran.ledger.name))
    assert any("balance" in line and "12.34 ~ 0 USD" in line for line in lines)
    path = tmp_path / "gran.beancount"
    path.write_text("\n".join(lines).replace("12.34 ~ 0", "12.35 ~ 0") + "\n", encoding="utf-8")
    assert "Balance failed" in _checked(path)


def test_a_book_without_accounts_is_exported_as_events(open_gran: Opener, tmp_path: Path) -> None:
    lines = _exported(open_gran().ledger.database, "house users")
    assert any(' event "posting" "user: ann: added accounting"' in line for line in lines)
    path = tmp_path / "users.beancount"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert _checked(path) == ""


def test_bean_check_passes_in_routine_use_on_every_book(tmp_path: Path) -> None:
    """Today's table opens before yesterday's box is counted, and two tables have nearly the same name."""
    eventful_house(f"sqlite:///{tmp_path / 'books.sqlite'}")
    database = open_database(str(tmp_path / "books.sqlite"))
    books = TableBooks(database)
    first, second = Pit(books), Pit(books)
    first.table, second.table = "A 1", "A-1"
    for pit in (first, second):
        pit.open(1_000_00)
        pit.close(900_00)
        pit.drop()
        pit.open(900_00, day=DAY + timedelta(days=1))
        pit.count({1_00: 300})
    with database.snapshot() as connection:
        names = list(connection.execute(text("SELECT name FROM book")).scalars())
    assert len(names) >= 5
    for name in names:
        path = tmp_path / "book.beancount"
        path.write_text("\n".join(_exported(database, name)) + "\n", encoding="utf-8")
        assert _checked(path) == "", name
    lines = _exported(database, "house tables")
    assert any(f"open Assets:House-tables:Tray-of-A-1{number} USD" in line for line in lines for number in ("", "-2"))
    assert any(line.startswith("  late: ") for line in lines)  # entered long after the day
    database.close()


def _exported(database: Database, name: str) -> list[str]:
    with database.snapshot() as connection:
        return list(export_lines(connection, name))


def _checked(path: Path) -> str:
    """What bean-check says of a file; nothing where it is right."""
    program = "from beancount.scripts.check import main; main()"
    command = [sys.executable, "-c", program, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    said = done.stdout + done.stderr
    assert bool(said) == bool(done.returncode)
    return said
