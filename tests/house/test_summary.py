"""A day, a month and a quarter: every figure is recomputed by a script that shares no code with the books."""

import csv
import io
import itertools
import json
import sqlite3
from collections import defaultdict
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest
from msgspec.structs import asdict

from feltworks.errors import BadOption, PostingRefused
from feltworks.house.closing import ClosingBook, parse_span
from feltworks.house.entries import KINDS, RegisterEntry, known_kind
from feltworks.house.floor import floor_day
from feltworks.house.journal.book import book_number, postings
from feltworks.house.progressive.acts import Adjustment
from feltworks.house.progressive.ledger import Ledger
from feltworks.house.register import Register
from feltworks.house.storage.migration import open_database
from feltworks.house.tables.books import TableBooks
from feltworks.house.tables.report import summarize, summary_csv
from feltworks.house.tables.tokes import TokeBook
from tests.house.desk import Desk, signed, terms
from tests.house.floor import Pit, approve, approve_here, hire

GUIDE = Path(__file__).parents[2] / "docs" / "how-to" / "close-a-month.md"
Row = dict[str, str]


def tables_of_the_guide() -> dict[str, list[Row]]:
    """The tables that the guide works by hand, each by the head of its first column."""
    lines = GUIDE.read_text("utf-8").splitlines()
    tables: dict[str, list[Row]] = {}
    for number, line in enumerate(lines):
        if line.startswith("|---"):
            heads = _cells(lines[number - 1])
            body = itertools.takewhile(lambda row: row[:1] == "|", lines[number + 1 :])
            tables[heads[0]] = [dict(zip(heads, _cells(row), strict=True)) for row in body]
    return tables


def _cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def cents(written: str) -> int:
    """An amount of the guide."""
    return int(written.replace("$", "").replace(",", "").replace("−", "-")) * 100


WORKED = tables_of_the_guide()
SLIPS, PERIODS = WORKED["table"], WORKED["period"]
FLOOR = {row["figure"]: row["result"] for row in WORKED["figure"]}
FIRST_DAY = date(2024, 4, 29)


PIECES = {row["slip"]: row for row in WORKED["slip"]}


def pieces_of(written: str) -> dict[int, int]:
    """Denominations as the guide and the commands write them: 24x25,80x5."""
    parts = [part.split("x") for part in written.split(",") if "x" in part]
    return {int(dollars) * 100: int(number) for number, dollars in parts}


def keep_register(register: Register, when: str) -> int:
    """Enter what the guide lists for the first day in one of its tables; returns the number of the last entry."""
    signers = {"cage": ("cara", "abe"), "request": ("flo", "sam")}
    number = 0
    for row in WORKED[when]:
        pieces = pieces_of(row["money"])
        money = cents(row["money"]) if row["money"] and not pieces else 0
        kind = known_kind(row[when])
        count = int(row.get("count") or 0)
        entry = RegisterEntry(
            kind, row["name"], row["says"], "the log of the day", None, row["table"], money, pieces, count
        )
        by, second = signers.get(KINDS[kind].action, ("flo", "abe"))
        number = register.add(entry, by=by, second=second, day=FIRST_DAY)
    return number


def work(pit: Pit, slip: Row, request: int = 0) -> None:
    """The slips of one box; table A of the first day is counted in pieces, and its next opener is rolled."""
    day, is_first = date.fromisoformat(slip["day"]), bool(request)
    opener, fill, closer = (pieces_of(row["pieces"]) for row in list(PIECES.values())[:3])
    rolled = slip["table"] == "A" and slip["day"] == "2024-04-30"
    pit.open(opener if is_first else None if rolled else cents(slip["opener"]), day=day)
    if slip["table"] == "A" and not is_first:  # a box on record is signed out for every drop
        out = RegisterEntry("box", "A", "on the table", table="A")
        Register(pit.books.database).add(out, by="flo", second="abe", day=day)
    if cents(slip["fills"]):
        pit.fill(fill if is_first else cents(slip["fills"]), request=request)
    if cents(slip["credits"]):
        pit.credit(cents(slip["credits"]))
    pit.close(closer if is_first else cents(slip["closer"]))
    pit.drop()
    pit.count({1_00: cents(slip["drop"]) // 1_00})


@pytest.fixture(scope="module")
def quarter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A worked quarter, closed month by month."""
    path = tmp_path_factory.mktemp("quarter") / "books.sqlite"
    database = open_database(str(path))
    hire(database)
    approve(database, "fu-bacc")
    approve_here(database, "imprest", "the internal controls", FIRST_DAY, 17_000_00)
    pits = {name: Pit(TableBooks(database)) for name in "AB"}
    for slip in SLIPS:
        pit = pits[slip["table"]]
        pit.table = slip["table"]
        if slip == SLIPS[2]:  # the slips of the first day are written
            keep_register(Register(database), "entry")
        work(pit, slip, keep_register(Register(database), "before") if slip == SLIPS[0] else 0)
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


def recompute_floor(path: Path) -> dict[str, int | Fraction]:
    """The figures of the first day's floor from the sealed facts alone."""
    with sqlite3.connect(path) as connection:
        query = (
            "SELECT facts FROM posting JOIN book ON book.id = posting.book WHERE book.name = ? AND day = ? "
            "ORDER BY posting.number"
        )
        register, slips = (
            [json.loads(facts) for (facts,) in connection.execute(query, (name, FIRST_DAY.isoformat()))]
            for name in ("house register", "house tables")
        )

    def add(field: str, **wanted: str) -> int:
        return sum(int(line[field]) for line in register if all(line.get(name) == w for name, w in wanted.items()))

    struck = {line["entry"] for line in register if line["act"] == "strike"}
    standing = [line.get("kind") for number, line in enumerate(register, 1) if number not in struck]

    to_tables = sum(slip["counted"] for slip in slips if slip["act"] == "opener" and slip["expected"] is None)
    to_tables += sum(slip["cents"] * {"fill": 1, "credit": -1}.get(slip["act"], 0) for slip in slips if "cents" in slip)
    into = {place: add("cents", kind="transfer", name=place) for place in ("vault", "cage")}
    out_of = {place: add("cents", kind="transfer", says=place) for place in ("vault", "cage")}
    booked, counted = into["cage"] - out_of["cage"] - to_tables, add("cents", kind="cage count", name="cage")
    issued = add("count", kind="cards", says="issued")
    (rating,) = [line for line in register if line.get("kind") == "rating"]
    wagered = rating["cents"] * rating["count"]
    monkeys, pays = Fraction(16 * 15, 52 * 51), Fraction(4 * 30 + 4 * 20 + 4 * 15 + 4 * 10 + 34 * 5, 50)
    return {
        "keys that are out": standing.count("key"),
        "boxes that are out": standing.count("box"),
        "requests that wait": standing.count("request"),
        "incidents that are open": standing.count("incident"),
        "vault": into["vault"] - out_of["vault"],
        "cage, as booked": booked,
        "cage, as counted": counted,
        "over or short": counted - booked,
        "cage against its imprest": counted - add("cents", kind="imprest"),
        "decks in the store": add("count", kind="cards", says="received") - issued,
        "decks on the floor": issued,
        "$25 chips in the store": sum(line["pieces"]["2500"] for line in register if line.get("kind") == "chips"),
        "cash of Pat Doe": add("cents", kind="transaction", says="cash in"),
        "wagers of Pat Doe": wagered,
        "theoretical win of Pat Doe": wagered * (1 - monkeys * (pays + 1)),
    }


def test_every_figure_of_the_guides_floor_is_that_of_the_books_and_of_an_independent_script(quarter: Path) -> None:
    again = recompute_floor(quarter)
    worked = {figure: cents(result) if "$" in result else int(result) for figure, result in FLOOR.items()}
    assert again == worked
    database = open_database(str(quarter))
    floor = floor_day(database, FIRST_DAY)
    with database.snapshot() as connection:
        *_, count = [p for p in postings(connection, book_number(connection, "house register")) if p.entries]
    database.close()
    places = {place.name: place for place in floor.places}
    stock = {held.name: held for held in floor.stock}
    (rating,) = floor.ratings
    assert (places["vault"].cents, places["cage"].cents) == (worked["vault"], worked["cage, as counted"])
    assert places["cage"].cents - (places["cage"].imprest or 0) == worked["cage against its imprest"]
    assert [(line.debit, line.cents) for line in count.entries][-1] == ("over and short", -worked["over or short"])
    assert (stock["red bee"].store, stock["red bee"].out) == (10, 2)
    assert stock["house $25"].store == worked["$25 chips in the store"]
    assert (rating.wagered, rating.theoretical_win) == (worked["wagers of Pat Doe"], 100_00)
    assert [line.entry.name for line in floor.on_shift] == ["dan"]
    assert any("Pat Doe: cash in of $10,500" in task.says for task in floor.tasks)
    assert [alert.says for alert in floor.alerts if alert.title.startswith(("Incident", "Request"))] == [
        "a card fell face up"
    ]


def test_the_pieces_of_the_guide_are_those_of_the_slips_and_the_next_opener_is_rolled(quarter: Path) -> None:
    with sqlite3.connect(quarter) as connection:
        query = "SELECT facts FROM posting WHERE kind IN ('opener', 'fill', 'closer') ORDER BY book, number"
        slips = [json.loads(facts) for (facts,) in connection.execute(query)]
    sealed = [{int(c): n for c, n in slip["pieces"].items()} for slip in slips if slip["table"] == "A"][:4]
    assert sealed == [pieces_of(row["pieces"]) for row in PIECES.values()]
    for row, pieces in zip(PIECES.values(), sealed, strict=True):
        assert sum(each * number for each, number in pieces.items()) == cents(row["makes"])


def test_who_is_excluded_in_the_guide_is_not_rated(quarter: Path) -> None:
    database = open_database(str(quarter))
    with pytest.raises(PostingRefused, match=r"lee roe is excluded .*WAC 230-23-020"):
        Register(database).add(
            RegisterEntry("rating", "lee roe", "ante", table="B", cents=500, count=10),
            by="flo",
            second="abe",
            day=date(2024, 7, 1),
        )
    database.close()


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
    total = asdict(summary.total)
    parts = ("opener", "fills", "credits", "closer", "drop", "win")
    assert {part: total[part] for part in parts} == {part: again[part] for part in parts}
    assert (total["drop"], total["win"]) == (cents(worked["drop"]), cents(worked["win"]))
    assert f"{100 * again['win'] / again['drop']:.1f}%" == worked["hold"]
    assert summary.gross_receipts == cents(worked["gross receipts"])
    assert summary.tax.cents == cents(worked["tax at 10 %"])
    assert (summary.tokes, summary.final) == (again["tokes"], True)
    last = list(csv.DictReader(io.StringIO(summary_csv(summary))))[-1]
    assert (last["day"], int(last["win"])) == (name, again["win"])


def test_players_money_in_a_progressive_is_no_receipt(quarter: Path) -> None:
    database = open_database(str(quarter))
    summary = summarize(database, parse_span("2024-05"))
    database.close()
    assert asdict(summary.progressives) == {"accrued": 30 * 100, "fees": 0, "prizes_taken_as_receipts": 0}
    assert (summary.gross_receipts, summary.tax.cents) == (summary.total.win, None)


def test_a_summary_is_not_final_before_its_period_is_closed(quarter: Path) -> None:
    database = open_database(str(quarter))
    year = summarize(database, parse_span("2024"))
    with pytest.raises(BadOption, match="from 0 to 1"):
        summarize(database, parse_span("2024"), tax_rate=Fraction(11, 10))
    database.close()
    assert not year.final
    assert year.total == summarize_quarters(quarter)


def summarize_quarters(path: Path) -> object:
    database = open_database(str(path))
    total = summarize(database, parse_span("2024-Q2")).total
    database.close()
    return total
