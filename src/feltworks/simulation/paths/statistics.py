"""What many paths of a bankroll came to: a player's round by round, a house's day by day."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate
from math import ceil, sqrt
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.money import Cents

NO_FLOOR: Final = -(2**62)
_BANDS: Final = 40
_BAND_KEYS: Final = 1 << 11
MOST_KEYS: Final = 1 << 14
_ROUNDING: Final = 1e-6  # a part such as 0.95 of a hundred is ninety-five, whatever floats say


class Histogram(Struct, frozen=True, dict=True):
    """Counts by number; where too many numbers came up, by the least power of two that makes them few enough.

    That power does not depend on the order: numbers that are too many in a part are too many in the whole.

    >>> numbers = Histogram.of([5, 3, 3, 9])
    >>> numbers.quantile(0.5), numbers.share_below(5), (numbers + numbers).count
    (3, 0.5, 8)
    """

    counts: dict[int, int]
    grain: int = 1
    most: int = MOST_KEYS

    @classmethod
    def of(cls, numbers: NDArray[np.int64] | Iterable[int], most: int = MOST_KEYS) -> "Histogram":
        """The histogram of these numbers."""
        array = numbers if isinstance(numbers, np.ndarray) else np.array(list(numbers), np.int64)
        keys, counts = np.unique(array, return_counts=True)
        return cls(dict(zip(keys.tolist(), counts.tolist(), strict=True)), 1, most)._coarsen()

    def __add__(self, other: "Histogram") -> "Histogram":
        grain = max(self.grain, other.grain)
        return Histogram(self._at(grain) + other._at(grain), grain, self.most)._coarsen()

    def _at(self, grain: int) -> Counter[int]:
        """The counts by a coarser grain, or its own."""
        if grain == self.grain:
            return Counter(self.counts)
        counts = Counter[int]()
        for key, count in self.counts.items():
            counts[key * self.grain // grain] += count
        return counts

    def _coarsen(self) -> "Histogram":
        grain, counts = self.grain, self.counts
        while len(counts) > self.most:
            grain *= 2
            counts = self._at(grain)
        return Histogram(dict(counts), grain, self.most)

    @cached_property
    def _ordered(self) -> tuple[list[int], list[int]]:
        """The numbers from the least on, and how many came up to each."""
        keys = sorted(self.counts)
        return [key * self.grain for key in keys], list(accumulate(self.counts[key] for key in keys))

    @cached_property
    def count(self) -> int:
        """How many there were."""
        return sum(self.counts.values())

    def quantile(self, part: float) -> int:
        """The least number that has at least this part of all up to it."""
        numbers, reached = self._ordered
        return numbers[bisect_left(reached, max(1, ceil(part * self.count - _ROUNDING)))]

    def negate(self) -> "Histogram":
        """The same numbers with the other sign."""
        return Histogram({-key: count for key, count in self.counts.items()}, self.grain, self.most)

    def share_below(self, number: int) -> float:
        """Which part of all was less than this number."""
        numbers, reached = self._ordered
        at = bisect_left(numbers, number)
        return reached[at - 1] / self.count if at else 0.0

    @cached_property
    def mean(self) -> float:
        """The mean."""
        return sum(key * count for key, count in self.counts.items()) * self.grain / self.count

    @cached_property
    def deviation(self) -> float:
        """The standard deviation; nothing where there was but one."""
        if self.count < 2:
            return 0.0
        total = sum(key * count for key, count in self.counts.items())
        squares = sum(key * key * count for key, count in self.counts.items())
        return self.grain * sqrt((squares - total * total / self.count) / (self.count - 1))


class PathStatistics(Struct, frozen=True):
    """Paths of one length, all amounts in cents; they add up in any order, and sums take no more room."""

    paths: int
    result: Histogram
    longest: Histogram  # most steps lost in a row
    drawdown: Histogram  # most that a path fell from its highest point
    depth: Histogram  # most that it was down, had it never been stopped
    lasted: Histogram  # steps until it was stopped, or all of them
    bands: tuple[Histogram, ...]  # the sums at `points_of(length)`

    def __add__(self, other: "PathStatistics") -> "PathStatistics":
        return PathStatistics(
            self.paths + other.paths,
            self.result + other.result,
            self.longest + other.longest,
            self.drawdown + other.drawdown,
            self.depth + other.depth,
            self.lasted + other.lasted,
            tuple(one + two for one, two in zip(self.bands, other.bands, strict=True)),
        )

    def ruin_share(self, bankroll: Cents, needed: Cents = 0) -> float:
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


def path_statistics(chunks: Iterable[NDArray[np.int64]], length: int, floor: Cents = NO_FLOOR) -> PathStatistics:
    """The paths of a length that the steps of every chunk make, stopped where they fall below a floor."""
    from feltworks.simulation.paths.scan import COLUMNS, scan_paths  # loads the compiler

    points = points_of(length)
    ends, sums = [], []
    for nets in chunks:
        ends.append(np.zeros((len(nets) // length, COLUMNS), np.int64))
        sums.append(np.zeros((len(nets) // length, len(points)), np.int64))
        scan_paths(nets, length, np.array([*points, 0]), floor, ends[-1], sums[-1])
    result, longest, drawdown, depth, lasted = map(Histogram.of, np.concatenate(ends).T)
    bands = tuple(Histogram.of(column, _BAND_KEYS) for column in np.concatenate(sums).T)
    paths = sum(map(len, ends))
    return PathStatistics(paths, result, longest, drawdown, depth, lasted, bands)
