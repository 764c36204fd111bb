"""A felt without cards: it holds what the rules have made of them, and refuses to show a single one."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Final, NoReturn

from msgspec import Struct

from feltworks.cards import DECK, Card
from feltworks.errors import FeltError
from feltworks.hands.hand import Hand
from feltworks.machine.facts import Facts, Probe
from feltworks.money import Cents
from feltworks.rules.round import BOARD, DEALER, SEAT, Back, Choice, H, HandOf, Place, Round, Seat

Amounts = tuple[tuple[str, Cents], ...]
Backs = tuple[Back | None, ...]
Faces = tuple[Card, ...]


class CardsRead(FeltError):
    """Rules that look at single cards; a machine follows hands only."""

    def __init__(self) -> None:
        super().__init__("these rules read single cards instead of hands, so they cannot be compiled")


class NewReading(Exception):
    """The rules ask for something that the states do not keep yet: keep it and compile again."""


class _NoCards(tuple[Any, ...]):
    """Takes the place of cards and refuses to be read."""

    __slots__ = ()

    def _refuse(self, *_: object) -> NoReturn:
        raise CardsRead

    __len__ = __iter__ = __getitem__ = __contains__ = __add__ = __radd__ = _refuse
    __bool__ = _refuse


NO_CARDS: Final = _NoCards()
_MOST_CARDS_ADDED: Final = 20_000  # to hands of as many cards, to see which faces make the same of them


Own = Hand | tuple[Card, ...] | None  # a hand of a wager's own, or the house's cards in it


class PlaceState(Struct, frozen=True, gc=False):
    """What lies at a place: how many cards, which of them face down, and the hands they make."""

    held: int = 0  # cards, as far as their number can matter
    backs: Backs = ()  # up to the last card that came face down; None: turned
    hands: tuple[Hand, ...] = ()  # as the readings list them
    own: tuple[Own, ...] = ()  # for the wagers with hands of their own


class SeatState(Struct, frozen=True, gc=False):
    """All that the future of a seat can depend on."""

    wagers: Amounts
    tokes: Amounts
    lying: PlaceState
    choices: tuple[Choice, ...] = ()  # those that no hand takes
    settled: frozenset[str] = frozenset()
    is_part: bool = False  # one of several hands into which the seat's was divided
    board: PlaceState | None = None  # where hands are made of the seat's cards and the board's together

    @property
    def open_wagers(self) -> tuple[str, ...]:
        """The wagers that are not settled, each once."""
        return _open_wagers(self.wagers, self.tokes, self.settled)


@lru_cache(maxsize=1024)
def _open_wagers(wagers: Amounts, tokes: Amounts, settled: frozenset[str]) -> tuple[str, ...]:
    names = dict.fromkeys([name for name, _ in (*wagers, *tokes)])
    return tuple([name for name in names if name not in settled])


class HouseState(Struct, frozen=True, gc=False):
    """All that the future of the dealer's hand and the board can depend on."""

    dealer: PlaceState
    board: PlaceState


class TooManyHands(Exception):
    """A wager's hand can be too many to compare what each face makes of all of them."""


class Readings:
    """Which hands the rules read at each place, and how many cards they count there; found by asking them."""

    def __init__(
        self,
        owners: Mapping[str, HandOf[Any]],
        faces: Iterable[Card] = DECK,
        most_cards: Callable[[], int] = lambda: len(DECK),
    ) -> None:
        """`owners` are the wagers with hands of their own; `faces` the cards that can come.

        `most_cards` says how many can come at most; it is asked only where a hand takes any number of cards.
        """
        self.hands: dict[Place, dict[tuple[Hand, int | None], int]] = {SEAT: {}, DEALER: {}, BOARD: {}}
        self.counted: dict[Place, int] = {SEAT: 0, DEALER: 0, BOARD: 0}
        self.owners, self._faces = owners, tuple(faces)
        self._grown: dict[Hand, tuple[Hand, ...]] = {}
        self._equal: dict[Any, Any] = {}
        self._readers = cache(self._list_readers)
        self.joint = {name: made.cards[0][0] == SEAT for name, made in owners.items()}
        # Hands of all cards of the seat and the board, in whatever order they come: the seat keeps them
        self.over_board = frozenset(name for name, made in owners.items() if _is_over_board(made))
        for made in owners.values():
            for place, index in made.cards:
                if index is not None:
                    self.counted[place] = max(self.counted[place], index + 1)
        self._alike = {
            (name, *part): alike
            for name, made in owners.items()
            if self.joint[name] and name not in self.over_board
            for part, alike in _alike(made, self._faces, most_cards)
        }  # by wager, place and index; None for all cards of the place

    def place(self, empty: Hand, at: int | None, kind: Place) -> int:
        """Where a state keeps this hand; a new one has to be kept from the beginning."""
        listed = self.hands[kind]
        if empty.keeps_cards:
            raise CardsRead
        if (empty, at) not in listed:
            listed[empty, at] = len(listed)
            if at is not None:
                self.counted[kind] = max(self.counted[kind], at + 1)
            raise NewReading
        return listed[empty, at]

    def count(self, kind: Place, index: int) -> None:
        """Make sure that states tell how many cards lie there, at least up to this index."""
        if self.counted[kind] <= index:
            self.counted[kind] = index + 1
            raise NewReading

    def empty_place(self, kind: Place) -> PlaceState:
        """A place before any card."""
        own: list[Own] = []
        for name, made in self.owners.items():
            reads = any(place == kind for place, _ in made.cards)
            reads = reads and (kind == SEAT or name not in self.over_board)
            own.append(None if not reads else made.empty if kind == SEAT or not self.joint[name] else ())
        return PlaceState(hands=tuple(empty for empty, _ in self.hands[kind]), own=tuple(own))

    # What happens at a place

    def lay_down(self, lying: PlaceState, kind: Place, count: int) -> PlaceState:
        """Cards come face down."""
        self.count(kind, lying.held + count - 1)
        open_ = (None,) * (lying.held - len(lying.backs))
        backs = (*lying.backs, *open_, *((Back(),) * count))
        return PlaceState(lying.held + count, backs, lying.hands, lying.own)

    def draw(self, lying: PlaceState, kind: Place, faces: Faces) -> list[PlaceState]:
        """A card comes face up: any of these."""
        held = min(lying.held + 1, self.counted[kind])
        return self._add(lying, kind, faces, lying.held, held, lying.backs)

    def turn(self, lying: PlaceState, kind: Place, index: int, faces: Faces) -> list[PlaceState]:
        """A card that lay face down is turned: any of these."""
        backs = (*lying.backs[:index], None, *lying.backs[index + 1 :])
        return self._add(lying, kind, faces, index, lying.held, backs)

    def bar(self, lying: PlaceState, index: int, wanted: frozenset[Card]) -> PlaceState:
        """A card that the dealer has looked at stays face down."""
        back = lying.backs[index]
        assert back is not None
        backs = (*lying.backs[:index], Back(back.barring | wanted), *lying.backs[index + 1 :])
        return PlaceState(lying.held, backs, lying.hands, lying.own)

    def add_shared(self, lying: PlaceState, card: Card) -> PlaceState:
        """What a seat holds when a card of the board belongs to its hands."""
        names = zip(self.owners, lying.own, strict=True)
        own = [hand.add(card) if name in self.over_board and isinstance(hand, Hand) else hand for name, hand in names]
        return PlaceState(lying.held, lying.backs, lying.hands, tuple(own))

    def _add(
        self, lying: PlaceState, kind: Place, faces: Faces, index: int, held: int, backs: Backs
    ) -> list[PlaceState]:
        """What lies there after each face; where several come to the same, it is one object."""
        takes = [at is None or at == index for _, at in self.hands[kind]]
        hands = [
            self._grow(hand, faces) if takes_it else (hand,) * len(faces)
            for hand, takes_it in zip(lying.hands, takes, strict=True)
        ]
        own = self._own_rows(lying.own, kind, faces, index) if lying.own else []
        places: dict[tuple[int, ...], PlaceState] = {}
        row = []
        for column in zip(*hands, *own, strict=True) if hands or own else [()] * len(faces):
            key = tuple(map(id, column))
            place = places.get(key)
            if place is None:
                place = places[key] = PlaceState(held, backs, column[: len(hands)], column[len(hands) :])
            row.append(place)
        return row

    def _grow(self, hand: Hand, faces: Faces) -> tuple[Hand, ...]:
        """A hand with each face: of all that can come it is worked out once, and equal hands are one object."""
        if faces is not self._faces:
            return tuple(map(hand.add, faces))
        known = self._grown.get(hand)
        if known is None:
            one = self._equal.setdefault
            known = self._grown[hand] = tuple([one(more, more) for more in map(hand.add, faces)])
        return known

    def _own_rows(self, own: tuple[Own, ...], kind: Place, faces: Faces, index: int) -> list[tuple[Own, ...]]:
        """The same for the hands of wagers that have their own."""
        rows: list[tuple[Own, ...]] = []
        for hand, (name, reads) in zip(own, self._readers(kind, index), strict=True):
            if hand is None or not reads:
                rows.append((hand,) * len(faces))
            elif isinstance(hand, tuple):
                alike = self._alike.get((name, kind, index)) or self._alike.get((name, kind, None), {})
                shown = [(*hand, alike.get(card, card)) for card in faces]
                rows.append(tuple([self._equal.setdefault(cards, cards) for cards in shown]))
            else:
                rows.append(self._grow(hand, faces))
        return rows

    def _list_readers(self, kind: Place, index: int) -> list[tuple[str, bool]]:
        """The wagers with hands of their own, and whether this card belongs to them."""
        return [
            (name, any(place == kind and at in (None, index) for place, at in made.cards))
            for name, made in self.owners.items()
        ]


def _is_over_board(made: HandOf[Any]) -> bool:
    """Whether a hand is made of all cards of the seat and all of the board's, in any order."""
    return made.empty.any_order and set(made.cards) == {(SEAT, None), (BOARD, None)}


def _alike(
    made: HandOf[Any], faces: Sequence[Card], most_cards: Callable[[], int]
) -> Iterator[tuple[tuple[Place, int | None], dict[Card, Card]]]:
    """For each of the house's cards in a hand: which faces make the same of all hands before it."""
    hands = {made.empty}
    for number, (place, index) in enumerate(made.cards, 1):
        if index is None:  # any number of cards may have come before
            try:
                same = _equal_faces(_all_hands(made.empty, faces, most_cards()), faces)
            except TooManyHands:
                return
            yield from (((place, None), same) for place, index in made.cards[number - 1 :] if place != SEAT)
            return
        if place != SEAT:
            yield (place, index), _equal_faces(hands, faces)
        if number < len(made.cards):
            hands = {hand.add(card) for hand in hands for card in faces}


def _all_hands(empty: Hand, faces: Sequence[Card], most_cards: int) -> Iterator[Hand]:
    """Every hand of at most so many cards."""
    known, ahead = {empty}, [empty]
    for _ in range(most_cards):
        yield from ahead
        if len(ahead) * len(faces) > _MOST_CARDS_ADDED:
            raise TooManyHands
        try:
            ahead = list({hand.add(card) for hand in ahead for card in faces} - known)
        except Exception as fault:  # a hand may refuse more cards than its rules ever give it
            raise TooManyHands from fault
        known.update(ahead)


def _equal_faces(hands: Iterable[Hand], faces: Sequence[Card]) -> dict[Card, Card]:
    """For each face the first that makes the same of all these hands."""
    classes = dict.fromkeys(faces, 0)
    for hand in hands:
        numbers: dict[tuple[int, Hand], int] = {}
        classes = {c: numbers.setdefault((kind, hand.add(c)), len(numbers)) for c, kind in classes.items()}
        if len(numbers) == len(faces):  # all are different
            break
    stands: dict[int, Card] = {}
    return {face: stands.setdefault(kind, face) for face, kind in classes.items()}


class Felt(Round, frozen=True):
    """A round that holds hands instead of cards; rules that read hands cannot tell the difference."""

    states: tuple[SeatState, ...] = ()
    house: HouseState = HouseState(PlaceState(), PlaceState())
    readings: Readings | None = None
    facts: Facts | None = None  # where they are noted: what the rules learn of the house's hands

    def at(self, place: Place) -> NoReturn:
        raise CardsRead

    def hand(self, place: Place, empty: H, at: int | None = None) -> H:
        assert self.readings is not None
        kind = SEAT if place >= 0 else place
        index = self.readings.place(empty, at, kind)
        hand: Any = self._lying(place).hands[index]
        if self.facts is not None and place < 0 and not (place == BOARD and self.readings.over_board):
            hand = Probe(hand, (place, index), self.facts)
        return hand  # type: ignore[no-any-return]  # kept under its own empty hand

    def hand_of(self, made: HandOf[H], seat: int) -> H:
        assert self.readings is not None
        for index, (name, other) in enumerate(self.readings.owners.items()):
            if other is not made or name in self.states[seat].settled:
                continue
            over_board = name in self.readings.over_board
            if self.facts is not None and not over_board and any(place != SEAT for place, _ in made.cards):
                self.facts.is_whole = True
            joint = self.readings.joint[name]
            hand: H = own_hand(self.states[seat].lying, self.house, index, joint=joint)
            return hand
        raise CardsRead

    def lies(self, place: Place, index: int) -> bool:
        assert self.readings is not None
        self.readings.count(SEAT if place >= 0 else place, index)
        lying = self._lying(place)
        return index < lying.held or index < len(lying.backs)

    def is_turned(self, place: Place, index: int) -> bool:
        return self.lies(place, index) and self.back(place, index) is None

    def back(self, place: Place, index: int) -> Back | None:
        backs = self._lying(place).backs
        return backs[index] if index < len(backs) else None

    def is_settled(self, seat: int, wager: str) -> bool:
        return wager in self.states[seat].settled

    def _lying(self, place: Place) -> PlaceState:
        if place >= 0:
            return self.states[place].lying
        return self.house.dealer if place == DEALER else self.house.board


def own_hand(mine: PlaceState, house: HouseState, index: int, *, joint: bool) -> Any:
    """The hand of a wager that has its own; a joint one is made of the seat's cards, then the house's."""
    if not joint:
        dealer = house.dealer.own[index]
        return house.board.own[index] if dealer is None else dealer
    hand: Any = mine.own[index]
    for card in shown_cards(house, index):
        hand = hand.add(card)
    return hand


def shown_cards(house: HouseState, index: int) -> tuple[Card, ...]:
    """The house's cards in a joint hand."""
    dealer, board = house.dealer.own[index], house.board.own[index]
    return (dealer if type(dealer) is tuple else ()) + (board if type(board) is tuple else ())


def lay_felt(
    readings: Readings,
    states: tuple[SeatState, ...],
    house: HouseState,
    meters: Mapping[str, Cents],
    facts: Facts | None = None,
) -> Felt:
    """A felt with these states on it, for the rules to read."""
    seats = tuple([Seat(dict(s.wagers), NO_CARDS, s.choices, dict(s.tokes)) for s in states])
    return Felt(seats, NO_CARDS, NO_CARDS, meters, states, house, readings, facts)
