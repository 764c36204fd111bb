"""Blackjack totals: aces count eleven while that keeps the hand at 21 or less."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from feltworks.cards import DECK, Card, Rank

_POINTS = {face: 1 if face.rank is Rank.ACE else min(face.rank, 10) for face in DECK}
_AN_ACE = 1000  # added to a sum for each ace, so that one sum says both points and aces
COUNTED = {face: worth + _AN_ACE * (face.rank is Rank.ACE) for face, worth in _POINTS.items()}

ACES = frozenset(face for face in DECK if face.rank is Rank.ACE)
TEN_VALUES = frozenset(face for face in DECK if Rank.TEN <= face.rank <= Rank.KING)


class Total(Struct, frozen=True):
    """A hand's best total; soft while an ace still counts eleven."""

    points: int
    soft: bool

    def __str__(self) -> str:
        return f"{'soft ' if self.soft else ''}{self.points}"


_TOTALS: dict[int, Total] = {}  # those met so far, by what their cards count


def points(face: Card) -> int:
    """What one card is worth, the ace low.

    >>> from feltworks.cards import card
    >>> points(card("Kh")), points(card("As"))
    (10, 1)
    """
    return _POINTS[face]


def total(hand: Iterable[Card]) -> Total:
    """The best total of a hand; once over 21 every ace counts one.

    >>> from feltworks.cards import cards
    >>> str(total(cards("Ah 6c"))), str(total(cards("Ah 6c Td"))), str(total(cards("9h 8c Td")))
    ('soft 17', '17', '27')
    """
    counted = 0
    for face in hand:  # asked millions of times, and a loop over two or three cards is what costs least
        counted += COUNTED[face]
    return _TOTALS.get(counted) or _total_of(counted)


def _total_of(counted: int) -> Total:
    aces, low = divmod(counted, _AN_ACE)
    _TOTALS[counted] = best = Total(low + 10, True) if aces and low <= 11 else Total(low, False)
    return best


def is_blackjack(hand: Sequence[Card]) -> bool:
    """BJ.4: an ace and a ten-value card, and nothing else."""
    return len(hand) == 2 and not ACES.isdisjoint(hand) and not TEN_VALUES.isdisjoint(hand)
