"""How a jackpot and its backups grow on average, under either way of recovering the seed (SP.15–18).

Everything here is an exact expectation per round. Two things are left to simulation: a day on which the
tray paid more than the box holds adds nothing instead of less than nothing (SP.16), so real growth is a
little faster; and what is won from the jackpot is told apart from what is added to it. The outlook puts
growth beside the wager's return by jackpot and the rounds between hits.
"""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from feltworks.analysis.solvers.progressive import Progressive
from feltworks.money import Cents
from feltworks.rules.jackpot import BACKUP, JACKPOT, SECOND_BACKUP, SEED, Pot, PouringRules, pour
from feltworks.rules.rulebook.model import MeterEntry


class Fund(Struct, frozen=True):
    """What lies where, in cents: the seed taken back, the posted jackpot, and its backups."""

    recovered: Fraction
    primary: Fraction
    backup: Fraction = Fraction(0)
    second_backup: Fraction = Fraction(0)


class Growth(Struct, frozen=True):
    """What a round brings on average, in cents; `fee` is the allowed part of what is left in the box."""

    box: Fraction  # losing wagers
    tray: Fraction  # fixed awards, taken out of the box again
    won: Fraction  # the part of the jackpot that is won
    rules: MeterEntry  # what the game's rules ask of the jackpot
    fee: Fraction = Fraction(0)

    @property
    def addition(self) -> Fraction:
        """SP.16: losing wagers less the day's awards and less the fee."""
        return (self.box - self.tray) * (1 - self.fee)

    @property
    def balance(self) -> Fraction:
        """The jackpot, in cents, at which as much is won in a round as is added to it, on average."""
        return self.addition / self.won

    def fund(
        self, rounds: int, *, seed: Cents | None = None, recovery: Fraction = Fraction(1), backups: int = 2
    ) -> Fund:
        """Where the money of so many rounds without a win from the jackpot lies.

        SP.17: of each addition the part `recovery` goes back to the house until the seed is recovered; all of
        it, unless the house chose a smaller part.
        """
        added, begun = self.addition * rounds, Fraction(self.rules.seed if seed is None else seed)
        held: dict[Pot, Fraction] = {SEED: begun, JACKPOT: begun}
        rules = PouringRules(self.rules.backups, backups, recovery)
        poured = pour(added, held, 0, rules)
        lying = (held.get(pot, 0) + poured.total(pot) for pot in (JACKPOT, BACKUP, SECOND_BACKUP))
        return Fund(Fraction(poured.total(SEED)), *map(Fraction, lying))

    def rounds_until_added(
        self, cents: Cents, *, seed: Cents | None = None, recovery: Fraction = Fraction(1)
    ) -> Fraction:
        """Rounds until so much has gone to jackpot and backups together, beside recovering the seed."""
        with_seed = (cents + (self.rules.seed if seed is None else seed)) / self.addition
        if recovery == 1:
            return with_seed
        return min(with_seed, cents / (self.addition * (1 - recovery)))


def growth(progressive: Progressive, *, seats: int = 1, fee: Fraction = Fraction(0)) -> Growth:
    """The growth of a jackpot with so many seats in action every round.

    >>> from feltworks import catalog
    >>> grows = growth(Progressive(catalog.game("spanish-poker")))
    >>> grows.addition * 1000
    Fraction(21072000000, 374699)
    """
    prizes = progressive.prizes(seats)
    lost = sum((prize.probability for prize in prizes if prize.loses), Fraction(0))
    awarded = sum((prize.probability * prize.from_tray for prize in prizes), Fraction(0))
    won = progressive.jackpot_share(seats)
    return Growth(lost * progressive.stake * seats, awarded * seats, won * seats, progressive.rules, fee)


JACKPOTS: tuple[Cents, ...] = (
    500_00,
    1_000_00,
    2_500_00,
    5_000_00,
    10_000_00,
    20_000_00,
    30_000_00,
    50_000_00,
)
ROUNDS = (100, 250, 500, 1_000, 2_500, 10_000, 100_000, 1_000_000)
# SP.17: all of the seed first, or a share of each addition, here half
POLICIES = {"all of the seed first": Fraction(1), "half of each addition": Fraction(1, 2)}


class Outlook(Struct, frozen=True):
    """A wager on a jackpot with so many seats in action; it returns `constant` + `per_cent` · jackpot."""

    seats: int
    constant: Fraction
    per_cent: Fraction
    rounds_between: dict[str, Fraction]  # hits of one wager, award by award
    rounds_at_table: dict[str, Fraction]  # rounds in which some seat wins from the jackpot, hand by hand
    grows: Growth

    def expected_return(self, jackpot: Cents) -> Fraction:
        """What comes back of all money wagered when so much is posted."""
        return self.constant + self.per_cent * jackpot

    def funds(self, recovery: Fraction) -> Iterator[tuple[int, Fund]]:
        """Where the money lies after so many rounds in which nobody won from the jackpot."""
        for rounds in ROUNDS:
            yield rounds, self.grows.fund(rounds, recovery=recovery)


def outlook(progressive: Progressive, seats: int = 1) -> Outlook:
    """All of it for one jackpot.

    >>> from feltworks import catalog
    >>> gran = outlook(Progressive(catalog.game("spanish-poker")))
    >>> gran.constant, gran.per_cent, gran.rounds_between["straight flush"]
    (Fraction(163979, 374699), Fraction(2, 9367475), Fraction(374699, 50))
    """
    at_table = {hand: progressive.rounds_between(hand, seats) for hand in progressive.winning_hands}
    return Outlook(
        seats,
        progressive.expected_return(0, seats),
        progressive.jackpot_share(seats) / progressive.stake,
        {prize.outcome: 1 / prize.probability for prize in progressive.prizes() if not prize.loses},
        at_table,
        growth(progressive, seats=seats),
    )
