"""Cards by value, packed into one number each, and the number of orders they can come in.

Adding two packed numbers puts the cards of both together, so the cards of several hands are a product of
tallies, as of polynomials in ten unknowns.

A contraction counts the ways in which the player's places and the dealer's are filled together. The
player's places hold cards as often as a tally says, the dealer's places hold each of many hands. Of n cards
of a value a shoe gives t to the one and d to the other in n·(n−1)·… ways, t + d factors; the product over
all values is summed over the player's cards, one value after another, so that cards which differ only in
values already done with are one. Whole numbers are recovered from their remainders modulo enough primes,
computed in floats, which are exact that far.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from math import isqrt, perm, prod

import numpy as np
from msgspec import Struct

from feltworks.analysis.solvers.numbers import Array, Bools, Ints

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


def pack(held: Iterable[int], ranked: int = 0) -> int:
    """Cards by value, aces first, so many of which have to be of one rank.

    >>> pack([0] * 8 + [2, 3]) == (2 << 4) + 3
    True
    """
    return sum(count << shift for count, shift in zip(held, SHIFTS, strict=True)) + ranked * RANKED


def tally(ways: Mapping[int, int]) -> Tally:
    """Packed cards with their ways."""
    codes = np.array(list(ways), np.int64)
    return _gather(codes, np.array(list(ways.values()), np.int64))


def count_of(codes: Ints, value: int) -> Ints:
    """How many of a value packed cards hold."""
    return codes >> SHIFTS[value] & (1 << WIDTHS[value]) - 1


def cards_of(codes: Ints) -> Ints:
    """Without what has to be of one rank."""
    return codes & RANKED - 1


def size_of(codes: Ints) -> Ints:
    """How many cards there are."""
    return sum((count_of(codes, value) for value in range(10)), np.zeros_like(codes))


def fits_shoe(codes: Ints, counts: Ints) -> Bools:
    """Which packed cards a shoe of so many of each value can give."""
    fits = np.ones(len(codes), np.bool_)
    for value in range(10):
        if counts[value] < (1 << WIDTHS[value]) - 1:
            fits &= count_of(codes, value) <= counts[value]
    return fits


def least_of(*several: Tally) -> Ints:
    """By value: as many as each of them holds at least."""
    codes = np.concatenate([each.codes for each in several])
    return np.array([count_of(codes, value).min(initial=_MOST) for value in range(10)])


def sum_tallies(parts: Iterable[tuple[int, Tally]]) -> Tally:
    """Several tallies in one, each so many times over."""
    listed = [(times, part) for times, part in parts if times]
    if not listed:
        return tally({})
    codes = np.concatenate([part.codes for _, part in listed])
    return _gather(codes, np.concatenate([part.ways * times for times, part in listed]))


def product(one: Tally, other: Tally, counts: Ints) -> Tally:
    """The cards of both together, limited to what the shoe holds."""
    if len(one.codes) > len(other.codes):
        one, other = other, one
    dtype = np.int64 if one.weight * other.weight < 2**62 else object
    step = max(1, _MOST_AT_ONCE // max(1, len(other.codes)))
    products = []
    for begin in range(0, len(one.codes), step):
        some = slice(begin, begin + step)
        codes = np.add.outer(one.codes[some], other.codes).ravel()
        fits = fits_shoe(codes, counts)
        ways = np.multiply.outer(one.ways[some].astype(dtype), other.ways.astype(dtype)).ravel()
        products.append((1, _gather(codes[fits], ways[fits])))
    return sum_tallies(products)


def _gather(codes: Ints, ways: Array) -> Tally:
    """Merges equal cards, in order; drops those whose ways sum to zero."""
    if not len(codes):
        return Tally(codes, ways)
    order = np.argsort(codes, kind="stable")
    codes, ways = codes[order], ways[order]
    starts = np.flatnonzero(np.append(True, codes[1:] != codes[:-1]))
    summed_ways = np.add.reduceat(ways, starts)
    there = summed_ways != 0
    return Tally(codes[starts][there], summed_ways[there])


NOTHING = tally({0: 1})  # no cards, in one way


_ORDER = range(9, -1, -1)  # as packed: ten-values first
_DIGITS = 7  # bits that hold how many of a value there are
_AT_ONCE = 1 << 17  # numbers in one step, few enough to fit the CPU cache
_HIGHEST = 1 << 23  # of a prime: 64 products of two numbers below it are exact together


class Step(Struct, frozen=True):
    """One value: the player's rows that differ in it, and how the dealer's hands branch by it."""

    value: int
    rest: int  # rows of the player's cards that are left
    most: int  # of the value with the player
    slot: Ints  # where each row goes: by how many of the value, and what else it holds
    digit: Ints  # of every branch: how many of the value with the dealer
    parent: Ints  # and the branch it comes from
    begin: Ints  # of every branch before: where its own begin


class Contraction:
    """Player's cards, packed and in order, with labels above the cards; and the dealer's hands, packed."""

    def __init__(self, codes: Ints, hands: Ints, counts: Ints) -> None:
        self._counts = [int(count) for count in counts]
        self._steps: list[Step] = []
        self.place, branches = np.zeros(len(hands), np.int64), 1
        for value in _ORDER:
            held, above = codes & (1 << WIDTHS[value]) - 1, codes >> WIDTHS[value]
            rest, group = np.unique(above, return_inverse=True)
            paths = self.place << _DIGITS | count_of(hands, value)
            branch, self.place = np.unique(paths, return_inverse=True)
            parent, digit = branch >> _DIGITS, branch & (1 << _DIGITS) - 1
            begin = np.searchsorted(parent, np.arange(branches + 1))
            slot = held * len(rest) + group
            self._steps.append(Step(value, len(rest), int(held.max()), slot, digit, parent, begin))
            codes, branches = rest, len(branch)
        self.labels, self._branches = codes, branches

    def ways(self, weights: Array, prime: int = 0) -> Array:
        """For each of the hands, by label: ways modulo a prime, or without one about how many at most."""
        ways = np.zeros((self._branches, len(self.labels)))
        factors = [self._factors(step, prime) for step in self._steps]

        def descend(depth: int, rows: Array, first: int) -> None:
            """Sum over one more value, for all branches that come from some of the branches before."""
            if depth == len(self._steps):
                ways[first : first + len(rows)] = rows
                return
            step = self._steps[depth]
            width = (step.most + 1) * step.rest
            for here in range(0, len(rows), at_once := max(1, _AT_ONCE // width)):
                some = rows[here : here + at_once]
                flat = np.zeros((len(some), width))
                flat[:, step.slot] = some
                held = flat.reshape(len(some), step.most + 1, step.rest)
                low, high = step.begin[[first + here, first + here + len(some)]].tolist()
                parent, digit = step.parent[low:high] - first - here, step.digit[low:high]
                is_one, of_value = len(some) == 1, factors[depth]
                sums: Array = (of_value[digit] @ held)[0] if is_one else (of_value @ held)[parent, digit]
                descend(depth + 1, reduce(sums, prime), low)

        descend(0, remainders(weights, prime)[None, :], 0)
        return ways[self.place]

    def _factors(self, step: Step, prime: int) -> Array:
        """By how many of the value the dealer has, and the player: the ways a shoe gives them."""
        with_dealer, with_player = np.arange(int(step.digit.max()) + 1), np.arange(step.most + 1)
        ways = [perm(self._counts[step.value], k) for k in range(len(with_dealer) + len(with_player))]
        table = np.array([way % prime if prime else way for way in ways], np.float64)
        factors: Array = table[with_dealer[:, None] + with_player]
        return factors


def remainders(ways: Array, prime: int) -> Array:
    """Whole numbers as floats, modulo a prime; without one their absolute values."""
    rest: Array = (ways % prime if prime else abs(ways)).astype(np.float64)
    return rest


def reduce(sums: Array, prime: int) -> Array:
    """Bring floats back below a prime in their place, within one of it by rounding; nothing without one."""
    if prime:
        sums -= np.floor(sums * (1 / prime)) * prime
    return sums


def primes_beyond(bound: float) -> list[int]:
    """Primes whose product is more than so much."""
    primes: list[int] = []
    while prod(primes) <= bound:
        primes.append(_prime_below(primes[-1] if primes else _HIGHEST))
    return primes


@cache
def _prime_below(number: int) -> int:
    odd = range(number - 1 - number % 2, 0, -2)
    return next(each for each in odd if all(each % divisor for divisor in range(3, isqrt(each) + 1, 2)))
