"""The summary of a month, quarter or year: drop and win by day and game, gross receipts and their tax."""

import datetime
from collections.abc import Iterable
from fractions import Fraction
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import asdict

from feltworks.documents import document_of
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
from feltworks.spreadsheet import csv_text


class SummaryLine(Struct, frozen=True):
    """The counted boxes of one day and one game."""

    day: datetime.date
    game: str
    boxes: int
    sums: Sums
    revisions: int


class Summary(Struct, frozen=True):
    """A period: every day and game with counted boxes, and what the house received.

    Gross receipts are the win of the tables, the fees of progressives and prize money recorded as gross
    receipts (WAC 230-15-695). What players paid into progressive prizes is held for them and is no receipt
    (WAC 230-15-671): it lies in a box of its own and is in no table's drop.
    """

    span: Span
    lines: tuple[SummaryLine, ...]
    uncounted: int  # boxes that are not counted yet: the summary is not final while there are any
    accrued: Cents
    fees: Cents
    prize_receipts: Cents
    tokes: Cents
    closed_by: str | None  # the closed period that it lies in
    tax_rate: Fraction | None = None

    @property
    def is_final(self) -> bool:
        return self.uncounted == 0 and self.closed_by is not None

    @property
    def total(self) -> Sums:
        return sum((line.sums for line in self.lines), Sums())

    @property
    def gross_receipts(self) -> Cents:
        return self.total.win + self.fees + self.prize_receipts

    @property
    def tax(self) -> Cents | None:
        """The tax on gross receipts, rounded up to the cent; none on a loss, None where no rate is given."""
        if self.tax_rate is None:
            return None
        return -int(-max(self.gross_receipts, 0) * self.tax_rate // 1)

    def by_game(self) -> dict[str, Sums]:
        """The sums of every game."""
        sums: dict[str, Sums] = {}
        for line in self.lines:
            sums[line.game] = sums.get(line.game, Sums()) + line.sums
        return dict(sorted(sums.items()))


def summarize(database: Database, span: Span, *, tax_rate: Fraction | None = None) -> Summary:
    """Summarize a period from one state of the books.

    The tax is local, so no rate is assumed.
    """
    if tax_rate is not None and not 0 <= tax_rate <= 1:
        raise BadOption("tax rate", str(tax_rate), "a part from 0 to 1, such as 0.1 or 1/10")
    with database.snapshot() as connection:
        boxes = [box for box in periods.between(connection, span.first, span.last) if box.state != "void"]
        moves = (connection, span.first, span.last)
        every_account = tuple(CHART)
        return Summary(
            span=span,
            lines=_lines(box for box in boxes if box.state == "counted"),
            uncounted=sum(box.state != "counted" for box in boxes),
            accrued=sum(progressive_moves(*moves, (BOX, UNCOUNTED), PRIZES).values()),
            fees=sum(progressive_moves(*moves, every_account, (FEE,)).values()),
            prize_receipts=sum(progressive_moves(*moves, every_account, (RECEIPTS,)).values()),
            tokes=tokes_on(*moves),
            closed_by=next(
                (
                    closed.name
                    for closed in closed_spans(connection)
                    if closed.first <= span.first and span.last <= closed.last
                ),
                None,
            ),
            tax_rate=tax_rate,
        )


def _lines(boxes: Iterable[Period]) -> tuple[SummaryLine, ...]:
    lines: dict[tuple[datetime.date, str], SummaryLine] = {}
    for box in boxes:
        at = box.day, box.game
        line = lines.get(at, SummaryLine(*at, 0, Sums(), 0))
        revised = sum(slip.kind == "count" and slip.void for slip in box.slips)
        lines[at] = SummaryLine(*at, line.boxes + 1, line.sums + box.sums, line.revisions + revised)
    return tuple(lines[at] for at in sorted(lines))


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


def summary_document(summary: Summary) -> PeriodSummary:
    """The document of a summary; amounts in cents."""
    return document_of(
        PeriodSummary,
        summary,
        summary.span,
        period=summary.span.name,
        final=summary.is_final,
        closed=summary.closed_by,
        uncounted_boxes=summary.uncounted,
        lines=[_line_document(line) for line in summary.lines],
        games={game: SummarySums(**_sums(sums)) for game, sums in summary.by_game().items()},
        total=SummarySums(**_sums(summary.total)),
        progressives=ProgressiveMoney(summary.accrued, summary.fees, summary.prize_receipts),
        tax=Tax(None if summary.tax_rate is None else str(summary.tax_rate), summary.tax),
    )


def _line_document(line: SummaryLine) -> SummaryRow:
    return document_of(SummaryRow, line, **_sums(line.sums))


def _sums(sums: Sums) -> dict[str, Any]:
    return {**asdict(sums), "win": sums.win, "hold": None if sums.hold is None else float(sums.hold)}


_COLUMNS: Final = (
    *("day", "game", "boxes", "opener", "fills", "credits", "closer", "drop", "win", "hold", "revisions"),
)


def summary_csv(summary: Summary) -> str:
    """The summary as CSV: one row for each day and game, then the totals; amounts in cents."""
    rows = [[getattr(_line_document(line), name) for name in _COLUMNS] for line in summary.lines]
    total = {**_sums(summary.total), "day": summary.span.name, "game": "total"}
    total |= {"boxes": sum(line.boxes for line in summary.lines)}
    total |= {"revisions": sum(line.revisions for line in summary.lines)}
    return csv_text([_COLUMNS, *rows, [total[name] for name in _COLUMNS]])
