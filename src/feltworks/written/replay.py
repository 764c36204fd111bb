"""Plays a written round through the rules, the only authority on what is legal."""

from collections.abc import Sequence
from itertools import chain

from feltworks.cards import Card, cards
from feltworks.errors import ImpossibleRound, NotOffered, brief, one_of
from feltworks.money import MOST_CENTS
from feltworks.rules.advance import Answer, advance, lay_cards, peek_answer
from feltworks.rules.form import OneCard
from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, DEALER, FACE_DOWN, Face, Place, Round, Seat
from feltworks.rules.steps import Decide, Draw, Peek, Step, Turn, place_name
from feltworks.rules.terms import check_adjacent
from feltworks.written.record import FinishedRound, FinishedSeat
from feltworks.written.seat import SplitSeat, WrittenSeat

PlacedCards = dict[Place, tuple[Card, ...]]


def replay(game: Game, finished: FinishedRound) -> Round:
    """Play a written round through the rules; refuse one that cannot have happened."""
    round_ = open_round(game, finished)
    seats = read_seats(game, finished)
    lying = cards_by_place(game, finished, seats)
    game.terms.shoe.check_holds(chain.from_iterable(lying.values()))
    round_ = _deal(game, lying, round_)
    round_ = _play(game, seats, lying, round_)
    _check_nothing_left(seats, lying, round_)
    return round_


def open_round(game: Game, finished: FinishedRound) -> Round:
    """The written round with its opening wagers and no card dealt."""
    _check_spots(game, finished.seats)
    _check_amounts(finished)
    seats = [Seat(seat.wagers, (), (), seat.tokes) for seat in finished.seats]
    return game.open_round(seats, finished.meters)


def _check_spots(game: Game, seats: Sequence[FinishedSeat]) -> None:
    """FB.15, SP.24: check the number of spots, and that a player's spots are adjacent."""
    available = game.terms.spots or len(seats)
    if len(seats) <= available and all(seat.spot is None and seat.player is None for seat in seats):
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
    for player, own_spots in players.items():
        check_adjacent(game.terms, str(player), own_spots)


def _check_amounts(finished: FinishedRound) -> None:
    """Check that amounts of later wagers are whole cents."""
    for seat in finished.seats:
        for name, cents in seat.amounts:
            _check_cents(name, cents)
    for name, cents in finished.meters.items():
        _check_cents(name, cents)


def _check_cents(name: str, cents: object) -> None:
    if cents is not None and (type(cents) is not int or not 0 <= cents <= MOST_CENTS):
        raise ImpossibleRound(f"the {name} is a whole number of cents, not {brief(cents)}")


def read_seats(game: Game, finished: FinishedRound) -> list[WrittenSeat]:
    """A reader for every seat: of a list of hands, or of cards and choices."""
    hands = game.written.hands
    return [
        WrittenSeat(game, number, seat) if hands is None else SplitSeat(game, number, seat, hands)
        for number, seat in enumerate(finished.seats)
    ]


def cards_by_place(game: Game, finished: FinishedRound, seats: Sequence[WrittenSeat]) -> PlacedCards:
    """All written cards by their place."""
    lying = {DEALER: cards(dealer_cards(game, finished)), BOARD: cards(finished.board)}
    for number, seat in enumerate(seats):
        lying[number] = cards(seat.cards())
    return lying


def _deal(game: Game, lying: PlacedCards, round_: Round) -> Round:
    """Deal the first cards in one step, as no decision comes between them."""
    dealt: dict[Place, tuple[Face, ...]] = {}
    for step in game.procedure(round_):
        if type(step) is not Draw:
            break
        place, count = step.to, step.count
        there = dealt.get(place, ())
        faces = _take(lying, place, len(there), count)
        dealt[place] = there + ((FACE_DOWN,) * count if step.down else faces)
    return lay_cards(round_, dealt)


def _play(game: Game, seats: Sequence[WrittenSeat], lying: PlacedCards, round_: Round) -> Round:
    """Answer every step that the procedure yields, and repeat until it yields none."""
    while True:
        before = round_
        for step in game.procedure(round_):
            round_ = advance(round_, step, answer_step(seats, lying, step, round_))
        if round_ is before:
            return round_


def answer_step(seats: Sequence[WrittenSeat], lying: PlacedCards, step: Step, r: Round) -> Answer:
    """The written answer to a step."""
    if type(step) is Draw:
        place, count = step.to, step.count
        faces = _take(lying, place, len(r.at(place)), count)
        return (FACE_DOWN,) * count if step.down else faces
    if type(step) is Decide:
        choice = seats[step.seat].answer(step, r)
        if choice is None:
            raise NotOffered(step.seat, "nothing", step.offers, step.about)
        return choice
    if type(step) is Peek:
        return peek_answer(step, _take(lying, step.at, step.index, 1)[0])
    assert type(step) is Turn
    return _take(lying, step.at, step.index, step.count)


def _take(lying: PlacedCards, place: Place, begin: int, count: int) -> tuple[Card, ...]:
    faces = lying[place][begin : begin + count]
    if missing := count - len(faces):
        raise ImpossibleRound(f"{place_name(place)} is short of {_card_count(missing)} the rules require")
    return faces


def _card_count(number: int) -> str:
    return "a card" if number == 1 else f"{number} cards"


def _check_nothing_left(seats: Sequence[WrittenSeat], lying: PlacedCards, r: Round) -> None:
    for place, faces in lying.items():
        if extra := len(faces) - len(r.seats[place].cards if place >= 0 else r.at(place)):
            raise ImpossibleRound(f"{place_name(place)} has {_card_count(extra)} more than the rules allow")
    for number, seat in enumerate(seats, 1):
        if words := seat.left_over(r):
            raise ImpossibleRound(f"seat {number} chose {words}, and no such decision was open")


def dealer_cards(game: Game, finished: FinishedRound) -> Sequence[str]:
    """The dealer's cards in order; refuses cards in fields that the game does not read."""
    codes: list[str] = []
    for field in game.written.dealer:
        if isinstance(field, OneCard):
            codes.append(finished.dealer_card(field.name))
        else:
            codes += finished.dealer_list(field.name)
    names = [field.name for field in game.written.dealer]
    unread = [name for name, cards in finished.dealer.items() if cards and name not in names]
    if unread and names:  # a game may ignore the dealer's cards
        raise ImpossibleRound(f"the dealer's cards are written as {one_of(names)}, not as {one_of(unread)}")
    return codes
