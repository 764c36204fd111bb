"""The order in which money goes into a jackpot, its backups and its seed (SP.15–SP.18).

The house's books, the simulation and the analysis all divide an addition by this one function: whole cents in
the books and the simulation, exact fractions in the analysis.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Final, Literal

from msgspec import Struct

from feltworks.money import Cents
from feltworks.rules.rulebook.model import BackupsEntry

Pot = Literal["seed", "jackpot", "backup", "second-backup", "overflow"]
SEED: Final = "seed"
JACKPOT: Final = "jackpot"
BACKUP: Final = "backup"
SECOND_BACKUP: Final = "second-backup"
OVERFLOW: Final = "overflow"
ALL: Final = Fraction(1)
Money = int | Fraction  # whole cents, or an exact expectation of them


class PouringRules(Struct, frozen=True):
    """The game's rules and the house's settings on additions."""

    backup_rules: BackupsEntry | None  # None: the game has no backups
    backups: int = 2
    recovery: Fraction = ALL  # SP.17: the part of each addition that pays back the seed
    to_backup: Fraction = ALL  # SP.18: the part of an addition that goes to a backup once one has started
    maximum: Cents | None = None  # WAC 230-15-685: the highest amount displayed


class Pouring(Struct, frozen=True):
    """Where an addition goes, step by step, and how many backups have started afterwards."""

    steps: tuple[tuple[Pot, Money], ...]
    started: int

    def total(self, pot: Pot) -> Money:
        """The amount that one pot receives."""
        return sum(amount for to, amount in self.steps if to == pot)


class _Pots:
    """The pots while an addition is divided."""

    def __init__(self, held: Mapping[Pot, Money], started: int, left: Money) -> None:
        self.held: dict[Pot, Money] = dict(held)
        self.started = started
        self.left: Money = left
        self.steps: list[tuple[Pot, Money]] = []

    def fill(self, pot: Pot, room: Money | None) -> None:
        """Pour into one pot up to its room; None means no limit."""
        amount = self.left if room is None else min(self.left, max(room, 0))
        if amount:
            self.held[pot] = self.held.get(pot, 0) + amount
            self.left -= amount
            self.steps.append((pot, amount))


def pour(addition: Money, held: Mapping[Pot, Money], started: int, rules: PouringRules) -> Pouring:
    """Divide an addition; `held` is the seed still to recover and the amount in every other pot.

    Parts are rounded to the cent in the players' favour.

    >>> rules = PouringRules(None, recovery=Fraction(1, 2))
    >>> pour(101, {"seed": 500_00, "jackpot": 500_00}, 0, rules).steps
    (('seed', 50), ('jackpot', 51))
    """
    recovered: Money = min(held.get(SEED, 0), part_of(addition, rules.recovery))
    poured: Pouring = pour_into_prizes(addition - recovered, held, started, rules)
    return Pouring(((SEED, recovered), *poured.steps), poured.started) if recovered else poured


def pour_into_prizes(addition: Money, held: Mapping[Pot, Money], started: int, rules: PouringRules) -> Pouring:
    """SP.18: fill the jackpot, then its backups; money above a maximum goes to the overflow."""
    pots = _Pots(held, started, addition)
    if not addition:
        return Pouring((), started)  # an addition of 0 starts no backup
    backup_rules = rules.backup_rules if rules.backups else None
    if backup_rules is not None and not started:
        # SP.18: a backup may start when the primary has reached that level
        level, _ = _levels(backup_rules)
        pots.fill(JACKPOT, _room(pots, rules, level))
        if pots.held[JACKPOT] >= level:
            pots.started = 1
    if rules.backup_rules is not None and pots.started:
        to_jackpot = pots.left - part_of(pots.left, rules.to_backup)
        pots.fill(JACKPOT, _below_maximum(pots, rules, to_jackpot))
        for pot, room in _backups(pots, rules, rules.backup_rules):
            pots.fill(pot, room)
    pots.fill(JACKPOT, _room(pots, rules, None))
    pots.fill(OVERFLOW, None)
    return Pouring(tuple(pots.steps), pots.started)


@cache
def _levels(backups: BackupsEntry) -> tuple[Cents, Cents]:
    """The amount at which a backup starts and its cap, and the primary's amount that lifts this cap."""
    return backups.level, backups.uncapped_level


def _backups(pots: _Pots, rules: PouringRules, backups: BackupsEntry) -> Iterator[tuple[Pot, Money | None]]:
    """SP.18: fill the first backup up to its cap, then the second; no cap once the primary is high enough."""
    cap, uncapped = _levels(backups)
    yield BACKUP, cap - pots.held.get(BACKUP, 0)
    if rules.backups > 1 and pots.started == 1 and pots.held.get(BACKUP, 0) >= cap:
        pots.started = 2
    if pots.started > 1:
        yield SECOND_BACKUP, cap - pots.held.get(SECOND_BACKUP, 0)
    yield JACKPOT, _room(pots, rules, uncapped)
    if pots.held[JACKPOT] >= uncapped:
        yield BACKUP, None


def _room(pots: _Pots, rules: PouringRules, level: Cents | None) -> Money | None:
    """How much more the jackpot can take up to a level."""
    return _below_maximum(pots, rules, None if level is None else max(level - pots.held[JACKPOT], 0))


def _below_maximum(pots: _Pots, rules: PouringRules, room: Money | None) -> Money | None:
    # WAC 230-15-685: the display of a jackpot never exceeds its maximum
    if rules.maximum is None:
        return room
    left = max(rules.maximum - pots.held[JACKPOT], 0)
    return left if room is None else min(room, left)


def part_of(amount: Money, part: Fraction) -> Money:
    """A part of an amount: of whole cents rounded down, of a fraction exact.

    >>> part_of(100, Fraction(1, 3)), part_of(Fraction(100), Fraction(1, 3))
    (33, Fraction(100, 3))
    """
    if isinstance(amount, int):
        return amount * part.numerator // part.denominator
    return amount * part


def accrue(meters: Mapping[str, Cents], boxes: Mapping[str, Cents]) -> dict[str, Cents]:
    """WAC 230-15-671: the posted jackpots after a round, raised at once by its losing wagers.

    >>> accrue({"jackpot": 500_00}, {"jackpot": 3_00})
    {'jackpot': 50300}
    """
    return {meter: meters.get(meter, 0) + boxes.get(meter, 0) for meter in {**meters, **boxes}}
