"""The tables' books read: where every box is, the slips of its period, and the report of a day."""

import datetime
from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from litestar import Response, get
from litestar.datastructures import State
from litestar.params import FromQuery
from msgspec import Struct

from feltworks import catalog
from feltworks.house.duties import check_permitted
from feltworks.house.tables import periods
from feltworks.house.tables.accounts import Sums
from feltworks.house.tables.periods import Period, Slip
from feltworks.house.tables.report import master_games_report, report_csv, report_document
from feltworks.house.tables.tasks import Task
from feltworks.money import Cents
from feltworks.web.house.asking import AskedDay, Asker, office_of, today


class TableTold(Struct, frozen=True):
    """A table's newest box, and what its slips come to."""

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


class Exact(Struct, frozen=True):
    """A figure as a fraction and as a number."""

    exact: str
    value: float


class TheoryTold(Struct, frozen=True):
    """What a box should have won, and how far chance leads from it in 95 of 100."""

    wagered: Cents
    win: Exact
    standard_deviation: float
    band: tuple[float, float]
    within_band: bool | None
    deviations: float | None


class RowTold(Struct, frozen=True):
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
    theory: TheoryTold | None
    variance: Cents
    slips: list[Slip]
    as_approved: bool
    deviations: list[str]


class TotalTold(Struct, frozen=True):
    """All boxes of the day together."""

    opener: Cents
    fills: Cents
    credits: Cents
    closer: Cents
    drop: Cents
    win: Cents | None
    theory: TheoryTold | None


class ReportTold(Struct, frozen=True):
    """The master games report of a day."""

    day: datetime.date
    final: bool
    tables: list[RowTold]
    without_activity: list[str]
    total: TotalTold
    void_openers: list[Slip]
    progressives_accrued: Mapping[str, Cents]
    tokes: Cents
    tasks: list[Task]


@get("/tables", sync_to_thread=True)
def tables(state: State, person: Asker) -> list[TableTold]:
    """Every table that has been opened, with its newest box."""
    check_permitted(person.name, person.role, "reading")
    with office_of(state).database.snapshot() as connection:
        newest = [next(periods.of_table(connection, name), None) for name in periods.tables(connection)]
    return [_told(period) for period in newest if period is not None]


@get("/report", sync_to_thread=True)
def report(
    state: State, person: Asker, day: AskedDay = None, format: FromQuery[Literal["json", "csv"]] = "json"
) -> Response[ReportTold | str]:
    """The master games report: drop and win by table, beside what each should have won."""
    check_permitted(person.name, person.role, "reading")
    found = master_games_report(office_of(state).database, day or today())
    if format == "csv":
        named = {"content-disposition": f'attachment; filename="master-games-{found.day}.csv"'}
        return Response(report_csv(found), media_type="text/csv", headers=named)
    document: Any = report_document(found)
    return Response(msgspec.convert(document, ReportTold), media_type="application/json")


def _told(period: Period) -> TableTold:
    known = catalog.rulebook(period.game).title if period.game in catalog.games() else period.game
    return TableTold(
        table=period.table,
        game=period.game,
        title=known,
        day=period.day,
        shift=period.shift,
        state=period.state,
        deviations=list(period.deviations),
        slips=list(period.slips),
        sums=period.sums,
        win=period.sums.win if period.state == "counted" else None,
    )


HANDLERS = [tables, report]
