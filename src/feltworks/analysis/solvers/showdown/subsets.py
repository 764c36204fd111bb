"""Lookup tables for the number of a deck's hands that hold given cards and are below a place in an order.

The hands that avoid a player's cards follow by inclusion and exclusion over the sets of these cards. Every set of
cards has a number, colexicographic in a deck whose suits lie one after the other; sets that differ by a permutation
of equal suits share a row of the tables.
"""

from collections.abc import Sequence
from functools import cached_property
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltworks.analysis.solvers.numbers import Ints
from feltworks.machine.compiler import Integers, Number, compile_loop, inline

_SUMS, _LIST = range(2)  # formats of a row: running sums by place, or a sorted list of places


class _Tables(NamedTuple):
    """The tables of all sizes, concatenated."""

    classes: Integers  # by set: its row
    begins: Ints  # by size: the offsets of its sets and rows, the row width, and the format
    sums: Integers
    lists: Integers


@inline
def _next(hand: Ints, count: Number) -> None:
    """The next set of so many cards, in colexicographic order."""
    place = 0
    while place + 1 < count and hand[place] + 1 == hand[place + 1]:
        hand[place] = place
        place += 1
    hand[place] += 1


@inline
def _number(hand: Ints, count: Number, choose: Ints) -> Number:
    number = np.int64(0)
    for place in range(count):
        number += choose[hand[place], place + 1]
    return number


@compile_loop
def _canonical_numbers(count: Number, begins: Ints, groups: Ints, choose: Ints, out: Ints) -> None:
    """By set of so many cards: the number of its canonical set, with equal suits in order."""
    suits = len(groups)
    suit_of = np.zeros(begins[suits], np.int64)
    for suit in range(suits):
        suit_of[begins[suit] : begins[suit + 1]] = suit
    hand, masks = np.arange(count), np.zeros(suits, np.int64)
    for number in range(len(out)):
        masks[:] = 0
        for place in range(count):
            suit = suit_of[hand[place]]
            masks[suit] |= 1 << hand[place] - begins[suit]
        for suit in range(1, suits):
            at = suit
            while at > 0 and groups[at - 1] == groups[at] and masks[at - 1] < masks[at]:
                masks[at - 1], masks[at] = masks[at], masks[at - 1]
                at -= 1
        canonical, place = np.int64(0), 0
        for suit in range(suits):
            mask, card = masks[suit], begins[suit]
            while mask:
                if mask & 1:
                    place += 1
                    canonical += choose[card, place]
                mask >>= 1
                card += 1
        out[number] = canonical
        if count:
            _next(hand, count)


@compile_loop
def _members(numbers: Ints, count: Number, choose: Ints, out: Ints) -> None:
    """The cards of the sets with these numbers, lowest first."""
    for row in range(len(numbers)):
        left, card = numbers[row], len(choose) - 1
        for place in range(count - 1, -1, -1):
            while choose[card, place + 1] > left:
                card -= 1
            out[row, place] = card
            left -= choose[card, place + 1]


@compile_loop
def _best_with_one_more(values: Integers, count: Number, choose: Ints, out: Integers) -> None:
    """By set of `count` cards: the highest value of its subsets with one card less."""
    hand = np.arange(count)
    for number in range(len(out)):
        best, above = np.int64(-1), np.int64(0)
        rest = _number(hand, count, choose)
        for place in range(count - 1, -1, -1):  # removing a card moves those above one place down
            rest -= choose[hand[place], place + 1]
            value = np.int64(values[rest + above])
            best = max(best, value)
            above += choose[hand[place], place]
        out[number] = best
        _next(hand, count)


@compile_loop
def _sweep(reps: Ints, size: Number, values: Integers, choose: Ints, sums: Integers, lists: Integers) -> None:
    """Tabulate the places of all hands that hold each of these sets: counts in `sums` or a list, whichever has room."""
    held, cards = reps.shape[1], len(choose) - 1
    others, more = np.zeros(cards, np.int64), size - held
    for row in range(len(reps)):
        rest, at = 0, 0
        for card in range(cards):
            if at < held and reps[row, at] == card:
                at += 1
            else:
                others[rest] = card
                rest += 1
        picks = np.arange(more)
        hands = choose[rest, more]
        for hand in range(hands):
            number, mine, place = np.int64(0), 0, 0
            for pick in range(more):
                card = others[picks[pick]]
                while mine < held and reps[row, mine] < card:
                    place += 1
                    number += choose[reps[row, mine], place]
                    mine += 1
                place += 1
                number += choose[card, place]
            while mine < held:
                place += 1
                number += choose[reps[row, mine], place]
                mine += 1
            if len(lists):
                lists[row, hand] = values[number]
            else:
                sums[row, values[number] + 1] += 1
            if more:
                _next(picks, more)


@compile_loop
def _count_below(hands: Ints, ups: Ints, bounds: Ints, size: Number, choose: Ints, tables: _Tables, out: Ints) -> None:
    """For each player's hand with an up card or -1: the number of dealer's hands below each of its bounds."""
    classes, begins, sums, lists = tables
    held, width = hands.shape[1], bounds.shape[1]
    some = np.zeros(held + 1, np.int64)
    for row in range(len(hands)):
        for taken in range(1 << held):
            count, sign, up = 0, np.int64(1), ups[row]
            for place in range(held):
                if taken >> place & 1:
                    if 0 <= up < hands[row, place]:
                        some[count] = up
                        count, up = count + 1, np.int64(-1)
                    some[count] = hands[row, place]
                    count, sign = count + 1, -sign
            if up >= 0:
                some[count] = up
                count += 1
            if count > size:
                continue
            line = classes[begins[count, 0] + _number(some, count, choose)]
            first = begins[count, 1] + line * begins[count, 2]
            for each in range(width):
                bound = bounds[row, each]
                if begins[count, 3] == _SUMS:
                    out[row, each] += sign * sums[first + bound]
                else:
                    low, high = first, first + begins[count, 2]
                    while low < high:
                        middle = low + high >> 1
                        if lists[middle] < bound:
                            low = middle + 1
                        else:
                            high = middle
                    out[row, each] += sign * (low - first)


class Subsets:
    """The sets of a deck's cards, up to permutations of equal suits."""

    def __init__(self, suits: Sequence[int], groups: Sequence[int], most: int) -> None:
        """`suits`: the cards of each; `groups`: the sizes of groups of adjacent equal suits."""
        self.cards = sum(suits)
        self._begins = np.cumsum([0, *suits])
        self._groups = np.repeat(np.arange(len(groups)), groups)
        self.choose = np.array([[comb(n, k) for k in range(most + 2)] for n in range(self.cards + 1)], np.int64)
        self._known: dict[int, tuple[NDArray[np.int32], Ints]] = {}

    def classes(self, count: int) -> tuple[NDArray[np.int32], Ints]:
        """By set of so many cards, its class; and the cards of one set of each class."""
        if count not in self._known:
            canonical = np.zeros(comb(self.cards, count), np.int64)
            _canonical_numbers(count, self._begins, self._groups, self.choose, canonical)
            own = np.flatnonzero(canonical == np.arange(len(canonical)))
            rows = np.zeros(len(canonical), np.int32)
            rows[own] = np.arange(len(own))
            members = np.zeros((len(own), count), np.int64)
            _members(own, count, self.choose, members)
            self._known[count] = rows[canonical], members
        return self._known[count]

    def members(self, number: int, count: int) -> list[int]:
        """The cards of the set with this number, lowest first."""
        out = np.zeros((1, count), np.int64)
        _members(np.array([number]), count, self.choose, out)
        held: list[int] = out[0].tolist()
        return held

    def numbers(self, hands: Ints) -> Ints:
        """The numbers of the sets in the rows, whose cards are in ascending order."""
        numbers: Ints = self.choose[hands, np.arange(1, hands.shape[1] + 1)].sum(axis=1)
        return numbers

    def best(self, values: NDArray[np.int16], held: int, of: int) -> NDArray[np.int16]:
        """By set of `of` cards: the highest of the given values of its subsets of `held` cards."""
        for count in range(held + 1, of + 1):
            larger = np.zeros(comb(self.cards, count), np.int16)
            _best_with_one_more(values, count, self.choose, larger)
            values = larger
        return values


class AvoidingCounts:
    """Counts the hands of one size that avoid given cards, by their place in an order."""

    def __init__(self, sets: Subsets, places: NDArray[np.int16], size: int, most: int) -> None:
        """`places`: by hand, its place in the order; at most `most` cards are avoided or held."""
        self._sets, self._size = sets, size
        self._places, self._width = places, int(places.max()) + 2
        self._most = min(size, most)

    @cached_property
    def _tables(self) -> _Tables:
        numbers, begins = list[NDArray[np.int32]](), list[tuple[int, int, int, int]]()
        sums, lists = [np.zeros(0, np.int32)], [np.zeros(0, np.int16)]
        for held in range(self._most + 1):
            classes, members = self._sets.classes(held)
            hands = comb(self._sets.cards - held, self._size - held)
            kind, width = (_LIST, hands) if hands < self._width else (_SUMS, self._width)
            begins.append((_length(numbers), _length(lists if kind == _LIST else sums), width, kind))
            numbers.append(classes)
            (lists if kind == _LIST else sums).append(self._rows(members, hands, kind))
        rows = np.concatenate(numbers)
        return _Tables(rows, np.array(begins, np.int64), np.concatenate(sums), np.concatenate(lists))

    def _rows(self, members: Ints, hands: int, kind: int) -> NDArray[Any]:
        sums = np.zeros((len(members) if kind == _SUMS else 0, self._width), np.int32)
        lists = np.zeros((len(members) if kind == _LIST else 0, hands), np.int16)
        _sweep(members, self._size, self._places, self._sets.choose, sums, lists)
        if kind == _SUMS:
            return np.cumsum(sums, axis=1, dtype=np.int32).reshape(-1)
        return np.sort(lists, axis=1).reshape(-1)

    def below(self, hands: Ints, ups: Ints, bounds: Ints) -> Ints:
        """By player's hand: the number of hands below each bound that avoid it and hold the up card (-1: none)."""
        out = np.zeros(bounds.shape, np.int64)
        _count_below(hands, ups, bounds, self._size, self._sets.choose, self._tables, out)
        return out


def _length(arrays: Sequence[NDArray[Any]]) -> int:
    return sum(len(array) for array in arrays)
