"""What the rules learn of a hand while they judge it: other hands that answer alike are judged alike.

A showdown meets thousands of hands with thousands of others. The rules are asked for one pair, and every
comparison they make and every attribute they read of the house's hand is noted. All hands of the house for
which these answers are the same come out the same, so they need not be asked about.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from operator import eq, ge, gt, le, lt, ne
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

_WORDS: Final = ("words", "detail")  # what is said of a hand; reading it decides nothing, comparing it may
_ORDERS: Final = {lt, le, gt, ge}
Path = tuple[object, ...]  # a place with its reading, then attributes
Mask = NDArray[np.bool_]


class Fact(Struct, frozen=True):
    """An answer that a hand gave."""

    path: Path
    test: Callable[[Any, Any], bool]
    other: Any
    answer: bool


class Facts:
    """The answers of one judgement."""

    def __init__(self) -> None:
        self.noted: list[Fact] = []
        self.is_whole = False  # something was read that no path leads to: only this very hand answers alike

    def compare(self, path: Path, value: Any, test: Callable[[Any, Any], bool], other: Any) -> bool:
        other = other._held if isinstance(other, Probe) else other
        answer = bool(test(value, other))
        self.noted.append(Fact(path, test, other, answer))
        return answer

    def read(self, path: Path, value: Any) -> Any:
        """An attribute as the rules get it: watched where it can be compared, noted where it is plain."""
        if isinstance(value, str) and path[-1] in _WORDS:
            return _Words(value, path, self)
        if isinstance(value, Struct):
            self.noted.append(Fact(path, ne, None, True))  # another hand may have nothing there
            return Probe(value, path, self)
        self.noted.append(Fact(path, eq, value, True))
        return value


class Probe:
    """A value of the house's that notes what is asked of it."""

    __slots__ = ("_facts", "_held", "_path")

    def __init__(self, value: Any, path: Path, facts: Facts) -> None:
        self._held, self._path, self._facts = value, path, facts

    @property  # type: ignore[misc]  # so that rules which ask for its type get that of the value
    def __class__(self) -> type:
        return type(self._held)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._held, name)
        if callable(value):
            self._facts.compare(self._path, self._held, eq, self._held)
            return value
        return self._facts.read((*self._path, name), value)

    def __eq__(self, other: object) -> bool:
        return self._facts.compare(self._path, self._held, eq, other)

    def __ne__(self, other: object) -> bool:
        return self._facts.compare(self._path, self._held, ne, other)

    def __lt__(self, other: object) -> bool:
        return self._facts.compare(self._path, self._held, lt, other)

    def __le__(self, other: object) -> bool:
        return self._facts.compare(self._path, self._held, le, other)

    def __gt__(self, other: object) -> bool:
        return self._facts.compare(self._path, self._held, gt, other)

    def __ge__(self, other: object) -> bool:
        return self._facts.compare(self._path, self._held, ge, other)

    def __hash__(self) -> int:
        self._facts.compare(self._path, self._held, eq, self._held)
        return hash(self._held)


class _Words(str):
    """Words of a hand: they may be said freely, but comparing them is noted."""

    _path: Path
    _facts: Facts

    def __new__(cls, value: str, path: Path, facts: Facts) -> "_Words":
        made = super().__new__(cls, value)
        made._path, made._facts = path, facts
        return made

    def __eq__(self, other: object) -> bool:
        return self._facts.compare(self._path, str(self), eq, other)

    def __ne__(self, other: object) -> bool:
        return self._facts.compare(self._path, str(self), ne, other)

    def __hash__(self) -> int:
        self._facts.compare(self._path, str(self), eq, str(self))
        return super().__hash__()


class Columns:
    """What many hands answer, path by path and question by question."""

    def __init__(self, value: Callable[[int, Path], Any], size: int) -> None:
        """`value` reads a path of one of the hands."""
        self._value, self._size = value, size
        self._columns: dict[Path, list[Any]] = {}
        self._numbers: dict[Path, tuple[dict[Any, int], NDArray[np.int32]]] = {}
        self._ranks: dict[Path, tuple[list[Any], NDArray[np.int32]]] = {}
        self._masks: dict[tuple[Path, Any, Any], Mask] = {}

    def mask(self, fact: Fact) -> Mask:
        """Which hands give this answer."""
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
        """Equal or not: each value has a number, so that numbers are compared and not values."""
        numbers, column = self._number_values(fact.path)
        same: Mask = column == numbers.get(fact.other, -1)
        return same if fact.test is eq else ~same

    def _mask_order(self, fact: Fact) -> Mask:
        """A comparison by rank among all values in their order."""
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
        """The different values of a path in their order, and the rank of every hand among them."""
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
        """The hands sorted by what they were compared by, so that those judged alike lie side by side."""
        if not self._ranks:
            return np.arange(self._size)
        ranks = [ranks for _, ranks in self._ranks.values()]
        return np.lexsort(ranks[::-1])


def alike(columns: Columns, facts: Sequence[Fact]) -> Mask:
    """The hands that give all these answers."""
    masks = [columns.mask(fact) for fact in facts]
    return np.logical_and.reduce(masks) if masks else np.ones(columns._size, np.bool_)
