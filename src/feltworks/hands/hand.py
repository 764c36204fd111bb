"""A hand as a value: made card by card, and equal hands have equal futures."""

from typing import Self

from msgspec import Struct

from feltworks.cards import Card


class Hand(Struct, frozen=True, gc=False):
    """What some cards are worth to the rules that read them.

    A hand is immutable and made by `add`, one card at a time. Two equal hands must have equal futures:
    whatever the rules ask of them, now or after further cards, they answer alike. The fewer facts a hand
    keeps, the faster its game is analysed and simulated.
    """

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


class OpenCards(Hand, frozen=True, gc=False):
    """Every card in its order: the hand of rules that say nothing shorter."""

    cards: tuple[Card, ...] = ()

    def add(self, card: Card) -> Self:
        return type(self)((*self.cards, card))
