"""How hands grow card by card, up to suits that are alike: which classes of fewer cards a class grows from.

Every number is whole: a class of k + 1 cards grows from one class of k for each of its cards. Sums over all
cards that may come next, and counts of all orders in which they come, are one gather or one scatter each.
"""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.showdown.hands import DealtHands
from feltworks.cards import Card, Rank, Shoe
from feltworks.errors import FeltError

_DIGIT = 4
_LARGEST = 2**63 - 1


class Growth:
    """The classes of hands of every size up to a whole hand, and how each grows from smaller ones."""

    def __init__(self, shoe: Shoe, size: int, wild: frozenset[Rank]) -> None:
        self.shoe, self.size = shoe, size
        self.hands = [DealtHands(shoe, held, wild) for held in range(size + 1)]
        self._places = [(np.sort(each.codes), np.argsort(each.codes)) for each in self.hands[-1].holdings]
        self._numbered: dict[int, tuple[Ints, Ints]] = {}
        self._steps = [_removals(self.hands[held + 1], self.hands[held]) for held in range(size)]

    def sum_next(self, totals: Ints, held: int, to: int) -> Ints:
        """Totals by class of `held` cards, summed over all cards that lead there from `to` cards."""
        for level in range(held - 1, to - 1, -1):
            summed = np.zeros(len(self.hands[level]), dtype=totals.dtype)
            for rows, smaller, copies in self._steps[level]:
                np.add.at(summed, smaller, totals[rows] * copies)
            totals = summed
        return totals

    def row_of(self, cards: Sequence[Card]) -> int:
        """The class that these cards belong to."""
        dealt = self.hands[len(cards)]
        held = [0] * len(dealt.suits)
        wild = 0
        for card in cards:
            if card.rank in dealt.wild_ranks:
                wild += 1
            else:
                assert card.suit is not None
                held[dealt.suits.index(card.suit)] += 1 << _DIGIT * dealt.ranks.index(card.rank)
        return int(self.rows_of(np.array([held], dtype=np.int64), np.array([wild]), len(cards))[0])

    def rows_of(self, codes: Ints, wild: Ints, held: int) -> Ints:
        """The classes of sets of so many cards: by suit the code of what is held of it, and how many wild ones."""
        dealt, places = self.hands[held], np.zeros_like(codes)
        for column, (listed, order) in enumerate(self._places):
            places[:, column] = order[np.searchsorted(listed, codes[:, column])]
        known, order = self._rows(held)
        rows: Ints = order[np.searchsorted(known, _codes(dealt, _in_order(dealt, places), wild))]
        return rows

    def _rows(self, held: int) -> tuple[Ints, Ints]:
        """The numbers of the classes of so many cards, the smallest first, and their rows."""
        if held not in self._numbered:
            dealt = self.hands[held]
            codes = _codes(dealt, dealt.holding, dealt.wild)
            order = np.argsort(codes)
            self._numbered[held] = codes[order], order
        return self._numbered[held]

    def orders(self, chains: Ints, held: int, to: int) -> Ints:
        """By class of `to` cards: in how many orders one of its hands grows from those counted by class."""
        for level in range(held, to):
            grown = np.zeros(len(self.hands[level + 1]), dtype=chains.dtype)
            for rows, smaller, copies in self._steps[level]:
                np.add.at(grown, rows, chains[smaller] * copies)
            chains = grown
        return chains


@lru_cache(maxsize=2)
def growth(shoe: Shoe, size: int, wild: frozenset[Rank]) -> Growth:
    """The growth of a shoe's hands, cached: every wager and every pay table shares it."""
    return Growth(shoe, size, wild)


def _removals(larger: DealtHands, smaller: DealtHands) -> list[tuple[Ints, Ints, Ints]]:
    """For each card that may be taken away: the classes that hold it, what is left, and how many copies."""
    codes = _codes(smaller, smaller.holding, smaller.wild)
    order = np.argsort(codes)
    steps: list[tuple[Ints, Ints, Ints]] = []

    def add(rows: Ints, holding: Ints, wild: Ints, copies: Ints) -> None:
        found = np.searchsorted(codes[order], _codes(smaller, _in_order(larger, holding), wild))
        steps.append((rows, order[found], copies))

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


def _in_order(dealt: DealtHands, holding: Ints) -> Ints:
    """Holdings of suits that are alike, the largest first."""
    ordered, begin = holding.copy(), 0
    for suits in dealt.groups:
        ordered[:, begin : begin + suits] = -np.sort(-ordered[:, begin : begin + suits], axis=1)
        begin += suits
    return ordered


def _codes(dealt: DealtHands, holding: Ints, wild: Ints) -> Ints:
    """Each class as one number."""
    base = max(len(holdings.codes) for holdings in dealt.holdings)
    if base ** len(dealt.holdings) * (dealt.size + 1) > _LARGEST:
        raise FeltError(f"{dealt.shoe.total} cards give more hands than can be numbered")
    codes = wild.astype(np.int64)
    for column in range(holding.shape[1]):
        codes = codes * base + holding[:, column]
    return codes
