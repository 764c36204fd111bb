"""The dealer's totals after any cards have left the shoe, for many such shoes at once."""

from collections.abc import Iterable, Iterator

import numpy as np
from msgspec import Struct

from feltworks.analysis.shoe_game.dealer_rules import DealerRules
from feltworks.analysis.shoe_game.dealers_hand import Growth, growths
from feltworks.analysis.shoe_game.numbers import Array, Ints, Numbers
from feltworks.analysis.shoe_game.pays import NATURAL, OVER, Pays

MOST_CARDS = 23  # beyond the up card and what 21 cards add to it there is no hand


class Dealing(Struct, frozen=True):
    """A shoe by value, the dealer's rules, the columns of the dealer's hands, and the numbers to work in."""

    counts: Ints
    rules: DealerRules
    pays: Pays
    numbers: Numbers

    @property
    def total(self) -> int:
        return int(self.counts.sum())

    def results(self, taken: Ints, up: int) -> Array:
        """How likely the dealer's results are with this up card once each of these lots of cards is gone.

        The up card is not among the cards taken. Rows are lots, columns as the pays have them.
        """
        weights: dict[tuple[int, int], Array] = {}  # by column and cards drawn
        for hand, ways in self.weigh(self.possible(up, self.pays.highest), taken):
            key = NATURAL if hand.is_natural else self.pays.columns[hand.total], hand.cards - 1
            if key[0] != OVER:
                weights[key] = weights[key] + ways if key in weights else ways.copy()
        found, orders = self.numbers.zeros(self.pays.width, len(taken)), self.orders(taken)
        for drawn, column in sorted((drawn, column) for column, drawn in weights):
            found[column] += self.numbers.ratio(weights[column, drawn], orders[drawn])
        found[OVER] = 1 - found.sum(axis=0)
        return found.T

    def weigh(self, hands: Iterable[Growth], taken: Ints) -> Iterator[tuple[Growth, Array]]:
        """Each complete hand with the ordered ways to its cards, lot by lot; the array is used again."""
        left = self.numbers.whole(np.ascontiguousarray((self.counts - taken).T))
        factors: dict[tuple[int, int], Array] = {}
        grown: list[Array] = [np.empty_like(left[0]) for _ in range(MOST_CARDS)]
        grown[1][:] = 1
        ways = np.empty_like(left[0])
        for hand in hands:
            key = hand.value, hand.held
            if key not in factors:
                factors[key] = np.maximum(left[hand.value] - hand.held, 0)
            np.multiply(grown[hand.cards - 1], factors[key], out=ways if hand.total else grown[hand.cards])
            if hand.total:
                np.multiply(ways, hand.ways, out=ways)
                yield hand, ways

    def orders(self, taken: Ints) -> list[Array]:
        """In how many orders so many cards can come from what is left of the shoe."""
        whole = self.numbers.whole
        unseen = whole(np.maximum(self.total - 1 - taken.sum(axis=1), 0))
        orders = [whole(np.ones(len(taken), np.int64))]
        for drawn in range(MOST_CARDS - 1):
            orders.append(np.maximum(orders[-1] * (unseen - drawn), 1))
        return orders

    def possible(self, up: int, most: int) -> Iterator[Growth]:
        """The dealer's hands up to a total that the whole shoe can make, after the up card."""
        counts: list[int] = self.counts.tolist()
        blocked = 99  # hands that grow from one of so many cards are out of reach as it is
        for hand in growths(up, self.rules, most)[1:]:
            if hand.cards <= blocked:
                there = counts[hand.value] > hand.held
                blocked = 99 if there or hand.total else hand.cards
                if there:
                    yield hand
