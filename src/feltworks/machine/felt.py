"""A felt that holds hands instead of cards; rules that try to read a single card are refused."""

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
    """Raised when rules read single cards; the compiler can follow hands only."""

    def __init__(self) -> None:
        super().__init__("these rules read single cards instead of hands, so they cannot be compiled")


class NewReading(Exception):
    """Raised when rules read a hand or count that states do not hold yet; it was added, so compile again."""


class _NoCards(tuple[Any, ...]):
    """A stand-in for cards that raises an error when it is read."""

    __slots__ = ()

    def _refuse(self, *_: object) -> NoReturn:
        raise CardsRead

    __len__ = __iter__ = __getitem__ = __contains__ = __add__ = __radd__ = _refuse
    __bool__ = _refuse


NO_CARDS: Final = _NoCards()
_MOST_CARDS_ADDED: Final = 20_000  # a bound on the work of `_all_hands` for each number of cards


Own = Hand | tuple[Card, ...] | None  # a hand that a wager has of its own, or the house's cards of that hand


class PlaceState(Struct, frozen=True, gc=False):
    """The state of a place: how many cards lie there, which are face down, and the hands they make."""

    held: int = 0  # the number of cards, up to the highest that rules count
    backs: Backs = ()  # up to the last card dealt face down; None: face up
    hands: tuple[Hand, ...] = ()  # in the order of `Readings.hands`
    own: tuple[Own, ...] = ()  # by wager with a hand of its own


class SeatState(Struct, frozen=True, gc=False):
    """The state of a seat: everything that the rest of its round can depend on."""

    wagers: Amounts
    tokes: Amounts
    lying: PlaceState
    choices: tuple[Choice, ...] = ()  # choices that no hand records
    settled: frozenset[str] = frozenset()
    is_part: bool = False  # this is one of the hands of a split
    board: PlaceState | None = None  # kept here if hands combine the seat's cards and the board's

    @property
    def open_wagers(self) -> tuple[str, ...]:
        """The names of the wagers that are not settled, without duplicates."""
        return _open_wagers(self.wagers, self.tokes, self.settled)


@lru_cache(maxsize=1024)
def _open_wagers(wagers: Amounts, tokes: Amounts, settled: frozenset[str]) -> tuple[str, ...]:
    names = dict.fromkeys([name for name, _ in (*wagers, *tokes)])
    return tuple([name for name in names if name not in settled])


class HouseState(Struct, frozen=True, gc=False):
    """The state of the house: everything of the dealer's hand and the board that the round can depend on."""

    dealer: PlaceState
    board: PlaceState


class TooManyHands(Exception):
    """Raised when there are too many possible hands to compare the faces by what each adds to them."""


class Readings:
    """Lists the hands that the rules read at each place and how many cards they count; learned by calling them."""

    def __init__(
        self,
        owners: Mapping[str, HandOf[Any]],
        faces: Iterable[Card] = DECK,
        most_cards: Callable[[], int] = lambda: len(DECK),
    ) -> None:
        """`owners` are the wagers with hands of their own; `faces` the cards that can come.

        `most_cards` gives the most cards that can come; it is called only if a hand takes any number of cards.
        """
        self.hands: dict[Place, dict[tuple[Hand, int | None], int]] = {SEAT: {}, DEALER: {}, BOARD: {}}
        self.counted: dict[Place, int] = {SEAT: 0, DEALER: 0, BOARD: 0}
        self.owners, self._faces = owners, tuple(faces)
        self._grown: dict[Hand, tuple[Hand, ...]] = {}
        self._equal: dict[Any, Any] = {}
        self._readers = cache(self._list_readers)
        self.joint = {name: made.cards[0][0] == SEAT for name, made in owners.items()}
        # Hands of all the seat's and the board's cards in any order; these are kept in the seat's state
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
        """The index of this hand in a state; a new hand raises `NewReading`, as all states need it."""
        numbers = self.hands[kind]
        known = numbers.get((empty, at))
        if known is None:
            if empty.keeps_cards:
                raise CardsRead
            numbers[empty, at] = len(numbers)
            if at is not None:
                self.counted[kind] = max(self.counted[kind], at + 1)
            raise NewReading
        return known

    def count(self, kind: Place, index: int) -> None:
        """Make sure that states count the cards of this place at least up to this index."""
        if self.counted[kind] <= index:
            self.counted[kind] = index + 1
            raise NewReading

    def empty_place(self, kind: Place) -> PlaceState:
        """The state of a place without cards."""
        own: list[Own] = []
        for name, made in self.owners.items():
            reads = any(place == kind for place, _ in made.cards)
            reads = reads and (kind == SEAT or name not in self.over_board)
            own.append(None if not reads else made.empty if kind == SEAT or not self.joint[name] else ())
        return PlaceState(hands=tuple(empty for empty, _ in self.hands[kind]), own=tuple(own))

    # Transitions of a place

    def lay_down(self, lying: PlaceState, kind: Place, count: int) -> PlaceState:
        """The place after cards are dealt face down."""
        self.count(kind, lying.held + count - 1)
        open_ = (None,) * (lying.held - len(lying.backs))
        backs = (*lying.backs, *open_, *((Back(),) * count))
        return PlaceState(lying.held + count, backs, lying.hands, lying.own)

    def draw(self, lying: PlaceState, kind: Place, faces: Faces) -> list[PlaceState]:
        """The place after each of these faces is dealt face up."""
        held = min(lying.held + 1, self.counted[kind])
        return self._add(lying, kind, faces, lying.held, held, lying.backs)

    def turn(self, lying: PlaceState, kind: Place, index: int, faces: Faces) -> list[PlaceState]:
        """The place after the card at this index is turned and shows each of these faces."""
        backs = (*lying.backs[:index], None, *lying.backs[index + 1 :])
        return self._add(lying, kind, faces, index, lying.held, backs)

    def bar(self, lying: PlaceState, index: int, wanted: frozenset[Card]) -> PlaceState:
        """The place after the dealer looked at a card that stays face down: it is none of the wanted ones."""
        back = lying.backs[index]
        assert back is not None
        backs = (*lying.backs[:index], Back(back.barring | wanted), *lying.backs[index + 1 :])
        return PlaceState(lying.held, backs, lying.hands, lying.own)

    def add_shared(self, lying: PlaceState, card: Card) -> PlaceState:
        """The seat's place after a card of the board that its hands include."""
        names = zip(self.owners, lying.own, strict=True)
        own = [hand.add(card) if name in self.over_board and isinstance(hand, Hand) else hand for name, hand in names]
        return PlaceState(lying.held, lying.backs, lying.hands, tuple(own))

    def _add(
        self, lying: PlaceState, kind: Place, faces: Faces, index: int, held: int, backs: Backs
    ) -> list[PlaceState]:
        """The place after each face; equal results are one object."""
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
        """A hand after each face; cached for the whole list of faces, and equal hands are one object."""
        if faces is not self._faces:
            return tuple(map(hand.add, faces))
        known = self._grown.get(hand)
        if known is None:
            one = self._equal.setdefault
            known = self._grown[hand] = tuple([one(more, more) for more in map(hand.add, faces)])
        return known

    def _own_rows(self, own: tuple[Own, ...], kind: Place, faces: Faces, index: int) -> list[tuple[Own, ...]]:
        """As `_grow`, for the hands that wagers have of their own."""
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
            (name, any(place == kind and at in (None, index) for place, at in hand_of.cards))
            for name, hand_of in self.owners.items()
        ]


def _is_over_board(hand_of: HandOf[Any]) -> bool:
    """Whether a hand takes all of the seat's cards and all of the board's, in any order."""
    return hand_of.empty.any_order and set(hand_of.cards) == {(SEAT, None), (BOARD, None)}


def _alike(
    hand_of: HandOf[Any], faces: Sequence[Card], most_cards: Callable[[], int]
) -> Iterator[tuple[tuple[Place, int | None], dict[Card, Card]]]:
    """For each of the house's cards in a hand: which faces have the same effect on every hand before it."""
    hands = {hand_of.empty}
    for number, (place, index) in enumerate(hand_of.cards, 1):
        if index is None:  # any number of cards may come before this one
            try:
                same = _equal_faces(_all_hands(hand_of.empty, faces, most_cards()), faces)
            except TooManyHands:
                return
            yield from (((place, None), same) for place, index in hand_of.cards[number - 1 :] if place != SEAT)
            return
        if place != SEAT:
            yield (place, index), _equal_faces(hands, faces)
        if number < len(hand_of.cards):
            hands = {hand.add(card) for hand in hands for card in faces}


def _all_hands(empty: Hand, faces: Sequence[Card], most_cards: int) -> Iterator[Hand]:
    """Every hand of fewer than `most_cards` cards."""
    known, ahead = {empty}, [empty]
    for _ in range(most_cards):
        yield from ahead
        if len(ahead) * len(faces) > _MOST_CARDS_ADDED:
            raise TooManyHands
        try:
            ahead = list({hand.add(card) for hand in ahead for card in faces} - known)
        except Exception as fault:  # a hand may refuse more cards than its game deals
            raise TooManyHands from fault
        known.update(ahead)


def _equal_faces(hands: Iterable[Hand], faces: Sequence[Card]) -> dict[Card, Card]:
    """Maps each face to the first face with the same effect on all these hands."""
    classes = dict.fromkeys(faces, 0)
    for hand in hands:
        numbers: dict[tuple[int, Hand], int] = {}
        classes = {c: numbers.setdefault((kind, hand.add(c)), len(numbers)) for c, kind in classes.items()}
        if len(numbers) == len(faces):  # all faces differ
            break
    stands: dict[int, Card] = {}
    return {face: stands.setdefault(kind, face) for face, kind in classes.items()}


class Felt(Round, frozen=True):
    """A round that holds hands instead of cards; rules that only read hands work on it unchanged."""

    states: tuple[SeatState, ...] = ()
    house: HouseState = HouseState(PlaceState(), PlaceState())
    lying: tuple[PlaceState, ...] = ()  # by place: the seats, then the board and the dealer, whose numbers are below 0
    readings: Readings | None = None
    facts: Facts | None = None  # records what the rules read of the house's hands, if given

    def at(self, place: Place) -> NoReturn:
        raise CardsRead

    def hand(self, place: Place, empty: H, at: int | None = None) -> H:
        assert self.readings is not None
        kind = SEAT if place >= 0 else place
        index = self.readings.place(empty, at, kind)
        hand: Any = self.lying[place].hands[index]
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
        lying = self.lying[place]
        return index < lying.held or index < len(lying.backs)

    def is_turned(self, place: Place, index: int) -> bool:
        return self.lies(place, index) and self.back(place, index) is None

    def back(self, place: Place, index: int) -> Back | None:
        backs = self.lying[place].backs
        return backs[index] if index < len(backs) else None

    def is_settled(self, seat: int, wager: str) -> bool:
        return wager in self.states[seat].settled


def own_hand(mine: PlaceState, house: HouseState, index: int, *, joint: bool) -> Any:
    """The hand that a wager has of its own; a joint one adds the house's cards to the seat's."""
    if not joint:
        dealer = house.dealer.own[index]
        return house.board.own[index] if dealer is None else dealer
    hand: Any = mine.own[index]
    for card in shown_cards(house, index):
        hand = hand.add(card)
    return hand


def shown_cards(house: HouseState, index: int) -> tuple[Card, ...]:
    """The house's cards of a joint hand."""
    dealer, board = house.dealer.own[index], house.board.own[index]
    return (dealer if type(dealer) is tuple else ()) + (board if type(board) is tuple else ())


def lay_felt(
    readings: Readings,
    states: tuple[SeatState, ...],
    house: HouseState,
    meters: Mapping[str, Cents],
    facts: Facts | None = None,
) -> Felt:
    """Make the felt of these states for the rules to read."""
    seats = tuple([Seat(dict(s.wagers), NO_CARDS, s.choices, dict(s.tokes)) for s in states])
    lying = (*[s.lying for s in states], house.board, house.dealer)
    return Felt(seats, NO_CARDS, NO_CARDS, meters, states, house, lying, readings, facts)
