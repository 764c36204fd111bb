"""Cards lying together, by value and packed into one number each, and in how many orders they can come.

Adding two packed numbers puts the cards of both together, so the cards of several hands are a product of
tallies, as of polynomials in ten unknowns.
"""

from collections.abc import Iterable, Mapping

import numpy as np
from msgspec import Struct

from feltworks.analysis.shoe_game.numbers import Array, Bools, Ints

# Ten-values lie lowest, aces highest; wide enough for the cards of three hands of up to 31 points each.
WIDTHS = (7, 6, 5, 5, 5, 4, 4, 4, 4, 4)
SHIFTS = tuple(sum(WIDTHS[value + 1 :]) for value in range(10))
CARDS = sum(WIDTHS)  # above the cards: how many of them have to be of one rank, four bits
RANKED = 1 << CARDS
_MOST = 1 << WIDTHS[0]  # of a value, and more
_MOST_AT_ONCE = 1 << 20  # pairs of numbers that are added before equal ones are brought together


class Tally(Struct, frozen=True, eq=False):
    """Packed cards, each once and in order, with their ways, which may be negative."""

    codes: Ints
    ways: Array

    @property
    def key(self) -> tuple[bytes, tuple[int, ...]]:
        """Equal where the tallies are."""
        return self.codes.tobytes(), tuple(self.ways.tolist())

    @property
    def weight(self) -> int:
        """All ways, none taken as negative."""
        return sum(abs(ways) for ways in self.ways.tolist())


def packed(held: Iterable[int], ranked: int = 0) -> int:
    """Cards by value, aces first, so many of which have to be of one rank.

    >>> packed([0] * 8 + [2, 3]) == (2 << 4) + 3
    True
    """
    return sum(count << shift for count, shift in zip(held, SHIFTS, strict=True)) + ranked * RANKED


def tally(ways: Mapping[int, int]) -> Tally:
    """Packed cards with their ways."""
    codes = np.array(list(ways), np.int64)
    return _gathered(codes, np.array(list(ways.values()), np.int64))


def count_of(codes: Ints, value: int) -> Ints:
    """How many of a value packed cards hold."""
    return codes >> SHIFTS[value] & (1 << WIDTHS[value]) - 1


def cards_of(codes: Ints) -> Ints:
    """Without what has to be of one rank."""
    return codes & RANKED - 1


def size_of(codes: Ints) -> Ints:
    """How many cards there are."""
    return sum((count_of(codes, value) for value in range(10)), np.zeros_like(codes))


def within(codes: Ints, counts: Ints) -> Bools:
    """Which packed cards a shoe of so many of each value can give."""
    fits: Bools = np.logical_and.reduce([count_of(codes, value) <= counts[value] for value in range(10)])
    return fits


def least_of(*several: Tally) -> Ints:
    """By value: as many as each of them holds at least."""
    codes = np.concatenate([each.codes for each in several])
    return np.array([count_of(codes, value).min(initial=_MOST) for value in range(10)])


def summed(parts: Iterable[tuple[int, Tally]]) -> Tally:
    """Several tallies in one, each so many times over."""
    listed = [(times, part) for times, part in parts if times]
    if not listed:
        return tally({})
    codes = np.concatenate([part.codes for _, part in listed])
    return _gathered(codes, np.concatenate([part.ways * times for times, part in listed]))


def sliced(cards: Tally, parts: int) -> list[Tally]:
    """One tally as several, of about as many cards each."""
    every = zip(np.array_split(cards.codes, parts), np.array_split(cards.ways, parts), strict=True)
    return [Tally(codes, ways) for codes, ways in every if len(codes)]


def product(one: Tally, other: Tally, counts: Ints) -> Tally:
    """The cards of both together, as far as the shoe can give them."""
    if len(one.codes) > len(other.codes):
        one, other = other, one
    dtype = np.int64 if one.weight * other.weight < 2**62 else object
    room, step = _Room(other, counts), max(1, _MOST_AT_ONCE // max(1, len(other.codes)))
    found = []
    for begin in range(0, len(one.codes), step):
        rows = range(begin, min(begin + step, len(one.codes)))
        fitting = [room.beside(one.codes[row]) for row in rows]
        codes = [one.codes[row] + other.codes[fits] for row, fits in zip(rows, fitting, strict=True)]
        ways = [
            one.ways[row] * other.ways[fits].astype(dtype) for row, fits in zip(rows, fitting, strict=True)
        ]
        found.append((1, _gathered(np.concatenate(codes), np.concatenate(ways))))
    return summed(found)


class _Room:
    """Which cards of a tally fit beside others."""

    def __init__(self, cards: Tally, counts: Ints) -> None:
        self._counts = counts.tolist()
        self._held = [count_of(cards.codes, value) for value in range(10)]
        self._most = [int(held.max(initial=0)) for held in self._held]
        self._fits: dict[tuple[int, int], Bools] = {}

    def beside(self, code: np.int64) -> Bools | slice:
        """Those of them that the shoe can give beside these cards."""
        there = [int(code) >> shift & (1 << width) - 1 for shift, width in zip(SHIFTS, WIDTHS, strict=True)]
        left = [count - held for count, held in zip(self._counts, there, strict=True)]
        fits = [self._enough(value, left[value]) for value in range(10) if self._most[value] > left[value]]
        return np.logical_and.reduce(fits) if fits else slice(None)

    def _enough(self, value: int, left: int) -> Bools:
        if (value, left) not in self._fits:
            self._fits[value, left] = self._held[value] <= left
        return self._fits[value, left]


def _gathered(codes: Ints, ways: Array) -> Tally:
    """Equal cards brought together, in order; what comes to nothing is left out."""
    if not len(codes):
        return Tally(codes, ways)
    order = np.argsort(codes, kind="stable")
    codes, ways = codes[order], ways[order]
    starts = np.flatnonzero(np.append(True, codes[1:] != codes[:-1]))
    summed_ways = np.add.reduceat(ways, starts)
    there = summed_ways != 0
    return Tally(codes[starts][there], summed_ways[there])


NOTHING = tally({0: 1})  # no cards, in one way
