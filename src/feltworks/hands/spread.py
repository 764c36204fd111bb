"""Spreads: how many ranks lie strictly between two cards, the ace high (AD.3, AD.11)."""

from typing import Self

from feltworks.cards import Card, Rank, Suit
from feltworks.hands.hand import Hand


class RanksDealt(Hand, frozen=True, gc=False):
    """The ranks of a few cards, in the order in which they came."""

    ranks: tuple[Rank, ...] = ()

    def add(self, card: Card) -> Self:
        return type(self)((*self.ranks, card.rank))


class SuitedRanks(RanksDealt, frozen=True, gc=False):
    """The same with their suit, as long as they have one in common.

    >>> from feltworks.cards import card
    >>> SuitedRanks().add(card("5h")).add(card("7h")).is_suited
    True
    """

    suit: Suit | None = None

    def add(self, card: Card) -> Self:
        suit = card.suit if not self.ranks or card.suit is self.suit else None
        return type(self)((*self.ranks, card.rank), suit)

    @property
    def is_suited(self) -> bool:
        return self.suit is not None


def spread(first: Rank, second: Rank) -> int:
    """Ranks strictly between; neighbours have none, a pair counts as −1.

    >>> spread(Rank.FIVE, Rank.SEVEN), spread(Rank.ACE, Rank.TWO), spread(Rank.SEVEN, Rank.EIGHT)
    (1, 11, 0)
    """
    return abs(first - second) - 1


def is_between(rank: Rank, first: Rank, second: Rank) -> bool:
    """AD.9: strictly between; equal to either, or outside, is not."""
    return min(first, second) < rank < max(first, second)
