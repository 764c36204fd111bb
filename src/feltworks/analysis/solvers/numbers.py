"""The array types of the solvers, with floats or exact fractions as elements."""

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
    """The distinct numbers in ascending order; `np.unique` would import masked arrays."""
    return sorted(set(numbers.tolist()))


def plain(number: Any) -> Number:
    """An element of an array as Python's own type."""
    return number if isinstance(number, Fraction) else float(number)


class Numbers(Struct, frozen=True):
    """The array type of whole numbers, and the division of them."""

    dtype: Any
    divide: Callable[[Array, Array], Array]

    def ratio(self, ways: Array, every: Array | int) -> Array:
        """The quotient of whole numbers of any type."""
        return self.divide(np.asarray(ways, self.dtype), np.asarray(every, self.dtype))

    def whole(self, counts: Ints) -> Array:
        """Convert whole numbers to this array type."""
        return counts.astype(self.dtype)

    def zeros(self, *shape: int) -> Array:
        return np.zeros(shape, self.dtype)

    def of(self, fractions: Any) -> Array:
        """Nested lists of exact fractions as an array."""
        exact = np.array(fractions, dtype=object)
        return exact if self.dtype is object else exact.astype(self.dtype)


FLOATS = Numbers(np.float64, np.divide)
EXACT = Numbers(object, np.frompyfunc(Fraction, 2, 1))
