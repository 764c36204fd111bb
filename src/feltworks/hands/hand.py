"""Hands as values: built card by card; equal hands have equal futures."""

from collections.abc import Hashable, Mapping
from typing import ClassVar, Generic, Self, TypeVar

from msgspec import Struct

from feltworks.cards import Card

H = TypeVar("H")


class Hand(Struct, frozen=True, gc=False):
    """What some cards are worth to the rules that read them.

    A hand is immutable and grows by `add`, one card at a time. Two equal hands must have equal futures: the
    rules get the same answers from both, now and after further cards. The fewer facts a hand
    keeps, the faster its game is analysed and simulated.
    """

    any_order: ClassVar[bool] = False  # whether the same cards in another order make the same hand
    keeps_cards: ClassVar[bool] = False  # whether it keeps too many single cards for its states to be listed

    def add(self, card: Card) -> Self:
        """This hand with one more card."""
        raise TypeError(f"{type(self).__name__} does not say what a card adds to it")

    @property
    def words(self) -> str:
        """Its name at the table; empty while it has none."""
        return ""

    # Hands that choices change, such as a spot that is split, override the following three.

    @property
    def wants_card(self) -> bool:
        """Whether a card changes it next; otherwise a choice does."""
        return True

    def takes(self, about: str) -> bool:
        """Whether a choice on this decision changes the hand."""
        return False

    def choose(self, name: str) -> Self:
        """This hand after that choice."""
        return self

    # Hands that a choice may divide into several, to be followed separately, override these.

    def fork(self, limits: frozenset[int]) -> "Fork[Self] | None":
        """The two hands that it has just been divided into; None if it was not."""
        return None

    def trace(self, limits: frozenset[int]) -> Hashable:
        """What later hands and other wagers on the spot need to know of it; None: everything."""
        return None

    def known_by(self, trace: Hashable, limits: frozenset[int]) -> Self:
        """A hand of which only this trace is known."""
        raise TypeError(f"{type(self).__name__} leaves no trace")


class Fork(Struct, Generic[H], frozen=True):
    """A divided hand: the part played first, and the second by what is known when its turn comes.

    Known are the number of parts by then and the `trace` of those played before.
    """

    first: H
    later: Mapping[tuple[int, Hashable], H]


class NotKept(Exception):
    """A hand known only by its trace was compared with a limit that the trace does not cover."""

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        self.limit = limit


def chosen_cards(name: str) -> tuple[int, ...]:
    """The indices of the cards named at the end of a choice, where the first card has number 1.

    >>> chosen_cards("discard 1 3"), chosen_cards("stand")
    ((0, 2), ())
    """
    return tuple(int(word) - 1 for word in name.split() if word.isdecimal())


class OpenCards(Hand, frozen=True, gc=False):
    """All cards in their order, for rules that have no shorter hand."""

    cards: tuple[Card, ...] = ()

    def add(self, card: Card) -> Self:
        return type(self)((*self.cards, card))
