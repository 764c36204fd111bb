"""What many paths of a bankroll came to, whoever walks them: a player round by round, a house day by day."""

from collections.abc import Iterable
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.money import Cents
from feltworks.simulation.histogram import Histogram

NO_FLOOR: Final = -(2**62)
_BANDS: Final = 40
_BAND_KEYS: Final = 1 << 11


class Walks(Struct, frozen=True):
    """Paths of one length, all amounts in cents: they add up in any order and never grow."""

    paths: int
    result: Histogram
    longest: Histogram  # most steps lost in a row
    drawdown: Histogram  # most that a path fell from its highest point
    depth: Histogram  # most that it was down, had it never been stopped
    lasted: Histogram  # steps until it was stopped, or all of them
    bands: tuple[Histogram, ...]  # the sums at `points_of(length)`

    def __add__(self, other: "Walks") -> "Walks":
        return Walks(
            self.paths + other.paths,
            self.result + other.result,
            self.longest + other.longest,
            self.drawdown + other.drawdown,
            self.depth + other.depth,
            self.lasted + other.lasted,
            tuple(one + two for one, two in zip(self.bands, other.bands, strict=True)),
        )

    def ruined(self, bankroll: Cents, needed: Cents = 0) -> float:
        """Which part of the paths came to where less than what is needed to go on was left of a bankroll."""
        return 1 - self.depth.share_below(bankroll - needed + 1)

    def bankroll(self, safety: float, needed: Cents = 0) -> Cents:
        """The least bankroll with which so large a part of the paths is never short of what is needed."""
        return self.depth.quantile(safety) + needed


def points_of(length: int) -> list[int]:
    """Steps at which all paths are looked at.

    >>> points_of(4), points_of(1000)[:2], points_of(1000)[-1]
    ([1, 2, 3, 4], [25, 50], 1000)
    """
    return sorted({-(-length * number // _BANDS) for number in range(1, _BANDS + 1)})


def walked(chunks: Iterable[NDArray[np.int64]], length: int, floor: Cents = NO_FLOOR) -> Walks:
    """The paths of a length that the steps of every chunk make, stopped where they fall below a floor."""
    from feltworks.simulation.kernels.paths import COLUMNS, scan_paths

    points = points_of(length)
    ends, sums = [], []
    for nets in chunks:
        ends.append(np.zeros((len(nets) // length, COLUMNS), np.int64))
        sums.append(np.zeros((len(nets) // length, len(points)), np.int64))
        scan_paths(nets, length, np.array([*points, 0]), floor, ends[-1], sums[-1])
    result, longest, drawdown, depth, lasted = map(Histogram.of, np.concatenate(ends).T)
    bands = tuple(Histogram.of(column, _BAND_KEYS) for column in np.concatenate(sums).T)
    paths = sum(map(len, ends))
    return Walks(paths, result, longest, drawdown, depth, lasted, bands)
