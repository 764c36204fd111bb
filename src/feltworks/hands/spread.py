"""Spreads: how many ranks lie strictly between two cards, the ace high (AD.3, AD.11)."""

from typing import Self

from feltworks.cards import Card, Rank, Suit
from feltworks.hands.hand import Hand


class SpreadHand(Hand, frozen=True, gc=False):
    """Two cards, the lower one first, and a third; also their suit, while all cards share one.

    >>> from feltworks.cards import card
    >>> hand = SpreadHand().add(card("7h")).add(card("5h")).add(card("6h"))
    >>> hand.low.word, hand.high.word, is_between(hand.third, hand.low, hand.high), hand.suit.word
    ('five', 'seven', True, 'hearts')
    """

    low: Rank = Rank.JOKER  # before the first card
    high: Rank = Rank.JOKER
    third: Rank = Rank.JOKER
    suit: Suit | None = None

    def add(self, card: Card) -> Self:
        rank = card.rank
        if not self.high:
            return type(self)(high=rank, suit=card.suit)
        suit = card.suit if card.suit is self.suit else None
        if not self.low:
            return type(self)(min(rank, self.high), max(rank, self.high), suit=suit)
        return type(self)(self.low, self.high, rank, suit)

    @property
    def is_pair(self) -> bool:
        return self.low == self.high


def spread(first: Rank, second: Rank) -> int:
    """The number of ranks strictly between; 0 for neighbours, −1 for a pair.

    >>> spread(Rank.FIVE, Rank.SEVEN), spread(Rank.ACE, Rank.TWO), spread(Rank.SEVEN, Rank.EIGHT)
    (1, 11, 0)
    """
    return abs(first - second) - 1


def is_between(rank: Rank, first: Rank, second: Rank) -> bool:
    """AD.9: strictly between; equal to either card is not."""
    return min(first, second) < rank < max(first, second)
