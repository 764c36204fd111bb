"""The amounts that a jackpot's meter displayed on a day, against which a claimed win is checked."""

from collections.abc import Callable, Iterator
from datetime import date

from sqlalchemy import Connection, Select, and_, case, func, select

from feltworks.errors import BadAmount
from feltworks.house.storage.schema import entry, posting
from feltworks.money import Cents, dollars
from feltworks.rules.jackpot import JACKPOT

_AT_ONCE = 2_000
Amounts = Callable[[date], Iterator[Cents]]


class Meter:
    """The jackpot after each posting of a day; earlier amounts are read from the journal on demand."""

    def __init__(self, cents: Cents, in_journal: Amounts = lambda _: iter(())) -> None:
        self._shown = [cents]
        self._in_journal = in_journal

    @property
    def now(self) -> Cents:
        return self._shown[-1]

    def show(self, cents: Cents) -> None:
        """Display the amount after a posting."""
        if cents != self.now:
            self._shown.append(cents)

    def begin_day(self) -> None:
        """Begin a day with the last amount of the day before."""
        del self._shown[:-1]

    def amounts(self, day: date) -> Iterator[Cents]:
        """The amounts displayed on the day, newest first, back to the start of the day."""
        yield from reversed(self._shown)
        yield from self._in_journal(day)


def check_displayed(meter: Meter, cents: Cents, day: date) -> None:
    """Refuse an amount that the meter did not display on the day."""
    now = least = most = meter.now
    for shown in meter.amounts(day):
        if shown == cents:
            return
        least, most = min(least, shown or least), max(most, shown)  # 0 is the amount before the opening
    stood = f"stood at {dollars(least)} to {dollars(most)}" if least < most else "showed nothing else"
    raise BadAmount(
        "posted jackpot",
        cents,
        f"the meter shows {dollars(now)} and on {day} {stood}, never this amount; "
        "a win is paid of the jackpot as posted when its round began (SP.13)",
    )


def read_amounts(connection: Connection, book: int, number: int, cents: Cents) -> Amounts:
    """A function that reads the day's earlier jackpots, back from posting `number`, which left `cents`."""

    def amounts(day: date) -> Iterator[Cents]:
        shown = cents
        for last in range(number, 0, -_AT_ONCE):
            for posted_on, lowered in connection.execute(_moves(book, last)):
                if posted_on != day.isoformat():
                    return
                shown += int(lowered)
                yield shown

    return amounts


def _moves(book: int, last: int) -> Select[str, Cents]:
    """Select the day of each posting up to `last`, newest first, and the amount by which it lowered the jackpot."""
    lowered = case((entry.c.debit == JACKPOT, entry.c.cents), (entry.c.credit == JACKPOT, -entry.c.cents), else_=0)
    lines = posting.outerjoin(entry, and_(entry.c.book == posting.c.book, entry.c.number == posting.c.number))
    return (
        select(posting.c.day, func.sum(lowered))
        .select_from(lines)
        .where(posting.c.book == book, posting.c.number.between(last - _AT_ONCE + 1, last))
        .group_by(posting.c.number, posting.c.day)
        .order_by(posting.c.number.desc())
    )
