"""How far results stray from their average: deviation, skew, volatility index and bands by rounds played."""

from math import ceil, sqrt
from statistics import NormalDist
from typing import Final

from msgspec import Struct

from feltworks.analysis.figures import Figures
from feltworks.analysis.shoe_game.rounds import RoundFigures

ROUNDS: Final = (1_000, 10_000, 100_000, 1_000_000)
SHARES: Final = (0.90, 0.95, 0.99)  # of all times that a result lies within its band


def quantile(share: float) -> float:
    """How many deviations lie on either side of the average that often.

    >>> round(quantile(0.95), 4)
    1.96
    """
    return NormalDist().inv_cdf((1 + share) / 2)


class Band(Struct, frozen=True):
    """After so many rounds the house's part lies within `edge` ± each of these, for each of the shares."""

    rounds: int
    widths: tuple[float, ...]


class Volatility(Struct, frozen=True):
    """The spread of a wager's result, per unit opened with."""

    edge: float
    deviation: float
    skew: float
    index: float  # 90 %: the deviation times 1.645
    bands: tuple[Band, ...]
    rounds_ahead: int | None  # until the favoured side is ahead 99 times in 100; None where nobody is


def volatility(figures: Figures | RoundFigures) -> Volatility:
    """The spread of a wager from its outcome table.

    >>> from fractions import Fraction
    >>> from feltworks.analysis.figures import Outcome
    >>> half = Fraction(1, 2)
    >>> coin = Figures.of([Outcome("heads", half, Fraction(1)), Outcome("tails", half, Fraction(-1))])
    >>> found = volatility(coin)
    >>> found.deviation, found.skew, round(found.bands[0].widths[0], 4), found.rounds_ahead
    (1.0, 0.0, 0.052, None)
    """
    spread, mean = figures.standard_deviation, figures.expectation
    third = float(sum((row.probability * (row.net - mean) ** 3 for row in figures.outcomes), start=0))
    edge = float(-mean)
    return Volatility(
        edge,
        spread,
        third / spread**3 if spread else 0.0,
        quantile(SHARES[0]) * spread,
        tuple(Band(rounds, widths(spread, rounds)) for rounds in ROUNDS),
        ceil((NormalDist().inv_cdf(SHARES[-1]) * spread / edge) ** 2) if edge else None,
    )


def widths(deviation: float, rounds: int) -> tuple[float, ...]:
    """Half the width of each band after so many rounds."""
    return tuple(quantile(share) * deviation / sqrt(rounds) for share in SHARES)
