"""The tables' accounts over HTTP: signed slips, the newest box of each table, and the report of a day."""

import datetime
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, Literal, TypeVar

from litestar import Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromQuery, JSONBody, QueryParameter
from litestar.types import Empty
from msgspec import Meta, Struct

from feltworks import catalog
from feltworks.documents import document_of
from feltworks.house.law import HouseKind
from feltworks.house.storage.database import Database
from feltworks.house.tables import periods
from feltworks.house.tables.accounts import Sums
from feltworks.house.tables.acts import Chips, Payout, SlipKind, Stakes
from feltworks.house.tables.books import TableBooks
from feltworks.house.tables.desk import TablePosting
from feltworks.house.tables.periods import Period, Slip
from feltworks.house.tables.report import MasterReport, master_games_report, report_csv
from feltworks.house.tables.tokes import TokeBook
from feltworks.money import Cents
from feltworks.reports.slip import slip_html
from feltworks.web.house.approvals import OrderRequest, table_order
from feltworks.web.house.office import (
    Amount,
    Count,
    CurrentUser,
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
from feltworks.web.responses import file_response

_LONGEST_LOG: Final = 16_000_000  # bytes, enough for some thousand rounds
Serial = Annotated[int, QueryParameter(ge=1, le=10**15)]
Slips = Literal["opener", "closer", "fill", "credit", "drop", "count"]


class _SignedRequest(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A request with signatures; requests with the same key are posted once."""

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
    """A box counted by one person alone: how many pieces of each amount in cents."""

    table: Word
    count: Pieces
    team_approval: Words = ""


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


class EnterLog(_SignedRequest, frozen=True, kw_only=True):
    """The wagers made at a table, from the log of a table that Feltworks dealt; each round counts once."""

    table: Word
    log: str


class ReportPayout(_SignedRequest, frozen=True, kw_only=True):
    """A payout to be reported."""

    table: Word
    wager: Word
    wagered: Amount
    cents: Amount
    player: Words
    hand: Words
    round: Word = ""  # to tell apart equal wins of a player with the same hand


class TakeTokes(_SignedRequest, frozen=True, kw_only=True):
    """A dealer's tokes, locked into the container."""

    table: Word
    cents: Amount


class ShareTokes(_SignedRequest, frozen=True, kw_only=True):
    """Tokes shared out among dealers: the share of each, and the method."""

    shares: Annotated[dict[Word, Amount], Meta(min_length=1, max_length=200)]
    reference: Words


class TokePosting(Struct, frozen=True):
    """The posting in the book of the tokes, and the amount in the container after it."""

    number: int
    held: Cents


Request = TypeVar("Request", bound=_SignedRequest)
Result = TypeVar("Result")


def _handler(
    name: str,
    request: type[Request],
    result: type[Result],
    action: str,
    does: Callable[[Database, Request, Mapping[str, str]], Result],
    says: str,
) -> HTTPRouteHandler:
    """A handler for one act: check every signature, then post the act.

    An opener signed by security reports a variance, which takes the signatures of an error slip.
    """

    def handle(office: TheOffice, person: CurrentUser, data: Any) -> Any:
        reports_error = action == "opener" and "security" in data.signed
        signed = check_signatures(office, person, "error" if reports_error else action, data.signed)
        return does(office.database, data, signed)

    handle.__name__, handle.__doc__ = name.replace("-", "_"), says
    body: Any = JSONBody
    handle.__annotations__ |= {"data": body[request], "return": result}
    most = _LONGEST_LOG if request is EnterLog else Empty
    return post(f"/tables/{name}", status_code=200, sync_to_thread=True, request_max_body_size=most)(handle)


def _table_act(
    name: str,
    request: type[Request],
    does: Callable[[TableBooks, Request, Mapping[str, str]], TablePosting],
    says: str,
    *,
    action: str = "",
) -> HTTPRouteHandler:
    """A handler for an act on a table."""
    return _handler(name, request, TablePosting, action or name, lambda at, *facts: does(TableBooks(at), *facts), says)


def _open(database: Database, data: OpenTable, signed: Mapping[str, str]) -> TablePosting:
    books, tray = TableBooks(database, house=data.house), data.pieces or data.cents
    return books.open(table_order(data.order), data.table, tray, signed, shift=data.shift, key=data.key)


def _wagers(books: TableBooks, data: EnterWagers, signed: Mapping[str, str]) -> TablePosting:
    stakes = [Stakes(row.wager, row.cents, row.count) for row in data.stakes]
    return books.enter_wagers(data.table, stakes, signed, key=data.key)


def _payout(books: TableBooks, data: ReportPayout, signed: Mapping[str, str]) -> TablePosting:
    paid = Payout(data.table, 0, data.wager, data.wagered, data.cents, data.player, data.hand, data.round)
    return books.pay(paid, signed, key=data.key)


def _tokes(database: Database, data: TakeTokes, signed: Mapping[str, str]) -> TokePosting:
    book = TokeBook(database)
    return TokePosting(book.take(data.table, data.cents, signed, day=today(), key=data.key), book.balance())


def _share_tokes(database: Database, data: ShareTokes, signed: Mapping[str, str]) -> TokePosting:
    book = TokeBook(database)
    return TokePosting(book.pay(data.shares, data.reference, signed, day=today(), key=data.key), book.balance())


ACTS: Final = [
    _handler("open", OpenTable, TablePosting, "opener", _open, "Open a table, if law, rules and letter allow it."),
    _table_act(
        "fill",
        MoveChips,
        lambda at, data, signed: at.fill(data.table, data.chips, signed, request=data.request, key=data.key),
        "Bring chips from the cage to an open table.",
    ),
    _table_act(
        "credit",
        MoveChips,
        lambda at, data, signed: at.credit(data.table, data.chips, signed, request=data.request, key=data.key),
        "Take chips from an open table to the cage.",
    ),
    _table_act(
        "close",
        MoveChips,
        lambda at, data, signed: at.close(data.table, data.chips, signed, key=data.key),
        "Count the tray of an open table and lock it.",
        action="closer",
    ),
    _table_act(
        "drop",
        PullBox,
        lambda at, data, signed: at.drop(data.table, signed, box=data.box, key=data.key),
        "Pull the box of a closed table.",
    ),
    _table_act(
        "tally",
        CountBox,
        lambda at, data, signed: at.tally(data.table, data.count, signed, key=data.key),
        "Enter the first person's own count of a box; nobody can read it.",
    ),
    _table_act(
        "count",
        CountBox,
        lambda at, data, signed: at.count(
            data.table, data.count, signed, team_approval=data.team_approval, key=data.key
        ),
        "Enter the second person's own count; the box is counted, and the win final, where both are equal.",
    ),
    _table_act(
        "void",
        VoidSlip,
        lambda at, data, signed: at.void(data.kind, data.serial, data.because, signed, key=data.key),
        "Void a slip: its number stays, and its amount is moved back.",
    ),
    _table_act(
        "revise",
        VoidSlip,
        lambda at, data, signed: at.revise(data.kind, data.serial, data.because, signed, key=data.key),
        "Void a slip of a counted box, which is locked; accounting and somebody independent sign.",
    ),
    _table_act(
        "recount",
        CountBox,
        lambda at, data, signed: at.recount(data.table, data.count, signed, key=data.key),
        "Enter the second person's own count of a revised box.",
    ),
    _table_act("wagers", EnterWagers, _wagers, "Enter the wagers made at a table."),
    _table_act(
        "log",
        EnterLog,
        lambda at, data, signed: at.enter_log(data.table, data.log.encode().split(b"\n")[:-1], signed),
        "Enter the wagers of a table's log that are not entered yet.",
        action="wagers",
    ),
    _table_act("payout", ReportPayout, _payout, "Report a payout; a large one raises a task to verify it."),
    _handler("tokes", TakeTokes, TokePosting, "tokes", _tokes, "Take tokes into the container."),
    _handler("share-tokes", ShareTokes, TokePosting, "tokes paid", _share_tokes, "Share tokes out among the dealers."),
]


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


@get("/tables", sync_to_thread=True)
def tables(readable: ReadableBooks) -> list[TableStatus]:
    """Every table that has been opened, with its newest box."""
    with readable.snapshot() as connection:
        newest = [next(periods.of_table(connection, name), None) for name in periods.tables(connection)]
    return [_table_status(period) for period in newest if period is not None]


@get("/tables/slip", sync_to_thread=True)
def slip(
    readable: ReadableBooks,
    kind: FromQuery[SlipKind],
    serial: Serial,
    format: FromQuery[Literal["html", "pdf"]] = "html",
) -> Response[str | bytes]:
    """A slip as a form to print, as page or PDF: fills, credits and closers in three parts."""
    from feltworks.reports.paper import pdf  # loads every paper

    html = slip_html(readable, kind, serial)
    if format == "html":
        return Response(html, media_type="text/html")
    return file_response(pdf(html), "application/pdf", f"{kind}-{serial}.pdf", is_shown=True)


@get("/report", sync_to_thread=True)
def report(
    readable: ReadableBooks,
    day: QueryDay = None,
    format: FromQuery[Literal["json", "csv"]] = "json",
) -> Response[MasterReport | str]:
    """The master games report: drop and win by table, beside the expected win."""
    day_report = master_games_report(readable, day or today())
    if format == "csv":
        return file_response(report_csv(day_report), "text/csv", f"master-games-{day_report.day}.csv")
    return Response(day_report, media_type="application/json")


def _table_status(period: Period) -> TableStatus:
    title = catalog.rulebook(period.game).title if period.game in catalog.games() else period.game
    win = period.sums.win if period.state == "counted" else None
    return document_of(TableStatus, period, title=title, win=win)


HANDLERS = [*ACTS, tables, slip, report]
