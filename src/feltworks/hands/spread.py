"""Spreads: how many ranks lie strictly between two cards, the ace high (AD.3, AD.11)."""

from feltworks.cards import Card


def spread(first: Card, second: Card) -> int:
    """Ranks strictly between; neighbours have none, a pair counts as −1.

    >>> from feltworks.cards import card
    >>> spread(card("5c"), card("7h")), spread(card("Ac"), card("2h")), spread(card("7c"), card("8c"))
    (1, 11, 0)
    """
    return abs(first.rank - second.rank) - 1


def is_between(face: Card, first: Card, second: Card) -> bool:
    """AD.9: strictly between; equal to either, or outside, is not."""
    return min(first.rank, second.rank) < face.rank < max(first.rank, second.rank)
