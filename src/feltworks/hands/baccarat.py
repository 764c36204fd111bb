"""Baccarat-style totals: the last digit of the pips (FB.2)."""

from collections.abc import Iterable

from feltworks.cards import DECK, Card, Rank

# FB.2: ace 1, two to nine their pips, tens and faces nothing
_PIPS = {face: 1 if face.rank is Rank.ACE else face.rank % 10 * (face.rank < 10) for face in DECK}

MONKEYS = frozenset(face for face in DECK if Rank.TEN <= face.rank <= Rank.KING)  # FB.3


def points(face: Card) -> int:
    """What one card adds to a total."""
    return _PIPS[face]


def total(hand: Iterable[Card]) -> int:
    """The hand's total, 9 best and 0 worst.

    >>> from feltworks.cards import cards
    >>> total(cards("Th 5c")), total(cards("Th 5c Kd")), total(cards("Th 5c 8d"))
    (5, 5, 3)
    """
    pips = 0
    for face in hand:  # asked millions of times, and a loop over two or three cards is what costs least
        pips += _PIPS[face]
    return pips % 10
