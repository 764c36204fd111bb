"""The master games report of a day, and the summary of a month, quarter or year, as records, JSON and CSV.

The summary has drop and win by day and game, gross receipts and their tax.
"""

import datetime
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import Connection, func, select

from feltworks.documents import csv_text, document_of
from feltworks.errors import BadOption
from feltworks.house.closing import Span, closed_spans
from feltworks.house.configuration import check_table
from feltworks.house.progressive.fund import BOX, CHART, FEE, PRIZES, RECEIPTS, UNCOUNTED
from feltworks.house.storage.database import Database
from feltworks.house.storage.schema import book, entry, posting
from feltworks.house.tables import periods
from feltworks.house.tables.accounts import Sums
from feltworks.house.tables.acts import Stakes
from feltworks.house.tables.hold import NOTHING, ExactFigure, Theory, exact_figure, game_of, theory
from feltworks.house.tables.periods import Period, Slip
from feltworks.house.tables.tasks import Task, tasks
from feltworks.house.tables.tokes import tokes_on
from feltworks.money import Cents


class TheoreticalWin(Struct, frozen=True):
    """The expected win of a box, and the band that holds 95 of 100 results."""

    wagered: Cents
    win: ExactFigure
    standard_deviation: float
    band: tuple[float, float]
    within_band: bool | None
    deviations: float | None


class _Amounts(Struct, frozen=True):
    opener: Cents
    fills: Cents
    credits: Cents
    closer: Cents
    drop: Cents


class ReportRow(_Amounts, frozen=True):
    """One box of the day; its win is None until the box is counted, its theory if no wagers were entered."""

    table: str
    game: str
    shift: str
    period: int
    state: str
    win: Cents | None
    final: bool
    hold: float | None
    theory: TheoreticalWin | None
    variance: Cents
    slips: list[Slip]
    as_approved: bool
    deviations: list[str]
    revisions: int  # how often the box was revised after a count
    wagers: int  # the number of wagers entered


class ReportTotal(_Amounts, frozen=True):
    """All boxes of the day together; no win until all are counted, no theory if the wagers of a box are missing."""

    win: Cents | None
    theory: TheoreticalWin | None


class MasterReport(Struct, frozen=True):
    """WAC 230-15-615: drop and win by table, game and drop period; required daily, even without activity."""

    day: datetime.date
    final: bool
    tables: list[ReportRow]
    without_activity: list[str]
    total: ReportTotal
    void_openers: list[Slip]  # slips of boxes whose opener is void
    progressives_accrued: Mapping[str, Cents]  # WA.4, WAC 230-15-671: what the day's wagers added to the prizes
    tokes: Cents
    tasks: list[Task]


def master_games_report(database: Database, day: datetime.date) -> MasterReport:
    """The report of one gambling day, read from one state of the books; amounts in cents."""
    with database.snapshot() as connection:
        of_day = periods.of_day(connection, day)
        boxes, numbers = [box for box in of_day if box.state != "void"], {box.id for box in of_day}
        stakes = [periods.stakes(connection, box.id) for box in boxes]
        names, active = periods.tables(connection), {box.table for box in boxes}
        accrued, tokes = _accruals(connection, day), tokes_on(connection, day)
        raised = [task for task in tasks(connection, open_only=False) if task.period in numbers]
    theories = [
        theory(game_of(check_table(box.order)), made) if made else None for box, made in zip(boxes, stakes, strict=True)
    ]
    known = [each for each in theories if each]
    total, is_final = sum((box.sums for box in boxes), Sums()), all(box.state == "counted" for box in boxes)
    win, of_all = total.win if is_final else None, len(known) == len(boxes)
    expected = sum(known, NOTHING) if known and of_all else None
    return MasterReport(
        day=day,
        final=is_final,
        tables=[_row(*facts) for facts in zip(boxes, stakes, theories, strict=True)],
        without_activity=[name for name in names if name not in active],
        total=document_of(ReportTotal, total, win=win, theory=_theory(expected, win)),
        void_openers=[slip for box in of_day if box.state == "void" for slip in box.slips],
        progressives_accrued=accrued,
        tokes=tokes,
        tasks=raised,
    )


def _row(box: Period, stakes: Iterable[Stakes], theory: Theory | None) -> ReportRow:
    is_final, error = box.state == "counted", box.last("error")
    win, hold = (box.sums.win, box.sums.hold) if is_final else (None, None)
    return document_of(
        ReportRow,
        box,
        box.sums,
        period=box.id,
        win=win,
        final=is_final,
        hold=None if hold is None else float(hold),
        theory=_theory(theory, win),
        variance=error.cents if error else 0,
        as_approved=not box.deviations,
        revisions=_revisions([box]),
        wagers=sum(made.count for made in stakes),
    )


def _revisions(boxes: Iterable[Period]) -> int:
    return sum(slip.kind == "count" and slip.void for box in boxes for slip in box.slips)


def _theory(theory: Theory | None, win: Cents | None) -> TheoreticalWin | None:
    if theory is None:
        return None
    low, high = theory.band
    return TheoreticalWin(
        wagered=theory.wagered,
        win=exact_figure(theory.expected),
        standard_deviation=round(theory.deviation, 2),
        band=(round(low, 2), round(high, 2)),
        within_band=None if win is None else low <= win <= high,
        deviations=None if win is None else theory.surprise(win),
    )


def _accruals(connection: Connection, day: datetime.date) -> dict[str, Cents]:
    """The amount that wagers added to the prizes of each progressive, by its name."""
    moved = progressive_moves(connection, day, day, (BOX, UNCOUNTED), PRIZES)
    amounts: dict[str, Cents] = {}
    for (name, _), cents in moved.items():
        amounts[name] = amounts.get(name, 0) + cents
    return dict(sorted(amounts.items()))


def progressive_moves(
    connection: Connection,
    first: datetime.date,
    last: datetime.date,
    debits: Iterable[str],
    credits: Iterable[str],
) -> dict[tuple[str, str], Cents]:
    """The amounts that progressives moved between such accounts, by progressive and day."""
    joined = entry.join(posting, (posting.c.book == entry.c.book) & (posting.c.number == entry.c.number))
    joined = joined.join(book, book.c.id == entry.c.book)
    wanted = (
        select(book.c.name, posting.c.day, func.sum(entry.c.cents))
        .select_from(joined)
        .where(book.c.kind == "progressive", posting.c.day.between(first.isoformat(), last.isoformat()))
        .where(entry.c.debit.in_(tuple(debits)), entry.c.credit.in_(tuple(credits)))
        .group_by(book.c.name, posting.c.day)
    )
    return {(name, day): int(cents) for name, day, cents in connection.execute(wanted)}


_COLUMNS: Final[tuple[str, ...]] = (
    *("day", "table", "game", "shift", "state", "opener", "fills", "credits", "closer", "drop", "win"),
    *("hold", "theoretical_win", "band_low", "band_high", "variance", "as_approved", "revisions"),
)


def report_csv(report: MasterReport) -> str:
    """The report as CSV: one row for each box, amounts in cents; tables without activity have empty cells."""
    rows = [[cells.get(name, "") for name in _COLUMNS] for cells in _cells(report)]
    return csv_text([_COLUMNS, *rows])


def _cells(report: MasterReport) -> Iterable[dict[str, object]]:
    for row in report.tables:
        figures: dict[str, object] = {}
        if row.theory is not None:
            low, high = row.theory.band
            figures = {"theoretical_win": row.theory.win.value, "band_low": low, "band_high": high}
        yield {"day": report.day, **asdict(row), **figures}
    for table in report.without_activity:
        yield {"day": report.day, "table": table, "state": "no activity"}


class SummarySums(_Amounts, frozen=True):
    """Sums of counted boxes, in cents."""

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
        rows.append(SummaryRow(**_sums(group), day=day, game=game, boxes=len(group), revisions=_revisions(group)))
    return rows


def _sums(boxes: Iterable[Period]) -> dict[str, Any]:
    sums = sum((box.sums for box in boxes), Sums())
    return {**asdict(sums), "win": sums.win, "hold": None if sums.hold is None else float(sums.hold)}


_SUMMARY_COLUMNS: Final = (
    *("day", "game", "boxes", "opener", "fills", "credits", "closer", "drop", "win", "hold", "revisions"),
)


def summary_csv(summary: PeriodSummary) -> str:
    """The summary as CSV: one row for each day and game, then the totals; amounts in cents."""
    rows = [[getattr(line, name) for name in _SUMMARY_COLUMNS] for line in summary.lines]
    total = {**asdict(summary.total), "day": summary.period, "game": "total"}
    total |= {name: sum(getattr(line, name) for line in summary.lines) for name in ("boxes", "revisions")}
    return csv_text([_SUMMARY_COLUMNS, *rows, [total[name] for name in _SUMMARY_COLUMNS]])
