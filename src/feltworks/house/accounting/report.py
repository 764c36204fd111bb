"""The master games report of a day: what every table dropped and won, beside what it should have won."""

import datetime

from msgspec import Struct
from sqlalchemy import Connection, select

from feltworks.house.accounting import periods
from feltworks.house.accounting.periods import Period, Slip
from feltworks.house.accounting.tasks import Task, tasks
from feltworks.house.accounting.theory import NOTHING, Theory, game_of, theory
from feltworks.house.accounting.tokes import taken_on
from feltworks.house.accounting.win import Sums
from feltworks.house.configuration import check_table
from feltworks.house.progressive.chart import BOX, PRIZES, UNCOUNTED
from feltworks.house.storage.database import Database
from feltworks.house.storage.tables import book, entry, posting
from feltworks.money import Cents


class Row(Struct, frozen=True):
    """One box of the day. The win is final once the box is counted, and none before."""

    table: str
    game: str
    shift: str
    period: int
    state: str
    sums: Sums
    theory: Theory | None  # none where no wagers were entered
    variance: Cents
    slips: tuple[Slip, ...]
    deviations: tuple[str, ...]

    @property
    def is_final(self) -> bool:
        return self.state == "counted"

    @property
    def win(self) -> Cents | None:
        return self.sums.win if self.is_final else None


class MasterGamesReport(Struct, frozen=True):
    """WAC 230-15-615: drop and win by table, game and drop period; made daily, even without activity."""

    day: datetime.date
    rows: tuple[Row, ...]
    void_openers: tuple[Slip, ...]  # slips of boxes that came to nothing
    without_activity: tuple[str, ...]
    accrued: dict[str, Cents]  # WA.4, WAC 230-15-671: what the day's wagers added to progressive prizes
    tokes: Cents
    tasks: tuple[Task, ...]

    @property
    def is_final(self) -> bool:
        return all(row.is_final for row in self.rows)

    @property
    def total(self) -> Sums:
        return sum((row.sums for row in self.rows), Sums())

    @property
    def win(self) -> Cents | None:
        """None until every box of the day is counted."""
        return self.total.win if self.is_final else None

    @property
    def theory(self) -> Theory | None:
        """None where wagers are missing for one of the boxes: it would be compared with another win."""
        known = [row.theory for row in self.rows if row.theory]
        return sum(known, NOTHING) if known and len(known) == len(self.rows) else None


def master_games_report(database: Database, day: datetime.date) -> MasterGamesReport:
    """Everything of one gambling day, read in one state of the books."""
    with database.reading() as connection:
        found = periods.of_day(connection, day)
        active = {period.table for period in found if period.state != "void"}
        numbers = {period.id for period in found}
        return MasterGamesReport(
            day=day,
            rows=tuple(_row(connection, period) for period in found if period.state != "void"),
            void_openers=tuple(slip for period in found if period.state == "void" for slip in period.slips),
            without_activity=tuple(name for name in periods.tables(connection) if name not in active),
            accrued=_accrued(connection, day),
            tokes=taken_on(connection, day),
            tasks=tuple(each for each in tasks(connection, open_only=False) if each.period in numbers),
        )


def _row(connection: Connection, period: Period) -> Row:
    stakes = periods.stakes(connection, period.id)
    error = period.last("error")
    return Row(
        table=period.table,
        game=period.game,
        shift=period.shift,
        period=period.id,
        state=period.state,
        sums=period.sums,
        theory=theory(game_of(check_table(period.order)), stakes) if stakes else None,
        variance=error.cents if error else 0,
        slips=period.slips,
        deviations=period.deviations,
    )


def _accrued(connection: Connection, day: datetime.date) -> dict[str, Cents]:
    """What came to the prizes of each progressive out of wagers, by its name."""
    joined = entry.join(posting, (posting.c.book == entry.c.book) & (posting.c.number == entry.c.number))
    joined = joined.join(book, book.c.id == entry.c.book)
    wanted = (
        select(book.c.name, entry.c.cents)
        .select_from(joined)
        .where(book.c.kind == "progressive", posting.c.day == day.isoformat())
        .where(entry.c.debit.in_((BOX, UNCOUNTED)), entry.c.credit.in_(PRIZES))
    )
    found: dict[str, Cents] = {}
    for name, cents in connection.execute(wanted):
        found[name] = found.get(name, 0) + cents
    return dict(sorted(found.items()))
