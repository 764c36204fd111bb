"""The dealer's totals after any cards have left the shoe, for many such shoes at once."""

from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from feltworks.analysis.shoe_game.dealers_hand import Growth, growths
from feltworks.analysis.shoe_game.numbers import Array, Ints, Numbers
from feltworks.analysis.shoe_game.pays import NATURAL, OVER, Pays
from feltworks.analysis.shoe_game.rules import DealerRules


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
        left = self.numbers.whole(np.ascontiguousarray((self.counts - taken).T))
        unseen = self.numbers.whole(np.maximum(self.total - 1 - taken.sum(axis=1), 0))
        weights = self._weights(left, up)
        found = self.numbers.zeros(self.pays.width, len(taken))
        orders = self.numbers.whole(np.ones(len(taken), np.int64))
        for drawn in range(1, 22):
            orders = np.maximum(orders * (unseen - (drawn - 1)), 1)
            for column in range(self.pays.width):
                if (column, drawn) in weights:
                    found[column] += self.numbers.ratio(weights[column, drawn], orders)
        found[OVER] = 1 - found.sum(axis=0)
        return found.T

    def _weights(self, left: Array, up: int) -> dict[tuple[int, int], Array]:
        """Ordered ways to each result, by the number of cards drawn besides the up card."""
        factors: dict[tuple[int, int], Array] = {}
        grown: list[Array] = [np.empty_like(left[0]) for _ in range(22)]
        grown[1][:] = 1
        weights: dict[tuple[int, int], Array] = {}
        part = np.empty_like(left[0])
        for hand in self.possible(up, most=self.pays.highest):
            key = hand.value, hand.held
            if key not in factors:
                factors[key] = np.maximum(left[hand.value] - hand.held, 0)
            if not hand.total:
                np.multiply(grown[hand.cards - 1], factors[key], out=grown[hand.cards])
                continue
            column = NATURAL if hand.is_natural else self.pays.columns[hand.total]
            if column == OVER:
                continue
            np.multiply(grown[hand.cards - 1], factors[key], out=part)
            np.multiply(part, hand.ways, out=part)
            if (column, hand.cards - 1) in weights:
                weights[column, hand.cards - 1] += part
            else:
                weights[column, hand.cards - 1] = part.copy()
        return weights

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
