"""Links classes of hands to the classes one card smaller; suits are interchangeable.

All counts are integers: a class of k + 1 cards grows from one class of k cards for each of its cards. Sums over
the next cards, and counts of the orders in which cards come, take one gather or one scatter each. Totals have
a column for each card that may lie open beside the hand, or a single column without one.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product

import numpy as np
from msgspec import Struct

from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.showdown.hands import DealtHands
from feltworks.cards import DECK, Card, Rank, Shoe, Suit
from feltworks.errors import FeltError

_DIGIT = 4
_LARGEST = 2**63 - 1


class Removal(Struct, frozen=True):
    """One card removed from the classes that hold it, for those with the same order of suits afterwards."""

    rows: Ints  # the larger classes
    smaller: Ints  # the classes that remain, in ascending order
    copies: Ints  # how many of the card each larger class holds
    suits: tuple[int, ...]  # by suit of the larger class: its index in the smaller one


class Growth:
    """The classes of hands of every size up to a whole hand, and the links between sizes."""

    def __init__(self, shoe: Shoe, size: int, wild: frozenset[Rank]) -> None:
        self.shoe, self.size = shoe, size
        self.hands = [DealtHands(shoe, held, wild) for held in range(size + 1)]
        self._places = [(np.sort(each.codes), np.argsort(each.codes)) for each in self.hands[-1].holdings]
        self._numbered: dict[int, tuple[Ints, Ints]] = {}
        self._steps = [_removals(self.hands[held + 1], self.hands[held]) for held in range(size)]
        whole = self.hands[-1]
        self._beside: list[tuple[int, int]] = [  # by index: the rank and the suit of a card beside the hand
            (rank, suit)
            for rank, suit in product(range(len(whole.ranks)), range(len(whole.suits)))
            if whole.holdings[suit].counts[rank]
        ]
        self._place_of = np.zeros((len(whole.ranks), len(whole.suits)), np.int64)
        for place, key in enumerate(self._beside):
            self._place_of[key] = place
        faces = [DECK[len(Suit) * (whole.ranks[rank] - 2) + whole.suits[suit]] for rank, suit in self._beside]
        self.faces: tuple[Card, ...] = (*faces, *whole.wild_faces[:1])  # that may lie open beside a hand

    def copies(self, held: int) -> Ints:
        """By class of `held` cards and card beside them: how many of that card are left in the deck."""
        dealt = self.hands[held]
        left = np.zeros((len(dealt), len(self.faces)), np.int64)
        left[:, len(self._beside) :] = (len(dealt.wild_faces) - dealt.wild)[:, None]
        for place, (rank, suit) in enumerate(self._beside):
            mine = dealt.holdings[suit]
            left[:, place] = mine.counts[rank] - mine.held[dealt.holding[:, suit], rank]
        return left

    def sum_next(self, totals: Ints, held: int, to: int) -> Ints:
        """Sum totals by class of `held` cards down to classes of `to` cards, over all cards in between."""
        for level in range(held - 1, to - 1, -1):
            summed = np.zeros((len(self.hands[level]), totals.shape[1]), dtype=totals.dtype)
            for step in self._steps[level]:
                part = totals[step.rows] * step.copies[:, None]
                met, begins = np.unique(step.smaller, return_index=True)
                sums = np.add.reduceat(part, begins, axis=0)
                summed[met] += sums if totals.shape[1] == 1 else sums[:, np.argsort(self._moved(step.suits))]
            totals = summed
        return self._even(totals, to) if to < held and totals.shape[1] > 1 else totals

    def _moved(self, suits: Sequence[int]) -> Ints:
        """By card beside a class: its column beside the smaller class, whose suits have these indices."""
        moved = [int(self._place_of[rank, suits[suit]]) for rank, suit in self._beside]
        return np.array([*moved, *range(len(moved), len(self.faces))])

    def _even(self, totals: Ints, held: int) -> Ints:
        """Average totals over cards beside a hand whose suits are interchangeable for it; the division is exact."""
        dealt = self.hands[held]
        begins = np.ones_like(dealt.holding)
        begins[:, 1:] = dealt.holding[:, 1:] != dealt.holding[:, :-1]
        begins[:, [begin for begin, _ in _groups(dealt)]] = 1
        patterns, which = np.unique(np.cumsum(begins, axis=1), axis=0, return_inverse=True)
        for number, pattern in enumerate(patterns):
            rows = np.flatnonzero(which.reshape(-1) == number)
            for alike in (np.flatnonzero(pattern == each) for each in set(pattern.tolist())):
                for rank in np.flatnonzero(np.array(dealt.holdings[alike[0]].counts)) if len(alike) > 1 else ():
                    cells = np.ix_(rows, self._place_of[rank, alike])
                    totals[cells] = (totals[cells].sum(axis=1) // len(alike))[:, None]
        return totals

    def row_of(self, cards: Sequence[Card]) -> int:
        """The class of these cards."""
        return self.sight_of(cards, None)[0]

    def sight_of(self, cards: Sequence[Card], beside: Card | None) -> tuple[int, int]:
        """The class of these cards, and the column of a card beside them; 0 for none."""
        dealt = self.hands[len(cards)]
        held = [0] * len(dealt.suits)
        wild = 0
        for card in cards:
            if card.rank in dealt.wild_ranks:
                wild += 1
            else:
                assert card.suit is not None
                held[dealt.suits.index(card.suit)] += 1 << _DIGIT * dealt.ranks.index(card.rank)
        codes = np.array([held], dtype=np.int64)
        row = int(self.rows_of(codes, np.array([wild]), len(cards))[0])
        if beside is None:
            return row, 0
        if beside.rank in dealt.wild_ranks:
            return row, len(self.faces) - 1
        assert beside.suit is not None
        suit = int(_new_places(dealt, self._holdings_of(codes))[0, dealt.suits.index(beside.suit)])
        return row, int(self._place_of[dealt.ranks.index(beside.rank), suit])

    def _holdings_of(self, codes: Ints) -> Ints:
        """The index of each suit's holding, from the codes of its ranks."""
        places = np.zeros_like(codes)
        for column, (listed, order) in enumerate(self._places):
            places[:, column] = order[np.searchsorted(listed, codes[:, column])]
        return places

    def rows_of(self, codes: Ints, wild: Ints, held: int) -> Ints:
        """The classes of sets of `held` cards, given each suit's code and the number of wild cards."""
        dealt, places = self.hands[held], self._holdings_of(codes)
        known, order = self._rows(held)
        rows: Ints = order[np.searchsorted(known, _codes(dealt, _in_order(dealt, places), wild))]
        return rows

    def _rows(self, held: int) -> tuple[Ints, Ints]:
        """The codes of the classes of `held` cards in ascending order, and their rows; cached."""
        if held not in self._numbered:
            dealt = self.hands[held]
            codes = _codes(dealt, dealt.holding, dealt.wild)
            order = np.argsort(codes)
            self._numbered[held] = codes[order], order
        return self._numbered[held]

    def orders(self, chains: Ints, held: int, to: int) -> Ints:
        """By class of `to` cards: the number of orders in which one of its hands grows from the `chains` counted."""
        for level in range(held, to):
            grown = np.zeros((len(self.hands[level + 1]), chains.shape[1]), dtype=chains.dtype)
            for step in self._steps[level]:
                before = chains[step.smaller]
                if chains.shape[1] > 1:
                    before = before[:, self._moved(step.suits)]
                grown[step.rows] += before * step.copies[:, None]
            chains = grown
        return chains


@lru_cache(maxsize=2)
def growth(shoe: Shoe, size: int, wild: frozenset[Rank]) -> Growth:
    """The growth of a shoe's hands; cached, because all wagers and pay tables share it."""
    return Growth(shoe, size, wild)


def _removals(larger: DealtHands, smaller: DealtHands) -> list[Removal]:
    """The removals of each card, from all classes that hold it."""
    codes = _codes(smaller, smaller.holding, smaller.wild)
    order = np.argsort(codes)
    steps: list[Removal] = []

    def add(rows: Ints, holding: Ints, wild: Ints, copies: Ints) -> None:
        left = order[np.searchsorted(codes[order], _codes(smaller, _in_order(larger, holding), wild))]
        places = _new_places(larger, holding)
        pattern = places @ len(Suit) ** np.arange(places.shape[1])
        order_of_rows = np.lexsort((left, pattern))
        steps.extend(
            Removal(rows[some], left[some], copies[some], tuple(places[some[0]].tolist()))
            for some in np.split(order_of_rows, np.flatnonzero(np.diff(pattern[order_of_rows])) + 1)
        )

    for column, holdings in enumerate(larger.holdings):
        by_code = np.argsort(holdings.codes)
        for rank in range(holdings.held.shape[1]):
            held = holdings.held[larger.holding[:, column], rank]
            rows = np.flatnonzero(held)
            if not len(rows):
                continue
            holding = larger.holding[rows].copy()
            fewer = holdings.codes[holding[:, column]] - (1 << _DIGIT * rank)
            holding[:, column] = by_code[np.searchsorted(holdings.codes[by_code], fewer)]
            add(rows, holding, larger.wild[rows], held[rows])
    if len(rows := np.flatnonzero(larger.wild)):
        add(rows, larger.holding[rows], larger.wild[rows] - 1, larger.wild[rows])
    return steps


def _groups(dealt: DealtHands) -> list[tuple[int, int]]:
    """By group of interchangeable suits: its first index and its size."""
    begins = np.cumsum([0, *dealt.groups]).tolist()
    return list(zip(begins, dealt.groups, strict=False))


def _order(dealt: DealtHands, holding: Ints) -> Ints:
    """The order of suits that puts the largest holding first among interchangeable suits."""
    order = np.tile(np.arange(holding.shape[1]), (len(holding), 1))
    for begin, suits in _groups(dealt):
        some = slice(begin, begin + suits)
        order[:, some] = begin + np.argsort(-holding[:, some], axis=1, kind="stable")
    return order


def _in_order(dealt: DealtHands, holding: Ints) -> Ints:
    """Sort the holdings of interchangeable suits, the largest first."""
    ordered: Ints = np.take_along_axis(holding, _order(dealt, holding), axis=1)
    return ordered


def _new_places(dealt: DealtHands, holding: Ints) -> Ints:
    """By suit: its index after sorting."""
    places: Ints = np.argsort(_order(dealt, holding), axis=1)
    return places


def _codes(dealt: DealtHands, holding: Ints, wild: Ints) -> Ints:
    """Encode each class as one number."""
    base = max(len(holdings.codes) for holdings in dealt.holdings)
    if base ** len(dealt.holdings) * (dealt.size + 1) > _LARGEST:
        raise FeltError(f"{dealt.shoe.total} cards give more hands than can be numbered")
    codes = wild.astype(np.int64)
    for column in range(holding.shape[1]):
        codes = codes * base + holding[:, column]
    return codes
