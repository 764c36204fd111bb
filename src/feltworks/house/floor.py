"""The floor on a day at a glance: alerts, every table against its expectation, people and stock."""

import datetime
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct
from sqlalchemy import Connection

from feltworks import catalog
from feltworks.errors import FeltError
from feltworks.house.configuration import check_table
from feltworks.house.entries import RegisterLine, Stock, stock
from feltworks.house.law import profile_on
from feltworks.house.register import Register, read_register
from feltworks.house.storage.database import Database
from feltworks.house.tables import periods
from feltworks.house.tables.hold import edge_of, game_of
from feltworks.house.tables.periods import Period
from feltworks.house.tables.report import MasterReport, ReportRow, TheoreticalWin, master_games_report
from feltworks.house.tables.tasks import Task, tasks
from feltworks.money import Cents, dollars

FEWEST_WAGERS = 30  # with fewer wagers the deviation means little
OUTSIDE = 2.0  # standard deviations beyond which a table is marked
SOON = datetime.timedelta(days=30)  # warns so long before a licence runs out


class Alert(Struct, frozen=True):
    """Something that somebody has to look at; the worst come first."""

    is_bad: bool
    title: str
    says: str
    at: str = ""


class Expectation(Struct, frozen=True):
    """The exact expected win of the wagers entered, in cents, and how far the win is from it."""

    wagered: Cents
    win: float
    deviation: float
    z: float | None = None  # None before the count, and with too few wagers


class FloorRow(Struct, frozen=True):
    """One box of the day; before its count the win is an estimate from the cash on record, or not known."""

    table: str
    game: str
    title: str
    shift: str
    state: str
    people: list[str]
    tray: Cents
    fills: Cents
    credits: Cents
    drop: Cents
    win: Cents | None
    is_final: bool
    expected: Expectation | None
    is_outside: bool


class PlayerRating(Struct, frozen=True):
    """A rated player: what was wagered, and the exact expectation of the house."""

    player: str
    table: str
    wager: str
    wagered: Cents
    theoretical_win: float


class Place(Struct, frozen=True):
    """The money of the cage or the vault as booked, beside its imprest amount."""

    name: str
    cents: Cents
    imprest: Cents | None


class FloorDay(Struct, frozen=True):
    """The floor on a day."""

    day: datetime.date
    final: bool
    win: Cents | None
    expected: Expectation | None
    drop: Cents
    fills: Cents
    credits: Cents
    open_tables: int
    most_tables: int | None
    alerts: list[Alert]
    tables: list[FloorRow]
    tasks: list[Task]
    waiting: list[str]
    on_shift: list[RegisterLine]
    ratings: list[PlayerRating]
    stock: list[Stock]
    places: list[Place]


def floor_day(database: Database, day: datetime.date, *, now: datetime.datetime | None = None) -> FloorDay:
    """The floor on a day, read from one state of the books."""
    report = master_games_report(database, day)
    with database.snapshot() as connection:
        lines = read_register(connection)
        boxes = periods.of_day(connection, day)
        raised, waiting = tasks(connection), list(_waiting(connection))
        open_now = periods.open_tables(connection)
    rows = [_row(row, lines, day) for row in report.tables]
    wins = [row.win for row in rows]
    places = _places(Register(database).balances(), lines, day)
    return FloorDay(
        day=day,
        final=report.final,
        win=None if None in wins else sum(win for win in wins if win is not None),
        expected=_expectation(report.total.theory, FEWEST_WAGERS) if report.total.theory else None,
        drop=sum(row.drop for row in rows),
        fills=report.total.fills,
        credits=report.total.credits,
        open_tables=open_now,
        most_tables=_most_tables(day),
        alerts=_alerts(report, rows, raised, lines, places, day, now or datetime.datetime.now(datetime.UTC)),
        tables=rows,
        tasks=raised,
        waiting=waiting,
        on_shift=[line for line in lines if line.entry.kind == "shift" and line.day <= day and line.holds_on(day)],
        ratings=list(_ratings(lines, boxes, day)),
        stock=sorted(stock(lines).values(), key=lambda held: held.name),
        places=places,
    )


def _row(row: ReportRow, lines: Iterable[RegisterLine], day: datetime.date) -> FloorRow:
    entries = [line.entry for line in lines if line.entry.table == row.table and line.day == day and not line.struck]
    cash = sum(entry.cents for entry in entries if (entry.kind, entry.says) == ("transaction", "cash in"))
    drop = row.drop if row.final else cash
    has_closer = row.state in ("closed", "pulled")
    tray = row.closer if has_closer or row.final else row.opener + row.fills - row.credits
    estimate = cash + tray + row.credits - row.opener - row.fills if has_closer and cash else None
    expected = _expectation(row.theory, row.wagers) if row.theory and row.theory.wagered else None
    return FloorRow(
        table=row.table,
        game=row.game,
        title=catalog.rulebook(row.game).title if row.game in catalog.games() else row.game,
        shift=row.shift,
        state=row.state,
        people=[entry.name for entry in entries if entry.kind == "shift"],
        tray=tray,
        fills=row.fills,
        credits=row.credits,
        drop=drop,
        win=row.win if row.final else estimate,
        is_final=row.final,
        expected=expected,
        is_outside=expected is not None and expected.z is not None and abs(expected.z) > OUTSIDE,
    )


def _expectation(theory: TheoreticalWin, wagers: int) -> Expectation:
    z = None if wagers < FEWEST_WAGERS else theory.deviations
    return Expectation(theory.wagered, theory.win.value, theory.standard_deviation, z)


def _waiting(connection: Connection) -> Iterator[str]:
    """Boxes not counted yet, of any day."""
    for table in periods.tables(connection):
        for box in periods.uncounted(connection, table):
            if box.state in ("closed", "pulled"):
                yield f"box of table {table} on {box.day}{f', shift {box.shift}' if box.shift else ''}: {box.state}"


def _most_tables(day: datetime.date) -> int | None:
    """RCW 9.46.0282: how many tables a card room may have; None where the law of the day is not known."""
    try:
        profile = profile_on(day)
    except FeltError:
        return None
    return profile.number("tables") if "tables" in profile else None


def _places(held: dict[str, Cents], lines: Iterable[RegisterLine], day: datetime.date) -> list[Place]:
    imprest = {
        line.entry.name: line.entry.cents for line in lines if line.entry.kind == "imprest" and line.holds_on(day)
    }
    return [Place(name, cents, imprest.get(name)) for name, cents in sorted(held.items()) if cents or name in imprest]


def _ratings(lines: Iterable[RegisterLine], boxes: Sequence[Period], day: datetime.date) -> Iterator[PlayerRating]:
    """The exact edge of the wager at the table that was open that day, times what was wagered."""
    for line in lines:
        entry = line.entry
        box = next((box for box in reversed(boxes) if box.table == entry.table and box.state != "void"), None)
        if entry.kind != "rating" or line.day != day or line.struck or box is None:
            continue
        game = game_of(check_table(box.order))
        if entry.says in game.pays:
            wagered = entry.cents * entry.count
            theory = float(edge_of(game, entry.says).edge * wagered)
            yield PlayerRating(entry.name, entry.table, entry.says, wagered, round(theory, 2))


def _alerts(
    report: MasterReport,
    rows: Iterable[FloorRow],
    raised: Iterable[Task],
    lines: Iterable[RegisterLine],
    places: Iterable[Place],
    day: datetime.date,
    now: datetime.datetime,
) -> list[Alert]:
    alerts = [*_hold_alerts(rows), *_task_alerts(raised, now), *_register_alerts(lines, day), *_place_alerts(places)]
    odd = (row for row in report.tables if row.deviations)
    alerts += [Alert(False, f"Table {row.table} is not as approved", "; ".join(row.deviations)) for row in odd]
    return sorted(alerts, key=lambda alert: not alert.is_bad)


def _hold_alerts(rows: Iterable[FloorRow]) -> Iterator[Alert]:
    for row in rows:
        if row.is_outside and row.expected is not None and row.expected.z is not None:
            side = "under" if row.expected.z < 0 else "over"
            says = f"The win is {abs(row.expected.z):.2f} deviations {side} its expectation; look at its rounds."
            yield Alert(True, f"Table {row.table} outside its band", says)


def _task_alerts(raised: Iterable[Task], now: datetime.datetime) -> Iterator[Alert]:
    for task in raised:
        if task.due_at is not None:
            hours = (task.due_at - now).total_seconds() / 3600
            title = (
                f"{task.kind.capitalize()} due in {hours:.0f} hours"
                if hours > 0
                else f"{task.kind.capitalize()} overdue"
            )
            yield Alert(hours <= 0, title, f"Task {task.id}: {task.says}.", task.raised_at.isoformat())


def _register_alerts(lines: Iterable[RegisterLine], day: datetime.date) -> Iterator[Alert]:
    for line in lines:
        entry = line.entry
        if line.struck or line.day > day:
            continue
        if entry.kind == "licence" and entry.until is not None and entry.until - SOON < day:
            ended = "ran out" if entry.until < day else "runs out"
            yield Alert(entry.until < day, f"Licence of {entry.name}", f"It {ended} on {entry.until}.", line.made_at)
        elif entry.kind == "request":
            says = f"A {entry.name} of {dollars(entry.cents)} at table {entry.table} is not answered."
            yield Alert(False, f"Request {line.number}", says, line.made_at)
        elif entry.kind == "incident":
            yield Alert(False, f"Incident: {entry.name}", entry.says, line.made_at)


def _place_alerts(places: Iterable[Place]) -> Iterator[Alert]:
    for place in places:
        if place.imprest is not None and place.cents != place.imprest:
            over = dollars(place.cents - place.imprest, signed=True)
            yield Alert(False, f"{place.name.capitalize()} is not at its imprest", f"{dollars(place.cents)}, {over}.")
