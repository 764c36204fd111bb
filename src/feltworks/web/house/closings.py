"""Closed periods over HTTP: closing a day, month, quarter or year, and the summary of one."""

import datetime
from fractions import Fraction
from typing import Annotated, Any, Literal

import msgspec
from litestar import Response, get, post
from litestar.params import FromQuery, JSONBody, QueryParameter
from msgspec import Struct

from feltworks.errors import BadOption
from feltworks.house.closing import Closing, ClosingBook, Span, parse_span
from feltworks.house.tables.hold import hold_document, hold_report
from feltworks.house.tables.summary import summarize, summary_csv, summary_document
from feltworks.money import Cents
from feltworks.web.house.office import (
    CurrentUser,
    NotSigned,
    ReadableBooks,
    Signer,
    TheOffice,
    Word,
    check_witness,
)

Period = Annotated[str, QueryParameter(max_length=10)]
Rate = Annotated[str | None, QueryParameter(max_length=20)]


class ClosePeriod(Struct, frozen=True, forbid_unknown_fields=True):
    """A period to be closed, and the second person."""

    period: Word
    witness: Signer


class SummarySums(Struct, frozen=True):
    """Sums of counted boxes, in cents."""

    opener: Cents
    fills: Cents
    credits: Cents
    closer: Cents
    drop: Cents
    win: Cents
    hold: float | None


class SummaryRow(SummarySums, frozen=True, kw_only=True):
    """The counted boxes of one day and one game."""

    day: datetime.date
    game: str
    boxes: int
    revisions: int


class ProgressiveMoney(Struct, frozen=True):
    """What players paid into prizes, and what the house took of it."""

    accrued: Cents
    fees: Cents
    prizes_taken_as_receipts: Cents


class Tax(Struct, frozen=True):
    """The local tax on gross receipts; None without a rate."""

    rate: str | None
    cents: Cents | None


class PeriodSummary(Struct, frozen=True):
    """Drop and win by day and game, gross receipts and their tax."""

    period: str
    kind: str
    first: datetime.date
    last: datetime.date
    final: bool
    closed: str | None
    uncounted_boxes: int
    lines: list[SummaryRow]
    games: dict[str, SummarySums]
    total: SummarySums
    progressives: ProgressiveMoney
    gross_receipts: Cents
    tax: Tax
    tokes: Cents


class ExpectedWin(Struct, frozen=True):
    """An exact expectation and its value, in cents."""

    exact: str
    value: float


class HoldRow(Struct, frozen=True):
    """A table, game or dealer against the exact expectation; `chance` is how often honest play differs so."""

    subject: Literal["table", "game", "dealer"]
    name: str
    boxes: int
    wagered: Cents
    win: Cents
    expected: ExpectedWin
    band: tuple[float, float]
    distance: float
    chance: float
    surprising: bool


class HoldComparison(Struct, frozen=True):
    """Actual against exact win of a period."""

    period: str
    rate: float
    lines: list[HoldRow]
    alarms: int
    boxes_without_wagers: int


@get("/hold", sync_to_thread=True)
def hold(readable: ReadableBooks, period: Period) -> HoldComparison:
    """The win of tables, games and dealers beside the exact expectation."""
    document: Any = hold_document(hold_report(readable, parse_span(period)))
    return msgspec.convert(document, HoldComparison)


@get("/closings", sync_to_thread=True)
def closings(readable: ReadableBooks) -> list[Span]:
    """Every period that is closed."""
    return ClosingBook(readable).closed()


@post("/closings", status_code=200, sync_to_thread=True)
def close_period(office: TheOffice, person: CurrentUser, data: JSONBody[ClosePeriod]) -> Closing:
    """Close a period whose boxes are all counted; nothing more is posted for its days."""
    second = check_witness(office, person, data.witness)
    if second is None:
        raise NotSigned("a period is closed before two persons; the second one signs with a password")
    return ClosingBook(office.database).close(parse_span(data.period), by=person.name, second=second)


@get("/summary", sync_to_thread=True)
def summary(
    readable: ReadableBooks,
    period: Period,
    tax_rate: Rate = None,
    format: FromQuery[Literal["json", "csv"]] = "json",
) -> Response[PeriodSummary | str]:
    """The summary of a day, month, quarter or year."""
    summed = summarize(readable, parse_span(period), tax_rate=_rate(tax_rate))
    if format == "csv":
        headers = {"content-disposition": f'attachment; filename="summary-{summed.span.name}.csv"'}
        return Response(summary_csv(summed), media_type="text/csv", headers=headers)
    document: Any = summary_document(summed)
    return Response(msgspec.convert(document, PeriodSummary), media_type="application/json")


def _rate(text: str | None) -> Fraction | None:
    if not text:
        return None
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise BadOption("tax rate", text, "a part such as 0.1 or 1/10") from None


HANDLERS = [closings, close_period, summary, hold]
