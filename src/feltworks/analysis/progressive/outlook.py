"""What a progressive looks like to player and house: its return by jackpot, its hits, and how it grows."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from feltworks.analysis.progressive.growth import Fund, Growth, growth
from feltworks.analysis.progressive.jackpot import Progressive
from feltworks.money import Cents

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
    >>> seen = outlook(Progressive(catalog.game("spanish-poker")))
    >>> seen.constant, seen.per_cent, seen.rounds_between["straight flush"]
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
