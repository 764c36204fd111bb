"""The money of a progressive in memory: its accounts, its state, and its additions (SP.17, SP.18).

A claimed win is checked against the amounts that the meter displayed on its day.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from typing import Final

from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, Select, and_, case, func, select

from feltworks.errors import BadAmount, BadDay, NotNow
from feltworks.house.journal.posting import Entry
from feltworks.house.progressive.terms import ProgressiveTerms
from feltworks.house.storage.schema import entry, posting
from feltworks.money import MOST_CENTS, Cents, dollars
from feltworks.rules.jackpot import BACKUP as BACKUP
from feltworks.rules.jackpot import JACKPOT as JACKPOT
from feltworks.rules.jackpot import OVERFLOW as OVERFLOW
from feltworks.rules.jackpot import SECOND_BACKUP as SECOND_BACKUP
from feltworks.rules.jackpot import SEED as SEED
from feltworks.rules.jackpot import Pot, Pouring, PouringRules, pour, pour_into_prizes
from feltworks.rules.rulebook.model import MeterEntry

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


class Account(Struct, frozen=True):
    """An account; its kind says whether its balance is a debit or a credit."""

    name: str
    kind: str
    title: str

    @property
    def sign(self) -> int:
        """The factor from a balance, in which debits are positive, to the amount held or owed."""
        return -1 if self.kind in ("prize", "owed", "income") else 1


UNCOUNTED: Final = "uncounted"
TRAY: Final = "tray"
BOX: Final = "box"
BANK: Final = "bank"
FEE: Final = "fee"
RECEIPTS: Final = "receipts"
HOUSE: Final = "house"
BORNE: Final = "borne"

CHART: Final = {
    account.name: account
    for account in (
        Account(JACKPOT, "prize", "jackpot as posted"),
        Account(BACKUP, "prize", "first backup jackpot"),
        Account(SECOND_BACKUP, "prize", "second backup jackpot"),
        Account(OVERFLOW, "prize", "prize money above the maximum, not displayed"),
        Account(UNCOUNTED, "owed", "wagers in the box that are not yet divided"),
        Account(SEED, "asset", "seed still to recover"),
        Account(TRAY, "asset", "tray awards still to recover"),
        Account(BOX, "asset", "second drop box"),
        Account(BANK, "asset", "bank account of the progressive"),
        Account(FEE, "income", "fee"),
        Account(RECEIPTS, "income", "gross receipts"),
        Account(HOUSE, "house", "taken over by the house, put in where negative"),
        Account(BORNE, "house", "borne by the house, over and short"),
    )
}
SIGNS: Final = {name: account.sign for name, account in CHART.items()}
PRIZES: Final = (JACKPOT, BACKUP, SECOND_BACKUP, OVERFLOW)


IN_PLAY: Final = "in play"
STOPPED: Final = "stopped"
REMOVED: Final = "removed"
RULES: Final = "rules of the game"
ABOVE_MAXIMUM: Final = "above maximum"
_POTS: Final[tuple[Pot, ...]] = (SEED, JACKPOT, BACKUP, SECOND_BACKUP, OVERFLOW)


class Standing(Struct, frozen=True):
    """The state of a progressive other than its money: whether it is in play, and which day is open."""

    state: str
    day: date | None  # the day being played
    closed: date  # the last day whose box was counted
    latest: date  # the day of the newest posting
    tested: date  # when the bank account was last found to hold all prizes
    started: int = 0  # SP.18: backups that have been started
    maximum: Cents | None = None
    noticed: date | None = None  # when the notice of its removal was posted

    @classmethod
    def at_opening(cls, day: date) -> "Standing":
        return cls(IN_PLAY, None, day - timedelta(days=1), day, day)


class Fund:
    """The accounts of one progressive in memory; its moves are written to the journal afterwards."""

    def __init__(
        self,
        terms: ProgressiveTerms,
        standing: Standing,
        balances: Mapping[str, Cents],
        meter: Meter | None = None,
        rules: MeterEntry | None = None,
    ) -> None:
        self.terms, self.standing = terms, standing
        self.rules = rules or terms.meter_rules  # what the rules of the game require of the jackpot
        self.balances = dict(balances)
        self.meter = meter or Meter(self.balance(JACKPOT))
        self._entries: list[Entry] = []

    def balance(self, account: str) -> Cents:
        """The amount that an account holds or owes."""
        return self.balances[account] * SIGNS[account]

    @property
    def pots(self) -> dict[Pot, Cents]:
        """The seed still to recover, and what each prize account holds."""
        return {pot: self.balance(pot) for pot in _POTS}

    @property
    def pouring_rules(self) -> PouringRules:
        """The rules that divide an addition, from the game and the terms."""
        terms, most = self.terms, self.standing.maximum
        return PouringRules(self.rules.backups, terms.backups, terms.recovery, terms.to_backup, most)

    @property
    def owed(self) -> Cents:
        """All prize money, displayed or not."""
        return sum(map(self.balance, PRIZES))

    @property
    def missing(self) -> Cents:
        """The prize money that the bank account does not cover."""
        return max(self.owed - self.balance(BANK), 0)

    def move(self, debit: str, credit: str, cents: Cents, reason: str | None = None) -> None:
        """Move money between two accounts; an amount of 0 writes no line."""
        if cents:
            self.balances[debit] += cents
            self.balances[credit] -= cents
            self._entries.append(Entry(debit, credit, cents, reason))

    def update(self, **changes: object) -> None:
        """Change fields of the standing."""
        self.standing = replace(self.standing, **changes)

    def take_entries(self) -> list[Entry]:
        """The entries of a finished posting; they are cleared, and the meter shows the new jackpot."""
        entries, self._entries = self._entries, []
        self.meter.show(self.balance(JACKPOT))
        return entries

    def enter_day(self, day: date) -> None:
        """Move to a day; refuse a day before the latest posting, or while another day is still open."""
        now = self.standing
        if now.state == REMOVED:
            raise NotNow("this progressive has been taken out of play; nothing more can be posted to it (SP.19)")
        if now.day is not None and day != now.day:
            raise BadDay(day, f"{now.day} is still open; its end has to be posted first (SP.16)")
        if day < now.latest:
            raise BadDay(day, f"the books have gone on to {now.latest} (house rule: the books move forward)")
        if day != now.latest:
            self.update(latest=day)
            self.meter.begin_day()

    def play_day(self, day: date) -> None:
        """Open a day for play, or continue it."""
        self.enter_day(day)
        if day <= self.standing.closed:
            raise BadDay(day, f"the box of {self.standing.closed} has been counted; play goes on the next day (SP.16)")
        if self.standing.day is None:
            self.update(day=day)

    def renew(self) -> None:
        """SP.18: an emptied jackpot is followed by the first backup, or by a new seed."""
        if not self.standing.started:
            self.move(SEED, JACKPOT, self.terms.seed)
        else:
            self.move(BACKUP, JACKPOT, self.balance(BACKUP), RULES)
            self.move(SECOND_BACKUP, BACKUP, self.balance(SECOND_BACKUP), RULES)
            self.update(started=self.standing.started - 1)
            self.make_up()
        most = self.standing.maximum
        if most is not None and self.balance(JACKPOT) > most:
            self.move(JACKPOT, OVERFLOW, self.balance(JACKPOT) - most, ABOVE_MAXIMUM)

    def make_up(self) -> None:
        """SP.15: add seed up to the smallest one, also after a backup that holds less."""
        self.move(SEED, JACKPOT, max(self.rules.seed - self.balance(JACKPOT), 0))


def check_amount(cents: object, what: str, *, most: Cents = MOST_CENTS) -> Cents:
    """Return an amount; refuse one that is not a positive whole number of cents up to `most`."""
    if type(cents) is not int or not 0 < cents <= most:
        upper = f" up to {dollars(most)}" if most < MOST_CENTS else ""
        raise BadAmount(what, cents, f"it takes a positive whole number of cents{upper}")
    return cents


def add_to_prizes(fund: Fund, source: str, cents: Cents) -> None:
    """Divide an addition on account `source`: first recover seed by the terms, then fill the prizes (SP.17)."""
    _follow(fund, source, pour(cents, fund.pots, fund.standing.started, fund.pouring_rules))


def fill_prizes(fund: Fund, source: str, cents: Cents) -> None:
    """Divide an addition among the prizes only, without recovering seed (SP.18)."""
    _follow(fund, source, pour_into_prizes(cents, fund.pots, fund.standing.started, fund.pouring_rules))


def _follow(fund: Fund, source: str, pouring: Pouring) -> None:
    for account, cents in pouring.steps:
        fund.move(source, account, int(cents))
    if pouring.started != fund.standing.started:
        fund.update(started=pouring.started)
