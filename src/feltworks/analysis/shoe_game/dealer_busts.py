"""The dealer's hands over 21 one by one: how likely once any cards have left the shoe, and how often suited.

A player decides by values alone, so given the values of all cards any suits lie in the dealer's places as
likely as in others: what is left of a suit and of all cards says how often a hand is of one suit.
"""

from fractions import Fraction
from functools import cache, cached_property
from math import perm

import numpy as np
from msgspec import Struct

from feltworks.analysis.shoe_game.dealer import MOST_CARDS, Dealing
from feltworks.analysis.shoe_game.dealer_rules import HIGHEST
from feltworks.analysis.shoe_game.dealers_hand import Counts, Growth, by_value
from feltworks.analysis.shoe_game.numbers import Array, Ints, Numbers
from feltworks.cards import Shoe, Suit


class Seen(Struct, frozen=True):
    """What the suits of the first three cards say; cards by value."""

    values: tuple[int, ...]  # the player's two
    alike: tuple[int, ...]  # those of them that are of the up card's suit
    suit: Counts  # what the whole shoe holds of the up card's suit


class Busts:
    """The hands over 21 that begin with an up card."""

    def __init__(self, dealing: Dealing, shoe: Shoe, up: int) -> None:
        self.dealing, self.shoe, self.up = dealing, shoe, up
        self._grown = [hand for hand in dealing.possible(up, HIGHEST) if not 0 < hand.total < 22]
        self.hands: list[Growth] = [hand for hand in self._grown if hand.total]

    def law(self, taken: Ints) -> Array:
        """How likely each hand is once each of these lots of cards, besides the up card, is gone."""
        found = self.dealing.numbers.zeros(len(self.hands), len(taken))
        orders = self.dealing.orders(taken)
        for place, (hand, ways) in enumerate(self.dealing.weigh(self._grown, taken)):
            found[place] = self.dealing.numbers.ratio(ways, orders[hand.cards - 1])
        return found.T

    @cached_property
    def _held(self) -> Ints:
        return np.array([hand.counts for hand in self.hands], np.int64).reshape(-1, 10)

    def suited(self, seen: Seen | None) -> Array:
        """How likely each hand is of one suit, given its values and what has been seen of suits."""
        if seen is None:
            whole = by_value(self.shoe)
            every = [self._part(by_value(self.shoe, suit), whole, self._held) for suit in Suit]
            return sum(every, self.dealing.numbers.zeros(len(self.hands)))
        drawn = self._held.copy()
        drawn[:, self.up] -= 1
        whole = _without(by_value(self.shoe), (*seen.values, self.up))
        return self._part(_without(seen.suit, (*seen.alike, self.up)), whole, drawn)

    def _part(self, of: Counts, whole: Counts, drawn: Ints) -> Array:
        """How likely the cards drawn of a whole are all among those."""
        numbers = self.dealing.numbers
        part = numbers.whole(np.ones(len(drawn), np.int64))
        for value in range(10):
            part = part * _parts(numbers, of[value], whole[value])[drawn[:, value]]
        return part


def _without(counts: Counts, gone: tuple[int, ...]) -> Counts:
    return tuple(count - gone.count(value) for value, count in enumerate(counts))


@cache
def _parts(numbers: Numbers, of: int, whole: int) -> Array:
    """For 0, 1, 2, … cards drawn of one value: how likely all of them are among those."""
    return numbers.of(
        [Fraction(perm(of, n), perm(whole, n)) if n <= whole else Fraction(0) for n in range(MOST_CARDS)]
    )
