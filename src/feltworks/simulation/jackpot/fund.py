"""The money of a progressive jackpot from day to day: posted, held in backups, put up as seed and recovered.

A jackpot run by hand (SP.16): a day's additions are posted the next day, wins are deducted at once.
"""

from fractions import Fraction
from typing import Final

from msgspec import Struct

from feltworks.errors import BadOption
from feltworks.money import Cents, dollars
from feltworks.rules.jackpot import BACKUP, JACKPOT, SECOND_BACKUP, SEED, Pot, PouringRules, pour
from feltworks.rules.rulebook.model import MeterEntry

PRIMARY = 0  # index of the posted jackpot in the list of amounts; its backups follow
_PLACES: Final[tuple[Pot, ...]] = (JACKPOT, BACKUP, SECOND_BACKUP)


class JackpotPolicy(Struct, frozen=True):
    """The decisions of a house about its jackpot."""

    seed: Cents | None = None  # SP.15: None means the smallest that the rules allow
    recovery: Fraction = Fraction(1)  # SP.17: the part of each addition that goes back until the seed is recovered
    fee: Fraction = Fraction(0)  # SP.16: a part of what is left in the box, if a fee is allowed
    backups: int = 2  # SP.18: the number of backups
    carries_shortfall: bool = False  # SP.16, the other reading: awards above the box wait for later boxes

    def check(self, meter: MeterEntry) -> None:
        """Refuses decisions that the rules do not allow."""
        if self.seed is not None and self.seed < meter.seed:
            raise BadOption("seed money", dollars(self.seed), f"at least {dollars(meter.seed)}")
        if not 0 <= self.recovery <= 1:
            raise BadOption("seed recovery", str(self.recovery), "a part of each addition from 0 to 1")
        if not 0 <= self.fee < 1:
            raise BadOption("fee", str(self.fee), "a part of each addition from 0 to below 1")
        if not 0 <= self.backups <= 2:
            raise BadOption("backups", self.backups, "0, 1 or 2")


# SP.17: both ways to recover the seed
SEED_FIRST: Final = JackpotPolicy()
SEED_BY_HALVES: Final = JackpotPolicy(recovery=Fraction(1, 2))


class Seeding(Struct):
    """Seed money that the house put up: the day, the amount, and the day when all of it was recovered."""

    day: int
    cents: Cents
    recovered: Cents = 0
    recovered_on: int | None = None


class Books(Struct):
    """The totals of all flows of money, in cents."""

    box: Cents = 0  # losing wagers
    tray: Cents = 0  # fixed awards the tray paid
    taken_back: Cents = 0  # out of the box for the tray
    fee: Cents = 0
    recovered: Cents = 0  # seed money taken back
    added: Cents = 0  # to the jackpot and its backups
    seeded: Cents = 0
    won: Cents = 0


class JackpotFund:
    """A jackpot with its backups, under the rules for its meter and a house's policy."""

    def __init__(self, policy: JackpotPolicy, meter: MeterEntry) -> None:
        policy.check(meter)
        self.policy, self.meter, self.books = policy, meter, Books()
        self._new_seed: Cents = meter.seed if policy.seed is None else policy.seed
        self.lying: list[Cents] = [0, 0, 0]
        self.seedings: list[Seeding] = []
        self.taken_over = 0  # how often a backup became the primary
        self._shortfall: Cents = 0
        self._recovered = 0  # the number of seedings recovered
        self._started = 0  # the number of backups that hold money
        self._rules = PouringRules(meter.backups, policy.backups, policy.recovery)
        self._seed(self._new_seed, day=0)

    @property
    def posted(self) -> Cents:
        return self.lying[PRIMARY]

    @property
    def owed(self) -> Cents:
        """Seed money not yet recovered."""
        return self.books.seeded - self.books.recovered

    def win(self, cents: Cents, *, day: int, empties: bool) -> None:
        """SP.16, SP.18: a win lowers the posted amount at once; an emptied primary is replaced."""
        assert 0 <= cents <= self.posted, "more was won than was posted"
        self.books.won += cents
        self.lying[PRIMARY] -= cents
        if empties:
            self._renew(day)

    def _renew(self, day: int) -> None:
        """SP.18: makes the first backup the primary, or puts up a new seed if there is no backup."""
        if not self._started:
            self._seed(self._new_seed, day)
            return
        left, *backups = self.lying  # four royals may leave a few cents
        self.lying = [left + backups[0], *backups[1:], 0]
        self._started -= 1
        self.taken_over += 1
        # SP.15: a jackpot starts from at least the smallest seed, even if the backup holds less
        self._seed(max(0, self.meter.seed - self.posted), day)

    def close_day(self, box: Cents, tray: Cents, *, day: int) -> None:
        """SP.16: takes what the tray paid out of the box and adds the rest, less the fee, to the jackpot."""
        due = tray + self._shortfall
        taken = min(box, due)
        self._shortfall = due - taken if self.policy.carries_shortfall else 0
        fee = int((box - taken) * self.policy.fee)
        self._add(box - taken - fee, day)
        for name, cents in (("box", box), ("tray", tray), ("taken_back", taken), ("fee", fee)):
            setattr(self.books, name, getattr(self.books, name) + cents)

    def _seed(self, cents: Cents, day: int) -> None:
        if cents:
            self.lying[PRIMARY] += cents
            self.books.seeded += cents
            self.seedings.append(Seeding(day, cents))

    def _add(self, addition: Cents, day: int) -> None:
        """SP.17, SP.18: divides an addition among seed, jackpot and backups."""
        held: dict[Pot, Cents] = {SEED: self.owed, **dict(zip(_PLACES, self.lying, strict=True))}
        poured = pour(addition, held, self._started, self._rules)
        recovered = int(poured.total(SEED))
        self._recover(recovered, day)
        self.books.added += addition - recovered
        self.lying = [lying + int(poured.total(pot)) for pot, lying in zip(_PLACES, self.lying, strict=True)]
        self._started = poured.started

    def _recover(self, cents: Cents, day: int) -> None:
        """Pays seed money back to the house, the oldest first."""
        left = cents
        while left:
            oldest = self.seedings[self._recovered]
            part = min(left, oldest.cents - oldest.recovered)
            oldest.recovered += part
            left -= part
            if oldest.recovered == oldest.cents:
                oldest.recovered_on = day
                self._recovered += 1
        self.books.recovered += cents
