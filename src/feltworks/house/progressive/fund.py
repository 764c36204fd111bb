"""The money of a progressive in memory: its accounts, its state, and its additions (SP.17, SP.18)."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from functools import cached_property
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from feltworks.errors import BadAmount, BadDay, NotNow
from feltworks.house.journal.posting import Entry
from feltworks.house.progressive.accounts import (
    BACKUP,
    BANK,
    JACKPOT,
    OVERFLOW,
    PRIZES,
    SECOND_BACKUP,
    SEED,
    SIGNS,
)
from feltworks.house.progressive.meter import Meter
from feltworks.house.progressive.terms import ProgressiveTerms, part_of
from feltworks.money import MOST_CENTS, Cents, dollars
from feltworks.rules.rulebook.model import BackupsEntry, MeterEntry

IN_PLAY: Final = "in play"
STOPPED: Final = "stopped"
REMOVED: Final = "removed"
RULES: Final = "rules of the game"
ABOVE_MAXIMUM: Final = "above maximum"


class Standing(Struct, frozen=True):
    """The state of a progressive besides its money: whether it is in play, and which day is open."""

    state: str
    day: date | None  # the day being played
    closed: date  # the last day whose box was counted
    latest: date  # the day of the newest posting
    tested: date  # when the bank account was last found to hold all prizes
    started: int = 0  # SP.18: backups that have been started
    maximum: Cents | None = None

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
    ) -> None:
        self.terms, self.standing = terms, standing
        self.balances = dict(balances)
        self.meter = meter or Meter(self.balance(JACKPOT))
        self._entries: list[Entry] = []

    @cached_property
    def rules(self) -> MeterEntry:
        """What the rules of the game require of the jackpot."""
        return self.terms.meter_rules

    def balance(self, account: str) -> Cents:
        """The amount that an account holds or owes."""
        return self.balances[account] * SIGNS[account]

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
        """Move to a day; refuse one before the latest posting, or another than the day still open."""
        now = self.standing
        if now.state == REMOVED:
            raise NotNow("this progressive has been taken out of play; nothing more can be posted to it")
        if now.day is not None and day != now.day:
            raise BadDay(day, f"{now.day} is still open; its end has to be posted first")
        if day < now.latest:
            raise BadDay(day, f"the books have gone on to {now.latest}")
        if day != now.latest:
            self.update(latest=day)
            self.meter.begin_day()

    def play_day(self, day: date) -> None:
        """Open a day for play, or continue it."""
        self.enter_day(day)
        if day <= self.standing.closed:
            raise BadDay(
                day, f"the box of {self.standing.closed} has been counted; play goes on the next day"
            )
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
            # SP.15: a jackpot starts from the smallest seed, also where a young backup holds less
            self.move(SEED, JACKPOT, max(self.rules.seed - self.balance(JACKPOT), 0))
        most = self.standing.maximum
        if most is not None and self.balance(JACKPOT) > most:
            self.move(JACKPOT, OVERFLOW, self.balance(JACKPOT) - most, ABOVE_MAXIMUM)


def check_amount(cents: object, what: str, *, most: Cents = MOST_CENTS) -> Cents:
    """Return an amount; refuse one that is not a positive whole number of cents up to `most`."""
    if type(cents) is not int or not 0 < cents <= most:
        upper = f" up to {dollars(most)}" if most < MOST_CENTS else ""
        raise BadAmount(what, cents, f"it takes a positive whole number of cents{upper}")
    return cents


def add_to_prizes(fund: Fund, source: str, cents: Cents) -> None:
    """Divide an addition on account `source`; parts are rounded to the cent in the players' favour."""
    # SP.17: all of the seed first, or a part of each addition until it is recovered
    recovered = min(fund.balance(SEED), part_of(cents, fund.terms.recovery))
    fund.move(source, SEED, recovered)
    fill_prizes(fund, source, cents - recovered)


def fill_prizes(fund: Fund, source: str, cents: Cents) -> None:
    """SP.18: fill the jackpot, then its backups; money above a maximum goes to the overflow."""
    if not cents:
        return  # an addition of 0 starts no backup
    terms, rules = fund.terms, fund.rules.backups
    if rules and terms.backups and not fund.standing.started:
        # SP.18: a backup may start when the primary has reached that level
        cents = _fill(fund, source, cents, [(JACKPOT, _room(fund, rules.level))])
        if fund.balance(JACKPOT) >= rules.level:
            fund.update(started=1)
    if rules and fund.standing.started:
        to_jackpot = _below_maximum(fund, cents - part_of(cents, terms.to_backup))
        cents = _fill(fund, source, cents, [(JACKPOT, to_jackpot)])
        cents = _fill(fund, source, cents, _backups(fund, rules))
    cents = _fill(fund, source, cents, [(JACKPOT, _room(fund, None))])
    fund.move(source, OVERFLOW, cents)


def _fill(fund: Fund, source: str, cents: Cents, fills: Iterable[tuple[str, Cents | None]]) -> Cents:
    """Fill accounts one after another, each up to its room; returns the amount that is left."""
    for account, room in fills:
        poured = cents if room is None else min(cents, room)
        fund.move(source, account, poured)
        cents -= poured
    return cents


def _backups(fund: Fund, rules: BackupsEntry) -> Iterator[tuple[str, Cents | None]]:
    """SP.18: the first backup up to its cap, then the second; no cap once the primary is high enough."""
    cap, uncapped = rules.level, rules.uncapped_level
    yield BACKUP, max(cap - fund.balance(BACKUP), 0)
    if fund.terms.backups > 1 and fund.standing.started == 1 and fund.balance(BACKUP) >= cap:
        fund.update(started=2)
    if fund.standing.started > 1:
        yield SECOND_BACKUP, max(cap - fund.balance(SECOND_BACKUP), 0)
    yield JACKPOT, _room(fund, uncapped)
    if fund.balance(JACKPOT) >= uncapped:
        yield BACKUP, None


def _room(fund: Fund, level: Cents | None) -> Cents | None:
    """How much the jackpot can take up to a level."""
    room = None if level is None else max(level - fund.balance(JACKPOT), 0)
    return _below_maximum(fund, room)


def _below_maximum(fund: Fund, room: Cents | None) -> Cents | None:
    # WAC 230-15-685: the display of a jackpot never exceeds its maximum
    if fund.standing.maximum is None:
        return room
    left = max(fund.standing.maximum - fund.balance(JACKPOT), 0)
    return left if room is None else min(room, left)
