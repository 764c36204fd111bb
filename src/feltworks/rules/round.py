"""A round is what lies on the felt: the same type for every game, all seats, no phase variable."""

from collections.abc import Iterable, Mapping
from typing import Final, Generic, TypeVar

from msgspec import Struct

from feltworks.cards import Card
from feltworks.hands.hand import Hand
from feltworks.money import Cents

Place = int
DEALER: Final[Place] = -1
BOARD: Final[Place] = -2
SEAT: Final[Place] = 0  # in what a wager is judged by: the seat it lies on
H = TypeVar("H", bound=Hand)


class Back(Struct, frozen=True, gc=False):
    """A card lying face down; `barring` lists the cards that it is known not to be."""

    barring: frozenset[Card] = frozenset()


FACE_DOWN: Final = Back()
Face = Card | Back


class Choice(Struct, frozen=True, gc=False):
    """What a seat decided: the offer's name, the money it moved, and which decision it answered."""

    name: str
    cents: Cents | None = None
    about: str = ""


class Seat(Struct, frozen=True, dict=True):
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

    def hand(self, empty: H) -> H:
        """What its open cards and its choices make of an empty hand; read once, as a seat never changes."""
        known: tuple[tuple[H, H], ...] = self.__dict__.get("hands", ())
        for other, hand in known:
            if other is empty:
                return hand
        hand = read_hand(empty, face_up(self.cards), self.choices)
        self.__dict__["hands"] = (*known, (empty, hand))
        return hand

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

    def hand(self, place: Place, empty: H, at: int | None = None) -> H:
        """What the open cards of a place make of an empty hand; `at` reads the card at that index alone."""
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
        """The hand that a wager of this seat is judged by."""
        hand = made.empty
        for card in self.cards_of(made, seat):
            hand = hand.add(card)
        return hand

    def cards_of(self, made: "HandOf[H]", seat: int) -> list[Card]:
        """The open cards that make that hand."""
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
        """Whether that card lies there face up."""
        lying = self.at(place)
        return index < len(lying) and type(lying[index]) is Card

    def back(self, place: Place, index: int) -> Back | None:
        """The card that lies there face down, with what is known of it; None where it is turned."""
        lying = self.at(place)
        face = lying[index] if index < len(lying) else None
        return face if type(face) is Back else None

    def is_settled(self, seat: int, wager: str) -> bool:
        """Whether the lines of a wager were given before and are not asked for again."""
        return False


class HandOf(Struct, Generic[H], frozen=True):
    """Which cards make the hand that a wager is judged by: (place, index), an index of None meaning all."""

    empty: H
    cards: tuple[tuple[Place, int | None], ...]


def read_hand(hand: H, cards: Iterable[Card], choices: tuple[Choice, ...]) -> H:
    """Give a hand its cards, and the choices that belong to it as soon as it waits for them."""
    mine = [choice.name for choice in choices if hand.takes(choice.about)] if choices else []
    mine.reverse()  # the next one last, to be popped
    for card in cards:
        while mine and not hand.wants_card:
            hand = hand.choose(mine.pop())
        hand = hand.add(card)
    while mine:
        hand = hand.choose(mine.pop())
    return hand


def face_up(lying: tuple[Face, ...]) -> tuple[Card, ...]:
    """Only the cards whose faces are known."""
    for face in lying:  # mostly all of them; called millions of times, and a plain loop is the fastest
        if type(face) is not Card:
            return tuple([face for face in lying if type(face) is Card])
    return lying  # type: ignore[return-value]  # every one of them is a card
