"""What can happen next in a round: chance (draw, turn, peek), choice, and the dealer's gestures.

What is known of a choice by its name (its words, its tint in charts, whether it gives the hand up) is in choices.toml.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from feltworks.cards import Card
from feltworks.money import Cents, dollars
from feltworks.rules.round import BOARD, DEALER, Place


class Draw(Struct, frozen=True, gc=False):
    """Cards are dealt from the shoe to a place, face up or face down."""

    to: Place
    count: int = 1
    down: bool = False


class Turn(Struct, frozen=True, gc=False):
    """Cards that lie face down at a place are turned over."""

    at: Place
    index: int = 0
    count: int = 1


class Peek(Struct, frozen=True, gc=False):
    """The dealer looks under a card: a wanted one is turned, another stays face down and is known not to be wanted."""

    at: Place
    index: int
    wanted: frozenset[Card]


class Offer(Struct, frozen=True, gc=False):
    """One choice of a seat, and the money it puts on a wager (or takes off it, if below zero)."""

    name: str
    wager: str = ""
    least: Cents = 0
    most: Cents = 0
    chip: Cents = 1  # amounts between the limits are multiples of it
    sizes: tuple[Cents, ...] = ()  # the only amounts allowed, if they are few
    cards: tuple[int, ...] = ()  # the indices of the seat's cards that are chosen; the name has their numbers too

    @classmethod
    def exactly(cls, name: str, wager: str, cents: Cents) -> "Offer":
        """An offer with a fixed amount."""
        return cls(name, wager, cents, cents)

    @classmethod
    def of_cards(cls, verb: str, cards: tuple[int, ...]) -> "Offer":
        """An offer that chooses some of the seat's cards; `chosen_cards` reads them from the choice.

        >>> Offer.of_cards("discard", (0, 2)).name
        'discard 1 3'
        """
        return cls(" ".join([verb, *(str(place + 1) for place in cards)]), cards=cards)

    @property
    def verb(self) -> str:
        """Its name without the chosen cards."""
        return " ".join(self.name.split()[: -len(self.cards)]) if self.cards else self.name

    def __str__(self) -> str:
        if not self.wager:
            return self.name
        amount = (
            " or ".join(map(dollars, self.sizes or (self.most,)))
            if self.sizes or self.least == self.most
            else f"{dollars(self.least)} to {dollars(self.most)}"
        )
        return f"{self.name} ({amount} on {self.wager})"


def card_offers(verb: str, held: int, counts: Iterable[int]) -> tuple[Offer, ...]:
    """An offer for every way to choose this many of the cards that a seat holds.

    >>> [offer.name for offer in card_offers("discard", 2, (1, 2))]
    ['discard 1', 'discard 2', 'discard 1 2']
    """
    return tuple(Offer.of_cards(verb, cards) for count in counts for cards in combinations(range(held), count))


class Decide(Struct, frozen=True, gc=False):
    """A seat has to choose one of the offers; `about` names the decision if a seat has several."""

    seat: int
    offers: tuple[Offer, ...]
    about: str = ""


Chance = Draw | Turn | Peek
Step = Draw | Turn | Peek | Decide


class Say(Struct, frozen=True, gc=False, tag="say"):
    """The dealer announces something."""

    words: str
    clause: str


class Tuck(Struct, frozen=True, gc=False, tag="tuck"):
    """A hand is tucked under the wager that keeps it in action."""

    seat: int
    under: str
    clause: str


class Burn(Struct, frozen=True, gc=False, tag="burn"):
    """A card goes to the discards face down."""

    at: Place
    index: int
    clause: str


class Discard(Struct, frozen=True, gc=False, tag="discard"):
    """A seat's cards go to the discard rack."""

    seat: int
    clause: str


Gesture = Say | Tuck | Burn | Discard


def place_name(place: Place) -> str:
    """The name of a place: seats count from 1 at the dealer's left."""
    return {DEALER: "the dealer", BOARD: "the board"}.get(place, f"seat {place + 1}")


class TradeChoice(Struct, forbid_unknown_fields=True, frozen=True):
    """An entry of choices.toml; the defaults serve choices that a game defines itself."""

    words: str = ""
    tint: str = "plain"
    letter: str = ""
    mark: str = ""
    gives_up: bool = False
    two_cards: bool = False


_UNKNOWN: Final = TradeChoice()


@cache
def _trade() -> Mapping[str, TradeChoice]:
    return msgspec.toml.decode(Path(__file__).with_name("choices.toml").read_bytes(), type=dict[str, TradeChoice])


def trade_choice(name: str) -> TradeChoice:
    """The entry of a choice, or the defaults.

    >>> trade_choice("double").words, trade_choice("go-for-it").tint
    ('for exactly one more card', 'plain')
    """
    return _trade().get(name, _UNKNOWN)
