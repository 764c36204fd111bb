"""How often each whole number came up, within fixed memory and the same in whatever order it is added up."""

from bisect import bisect_left
from collections.abc import Iterable
from functools import cached_property
from itertools import accumulate
from math import ceil, sqrt
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

MOST_KEYS: Final = 1 << 14
_ROUNDING: Final = 1e-6  # a part such as 0.95 of a hundred is ninety-five, whatever floats say


class Histogram(Struct, frozen=True, dict=True):
    """Counts by number; where too many numbers came up, by the least power of two that makes them few enough.

    That power does not depend on the order: numbers that are too many in a part are too many in the whole.

    >>> seen = Histogram.of([5, 3, 3, 9])
    >>> seen.quantile(0.5), seen.share_below(5), (seen + seen).count
    (3, 0.5, 8)
    """

    counts: dict[int, int]
    grain: int = 1
    most: int = MOST_KEYS

    @classmethod
    def of(cls, numbers: NDArray[np.int64] | Iterable[int], most: int = MOST_KEYS) -> "Histogram":
        """The histogram of these numbers."""
        seen = numbers if isinstance(numbers, np.ndarray) else np.array(list(numbers), np.int64)
        keys, counts = np.unique(seen, return_counts=True)
        return cls(dict(zip(keys.tolist(), counts.tolist(), strict=True)), 1, most)._kept_small()

    def __add__(self, other: "Histogram") -> "Histogram":
        grain = max(self.grain, other.grain)
        counts = dict(self._at(grain))
        for key, count in other._at(grain).items():
            counts[key] = counts.get(key, 0) + count
        return Histogram(counts, grain, self.most)._kept_small()

    def _at(self, grain: int) -> dict[int, int]:
        if grain == self.grain:
            return self.counts
        counts: dict[int, int] = {}
        for key, count in self.counts.items():
            coarse = key * self.grain // grain
            counts[coarse] = counts.get(coarse, 0) + count
        return counts

    def _kept_small(self) -> "Histogram":
        grain, counts = self.grain, self.counts
        while len(counts) > self.most:
            grain *= 2
            counts = self._at(grain)
        return Histogram(counts, grain, self.most)

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

    def negated(self) -> "Histogram":
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
