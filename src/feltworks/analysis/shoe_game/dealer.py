"""The dealer's totals after any cards have left the shoe, for many such shoes at once."""

from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from feltworks.analysis.blackjack.dealers_hand import Growth, growths
from feltworks.analysis.shoe_game.numbers import Array, Ints, Numbers

OVER, BLACKJACK = 5, 6  # behind the columns of 17 to 21
RESULTS = 7


class Dealing(Struct, frozen=True):
    """A shoe by value, the dealer's rule, and the numbers to work in."""

    counts: Ints
    hits_soft_17: bool
    numbers: Numbers

    @property
    def total(self) -> int:
        return int(self.counts.sum())

    def results(self, taken: Ints, up: int) -> Array:
        """How likely the dealer's results are with this up card once each of these lots of cards is gone.

        The up card is not among the cards taken. Rows are lots, columns 17 to 21, over 21, blackjack.
        """
        left = self.numbers.whole(np.ascontiguousarray((self.counts - taken).T))
        unseen = self.numbers.whole(np.maximum(self.total - 1 - taken.sum(axis=1), 0))
        weights = self._weights(left, up)
        found = self.numbers.zeros(RESULTS, len(taken))
        orders = self.numbers.whole(np.ones(len(taken), np.int64))
        for drawn in range(1, 22):
            orders = np.maximum(orders * (unseen - (drawn - 1)), 1)
            for column in range(RESULTS):
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
        for hand in self.possible(up):
            key = hand.value, hand.held
            if key not in factors:
                factors[key] = np.maximum(left[hand.value] - hand.held, 0)
            if not hand.total:
                np.multiply(grown[hand.cards - 1], factors[key], out=grown[hand.cards])
                continue
            np.multiply(grown[hand.cards - 1], factors[key], out=part)
            np.multiply(part, hand.ways, out=part)
            column = BLACKJACK if hand.is_natural else hand.total - 17
            if (column, hand.cards - 1) in weights:
                weights[column, hand.cards - 1] += part
            else:
                weights[column, hand.cards - 1] = part.copy()
        return weights

    def possible(self, up: int, *, most: int = 21) -> Iterator[Growth]:
        """The dealer's hands up to a total that the whole shoe can make, after the up card."""
        counts: list[int] = self.counts.tolist()
        blocked = 99  # hands that grow from one of so many cards are out of reach as it is
        for hand in growths(up, hits_soft_17=self.hits_soft_17, most=most)[1:]:
            if hand.cards <= blocked:
                there = counts[hand.value] > hand.held
                blocked = 99 if there or hand.total else hand.cards
                if there:
                    yield hand
