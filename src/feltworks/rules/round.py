"""A round is what lies on the felt: the same type for every game, all seats, no phase variable."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from feltworks.cards import Card
from feltworks.money import Cents

Place = int
DEALER: Final[Place] = -1
BOARD: Final[Place] = -2


class Back(Struct, frozen=True, gc=False):
    """A card lying face down. What everybody knows it is not stands on its back."""

    barring: frozenset[Card] = frozenset()


FACE_DOWN: Final = Back()
Face = Card | Back


class Choice(Struct, frozen=True, gc=False):
    """What a seat decided: the offer's name, the money it moved, and which decision it answered."""

    name: str
    cents: Cents | None = None
    about: str = ""


class Seat(Struct, frozen=True, gc=False):
    """One spot in action: its wagers, the dealers' tokes riding on it, its cards and its choices."""

    wagers: Mapping[str, Cents]
    cards: tuple[Face, ...] = ()
    choices: tuple[Choice, ...] = ()
    tokes: Mapping[str, Cents] = {}

    def choice(self, about: str = "") -> Choice | None:
        """The answer this seat has given to the decision `about`, if it has."""
        for choice in self.choices:
            if choice.about == about:
                return choice
        return None

    def has(self, wager: str) -> bool:
        """Whether money lies on this wager, the player's or a toke."""
        return wager in self.wagers or wager in self.tokes


class Round(Struct, frozen=True, gc=False):
    """Seats from the dealer's left, the dealer's cards, the board, and the meters as posted."""

    seats: tuple[Seat, ...]
    dealer: tuple[Face, ...] = ()
    board: tuple[Face, ...] = ()
    meters: Mapping[str, Cents] = {}

    def at(self, place: Place) -> tuple[Face, ...]:
        """The cards lying at a place."""
        if place >= 0:
            return self.seats[place].cards
        return self.dealer if place == DEALER else self.board

    def is_turned(self, place: Place, index: int) -> bool:
        """Whether that card lies there face up."""
        lying = self.at(place)
        return index < len(lying) and type(lying[index]) is Card


def face_up(lying: tuple[Face, ...]) -> tuple[Card, ...]:
    """Only the cards whose faces are known."""
    for face in lying:  # most often all of them: asked millions of times, and a loop is what costs least
        if type(face) is not Card:
            return tuple([face for face in lying if type(face) is Card])
    return lying  # type: ignore[return-value]  # every one of them is a card
