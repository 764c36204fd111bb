"""The summary of a month, quarter or year: drop and win by day and game, gross receipts and their tax."""

import datetime
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import asdict

from feltworks.documents import csv_text, document_of
from feltworks.errors import BadOption
from feltworks.house.closing import Span, closed_spans
from feltworks.house.progressive.fund import BOX, CHART, FEE, PRIZES, RECEIPTS, UNCOUNTED
from feltworks.house.storage.database import Database
from feltworks.house.tables import periods
from feltworks.house.tables.accounts import Sums
from feltworks.house.tables.periods import Period
from feltworks.house.tables.report import progressive_moves
from feltworks.house.tables.tokes import tokes_on
from feltworks.money import Cents


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
    """The money that players paid into prizes, and the amounts that the house took out of it."""

    accrued: Cents
    fees: Cents
    prizes_taken_as_receipts: Cents


class Tax(Struct, frozen=True):
    """The local tax on gross receipts; None without a rate."""

    rate: str | None
    cents: Cents | None


class PeriodSummary(Struct, frozen=True):
    """Drop and win of every day and game with counted boxes, gross receipts and their tax; amounts in cents.

    Gross receipts are the win of the tables, the fees of progressives and prize money recorded as gross
    receipts (WAC 230-15-695). Money that players paid into progressive prizes is held for them and is not a
    receipt (WAC 230-15-671): it has a box of its own and is in no table's drop.
    """

    period: str
    kind: str
    first: datetime.date
    last: datetime.date
    final: bool  # the period is closed and every box is counted
    closed: str | None  # the closed period that contains it
    uncounted_boxes: int
    lines: list[SummaryRow]
    games: dict[str, SummarySums]
    total: SummarySums
    progressives: ProgressiveMoney
    gross_receipts: Cents
    tax: Tax
    tokes: Cents


def summarize(database: Database, span: Span, *, tax_rate: Fraction | None = None) -> PeriodSummary:
    """Summarize a period from one state of the books.

    The tax is local, so there is no default rate.
    """
    if tax_rate is not None and not 0 <= tax_rate <= 1:
        raise BadOption("tax rate", str(tax_rate), "a part from 0 to 1, such as 0.1 or 1/10")
    with database.snapshot() as connection:
        boxes = [box for box in periods.between(connection, span.first, span.last) if box.state != "void"]
        moves, every_account = (connection, span.first, span.last), tuple(CHART)
        accrued = sum(progressive_moves(*moves, (BOX, UNCOUNTED), PRIZES).values())
        fees = sum(progressive_moves(*moves, every_account, (FEE,)).values())
        prize_receipts = sum(progressive_moves(*moves, every_account, (RECEIPTS,)).values())
        tokes, closings = tokes_on(*moves), closed_spans(connection)
    counted = [box for box in boxes if box.state == "counted"]
    around = (closed.name for closed in closings if closed.first <= span.first and span.last <= closed.last)
    closed, total = next(around, None), SummarySums(**_sums(counted))
    receipts = total.win + fees + prize_receipts
    return document_of(
        PeriodSummary,
        span,
        period=span.name,
        final=len(counted) == len(boxes) and closed is not None,
        closed=closed,
        uncounted_boxes=len(boxes) - len(counted),
        lines=_lines(counted),
        games={game: SummarySums(**_sums(of)) for (game,), of in _groups(counted, "game")},
        total=total,
        progressives=ProgressiveMoney(accrued, fees, prize_receipts),
        gross_receipts=receipts,
        tax=Tax(None, None) if tax_rate is None else Tax(str(tax_rate), _tax(receipts, tax_rate)),
        tokes=tokes,
    )


def _tax(receipts: Cents, rate: Fraction) -> Cents:
    """The tax on gross receipts, rounded up to the cent; none on a loss."""
    return -int(-max(receipts, 0) * rate // 1)


def _groups(boxes: Iterable[Period], *parts: str) -> list[tuple[tuple[Any, ...], list[Period]]]:
    """The boxes grouped by game, or by day and game, in sorted order."""
    groups: dict[tuple[Any, ...], list[Period]] = {}
    for box in boxes:
        groups.setdefault(tuple(getattr(box, part) for part in parts), []).append(box)
    return sorted(groups.items())


def _lines(boxes: Iterable[Period]) -> list[SummaryRow]:
    rows = []
    for (day, game), group in _groups(boxes, "day", "game"):
        revisions = sum(slip.kind == "count" and slip.void for box in group for slip in box.slips)
        rows.append(SummaryRow(**_sums(group), day=day, game=game, boxes=len(group), revisions=revisions))
    return rows


def _sums(boxes: Iterable[Period]) -> dict[str, Any]:
    sums = sum((box.sums for box in boxes), Sums())
    return {**asdict(sums), "win": sums.win, "hold": None if sums.hold is None else float(sums.hold)}


_COLUMNS: Final = (
    *("day", "game", "boxes", "opener", "fills", "credits", "closer", "drop", "win", "hold", "revisions"),
)


def summary_csv(summary: PeriodSummary) -> str:
    """The summary as CSV: one row for each day and game, then the totals; amounts in cents."""
    rows = [[getattr(line, name) for name in _COLUMNS] for line in summary.lines]
    total = {**asdict(summary.total), "day": summary.period, "game": "total"}
    total |= {name: sum(getattr(line, name) for line in summary.lines) for name in ("boxes", "revisions")}
    return csv_text([_COLUMNS, *rows, [total[name] for name in _COLUMNS]])
