"""Drop periods: one box at one table, from its opener to its count, rebuilt from its slips."""

import datetime
from collections.abc import Iterable, Iterator
from typing import Any, Final, Literal

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, Select, and_, func, select

from feltworks.house.configuration import TableOrder
from feltworks.house.storage.schema import period, slip, slip_void, stake
from feltworks.house.tables.accounts import Sums, sum_slips
from feltworks.house.tables.acts import SlipKind, Stakes
from feltworks.money import Cents

State = Literal["void", "open", "closed", "pulled", "counted"]
# The last of these slips that is not void determines the state of a box.
_STATES: Final[tuple[tuple[SlipKind, State], ...]] = (
    ("count", "counted"),
    ("drop", "pulled"),
    ("closer", "closed"),
    ("opener", "open"),
)


class Slip(Struct, frozen=True):
    """A slip; its number is unique among its kind, and void slips are kept."""

    kind: SlipKind
    serial: int
    number: int  # the number of its posting
    cents: Cents
    void: bool = False


class Period(Struct, frozen=True):
    """One box at one table."""

    id: int
    table: str
    day: datetime.date
    shift: str
    game: str
    order: TableOrder
    deviations: tuple[str, ...]
    slips: tuple[Slip, ...] = ()

    def last(self, kind: SlipKind) -> Slip | None:
        """The last valid slip of a kind."""
        return next((slip for slip in reversed(self.slips) if slip.kind == kind and not slip.void), None)

    @property
    def state(self) -> State:
        return next((state for kind, state in _STATES if self.last(kind)), "void")

    @property
    def sums(self) -> Sums:
        """The sums of the valid slips; the win is final once the box is counted."""
        return sum_slips((slip.kind, slip.cents) for slip in self.slips if not slip.void)


def read(connection: Connection, wanted: Select[Any]) -> list[Period]:
    """Read the periods with these ids, in order, with their slips."""
    rows = connection.execute(select(period).where(period.c.id.in_(wanted)).order_by(period.c.id)).all()
    slips = _slips(connection, [row.id for row in rows])
    return [_period(row, slips) for row in rows]


def one(connection: Connection, number: int) -> Period:
    """A period by its number."""
    return read(connection, select(period.c.id).where(period.c.id == number))[0]


NEWEST: Final = 100  # how many of a table's newest boxes are read


def of_table(connection: Connection, table: str) -> Iterator[Period]:
    """The newest periods of a table with a valid opener, the last one first."""
    ids = select(period.c.id).where(period.c.table_name == table).order_by(period.c.id.desc())
    newest = ids.limit(NEWEST)
    for candidate in reversed(read(connection, newest)):
        if candidate.state != "void":
            yield candidate


def uncounted(connection: Connection, table: str) -> list[Period]:
    """All uncounted boxes of a table, however old, the oldest first; leaves out void ones."""
    void = select(slip_void.c.serial).where(slip_void.c.kind == "count")
    counted = select(slip.c.serial).where(
        slip.c.period == period.c.id, slip.c.kind == "count", slip.c.serial.not_in(void)
    )
    waiting = select(period.c.id).where(period.c.table_name == table, ~counted.exists())
    return [box for box in read(connection, waiting) if box.state != "void"]


def of_day(connection: Connection, day: datetime.date) -> list[Period]:
    """Every period of a gambling day, including void ones."""
    return read(connection, select(period.c.id).where(period.c.day == day.isoformat()))


def between(connection: Connection, first: datetime.date, last: datetime.date) -> list[Period]:
    """Every period of these days, including void ones."""
    within = period.c.day.between(first.isoformat(), last.isoformat())
    return read(connection, select(period.c.id).where(within))


def knows_game(connection: Connection, game: str, day: datetime.date) -> bool:
    """Whether these books had a box of this game on the day or before."""
    c = period.c
    wanted = select(c.id).where(c.game == game, c.day <= day.isoformat()).limit(1)
    return connection.execute(wanted).scalar() is not None


def tables(connection: Connection) -> list[str]:
    """The names of all tables ever opened."""
    return sorted(connection.execute(select(period.c.table_name).distinct()).scalars())


def open_tables(connection: Connection) -> int:
    """The number of open tables: a valid opener and no valid closer."""
    valid = _valid("opener").where(slip.c.period.not_in(_valid("closer")))
    return int(connection.execute(select(func.count()).select_from(valid.subquery())).scalar_one())


def _valid(kind: SlipKind) -> Select[Any]:
    """Select the periods that have a valid slip of this kind."""
    void = select(slip_void.c.serial).where(slip_void.c.kind == kind)
    return select(slip.c.period).where(slip.c.kind == kind, slip.c.serial.not_in(void))


def next_id(connection: Connection) -> int:
    """The number for a new period; unique only while the book is locked."""
    return int(connection.execute(select(func.coalesce(func.max(period.c.id), 0))).scalar_one()) + 1


def stakes(connection: Connection, number: int) -> list[Stakes]:
    """The wagers entered for a period."""
    s = stake.c
    rows = select(s.wager, s.cents, func.sum(s.count)).where(s.period == number)
    grouped = rows.group_by(s.wager, s.cents).order_by(s.wager, s.cents)
    return [Stakes(wager, cents, int(count)) for wager, cents, count in connection.execute(grouped)]


def _slips(connection: Connection, numbers: Iterable[int]) -> dict[int, list[Slip]]:
    voided = and_(slip_void.c.kind == slip.c.kind, slip_void.c.serial == slip.c.serial)
    columns = slip.c.period, slip.c.kind, slip.c.serial, slip.c.number, slip.c.cents, slip_void.c.serial
    wanted = (
        select(*columns)
        .select_from(slip.outerjoin(slip_void, voided))
        .where(slip.c.period.in_(list(numbers)))
        .order_by(slip.c.number, slip.c.kind)
    )
    slips: dict[int, list[Slip]] = {}
    for of, kind, serial, number, cents, void in connection.execute(wanted):
        slips.setdefault(of, []).append(Slip(kind, serial, number, cents, void is not None))
    return slips


def _period(row: Any, slips: dict[int, list[Slip]]) -> Period:
    return Period(
        id=row.id,
        table=row.table_name,
        day=datetime.date.fromisoformat(row.day),
        shift=row.shift,
        game=row.game,
        order=msgspec.json.decode(row.as_ordered, type=TableOrder),
        deviations=tuple(msgspec.json.decode(row.deviations)),
        slips=tuple(slips.get(row.id, ())),
    )
