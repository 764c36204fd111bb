"""Baccarat-style totals: the last digit of the pips (FB.2), and the number of monkeys (FB.3)."""

from collections.abc import Iterable

from feltworks.cards import DECK, Card, Rank
from feltworks.hands.hand import Hand

# FB.2: ace 1, two to nine their pips, tens and faces nothing
_PIPS = {face: 1 if face.rank is Rank.ACE else face.rank % 10 * (face.rank < 10) for face in DECK}

MONKEYS = frozenset(face for face in DECK if Rank.TEN <= face.rank <= Rank.KING)  # FB.3


def points(face: Card) -> int:
    """What a card adds to a total."""
    return _PIPS[face]


def total(hand: Iterable[Card]) -> int:
    """The hand's total, 9 best and 0 worst.

    >>> from feltworks.cards import cards
    >>> total(cards("Th 5c")), total(cards("Th 5c Kd")), total(cards("Th 5c 8d"))
    (5, 5, 3)
    """
    return sum(map(points, hand)) % 10


class BaccaratHand(Hand, frozen=True, order=True, gc=False):
    """The last digit of the pips, and the number of cards.

    >>> from feltworks.cards import card
    >>> BaccaratHand().add(card("Th")).add(card("5c")).add(card("8d"))
    BaccaratHand(total=3, held=3)
    """

    total: int = 0
    held: int = 0

    def add(self, card: Card) -> "BaccaratHand":
        return BaccaratHand((self.total + _PIPS[card]) % 10, self.held + 1)

    @property
    def words(self) -> str:
        return f"total {self.total}"


class Monkeys(Hand, frozen=True, gc=False):
    """Whether the first two cards are monkeys, and whether one of them is a ten."""

    held: int = 0
    are_monkeys: bool = True  # until a card says otherwise
    has_ten: bool = False

    def add(self, card: Card) -> "Monkeys":
        if self.held == 2:
            return self
        are_monkeys = self.are_monkeys and card in MONKEYS
        return Monkeys(self.held + 1, are_monkeys, are_monkeys and (self.has_ten or card.rank is Rank.TEN))

    @property
    def is_two(self) -> bool:
        return self.held == 2 and self.are_monkeys


class MonkeysAgainst(Hand, frozen=True, gc=False):
    """Whether a spot's first two cards are monkeys, and the points of the dealer's up card after them."""

    held: int = 0
    is_two: bool = True  # until a card says otherwise
    up_card: int | None = None

    def add(self, card: Card) -> "MonkeysAgainst":
        if self.held == 2:  # the up card matters only to monkeys
            return MonkeysAgainst(2, self.is_two, _PIPS[card] if self.is_two else 0)
        return MonkeysAgainst(self.held + 1, self.is_two and card in MONKEYS)
