"""A finished round as it is written down, and its replay through the grammar: legality lives there alone."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

from msgspec import UNSET, Struct, UnsetType, field
from msgspec.structs import replace

from feltworks.cards import Card, cards
from feltworks.errors import ImpossibleRound, NotOffered, brief, one_of
from feltworks.money import MOST_CENTS, Cents
from feltworks.rules.advance import Answer, advance, laid_together
from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, DEALER, FACE_DOWN, Back, Choice, Face, Place, Round, Seat
from feltworks.rules.steps import Decide, Draw, Peek, Step, Turn, place_name


class SpokenChoice(Struct, forbid_unknown_fields=True):
    """A choice with the amount it put down."""

    name: str
    cents: Cents | None = None
    about: str = ""


class FinishedHand(Struct, forbid_unknown_fields=True):
    """One hand of a blackjack spot."""

    cards: list[str]
    doubled: bool = False
    surrendered: bool = False


class FinishedSeat(Struct, forbid_unknown_fields=True):
    """A seat of a finished round; which fields count is the game's affair."""

    wagers: dict[str, Any]
    cards: list[str] = []
    third: str | None = None
    choice: str | None = None
    choices: list[str | SpokenChoice] | None = None
    raise_: Any = field(name="raise", default=0)
    insurance: Any = 0
    hands: list[FinishedHand] | None = None
    tokes: dict[str, Any] = {}
    player: str | int | None = None
    spot: int | None = None

    @property
    def spoken(self) -> list[Choice]:
        """The choices in the order they were made."""
        if self.choice is not None and self.choices is not None:
            raise ImpossibleRound("a seat says its choice, or its choices in order, but not both")
        if self.choices is None:
            return [] if self.choice is None else [Choice(self.choice)]
        return [Choice(s) if isinstance(s, str) else Choice(s.name, s.cents, s.about) for s in self.choices]


class FinishedRound(Struct, forbid_unknown_fields=True):
    """One finished round, as `felt settle` reads it."""

    game: str
    seats: list[FinishedSeat]
    dealer: dict[str, Any] = {}
    board: list[str] = []
    pay_tables: dict[str, str] = {}
    options: dict[str, Any] = {}
    jackpot: Any = UNSET
    limit: Cents | None = None
    date: str | None = None
    void: str | None = None

    @property
    def meters(self) -> dict[str, Cents]:
        posted = self.jackpot
        return {} if isinstance(posted, UnsetType) or posted is None else {"jackpot": posted}

    def dealer_card(self, key: str) -> str:
        """One card of the dealer's by its name."""
        code = self.dealer.get(key)
        if not isinstance(code, str):
            raise ImpossibleRound(f"the dealer's {key} card is missing")
        return code

    def dealer_list(self, key: str) -> list[str]:
        """Several cards of the dealer's."""
        listed = self.dealer.get(key)
        if listed is not None and not isinstance(listed, list):
            raise ImpossibleRound(f"the dealer's {key} is a list of cards")
        return listed or []


Lying = dict[Place, tuple[Card, ...]]


def replay(game: Game[Any], finished: FinishedRound) -> Round:
    """Play a written round through the grammar; refuses what cannot have happened."""
    round_ = open_written(game, finished)
    lying = _written_cards(game, finished)
    game.terms.shoe.check_holds(chain.from_iterable(lying.values()))
    round_ = _opening_deal(game, lying, round_)
    round_ = _play(game, finished, lying, round_)
    _check_nothing_left(game, finished, lying, round_)
    return round_


def _opening_deal(game: Game[Any], lying: Lying, round_: Round) -> Round:
    """Lay the cards of the first deal together: nothing is decided between them."""
    dealt: dict[Place, tuple[Face, ...]] = {}
    for step in game.procedure(round_):
        if type(step) is not Draw:
            break
        place, count = step.to, step.count
        there = dealt.get(place, ())
        faces = _taken(lying, place, len(there), count)
        dealt[place] = there + ((FACE_DOWN,) * count if step.down else faces)
    return laid_together(round_, dealt)


def _play(game: Game[Any], finished: FinishedRound, lying: Lying, round_: Round) -> Round:
    """Answer all that one reading of the felt yields, and read it again until nothing is missing."""
    while True:
        before = round_
        for step in game.procedure(round_):
            round_ = advance(round_, step, _answer(game, finished, lying, step, round_))
        if round_ is before:
            return round_


def open_written(game: Game[Any], finished: FinishedRound) -> Round:
    """The written round with its opening wagers down and no card dealt."""
    check_spots(game, finished.seats)
    _check_amounts(finished)
    seats = [Seat(seat.wagers, (), (), seat.tokes) for seat in finished.seats]
    return game.open_round(seats, finished.meters)


def _check_amounts(finished: FinishedRound) -> None:
    """Money that is said beside the opening wagers is whole cents too."""
    for seat in finished.seats:
        if type(seat.raise_) is not int or seat.raise_:  # most often nothing was said
            _check_cents("raise", seat.raise_)
        if type(seat.insurance) is not int or seat.insurance:
            _check_cents("insurance", seat.insurance)
    for name, cents in finished.meters.items():
        _check_cents(name, cents)


def _check_cents(name: str, cents: object) -> None:
    if cents is not None and (type(cents) is not int or not 0 <= cents <= MOST_CENTS):
        raise ImpossibleRound(f"the {name} is a whole number of cents, not {brief(cents)}")


def check_spots(game: Game[Any], seats: Sequence[FinishedSeat]) -> None:
    """FB.15, SP.24: how many spots there are, and how many adjacent ones a player may take."""
    available = game.terms.spots or len(seats)
    named = [seat for seat in seats if seat.spot is not None or seat.player is not None]
    if len(seats) <= available and not named:
        return
    spots = [number if seat.spot is None else seat.spot for number, seat in enumerate(seats, 1)]
    if len(seats) > available or min(spots, default=1) < 1 or max(spots, default=1) > available:
        raise ImpossibleRound(f"the table has spots 1 to {available}")
    if spots != sorted(set(spots)):
        raise ImpossibleRound("seats are listed by spot from the dealer's left, each spot once")
    players: dict[str | int, list[int]] = {}
    for spot, seat in zip(spots, seats, strict=True):
        if seat.player is not None:
            players.setdefault(seat.player, []).append(spot)
    for player, taken in players.items():
        check_adjacent(game, str(player), taken)


def check_adjacent(game: Game[Any], player: str, taken: Sequence[int]) -> None:
    """One player's spots lie side by side and are no more than the house allows."""
    most = game.terms.spots_per_player
    if most is None:
        return
    if len(taken) > most or max(taken) - min(taken) >= len(taken):
        raise ImpossibleRound(
            f"player {player} may play {'one spot' if most == 1 else f'{most} adjacent spots'} at most"
        )


def _written_cards(game: Game[Any], finished: FinishedRound) -> Lying:
    lying = {DEALER: cards(_dealers_cards(game, finished)), BOARD: cards(finished.board)}
    for number, seat in enumerate(finished.seats):
        lying[number] = cards(game.seat_cards(seat))
    return lying


def _dealers_cards(game: Game[Any], finished: FinishedRound) -> Sequence[str]:
    """The dealer's cards; one under a name that the game does not read is refused, not passed over."""
    codes = game.dealer_cards(finished)
    written = 0
    for listed in finished.dealer.values():
        written += len(listed) if type(listed) is list else listed is not None
    if written <= len(codes):
        return codes
    read = _Names(finished.dealer)
    game.dealer_cards(replace(finished, dealer=read))
    unread = [name for name in finished.dealer if name not in read.asked]
    if not unread or not read.asked:  # a game may leave cards aside, or read them in a way of its own
        return codes
    raise ImpossibleRound(f"the dealer's cards are written as {one_of(read.asked)}, not as {one_of(unread)}")


class _Names(dict[str, Any]):
    """Remembers which names it was asked for."""

    def __init__(self, written: dict[str, Any]) -> None:
        super().__init__(written)
        self.asked: dict[str, None] = {}

    def get(self, name: str, default: Any = None) -> Any:
        self.asked[name] = None
        return super().get(name, default)

    def __getitem__(self, name: str) -> Any:
        self.asked[name] = None
        return super().__getitem__(name)


def _answer(game: Game[Any], finished: FinishedRound, lying: Lying, step: Step, r: Round) -> Answer:
    if type(step) is Draw:
        place, count = step.to, step.count
        faces = _taken(lying, place, len(r.at(place)), count)
        return (FACE_DOWN,) * count if step.down else faces
    if type(step) is Decide:
        choice = game.answer(finished.seats[step.seat], step, r)
        if choice is None:
            raise NotOffered(step.seat, "nothing", step.offers, step.about)
        return choice
    if type(step) is Peek:
        return peeked(step, _taken(lying, step.at, step.index, 1)[0])
    assert type(step) is Turn
    return _taken(lying, step.at, step.index, step.count)


def peeked(step: Peek, face: Card) -> tuple[Face, ...]:
    """What a peek shows: the card if it was wanted, otherwise a back that says what it is not."""
    return (face,) if face in step.wanted else (Back(barring=step.wanted),)


def _taken(lying: Lying, place: Place, begin: int, count: int) -> tuple[Card, ...]:
    faces = lying[place][begin : begin + count]
    if missing := count - len(faces):
        raise ImpossibleRound(f"{place_name(place)} is short of {_so_many(missing)} the rules require")
    return faces


def _so_many(cards: int) -> str:
    return "a card" if cards == 1 else f"{cards} cards"


def _check_nothing_left(game: Game[Any], finished: FinishedRound, lying: Lying, r: Round) -> None:
    for place, faces in lying.items():
        if extra := len(faces) - len(r.seats[place].cards if place >= 0 else r.at(place)):
            raise ImpossibleRound(f"{place_name(place)} has {_so_many(extra)} more than the rules allow")
    for number, played in enumerate(r.seats):
        if said := game.unanswered(finished.seats[number], played):
            raise ImpossibleRound(f"seat {number + 1} chose {said}, and no such decision was open")
