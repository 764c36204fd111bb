"""The tables' accounts: slips signed and posted, the newest box of each table, and the report of a day."""

import datetime
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import msgspec
from litestar import Response, get, post
from litestar.params import FromQuery, JSONBody, QueryParameter
from msgspec import Meta, Struct

from feltworks import catalog
from feltworks.house.law import HouseKind
from feltworks.house.tables import periods
from feltworks.house.tables.accounts import Sums
from feltworks.house.tables.acts import Chips, Payout, Stakes
from feltworks.house.tables.books import TableBooks
from feltworks.house.tables.desk import TablePosting
from feltworks.house.tables.periods import Period, Slip
from feltworks.house.tables.report import master_games_report, report_csv, report_document
from feltworks.house.tables.tasks import Task
from feltworks.house.tables.tokes import TokeBook
from feltworks.house.users import Person
from feltworks.money import Cents
from feltworks.reports.slip import slip_html
from feltworks.web.house.approvals import OrderRequest, table_order
from feltworks.web.house.office import (
    Amount,
    Count,
    CurrentUser,
    Office,
    Pieces,
    QueryDay,
    ReadableBooks,
    Signatures,
    TheOffice,
    Word,
    Words,
    check_signatures,
    today,
)
from feltworks.web.responses import document_of

Serial = Annotated[int, QueryParameter(ge=1, le=10**15)]
Slips = Literal["opener", "closer", "fill", "credit", "drop", "count"]


class _SignedRequest(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A request with signatures; a repeated request with the same key is posted once."""

    signed: Signatures
    key: Word = ""


class OpenTable(_SignedRequest, frozen=True, kw_only=True):
    """Open a table as ordered, with the counted tray."""

    table: Word
    order: OrderRequest
    cents: Amount | None = None  # None: rolled from the last closer
    pieces: Pieces = {}
    shift: Word = ""
    house: HouseKind = "card room"


class MoveChips(_SignedRequest, frozen=True, kw_only=True):
    """Chips moved, or a counted tray: an amount, or how many pieces of each; a fill may answer a request."""

    table: Word
    cents: Amount = 0
    pieces: Pieces = {}
    request: Count = 0

    @property
    def chips(self) -> Chips:
        return self.pieces or self.cents


class PullBox(_SignedRequest, frozen=True, kw_only=True):
    """A pulled box; the table's own unless an emergency box was in use."""

    table: Word
    box: Word = ""


class CountBox(_SignedRequest, frozen=True, kw_only=True):
    """A box counted twice: how many pieces of each amount in cents."""

    table: Word
    first: Pieces
    second: Pieces
    team_approval: Words = ""


class TallyBox(_SignedRequest, frozen=True, kw_only=True):
    """A box counted by one person alone: how many pieces of each amount in cents."""

    table: Word
    count: Pieces


class VoidSlip(_SignedRequest, frozen=True, kw_only=True):
    """A slip to be voided."""

    kind: Slips
    serial: Annotated[int, Meta(ge=1, le=10**15)]
    because: Words


class StakesRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """Wagers of one size: how many were made."""

    wager: Word
    cents: Amount
    count: Count


class EnterWagers(_SignedRequest, frozen=True, kw_only=True):
    """Wagers made at a table, from which its theoretical win follows."""

    table: Word
    stakes: Annotated[list[StakesRequest], Meta(min_length=1, max_length=200)]


class ReportPayout(_SignedRequest, frozen=True, kw_only=True):
    """A payout to be reported."""

    table: Word
    wager: Word
    wagered: Amount
    cents: Amount
    player: Words
    hand: Words


class TakeTokes(_SignedRequest, frozen=True, kw_only=True):
    """A dealer's tokes, locked into the container."""

    table: Word
    cents: Amount


class ShareTokes(_SignedRequest, frozen=True, kw_only=True):
    """Tokes shared out among dealers: who gets how much, and by which method."""

    shares: Annotated[dict[Word, Amount], Meta(min_length=1, max_length=200)]
    reference: Words


class TokePosting(Struct, frozen=True):
    """The posting in the book of the tokes, and what the container holds after it."""

    number: int
    held: Cents


def _books_and_signatures(
    office: Office, person: Person, action: str, request: _SignedRequest
) -> tuple[TableBooks, dict[str, str]]:
    """The tables' books, and the checked signatures of a request."""
    return TableBooks(office.database), check_signatures(office, person, action, request.signed)


@post("/tables/open", status_code=200, sync_to_thread=True)
def open_table(office: TheOffice, person: CurrentUser, data: JSONBody[OpenTable]) -> TablePosting:
    """Open a table, if the law, the rules and the letter allow it."""
    action = "error" if "security" in data.signed else "opener"
    signed = check_signatures(office, person, action, data.signed)
    books = TableBooks(office.database, house=data.house)
    return books.open(
        table_order(data.order), data.table, data.pieces or data.cents, signed, shift=data.shift, key=data.key
    )


@post("/tables/fill", status_code=200, sync_to_thread=True)
def fill(office: TheOffice, person: CurrentUser, data: JSONBody[MoveChips]) -> TablePosting:
    """Bring chips from the cage to an open table."""
    books, signed = _books_and_signatures(office, person, "fill", data)
    return books.fill(data.table, data.chips, signed, request=data.request, key=data.key)


@post("/tables/credit", status_code=200, sync_to_thread=True)
def credit(office: TheOffice, person: CurrentUser, data: JSONBody[MoveChips]) -> TablePosting:
    """Take chips from an open table to the cage."""
    books, signed = _books_and_signatures(office, person, "credit", data)
    return books.credit(data.table, data.chips, signed, request=data.request, key=data.key)


@post("/tables/close", status_code=200, sync_to_thread=True)
def close(office: TheOffice, person: CurrentUser, data: JSONBody[MoveChips]) -> TablePosting:
    """Count the tray of an open table and lock it."""
    books, signed = _books_and_signatures(office, person, "closer", data)
    return books.close(data.table, data.chips, signed, key=data.key)


@post("/tables/drop", status_code=200, sync_to_thread=True)
def drop(office: TheOffice, person: CurrentUser, data: JSONBody[PullBox]) -> TablePosting:
    """Pull the box of a closed table."""
    books, signed = _books_and_signatures(office, person, "drop", data)
    return books.drop(data.table, signed, box=data.box, key=data.key)


@post("/tables/count", status_code=200, sync_to_thread=True)
def count(office: TheOffice, person: CurrentUser, data: JSONBody[CountBox]) -> TablePosting:
    """Count the oldest uncounted box of a table; the win is final then."""
    books, signed = _books_and_signatures(office, person, "count", data)
    allowed = data.team_approval
    return books.count(data.table, data.first, data.second, signed, team_approval=allowed, key=data.key)


@post("/tables/tally", status_code=200, sync_to_thread=True)
def tally(office: TheOffice, person: CurrentUser, data: JSONBody[TallyBox]) -> TablePosting:
    """Enter the first person's own count of a box; nobody can read it."""
    books, signed = _books_and_signatures(office, person, "tally", data)
    return books.tally(data.table, data.count, signed, key=data.key)


@post("/tables/match-tally", status_code=200, sync_to_thread=True)
def match_tally(office: TheOffice, person: CurrentUser, data: JSONBody[TallyBox]) -> TablePosting:
    """Enter the second person's own count; the box is counted where both are equal."""
    books, signed = _books_and_signatures(office, person, "count", data)
    return books.match_tally(data.table, data.count, signed, key=data.key)


@post("/tables/void", status_code=200, sync_to_thread=True)
def void(office: TheOffice, person: CurrentUser, data: JSONBody[VoidSlip]) -> TablePosting:
    """Void a slip: its number stays, and its amount is moved back."""
    books, signed = _books_and_signatures(office, person, "void", data)
    return books.void(data.kind, data.serial, data.because, signed, key=data.key)


@post("/tables/revise", status_code=200, sync_to_thread=True)
def revise(office: TheOffice, person: CurrentUser, data: JSONBody[VoidSlip]) -> TablePosting:
    """Void a slip of a counted box, which is locked; accounting and somebody independent sign."""
    books, signed = _books_and_signatures(office, person, "revise", data)
    return books.revise(data.kind, data.serial, data.because, signed, key=data.key)


@post("/tables/recount", status_code=200, sync_to_thread=True)
def recount(office: TheOffice, person: CurrentUser, data: JSONBody[CountBox]) -> TablePosting:
    """Count a revised box again."""
    books, signed = _books_and_signatures(office, person, "recount", data)
    return books.recount(data.table, data.first, data.second, signed, key=data.key)


@post("/tables/wagers", status_code=200, sync_to_thread=True)
def wagers(office: TheOffice, person: CurrentUser, data: JSONBody[EnterWagers]) -> TablePosting:
    """Enter the wagers made at a table."""
    books, signed = _books_and_signatures(office, person, "wagers", data)
    stakes = [Stakes(row.wager, row.cents, row.count) for row in data.stakes]
    return books.enter_wagers(data.table, stakes, signed, key=data.key)


@post("/tables/payout", status_code=200, sync_to_thread=True)
def payout(office: TheOffice, person: CurrentUser, data: JSONBody[ReportPayout]) -> TablePosting:
    """Report a payout; a large one raises a task to verify it."""
    books, signed = _books_and_signatures(office, person, "payout", data)
    paid = Payout(data.table, 0, data.wager, data.wagered, data.cents, data.player, data.hand)
    return books.pay(paid, signed, key=data.key)


class TableStatus(Struct, frozen=True):
    """A table's newest box, and the sums of its slips."""

    table: str
    game: str
    title: str
    day: datetime.date
    shift: str
    state: str
    deviations: list[str]
    slips: list[Slip]
    sums: Sums
    win: Cents | None


class ExactFigure(Struct, frozen=True):
    """A figure as a fraction and as a number."""

    exact: str
    value: float


class TheoreticalWin(Struct, frozen=True):
    """The expected win of a box, and the band that holds 95 of 100 results."""

    wagered: Cents
    win: ExactFigure
    standard_deviation: float
    band: tuple[float, float]
    within_band: bool | None
    deviations: float | None


class ReportRow(Struct, frozen=True):
    """One box of the day."""

    table: str
    game: str
    shift: str
    period: int
    state: str
    opener: Cents
    fills: Cents
    credits: Cents
    closer: Cents
    drop: Cents
    win: Cents | None
    final: bool
    hold: float | None
    theory: TheoreticalWin | None
    variance: Cents
    slips: list[Slip]
    as_approved: bool
    deviations: list[str]
    revisions: int


class ReportTotal(Struct, frozen=True):
    """All boxes of the day together."""

    opener: Cents
    fills: Cents
    credits: Cents
    closer: Cents
    drop: Cents
    win: Cents | None
    theory: TheoreticalWin | None


class MasterReport(Struct, frozen=True):
    """The master games report of a day."""

    day: datetime.date
    final: bool
    tables: list[ReportRow]
    without_activity: list[str]
    total: ReportTotal
    void_openers: list[Slip]
    progressives_accrued: Mapping[str, Cents]
    tokes: Cents
    tasks: list[Task]


@post("/tables/tokes", status_code=200, sync_to_thread=True)
def tokes(office: TheOffice, person: CurrentUser, data: JSONBody[TakeTokes]) -> TokePosting:
    """Take tokes into the container."""
    signed = check_signatures(office, person, "tokes", data.signed)
    book = TokeBook(office.database)
    return TokePosting(book.take(data.table, data.cents, signed, day=today(), key=data.key), book.balance())


@post("/tables/share-tokes", status_code=200, sync_to_thread=True)
def share_tokes(office: TheOffice, person: CurrentUser, data: JSONBody[ShareTokes]) -> TokePosting:
    """Share tokes out among those who may have them."""
    signed = check_signatures(office, person, "tokes paid", data.signed)
    book = TokeBook(office.database)
    return TokePosting(book.pay(data.shares, data.reference, signed, day=today(), key=data.key), book.balance())


@get("/tables", sync_to_thread=True)
def tables(readable: ReadableBooks) -> list[TableStatus]:
    """Every table that has been opened, with its newest box."""
    with readable.snapshot() as connection:
        newest = [next(periods.of_table(connection, name), None) for name in periods.tables(connection)]
    return [_table_status(period) for period in newest if period is not None]


@get("/tables/slip", sync_to_thread=True)
def slip(readable: ReadableBooks, kind: FromQuery[Slips], serial: Serial) -> Response[str]:
    """A slip as a form to print: fills, credits and closers in three parts."""
    return Response(slip_html(readable, kind, serial), media_type="text/html")


@get("/report", sync_to_thread=True)
def report(
    readable: ReadableBooks,
    day: QueryDay = None,
    format: FromQuery[Literal["json", "csv"]] = "json",
) -> Response[MasterReport | str]:
    """The master games report: drop and win by table, beside the expected win."""
    day_report = master_games_report(readable, day or today())
    if format == "csv":
        headers = {"content-disposition": f'attachment; filename="master-games-{day_report.day}.csv"'}
        return Response(report_csv(day_report), media_type="text/csv", headers=headers)
    document: Any = report_document(day_report)
    return Response(msgspec.convert(document, MasterReport), media_type="application/json")


def _table_status(period: Period) -> TableStatus:
    title = catalog.rulebook(period.game).title if period.game in catalog.games() else period.game
    win = period.sums.win if period.state == "counted" else None
    return document_of(TableStatus, period, title=title, win=win)


HANDLERS = [
    tally,
    match_tally,
    open_table,
    fill,
    credit,
    close,
    drop,
    count,
    void,
    revise,
    recount,
    wagers,
    payout,
    tokes,
    share_tokes,
    tables,
    slip,
    report,
]
