"""A hand as a value: made card by card, and equal hands have equal futures."""

from collections.abc import Hashable, Mapping
from typing import ClassVar, Generic, Self, TypeVar

from msgspec import Struct

from feltworks.cards import Card

H = TypeVar("H")


class Hand(Struct, frozen=True, gc=False):
    """What some cards are worth to the rules that read them.

    A hand is immutable and made by `add`, one card at a time. Two equal hands must have equal futures:
    whatever the rules ask of them, now or after further cards, they answer alike. The fewer facts a hand
    keeps, the faster its game is analysed and simulated.
    """

    any_order: ClassVar[bool] = False  # whether cards that come in another order make the same hand
    keeps_cards: ClassVar[bool] = False  # whether it keeps so many single cards that its states cannot be listed

    def add(self, card: Card) -> Self:
        """This hand with one more card."""
        raise TypeError(f"{type(self).__name__} does not say what a card adds to it")

    @property
    def words(self) -> str:
        """What it is called at the table; nothing while there is nothing to call it."""
        return ""

    # A hand that choices change, such as a spot that is split, overrides the following three.

    @property
    def wants_card(self) -> bool:
        """Whether its next change is a card; otherwise it is a choice."""
        return True

    def takes(self, about: str) -> bool:
        """Whether a choice on this decision becomes part of the hand."""
        return False

    def choose(self, name: str) -> Self:
        """This hand after such a choice."""
        return self

    # A hand that a choice may divide into several, each of which can be followed by itself, overrides these.

    def fork(self, limits: frozenset[int]) -> "Fork[Self] | None":
        """The two hands it has just been divided into; None where it was not."""
        return None

    def trace(self, limits: frozenset[int]) -> Hashable:
        """What the hands that are played after it, and wagers beside it, have to know of it; None: all."""
        return None

    def known_by(self, trace: Hashable, limits: frozenset[int]) -> Self:
        """A hand of which no more is known than this trace."""
        raise TypeError(f"{type(self).__name__} leaves no trace")


class Fork(Struct, Generic[H], frozen=True):
    """A divided hand: the part that is played first, and the other by what is known when its turn comes.

    That is how many parts there are by then and the `trace` of those played before.
    """

    first: H
    later: Mapping[tuple[int, Hashable], H]


class NotKept(Exception):
    """A hand known by its trace was asked whether it keeps within a limit: keep that from the start."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit


def chosen_cards(name: str) -> tuple[int, ...]:
    """The places of the cards that a choice names: it ends with their numbers, the first card being 1.

    >>> chosen_cards("discard 1 3"), chosen_cards("stand")
    ((0, 2), ())
    """
    return tuple(int(word) - 1 for word in name.split() if word.isdecimal())


class OpenCards(Hand, frozen=True, gc=False):
    """Every card in its order: the hand of rules that say nothing shorter."""

    cards: tuple[Card, ...] = ()

    def add(self, card: Card) -> Self:
        return type(self)((*self.cards, card))
