"""Days, months, quarters and years stay closed once they are."""

import threading
from collections.abc import Callable
from datetime import date
from itertools import count
from pathlib import Path

import pytest

from feltworks.errors import BadOption, NotNow, NotPermitted, StorageTrouble
from feltworks.house.closing import Closing, ClosingBook, parse_span
from feltworks.house.journal.book import Page
from feltworks.house.journal.posting import Entry
from feltworks.house.journal.seals import FOLDER_VARIABLE
from feltworks.house.progressive.acts import Deposit
from feltworks.house.progressive.ledger import Ledger
from feltworks.house.progressive.terms import encode
from feltworks.house.storage.database import Database
from feltworks.house.storage.migration import read_house
from feltworks.house.tables.books import TableBooks
from feltworks.house.tables.tokes import TokeBook
from feltworks.house.verification import audit
from tests.house.desk import Desk, signed, terms
from tests.house.falsify import behind_their_back, verdict
from tests.house.floor import DAY, FIRST, OTHERS, Pit
from tests.house.tables.test_slips import REVISERS

TWO = {"by": "abe", "second": "amy"}
_YEARS = count(70)


@pytest.fixture
def pit(staffed: Database) -> Pit:
    return Pit(TableBooks(staffed))


@pytest.mark.parametrize(
    ("name", "kind", "first", "last"),
    [
        ("2024-01-31", "day", date(2024, 1, 31), date(2024, 1, 31)),
        ("2024-02", "month", date(2024, 2, 1), date(2024, 2, 29)),
        ("2024-q4", "quarter", date(2024, 10, 1), date(2024, 12, 31)),
        ("2024", "year", date(2024, 1, 1), date(2024, 12, 31)),
    ],
)
def test_a_period_is_named_by_its_day_month_quarter_or_year(name: str, kind: str, first: date, last: date) -> None:
    span = parse_span(name)
    assert (span.kind, span.first, span.last) == (kind, first, last)


@pytest.mark.parametrize("name", ["", "2024-13", "2024-Q5", "2024-Q", "yesterday", "2024-02-30", "0"])
def test_what_is_no_period_is_refused(name: str) -> None:
    with pytest.raises(BadOption, match="2024-Q1"):
        parse_span(name)


def test_a_day_closes_once_every_box_is_counted_and_then_stays_closed(pit: Pit) -> None:
    database = pit.books.database
    closings, tokes = ClosingBook(database), TokeBook(database)
    pit.open(1_000_00)
    with pytest.raises(NotNow, match=f"the box of table {pit.table} on 2024-01-31 is open"):
        closings.close(parse_span("2024-01-31"), **TWO)
    counted = pit.finish_day(900_00, 300_00)
    with pytest.raises(NotPermitted):
        closings.close(parse_span("2024-01-31"), by="flo", second="amy")
    closed = closings.close(parse_span("2024-01-31"), **TWO)
    assert closed.heads["house tables"].number == counted.number
    with pytest.raises(NotNow, match="closed already"):
        closings.close(parse_span("2024-01-31"), **TWO)
    with pytest.raises(NotNow, match="2024-01-31 is closed"):
        pit.open(900_00, shift="2")
    with pytest.raises(NotNow, match="2024-01-31 is closed"):
        tokes.take(pit.table, 1_00, {"dealer": "dan", "witness": "flo"}, day=DAY)
    pit.books.revise("count", counted.slip.serial, "a bundle was overlooked", REVISERS)
    pit.books.tally(pit.table, {1_00: 400}, FIRST)
    pit.books.recount(pit.table, {1_00: 400}, {**OTHERS, **REVISERS})
    assert audit(database).faults == []


def test_a_month_is_closed_for_progressives_as_well(pit: Pit) -> None:
    database = pit.books.database
    gran = Desk(Ledger.open(database, "gran", terms(), signed("opening")))
    gran.lose(3)
    closings = ClosingBook(database)
    with pytest.raises(NotNow, match="the day 2008-08-01 of the progressive gran is still open"):
        closings.close(parse_span("2008-08"), **TWO)
    gran.end_day()
    closings.close(parse_span("2008-08"), **TWO)
    with pytest.raises(NotNow, match=r"2008-08-02 is closed \(2008-08\)"):
        gran.lose(1)
    gran.day = date(2008, 9, 1)
    gran.cover()
    closings.close(parse_span("2008-Q3"), **TWO)
    with pytest.raises(NotNow, match="closed"):
        gran.lose(1)
    assert [span.name for span in closings.closed_periods()] == ["2008-08", "2008-Q3"]


@pytest.mark.parametrize(
    ("damage", "sentence"),
    [
        ("DELETE FROM closing", "sealed a closed period that is missing or changed: 2024-01-31"),
        ("UPDATE closing SET last = '2024-01-30'", "sealed a closed period that is missing or changed"),
        ("UPDATE house SET public_key = '00'", "is not signed with the key of this house"),
    ],
)
def test_a_closed_period_cannot_be_opened_behind_the_books_back(pit: Pit, damage: str, sentence: str) -> None:
    database = pit.books.database
    ClosingBook(database).close(parse_span("2024-01-31"), **TWO)
    assert audit(database).faults == []
    with behind_their_back(database) as connection:
        connection.exec_driver_sql(damage)
    assert sentence in verdict(database)


def test_a_posting_under_way_is_within_the_seals_of_a_period_closed_beside_it(open_gran: Callable[..., Desk]) -> None:
    """On a server both go on at once: closing waits for whoever writes, and then names what was written."""
    ledger = open_gran().ledger
    closed: list[Closing] = []
    span = parse_span(f"19{next(_YEARS)}")

    def close() -> None:
        closed.append(ClosingBook(ledger.database).close(span, by="abe", second="amy"))

    beside = threading.Thread(target=close)
    with ledger.database.transaction() as connection:
        page = Page(connection, ledger.name)
        beside.start()
        beside.join(0.3)
        page.add("deposit", encode(Deposit(5)), signed(), [Entry("bank", "house", 5)])
        page.write()
    beside.join()
    assert closed[0].heads[ledger.name].number == page.number


def test_a_seal_that_cannot_be_noted_is_named_and_the_day_is_closed(
    pit: Pit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = pit.books.database
    with database.snapshot() as connection:
        books = read_house(connection).books
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "keys"))
    (tmp_path / "keys" / f"{books}.seals").mkdir(parents=True)  # where the file would be
    with pytest.raises(StorageTrouble, match=r"closed, but its seal cannot be noted .*--expect house closings:1:"):
        ClosingBook(database).close(parse_span(DAY.isoformat()), **TWO)
    assert [span.name for span in ClosingBook(database).closed_periods()] == [DAY.isoformat()]


def test_a_noted_seal_that_cannot_be_read_is_a_fault(pit: Pit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pit.books.database.snapshot() as connection:
        books = read_house(connection).books
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    (tmp_path / f"{books}.seals").write_text("house closings:one:00\n")
    assert "a seal beside the key cannot be read: 'house closings:one:00'" in verdict(pit.books.database)
