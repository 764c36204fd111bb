"""Records what the rules read of the house's hand while they judge it, so that one judgement serves many hands.

A showdown pairs thousands of hands with thousands of others. The rules are called for one pair, and every
comparison that they make and every attribute that they read of the house's hand is recorded. House hands for
which all recorded answers are the same have the same result, so the rules are not called for them.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from operator import eq, ge, gt, le, lt, ne
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

_WORDS: Final = ("words", "detail")  # texts about a hand: only a comparison can influence the rules
_ORDERS: Final = {lt, le, gt, ge}
Path = tuple[object, ...]  # a place, the index of a hand there, then names of attributes
Mask = NDArray[np.bool_]


class Fact(Struct, frozen=True):
    """A recorded comparison with its answer."""

    path: Path
    test: Callable[[Any, Any], bool]
    other: Any
    answer: bool


class Facts:
    """The facts that one judgement has read."""

    def __init__(self) -> None:
        self.noted: list[Fact] = []
        self.is_whole = False  # something without a path was read: the result holds for this hand only

    def compare(self, path: Path, value: Any, test: Callable[[Any, Any], bool], other: Any) -> bool:
        other = other._value if isinstance(other, Probe) else other
        answer = bool(test(value, other))
        self.noted.append(Fact(path, test, other, answer))
        return answer

    def read(self, path: Path, value: Any) -> Any:
        """Wraps an attribute for the rules: a struct or text in a probe; a plain value is recorded at once."""
        if isinstance(value, str) and path[-1] in _WORDS:
            return _Words(value, path, self)
        if isinstance(value, Struct):
            self.noted.append(Fact(path, ne, None, True))  # another hand may have nothing there
            return Probe(value, path, self)
        self.noted.append(Fact(path, eq, value, True))
        return value


class Probe:
    """A proxy for a value of the house's that records comparisons and reads."""

    __slots__ = ("_facts", "_path", "_value")

    def __init__(self, value: Any, path: Path, facts: Facts) -> None:
        self._value, self._path, self._facts = value, path, facts

    @property  # type: ignore[misc]  # so that `isinstance` in rules sees the value's type
    def __class__(self) -> type:
        return type(self._value)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._value, name)
        if callable(value):
            self._facts.compare(self._path, self._value, eq, self._value)
            return value
        return self._facts.read((*self._path, name), value)

    def __eq__(self, other: object) -> bool:
        return self._facts.compare(self._path, self._value, eq, other)

    def __ne__(self, other: object) -> bool:
        return self._facts.compare(self._path, self._value, ne, other)

    def __lt__(self, other: object) -> bool:
        return self._facts.compare(self._path, self._value, lt, other)

    def __le__(self, other: object) -> bool:
        return self._facts.compare(self._path, self._value, le, other)

    def __gt__(self, other: object) -> bool:
        return self._facts.compare(self._path, self._value, gt, other)

    def __ge__(self, other: object) -> bool:
        return self._facts.compare(self._path, self._value, ge, other)

    def __hash__(self) -> int:
        self._facts.compare(self._path, self._value, eq, self._value)
        return hash(self._value)


class _Words(str):
    """A text about a hand: it may be printed freely, but comparisons are recorded."""

    _path: Path
    _facts: Facts

    def __new__(cls, value: str, path: Path, facts: Facts) -> "_Words":
        words = super().__new__(cls, value)
        words._path, words._facts = path, facts
        return words

    def __eq__(self, other: object) -> bool:
        return self._facts.compare(self._path, str(self), eq, other)

    def __ne__(self, other: object) -> bool:
        return self._facts.compare(self._path, str(self), ne, other)

    def __hash__(self) -> int:
        self._facts.compare(self._path, str(self), eq, str(self))
        return super().__hash__()


class Columns:
    """Answers the recorded comparisons for many hands at once, with a cached column for each path."""

    def __init__(self, value: Callable[[int, Path], Any], size: int) -> None:
        """`value` reads a path of the hand with this index."""
        self._value, self._size = value, size
        self._columns: dict[Path, list[Any]] = {}
        self._numbers: dict[Path, tuple[dict[Any, int], NDArray[np.int32]]] = {}
        self._ranks: dict[Path, tuple[list[Any], NDArray[np.int32]]] = {}
        self._masks: dict[tuple[Path, Any, Any], Mask] = {}

    def mask(self, fact: Fact) -> Mask:
        """Which hands give the same answer."""
        key = fact.path, fact.test, fact.other
        known = self._masks.get(key)
        if known is None:
            known = self._mask_order(fact) if fact.test in _ORDERS else self._mask_equal(fact)
            self._masks[key] = known
        return known if fact.answer else ~known

    def _column(self, path: Path) -> list[Any]:
        if path not in self._columns:
            self._columns[path] = [self._value(place, path) for place in range(self._size)]
        return self._columns[path]

    def _mask_equal(self, fact: Fact) -> Mask:
        """Tests equality by comparing the numbers of values, which is faster than comparing the values."""
        numbers, column = self._number_values(fact.path)
        same: Mask = column == numbers.get(fact.other, -1)
        return same if fact.test is eq else ~same

    def _mask_order(self, fact: Fact) -> Mask:
        """Tests an order by comparing ranks in the sorted list of values."""
        values, ranks = self.ranks(fact.path)
        above = fact.test in (gt, ge)
        find = bisect_right if fact.test in (le, gt) else bisect_left
        below: Mask = ranks < find(values, fact.other)
        return ~below if above else below

    def _number_values(self, path: Path) -> tuple[dict[Any, int], NDArray[np.int32]]:
        if path not in self._numbers:
            numbers: dict[Any, int] = {}
            column = [numbers.setdefault(value, len(numbers)) for value in self._column(path)]
            self._numbers[path] = numbers, np.array(column, np.int32)
        return self._numbers[path]

    def ranks(self, path: Path) -> tuple[list[Any], NDArray[np.int32]]:
        """The distinct values of a path in ascending order, and the rank of every hand among them."""
        if path not in self._ranks:
            column = self._column(path)
            values: list[Any] = []
            for value in sorted(value for value in column if value is not None):
                if not values or values[-1] != value:
                    values.append(value)
            numbers = {None: -1, **{value: rank for rank, value in enumerate(values)}}
            self._ranks[path] = values, np.array([numbers[value] for value in column], np.int32)
        return self._ranks[path]

    @property
    def order(self) -> NDArray[np.intp]:
        """The hands sorted by the ranks that were compared, so that hands with equal results lie side by side."""
        if not self._ranks:
            return np.arange(self._size)
        ranks = [ranks for _, ranks in self._ranks.values()]
        return np.lexsort(ranks[::-1])


def alike(columns: Columns, facts: Sequence[Fact]) -> Mask:
    """Which hands give all these answers."""
    masks = [columns.mask(fact) for fact in facts]
    return np.logical_and.reduce(masks) if masks else np.ones(columns._size, np.bool_)
