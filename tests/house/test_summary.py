"""A day, a month and a quarter: every figure is recomputed by a script that shares no code with the books."""

import csv
import io
import json
import sqlite3
from collections import defaultdict
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from feltworks.errors import BadOption
from feltworks.house.closing import ClosingBook, parse_span
from feltworks.house.progressive.acts import Adjustment
from feltworks.house.progressive.ledger import Ledger
from feltworks.house.storage.migration import open_database
from feltworks.house.tables.books import TableBooks
from feltworks.house.tables.summary import summarize, summary_csv, summary_document
from feltworks.house.tables.tokes import TokeBook
from tests.house.desk import Desk, signed, terms
from tests.house.floor import Pit, approve, hire

GUIDE = Path(__file__).parents[2] / "docs" / "how-to" / "close-a-month.md"
Row = dict[str, str]


def tables_of_the_guide() -> tuple[list[Row], list[Row]]:
    """The slips and the periods as the guide works them by hand."""
    lines = [line.strip("|").split("|") for line in GUIDE.read_text("utf-8").splitlines() if line[:1] == "|"]
    rows = [[cell.strip() for cell in line] for line in lines if "---" not in line[0]]
    slips = [dict(zip(rows[0], row, strict=True)) for row in rows[1:] if len(row) == len(rows[0])]
    heads = next(row for row in rows if row[0] == "period")
    periods = [dict(zip(heads, row, strict=True)) for row in rows[rows.index(heads) + 1 :]]
    return slips, periods


def cents(written: str) -> int:
    """An amount of the guide."""
    return int(written.replace("$", "").replace(",", "").replace("−", "-")) * 100


SLIPS, PERIODS = tables_of_the_guide()


@pytest.fixture(scope="module")
def quarter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A worked quarter, closed month by month."""
    path = tmp_path_factory.mktemp("quarter") / "books.sqlite"
    database = open_database(str(path))
    hire(database)
    approve(database, "fu-bacc")
    pits = {name: Pit(TableBooks(database)) for name in "AB"}
    for slip in SLIPS:
        pit = pits[slip["table"]]
        pit.table = slip["table"]
        pit.open(cents(slip["opener"]), day=date.fromisoformat(slip["day"]))
        if cents(slip["fills"]):
            pit.fill(cents(slip["fills"]))
        if cents(slip["credits"]):
            pit.credit(cents(slip["credits"]))
        pit.finish_day(cents(slip["closer"]), cents(slip["drop"]))
    TokeBook(database).take("A", 40_00, {"dealer": "dan", "witness": "flo"}, day=date(2024, 4, 30))
    gran = Desk(Ledger.open(database, "gran", terms(increment=30), signed("o", day=date(2024, 5, 1))))
    gran.day = date(2024, 5, 1)
    gran.cover()
    gran.lose(100)
    gran.post(Adjustment("jackpot", 10_000, "malfunction"))
    gran.end_day()
    for month in ("2024-04", "2024-05", "2024-06"):
        ClosingBook(database).close(parse_span(month), by="abe", second="amy")
    ClosingBook(database).close(parse_span("2024-Q2"), by="abe", second="amy")
    database.close()
    return path


def recompute(path: Path, first: str, last: str) -> dict[str, int]:
    """The figures of some days from the sealed facts alone, read with SQLite and JSON."""
    figures: dict[str, int] = defaultdict(int)
    with sqlite3.connect(path) as connection:
        query = (
            "SELECT posting.facts, posting.day, book.name FROM posting JOIN book ON book.id = posting.book "
            "WHERE posting.day BETWEEN ? AND ? ORDER BY posting.book, posting.number"
        )
        for text, _, book in connection.execute(query, (first, last)):
            facts = json.loads(text)
            match facts["act"], book:
                case "opener", _:
                    figures["opener"] += facts["counted"]
                case "closer", _:
                    figures["closer"] += facts["counted"]
                case "fill", _:
                    figures["fills"] += facts["cents"]
                case "credit", _:
                    figures["credits"] += facts["cents"]
                case "count", _:
                    figures["drop"] += sum(int(cents) * pieces for cents, pieces in facts["first"].items())
                case "tokes", _:
                    figures["tokes"] += facts["cents"]
    figures["win"] = figures["drop"] + figures["closer"] + figures["credits"]
    figures["win"] -= figures["opener"] + figures["fills"]
    return figures


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: f"{slip['table']} {slip['day']}")
def test_the_win_of_every_box_in_the_guide_is_that_of_its_slips(slip: Row) -> None:
    part = {name: cents(slip[name]) for name in ("opener", "fills", "credits", "closer", "drop", "win")}
    assert part["win"] == part["drop"] + part["closer"] + part["credits"] - part["opener"] - part["fills"]


@pytest.mark.parametrize("worked", PERIODS, ids=lambda worked: worked["period"])
def test_every_figure_of_the_guide_is_that_of_the_books_and_of_an_independent_script(
    quarter: Path, worked: Row
) -> None:
    name = worked["period"]
    database, span = open_database(str(quarter)), parse_span(name)
    summary = summarize(database, span, tax_rate=Fraction(1, 10))
    database.close()
    again = recompute(quarter, span.first.isoformat(), span.last.isoformat())
    total = summary_document(summary)["total"]
    parts = ("opener", "fills", "credits", "closer", "drop", "win")
    assert {part: total[part] for part in parts} == {part: again[part] for part in parts}
    assert (total["drop"], total["win"]) == (cents(worked["drop"]), cents(worked["win"]))
    assert f"{100 * again['win'] / again['drop']:.1f}%" == worked["hold"]
    assert summary.gross_receipts == cents(worked["gross receipts"])
    assert summary.tax == cents(worked["tax at 10 %"])
    assert (summary.tokes, summary.is_final) == (again["tokes"], True)
    last = list(csv.DictReader(io.StringIO(summary_csv(summary))))[-1]
    assert (last["day"], int(last["win"])) == (name, again["win"])


def test_players_money_in_a_progressive_is_no_receipt(quarter: Path) -> None:
    database = open_database(str(quarter))
    summary = summarize(database, parse_span("2024-05"))
    database.close()
    assert (summary.accrued, summary.fees, summary.prize_receipts) == (30 * 100, 0, 0)
    assert (summary.gross_receipts, summary.tax) == (summary.total.win, None)


def test_a_summary_is_not_final_before_its_period_is_closed(quarter: Path) -> None:
    database = open_database(str(quarter))
    year = summarize(database, parse_span("2024"))
    with pytest.raises(BadOption, match="from 0 to 1"):
        summarize(database, parse_span("2024"), tax_rate=Fraction(11, 10))
    database.close()
    assert not year.is_final
    assert year.total == summarize_quarters(quarter)


def summarize_quarters(path: Path) -> object:
    database = open_database(str(path))
    total = summarize(database, parse_span("2024-Q2")).total
    database.close()
    return total
