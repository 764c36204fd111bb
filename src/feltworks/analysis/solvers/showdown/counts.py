"""Counts exactly the dealer hands below a value from the rest of the deck, for every player's hand.

Dealer hands are first counted by their ranks as if suits were always mixed: the player's cards then only
reduce the number of cards of each rank. Then hands of one suit are moved, suit by suit, from their mixed value
to their suited one. No number exceeds the hands of the full shoe times their size, which `HandClasses` keeps
within 64 bits.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import comb, prod
from typing import Any

import numpy as np
from msgspec import Struct

from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.showdown.hands import HandClasses, Holdings, choose_table, rank_codes
from feltworks.cards import DECK, Card

_AT_ONCE = 64  # player's hands per pass, few enough for the CPU cache


class UpCard(Struct, frozen=True):
    """The dealer's open card: the column of its rank, and of its suit unless it is wild."""

    face: Card
    rank: int
    suit: int | None


class Below(Struct, frozen=True):
    """Counts of dealer hands below each cut, worse than the player's hand, and not better; a row for each hand."""

    cuts: Ints
    worse: Ints
    not_better: Ints


class DealerCounts:
    """Counts the dealer's hands against each class of player's hands, with one up card or none."""

    def __init__(self, classes: HandClasses, cuts: Sequence[int], *, up_card: bool = False) -> None:
        self.classes, self.cuts = classes, np.array(cuts, dtype=np.int64)
        rest = classes.shoe.total - classes.size - up_card
        self.total = comb(rest, classes.size - up_card)  # the dealer's hands against any player's hand
        self.up_cards: list[UpCard | None] = [*self._up_cards()] if up_card else [None]
        hands = comb(classes.shoe.total, classes.size) * classes.size  # bounds all numbers below
        whole: Any = np.int32 if hands < 2**31 else np.int64
        self._choose: Ints = choose_table(max(classes.counts), classes.size).astype(whole)
        self._values = np.arange(len(classes.values) + 1)
        self._all = self._sweep(range(len(classes.counts)) if up_card else [None])
        self._suited = lru_cache(maxsize=4)(self._suit_table)
        self._suit_ways = lru_cache(maxsize=4)(self._ways_in)

    def _up_cards(self) -> Iterator[UpCard]:
        for column, rank in enumerate(self.classes.ranks):  # rank by rank, so that equal suits share a table
            for place, suit in enumerate(self.classes.suits):
                if self.classes.holdings[place].counts[column]:
                    yield UpCard(DECK[4 * (rank - 2) + suit], column, place)
        if self.classes.wild_faces:
            yield UpCard(self.classes.wild_faces[0], len(self.classes.ranks), None)

    def copies(self, up: UpCard) -> Ints:
        """The number of such up cards that each class of player's hands leaves in the deck."""
        if up.suit is None:
            return len(self.classes.wild_faces) - self.classes.wild
        holdings = self.classes.holdings[up.suit]
        left: Ints = holdings.counts[up.rank] - holdings.held[self.classes.holding[:, up.suit], up.rank]
        return left

    def below(self, rows: Ints, up: UpCard | None = None) -> Below:
        """The dealer hands below each cut, and worse and not better, for the hands of these classes."""
        classes, cuts = self.classes, len(self.cuts)
        counted = self._all[up.rank if up else 0][classes.kind[rows]]
        suited = classes.is_suited[rows]
        at_cuts = counted[:, :cuts].copy()
        worse = np.where(suited, counted[:, cuts + 2], counted[:, cuts])
        not_better = np.where(suited, counted[:, cuts + 3], counted[:, cuts + 1])
        wild, value = classes.wild[rows], classes.value[rows]
        for suit in range(len(classes.suits)) if up is None or up.suit is None else [up.suit]:
            table = self._suited(classes.holdings[suit], up.rank if up else None)
            line = table.line(wild, classes.holding[rows, suit])
            at_cuts += table.shift_at_cuts(line, self.cuts)
            worse += table.shift(line, value)
            not_better += table.shift(line, value + 1)
        return Below(at_cuts, worse, not_better)

    def _sweep(self, ups: Sequence[int | None]) -> Ints:
        """The dealer hands below each value in question, by up card and kind of player's hand, ignoring suits."""
        classes = self.classes
        order = np.argsort(classes.mixed_value, kind="stable")
        ahead = np.searchsorted(classes.mixed_value[order], self._values)
        places = self._count_places(ahead)
        counts = np.zeros((len(ups), *places.shape), dtype=np.int64)
        dealt = classes.kinds[order]
        for rows, ways in self._ways(dealt):
            for place, up in enumerate(ups):
                tilted = ways if up is None else ways * dealt[:, up].astype(ways.dtype)
                counts[place, rows] = np.take_along_axis(_running_sums(tilted), places[rows], axis=1)
        for place, up in enumerate(ups):
            if up is not None:
                counts[place] //= np.maximum(classes.counts[up] - classes.kinds[:, up : up + 1], 1)
        return counts

    def _count_places(self, ahead: Ints) -> Ints:
        """The places in the dealer's order up to which hands are counted: cuts, each kind's values and the next."""
        classes = self.classes
        own = [classes.mixed_value, classes.mixed_value + 1, classes.suited_value, classes.suited_value + 1]
        cuts = np.tile(ahead[self.cuts], (len(classes.kinds), 1))
        return np.column_stack([cuts, *(ahead[values] for values in own)])

    def _ways(self, dealt: Ints) -> Iterator[tuple[slice, Ints]]:
        """The ways to deal each kind against the player's kinds, in batches of the player's kinds."""
        kinds, counts = self.classes.kinds, self.classes.counts
        half = len(counts) // 2  # many hands agree in half of the ranks
        low, low_of = _shared_ways(self._choose, counts[:half], kinds[:, :half], dealt[:, :half])
        high, high_of = _shared_ways(self._choose, counts[half:], kinds[:, half:], dealt[:, half:])
        for begin in range(0, len(kinds), _AT_ONCE):
            rows = slice(begin, begin + _AT_ONCE)
            yield rows, low[low_of[rows]] * high[high_of[rows]]

    def _suit_table(self, holdings: Holdings, up: int | None) -> "SuitTable":
        return SuitTable(self.classes, holdings, up, self._choose, self._suit_ways(holdings))

    def _ways_in(self, holdings: Holdings) -> Ints:
        dealt = self.classes.kinds[self.classes.suitable, :-1]
        return _product_ways(self._choose, holdings.counts, holdings.held, dealt)


class SuitTable:
    """The change in dealer hands below a value from hands of one suit, by the player's holding of it."""

    def __init__(self, classes: HandClasses, holdings: Holdings, up: int | None, choose: Ints, ways: Ints) -> None:
        rows = np.flatnonzero(classes.suitable)
        dealt = classes.kinds[rows]
        wild = len(classes.wild_faces)
        removed = np.arange(min(wild, classes.size) + 1)
        by_wild = np.take(choose[wild - removed], dealt[:, -1], axis=1)
        tables = by_wild[:, None, :] * ways
        if up is not None:  # counted once for each card left that equals the up card
            tables *= dealt[:, up].astype(tables.dtype)
            tables //= _cards_left(classes, holdings, removed, up).astype(tables.dtype)
        self._lines = len(holdings.held)
        values = np.arange(len(classes.values) + 1)
        self._arriving, self._ahead_suited = _sort_sums(tables, classes.suited_value[rows], values)
        self._leaving, self._ahead_mixed = _sort_sums(tables, classes.mixed_value[rows], values)

    def line(self, wild: Ints, holding: Ints) -> Ints:
        """The row of the table for hands with so many wild cards and these holdings."""
        return wild * self._lines + holding

    def shift(self, line: Ints, value: Ints) -> Ints:
        """How many more hands are below each row's value if suits count."""
        width = self._arriving.shape[1]
        arriving: Ints = self._arriving.ravel().take(line * width + self._ahead_suited[value])
        leaving: Ints = self._leaving.ravel().take(line * width + self._ahead_mixed[value])
        return arriving - leaving

    def shift_at_cuts(self, line: Ints, cuts: Ints) -> Ints:
        """How many more hands are below each cut if suits count."""
        at_cuts: Ints = self._arriving[:, self._ahead_suited[cuts]] - self._leaving[:, self._ahead_mixed[cuts]]
        return at_cuts[line]


@lru_cache(maxsize=2)
def dealer_counts(classes: HandClasses, cuts: tuple[int, ...], *, up_card: bool) -> DealerCounts:
    """The counts against a deck's hands, cached because pay tables with the same cuts share them."""
    return DealerCounts(classes, cuts, up_card=up_card)


def _cards_left(classes: HandClasses, holdings: Holdings, removed: Ints, up: int) -> Ints:
    """The number of cards equal to the up card that the player leaves, at least one."""
    if up == len(classes.ranks):
        return np.maximum(len(classes.wild_faces) - removed, 1)[:, None, None]
    left: Ints = np.maximum(holdings.counts[up] - holdings.held[:, up], 1)[None, :, None]
    return left


def _product_ways(choose: Ints, counts: Sequence[int], held: Ints, dealt: Ints) -> Ints:
    """The ways to deal each row of `dealt` after each row of `held` is removed from `counts` by rank."""
    if not counts:
        return np.ones((len(held), len(dealt)), dtype=choose.dtype)
    if len(counts) == 1:
        return np.take(choose[counts[0] - held[:, 0]], dealt[:, 0], axis=1)
    half = len(counts) // 2
    low, low_of = _shared_ways(choose, counts[:half], held[:, :half], dealt[:, :half])
    high, high_of = _shared_ways(choose, counts[half:], held[:, half:], dealt[:, half:])
    ways: Ints = low[low_of]
    ways *= high[high_of]
    return ways


def _shared_ways(choose: Ints, counts: Sequence[int], held: Ints, dealt: Ints) -> tuple[Ints, Ints]:
    """As `_product_ways`, once for equal rows; with the index of the result for every row."""
    firsts, which = _distinct_rows(held)
    return _product_ways(choose, counts, held[firsts], dealt), which


def _running_sums(ways: Ints) -> Ints:
    """Running sums along each row, starting at 0."""
    sums = np.zeros((len(ways), ways.shape[1] + 1), dtype=ways.dtype)
    np.cumsum(ways, axis=1, dtype=ways.dtype, out=sums[:, 1:])
    return sums


def _sort_sums(tables: Ints, worth: Ints, values: Ints) -> tuple[Ints, Ints]:
    """Running sums in the order of values, a row for each holding; and the number of kinds below each value."""
    order = np.argsort(worth, kind="stable")
    lines = np.take(tables.reshape(prod(tables.shape[:2]), len(order)), order, axis=1)
    return _running_sums(lines), np.searchsorted(worth[order], values)


def _distinct_rows(held: Ints) -> tuple[Ints, Ints]:
    """The first of each set of equal rows, and the set of every row."""
    _, firsts, which = np.unique(rank_codes(held), return_index=True, return_inverse=True)
    return firsts, which
