"""A round is what lies on the felt: one type for every game and all seats, without a phase variable."""

from collections.abc import Iterable, Mapping
from typing import Final, Generic, TypeVar

from msgspec import Struct

from feltworks.cards import Card
from feltworks.hands.hand import Hand
from feltworks.money import Cents

Place = int
DEALER: Final[Place] = -1
BOARD: Final[Place] = -2
SEAT: Final[Place] = 0  # as the place of a hand: the seat that the wager lies on
H = TypeVar("H", bound=Hand)


class Back(Struct, frozen=True, gc=False):
    """A card face down; `barring` lists the cards that it is known not to be."""

    barring: frozenset[Card] = frozenset()


FACE_DOWN: Final = Back()
Face = Card | Back


class Choice(Struct, frozen=True, gc=False):
    """A seat's decision: the name of the offer, the money it moved, and which decision it answered."""

    name: str
    cents: Cents | None = None
    about: str = ""


class Seat(Struct, frozen=True, dict=True):
    """One spot in action: its wagers, the tokes for the dealers, its cards and its choices."""

    wagers: Mapping[str, Cents]
    cards: tuple[Face, ...] = ()
    choices: tuple[Choice, ...] = ()
    tokes: Mapping[str, Cents] = {}

    def choice(self, about: str = "") -> Choice | None:
        """This seat's answer to the decision `about`, or None."""
        for choice in self.choices:
            if choice.about == about:
                return choice
        return None

    def hand(self, empty: H) -> H:
        """The hand made of its open cards and choices; computed once, as a seat never changes."""
        known: tuple[tuple[H, H], ...] = self.__dict__.get("hands", ())
        for other, hand in known:
            if other is empty:
                return hand
        hand = read_hand(empty, face_up(self.cards), self.choices)
        self.__dict__["hands"] = (*known, (empty, hand))
        return hand

    def has(self, wager: str) -> bool:
        """Whether money lies on this wager, the player's own or a toke."""
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

    def hand(self, place: Place, empty: H, at: int | None = None) -> H:
        """The hand made of the open cards at a place; with `at`, of the card at that index alone."""
        if place >= 0 and at is None:
            return self.seats[place].hand(empty)
        faces = self.at(place)
        if at is not None:
            faces = faces[at : at + 1]
        if place >= 0:
            return read_hand(empty, face_up(faces), self.seats[place].choices)
        for face in faces:
            if type(face) is Card:
                empty = empty.add(face)
        return empty

    def hand_of(self, made: "HandOf[H]", seat: int) -> H:
        """The hand that judges a wager of this seat."""
        hand = made.empty
        for card in self.cards_of(made, seat):
            hand = hand.add(card)
        return hand

    def cards_of(self, made: "HandOf[H]", seat: int) -> list[Card]:
        """The open cards of that hand."""
        cards: list[Card] = []
        own, dealer, board = self.seats[seat].cards, self.dealer, self.board
        for place, index in made.cards:
            faces = own if place == SEAT else dealer if place == DEALER else board
            if index is None:
                cards += face_up(faces)
            elif index < len(faces) and type(face := faces[index]) is Card:
                cards.append(face)
        return cards

    def lies(self, place: Place, index: int) -> bool:
        """Whether a card lies there, face up or face down."""
        return index < len(self.at(place))

    def is_turned(self, place: Place, index: int) -> bool:
        """Whether a card lies there face up."""
        lying = self.at(place)
        return index < len(lying) and type(lying[index]) is Card

    def back(self, place: Place, index: int) -> Back | None:
        """The card face down at that index; None if it is face up."""
        lying = self.at(place)
        face = lying[index] if index < len(lying) else None
        return face if type(face) is Back else None

    def is_settled(self, seat: int, wager: str) -> bool:
        """Whether the lines of a wager were given before, and are not needed again."""
        return False


class HandOf(Struct, Generic[H], frozen=True):
    """Which cards make the hand that judges a wager: (place, index); an index of None means all."""

    empty: H
    cards: tuple[tuple[Place, int | None], ...]


def read_hand(hand: H, cards: Iterable[Card], choices: tuple[Choice, ...]) -> H:
    """Add cards to a hand, and each choice that belongs to it as soon as the hand waits for one."""
    mine = [choice.name for choice in choices if hand.takes(choice.about)] if choices else []
    mine.reverse()  # so that `pop` takes the next one
    for card in cards:
        while mine and not hand.wants_card:
            hand = hand.choose(mine.pop())
        hand = hand.add(card)
    while mine:
        hand = hand.choose(mine.pop())
    return hand


def face_up(lying: tuple[Face, ...]) -> tuple[Card, ...]:
    """The cards that lie face up."""
    for face in lying:  # called millions of times, mostly with all cards face up; a plain loop is the fastest
        if type(face) is not Card:
            return tuple([face for face in lying if type(face) is Card])
    return lying  # type: ignore[return-value]  # every one of them is a card
