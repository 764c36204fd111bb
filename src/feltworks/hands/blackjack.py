"""Blackjack totals: aces count eleven while that keeps the hand at 21 or less."""

from collections.abc import Iterable, Sequence
from typing import Self

from feltworks.cards import DECK, Card, Rank
from feltworks.hands.hand import Hand

_POINTS = {face: 1 if face.rank is Rank.ACE else min(face.rank, 10) for face in DECK}

ACES = frozenset(face for face in DECK if face.rank is Rank.ACE)
TEN_VALUES = frozenset(face for face in DECK if Rank.TEN <= face.rank <= Rank.KING)


class BlackjackHand(Hand, frozen=True, gc=False):
    """The best total, whether it is soft, and the number of cards, where three means three or more.

    >>> from feltworks.cards import card
    >>> BlackjackHand().add(card("Ah")).add(card("6c")).add(card("Td"))
    BlackjackHand(points=17, soft=False, held=3)
    """

    points: int = 0
    soft: bool = False
    held: int = 0

    def add(self, card: Card) -> Self:
        points, soft = count(self, card)
        return type(self)(points, soft, self.held + 1 if self.held < 3 else 3)

    @property
    def is_over(self) -> bool:
        return self.points > 21

    @property
    def is_blackjack(self) -> bool:
        """BJ.4: an ace and a ten-value card, and no other card."""
        return self.held == 2 and self.points == 21

    @property
    def words(self) -> str:
        if self.is_blackjack:
            return "blackjack"
        return f"{self.points}, over 21" if self.is_over else str(self)

    def __str__(self) -> str:
        return f"{'soft ' if self.soft else ''}{self.points}"


def points(face: Card) -> int:
    """The value of one card, an ace as one.

    >>> from feltworks.cards import card
    >>> points(card("Kh")), points(card("As"))
    (10, 1)
    """
    return _POINTS[face]


def count(hand: BlackjackHand, card: Card) -> tuple[int, bool]:
    """The total with one more card, and whether it is soft; over 21 every ace counts one."""
    worth = _POINTS[card]
    if hand.soft:
        total = hand.points + worth
        return (total, True) if total <= 21 else (total - 10, False)
    if worth == 1 and hand.points <= 10:
        return hand.points + 11, True
    return hand.points + worth, False


def total(hand: Iterable[Card]) -> BlackjackHand:
    """The total of some cards.

    >>> from feltworks.cards import cards
    >>> str(total(cards("Ah 6c"))), str(total(cards("Ah 6c Td"))), str(total(cards("9h 8c Td")))
    ('soft 17', '17', '27')
    """
    made = BlackjackHand()
    for face in hand:
        made = made.add(face)
    return made


def is_blackjack(hand: Sequence[Card]) -> bool:
    """BJ.4: whether these cards are a blackjack."""
    return total(hand).is_blackjack
