"""A progressive's money while something is posted: its accounts, its state, and the lines written so far."""

from collections.abc import Mapping
from datetime import date, timedelta
from functools import cached_property
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from feltworks.errors import BadAmount, BadDay, NotNow
from feltworks.house.journal.posting import Entry
from feltworks.house.progressive.chart import (
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
from feltworks.house.progressive.terms import Terms
from feltworks.money import MOST_CENTS, Cents, dollars
from feltworks.rules.rulebook.model import MeterEntry

IN_PLAY: Final = "in play"
STOPPED: Final = "stopped"
REMOVED: Final = "removed"
RULES: Final = "rules of the game"
ABOVE_MAXIMUM: Final = "above maximum"


class Standing(Struct, frozen=True):
    """What of a progressive is no money: whether it is played, and which day is open."""

    state: str
    day: date | None  # the day being played
    closed: date  # the last day whose box was counted
    latest: date  # the day of the newest posting
    tested: date  # when the bank account was last found to hold all prizes
    started: int = 0  # SP.18: backups that have been started
    maximum: Cents | None = None

    @classmethod
    def opened(cls, day: date) -> "Standing":
        return cls(IN_PLAY, None, day - timedelta(days=1), day, day)


class Fund:
    """The accounts of one progressive in memory; what is moved here is written to the journal afterwards."""

    def __init__(
        self,
        terms: Terms,
        standing: Standing,
        balances: Mapping[str, Cents],
        meter: Meter | None = None,
    ) -> None:
        self.terms, self.standing = terms, standing
        self.balances = dict(balances)
        self.meter = meter or Meter(self.holds(JACKPOT))
        self.moved: list[Entry] = []

    @cached_property
    def rules(self) -> MeterEntry:
        """What the game's rules ask of the jackpot."""
        return self.terms.meter_rules

    def holds(self, account: str) -> Cents:
        """An account's amount as people speak of it: what lies there, or what is owed."""
        return self.balances[account] * SIGNS[account]

    @property
    def owed(self) -> Cents:
        """All prize money, displayed or not."""
        return sum(map(self.holds, PRIZES))

    @property
    def missing(self) -> Cents:
        """What the bank account lacks of the prize money."""
        return max(self.owed - self.holds(BANK), 0)

    def move(self, debit: str, credit: str, cents: Cents, reason: str | None = None) -> None:
        """Write a line; nothing is written of nothing."""
        if cents:
            self.balances[debit] += cents
            self.balances[credit] -= cents
            self.moved.append(Entry(debit, credit, cents, reason))

    def becomes(self, **changes: object) -> None:
        self.standing = replace(self.standing, **changes)

    def lines(self) -> list[Entry]:
        """The lines since they were last asked for: a posting is over, and the meter shows what it left."""
        lines, self.moved = self.moved, []
        self.meter.show(self.holds(JACKPOT))
        return lines

    def enter(self, day: date) -> None:
        """Refuse a day that does not fit: days are ended one after another and never gone back to."""
        now = self.standing
        if now.state == REMOVED:
            raise NotNow("this progressive has been taken out of play; nothing more can be posted to it")
        if now.day is not None and day != now.day:
            raise BadDay(day, f"{now.day} is still open; its end has to be posted first")
        if day < now.latest:
            raise BadDay(day, f"the books have gone on to {now.latest}")
        if day != now.latest:
            self.becomes(latest=day)
            self.meter.begin_day()

    def play(self, day: date) -> None:
        """Open the day for play, or go on with it."""
        self.enter(day)
        if day <= self.standing.closed:
            raise BadDay(
                day, f"the box of {self.standing.closed} has been counted; play goes on the next day"
            )
        if self.standing.day is None:
            self.becomes(day=day)

    def renew(self) -> None:
        """SP.18: an emptied jackpot is followed by the first backup, or by a new seed."""
        if not self.standing.started:
            self.move(SEED, JACKPOT, self.terms.seed)
        else:
            self.move(BACKUP, JACKPOT, self.holds(BACKUP), RULES)
            self.move(SECOND_BACKUP, BACKUP, self.holds(SECOND_BACKUP), RULES)
            self.becomes(started=self.standing.started - 1)
            # SP.15: a jackpot starts from the smallest seed, also where a young backup holds less
            self.move(SEED, JACKPOT, max(self.rules.seed - self.holds(JACKPOT), 0))
        most = self.standing.maximum
        if most is not None and self.holds(JACKPOT) > most:
            self.move(JACKPOT, OVERFLOW, self.holds(JACKPOT) - most, ABOVE_MAXIMUM)


def amount(cents: object, what: str, *, most: Cents = MOST_CENTS) -> Cents:
    """Refuse what is no positive whole number of cents, or more than there is."""
    if type(cents) is not int or not 0 < cents <= most:
        upper = f" up to {dollars(most)}" if most < MOST_CENTS else ""
        raise BadAmount(what, cents, f"it takes a positive whole number of cents{upper}")
    return cents
