"""Spreads: how many ranks lie strictly between two cards, the ace high (AD.3, AD.11)."""

from feltworks.cards import Rank


def spread(first: Rank, second: Rank) -> int:
    """Ranks strictly between; neighbours have none, a pair counts as −1.

    >>> spread(Rank.FIVE, Rank.SEVEN), spread(Rank.ACE, Rank.TWO), spread(Rank.SEVEN, Rank.EIGHT)
    (1, 11, 0)
    """
    return abs(first - second) - 1


def is_between(rank: Rank, first: Rank, second: Rank) -> bool:
    """AD.9: strictly between; equal to either, or outside, is not."""
    return min(first, second) < rank < max(first, second)
