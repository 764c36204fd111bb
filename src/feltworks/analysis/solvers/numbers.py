"""Arrays of the solvers, and the two kinds of number they hold: floats, or fractions to compare exactly."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from feltworks.analysis.figures import Number

Array = npt.NDArray[Any]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


def distinct(numbers: Ints) -> list[int]:
    """Each number once, the lowest first; `np.unique` would load masked arrays for it."""
    return sorted(set(numbers.tolist()))


def plain(number: Any) -> Number:
    """A number of an array as Python's own type."""
    return number if isinstance(number, Fraction) else float(number)


class Numbers(Struct, frozen=True):
    """The array type of whole numbers, and how they are divided."""

    dtype: Any
    divide: Callable[[Array, Array], Array]

    def ratio(self, ways: Array, every: Array | int) -> Array:
        """Whole numbers of any type, divided."""
        return self.divide(np.asarray(ways, self.dtype), np.asarray(every, self.dtype))

    def whole(self, counts: Ints) -> Array:
        """Whole numbers in this array type."""
        return counts.astype(self.dtype)

    def zeros(self, *shape: int) -> Array:
        return np.zeros(shape, self.dtype)

    def of(self, fractions: Any) -> Array:
        """Nested lists of exact fractions as an array."""
        exact = np.array(fractions, dtype=object)
        return exact if self.dtype is object else exact.astype(self.dtype)


FLOATS = Numbers(np.float64, np.divide)
EXACT = Numbers(object, np.frompyfunc(Fraction, 2, 1))
