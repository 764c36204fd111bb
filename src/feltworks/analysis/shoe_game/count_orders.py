"""In how many ways a player's places and the dealer's are filled together, value by value.

The player's places hold cards as often as a tally says, the dealer's places hold each of many hands. Of n
cards of a value a shoe gives t to the one and d to the other in n·(n−1)·… ways, t + d factors; the product
over all values is summed over the player's cards, one value after another, so that cards which differ only
in values already done with are one. Whole numbers are found by what is left of them after division by enough
primes, in floats, which are exact that far.
"""

from functools import cache
from math import isqrt, perm, prod

import numpy as np
from msgspec import Struct

from feltworks.analysis.shoe_game.numbers import Array, Ints
from feltworks.analysis.shoe_game.tallies import WIDTHS, count_of

_ORDER = range(9, -1, -1)  # as packed: ten-values first
_DIGITS = 7  # bits that hold how many of a value there are
_AT_ONCE = 1 << 17  # numbers in one step, few enough to stay near the processor
_UNTHREADED = 1 << 17  # products in one multiplication of matrices
_HIGHEST = 1 << 23  # of a prime: 64 products of two numbers below it are exact together


class Step(Struct, frozen=True):
    """One value: the player's rows that differ in it, and how the dealer's hands branch by it."""

    rows: int  # of the player's cards, before
    rest: int  # and after
    most: int  # of the value with the player
    slot: Ints  # where each row goes: by how many of the value, and what else it holds
    digit: Ints  # of every branch: how many of the value with the dealer
    parent: Ints  # and the branch it comes from
    begin: Ints  # of every branch before: where its own begin

    def room(self) -> Array:
        """For as many rows as are taken at once, each by how many of the value it holds."""
        width = (self.most + 1) * self.rest
        return np.zeros((max(1, _AT_ONCE // width), width))


class Contraction:
    """Player's cards, packed and in order, with labels above the cards; and the dealer's hands, packed."""

    def __init__(self, codes: Ints, hands: Ints, counts: Ints) -> None:
        self._counts = [int(count) for count in counts]
        self._steps: list[Step] = []
        self.place, branches = np.zeros(len(hands), np.int64), 1
        for value in _ORDER:
            held, above = codes & (1 << WIDTHS[value]) - 1, codes >> WIDTHS[value]
            rest, group = ranks(above)
            branch, self.place = ranks(self.place << _DIGITS | count_of(hands, value))
            parent, digit = branch >> _DIGITS, branch & (1 << _DIGITS) - 1
            begin = np.searchsorted(parent, np.arange(branches + 1))
            slot = held * len(rest) + group
            self._steps.append(Step(len(codes), len(rest), int(held.max()), slot, digit, parent, begin))
            codes, branches = rest, len(branch)
        self.labels, self._branches = codes, branches

    def ways(self, weights: Array, prime: int = 0) -> Array:
        """For each of the hands, by label: ways modulo a prime, or without one about how many at most."""
        found = np.zeros((self._branches, len(self.labels)))
        factors = [self._factors(value, step, prime) for value, step in zip(_ORDER, self._steps, strict=True)]
        run = _Run(prime, factors, [step.room() for step in self._steps], found)
        self._descend(0, remainders(weights, prime)[None, :], 0, run)
        return found[self.place]

    def _factors(self, value: int, step: Step, prime: int) -> Array:
        """By how many of the value the dealer has, and the player: the ways a shoe gives them."""
        with_dealer, with_player = np.arange(int(step.digit.max()) + 1), np.arange(step.most + 1)
        ways = [perm(self._counts[value], k) for k in range(len(with_dealer) + len(with_player))]
        table = np.array([way % prime if prime else way for way in ways], np.float64)
        factors: Array = table[with_dealer[:, None] + with_player]
        return factors

    def _descend(self, depth: int, rows: Array, first: int, run: "_Run") -> None:
        """Be done with one more value: for all branches that come from some of the branches before."""
        if depth == len(self._steps):
            run.found[first : first + len(rows)] = rows
            return
        step, factors, apart = self._steps[depth], run.factors[depth], run.apart[depth]
        for here in range(0, len(rows), len(apart)):
            some = apart[: len(rows) - here]
            some[:, step.slot] = rows[here : here + len(some)]
            low, high = step.begin[[first + here, first + here + len(some)]].tolist()
            parent, digit = step.parent[low:high] - first - here, step.digit[low:high]
            held = some.reshape(len(some), step.most + 1, step.rest)
            if len(some) == 1:
                sums = _multiplied(factors[digit], held)[0]
            else:
                sums = _multiplied(factors, held)[parent, digit]
            reduce(sums, run.prime)
            self._descend(depth + 1, sums, low, run)


class _Run(Struct, frozen=True):
    """What one way through all values works with, value by value."""

    prime: int
    factors: list[Array]
    apart: list[Array]  # where rows lie by how many of the value they hold; zero where there is no such row
    found: Array


def _multiplied(factors: Array, apart: Array) -> Array:
    """A matrix times each of several, in parts so small that no further threads are woken for them."""
    found = np.empty((len(apart), len(factors), apart.shape[-1]))
    width = max(1, _UNTHREADED // factors.size)
    for here in range(0, apart.shape[-1], width):
        np.matmul(factors, apart[..., here : here + width], out=found[..., here : here + width])
    return found


def remainders(ways: Array, prime: int) -> Array:
    """Whole numbers as floats, modulo a prime; without one their absolute values."""
    found: Array = (ways % prime if prime else abs(ways)).astype(np.float64)
    return found


def reduce(sums: Array, prime: int) -> None:
    """Bring floats back below a prime, within one of it by rounding; nothing without one."""
    if prime:
        whole = sums * (1 / prime)
        np.floor(whole, out=whole)
        whole *= prime
        sums -= whole


def ranks(numbers: Ints) -> tuple[Ints, Ints]:
    """The distinct numbers in order, and which of them each number is."""
    order = np.argsort(numbers, kind="stable")
    inner = numbers[order]
    is_new = np.append(True, inner[1:] != inner[:-1])
    place = np.empty(len(numbers), np.int64)
    place[order] = np.cumsum(is_new) - 1
    return inner[is_new], place


def primes_beyond(bound: float) -> list[int]:
    """Primes whose product is more than so much."""
    found: list[int] = []
    while prod(found) <= bound:
        found.append(_prime_below(found[-1] if found else _HIGHEST))
    return found


@cache
def _prime_below(number: int) -> int:
    odd = range(number - 1 - number % 2, 0, -2)
    return next(each for each in odd if all(each % divisor for divisor in range(3, isqrt(each) + 1, 2)))
