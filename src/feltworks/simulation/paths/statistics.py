"""Statistics of many paths of a bankroll: a player's round by round, a house's day by day."""

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
_ROUNDING: Final = 1e-6  # tolerance for floating point, so that 0.95 of a hundred is ninety-five


class Histogram(Struct, frozen=True, dict=True):
    """Counts numbers, in bins of the smallest power of two that keeps the number of bins within `most`.

    The bin width does not depend on the order of additions, since a part never needs more bins than the whole.

    >>> numbers = Histogram.of([5, 3, 3, 9])
    >>> numbers.quantile(0.5), numbers.share_below(5), (numbers + numbers).count
    (3, 0.5, 8)
    """

    counts: dict[int, int]
    grain: int = 1
    most: int = MOST_KEYS

    @classmethod
    def of(cls, numbers: NDArray[np.int64] | Iterable[int], most: int = MOST_KEYS) -> "Histogram":
        """Builds the histogram of these numbers."""
        array = numbers if isinstance(numbers, np.ndarray) else np.array(list(numbers), np.int64)
        keys, counts = np.unique(array, return_counts=True)
        return cls(dict(zip(keys.tolist(), counts.tolist(), strict=True)), 1, most)._coarsen()

    def __add__(self, other: "Histogram") -> "Histogram":
        grain = max(self.grain, other.grain)
        return Histogram(self._at(grain) + other._at(grain), grain, self.most)._coarsen()

    def _at(self, grain: int) -> Counter[int]:
        """Returns the counts by this grain, which is its own or a coarser one."""
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
        """The numbers in ascending order, and the cumulative counts."""
        keys = sorted(self.counts)
        return [key * self.grain for key in keys], list(accumulate(self.counts[key] for key in keys))

    @cached_property
    def count(self) -> int:
        """The number of observations."""
        return sum(self.counts.values())

    def quantile(self, part: float) -> int:
        """Returns the smallest number with at least this share of all observations up to it."""
        numbers, cumulative = self._ordered
        return numbers[bisect_left(cumulative, max(1, ceil(part * self.count - _ROUNDING)))]

    def negate(self) -> "Histogram":
        """Returns the histogram of the negated numbers."""
        return Histogram({-key: count for key, count in self.counts.items()}, self.grain, self.most)

    def share_below(self, number: int) -> float:
        """Returns the share of observations that are less than this number."""
        numbers, cumulative = self._ordered
        at = bisect_left(numbers, number)
        return cumulative[at - 1] / self.count if at else 0.0

    @cached_property
    def mean(self) -> float:
        """The mean."""
        return sum(key * count for key, count in self.counts.items()) * self.grain / self.count

    @cached_property
    def deviation(self) -> float:
        """The standard deviation; zero for a single observation."""
        if self.count < 2:
            return 0.0
        total = sum(key * count for key, count in self.counts.items())
        squares = sum(key * key * count for key, count in self.counts.items())
        return self.grain * sqrt((squares - total * total / self.count) / (self.count - 1))


class PathStatistics(Struct, frozen=True):
    """Statistics of paths of one length in cents; they can be added in any order and do not grow in size."""

    paths: int
    result: Histogram
    longest: Histogram  # the longest run of losing steps
    drawdown: Histogram  # the largest fall from the highest point before
    depth: Histogram  # the largest loss if the path were never stopped
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
        """Returns the share of paths on which less than `needed` was left of a bankroll at some point."""
        return 1 - self.depth.share_below(bankroll - needed + 1)

    def bankroll(self, safety: float, needed: Cents = 0) -> Cents:
        """Returns the smallest bankroll that never falls below `needed` on this share of the paths."""
        return self.depth.quantile(safety) + needed


def points_of(length: int) -> list[int]:
    """Lists the steps at which the sums of all paths are recorded.

    >>> points_of(4), points_of(1000)[:2], points_of(1000)[-1]
    ([1, 2, 3, 4], [25, 50], 1000)
    """
    return sorted({-(-length * number // _BANDS) for number in range(1, _BANDS + 1)})


def path_statistics(chunks: Iterable[NDArray[np.int64]], length: int, floor: Cents = NO_FLOOR) -> PathStatistics:
    """Cuts the steps of every chunk into paths and computes their statistics; paths stop below the floor."""
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
