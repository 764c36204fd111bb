"""Plays a written round through the rules, the only authority on what is legal.

A seat is read in its game's form: its cards, its answers, and anything left over.
"""

from collections.abc import Sequence
from functools import cached_property
from itertools import chain

from feltworks.cards import Card, cards
from feltworks.errors import ImpossibleRound, NotOffered, brief, one_of
from feltworks.money import MOST_CENTS
from feltworks.rules.advance import Answer, advance, lay_cards, peek_answer
from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, DEALER, FACE_DOWN, Choice, Face, Place, Round, Seat
from feltworks.rules.steps import Decide, Draw, Peek, Step, Turn, place_name
from feltworks.rules.terms import check_adjacent
from feltworks.rules.wager import Amount, HandList, OneCard
from feltworks.written.record import FinishedHand, FinishedRound, FinishedSeat


class WrittenSeat:
    """A seat with a list of cards, and its choices in the order they were made."""

    def __init__(self, game: Game, number: int, seat: FinishedSeat) -> None:
        self.game = game
        self.number = number
        self.seat = seat

    def cards(self) -> Sequence[str]:
        """The cards in the order on the felt."""
        return self._cards_by_form()

    def _cards_by_form(self) -> list[str]:
        codes: list[str] = []
        for field in self.game.written.seat:
            value = self.seat.under(field.name)
            if isinstance(field, OneCard):
                if value is None:
                    raise self._lacks_cards()
                codes.append(value)
            else:
                if field.count is not None and len(value) != field.count:
                    raise self._lacks_cards()
                codes += value
        return codes

    def _lacks_cards(self) -> ImpossibleRound:
        form = self.game.written
        return ImpossibleRound(form.seat_rule or f"a seat's cards are {one_of(f.name for f in form.seat)}")

    def answer(self, step: Decide, r: Round) -> Choice | None:
        """The seat's answer to a decision; None where there is none."""
        if amount := self._amount(step.about):
            return self._answer_amount(amount)
        given = self._count_listed(r)
        if not given and self.seat.choices is None:
            return None if self.seat.choice is None else Choice(self.seat.choice)
        listed = self.seat.listed_choices
        return listed[given] if given < len(listed) else None

    def _amount(self, about: str) -> Amount | None:
        """The amount that answers a decision, from the form of the game or of a bonus wager."""
        if amount := self.game.written.amounts.get(about):
            return amount
        return self.game.wagers[about].written if about in self.game.wagers else None

    def _answer_amount(self, amount: Amount) -> Choice:
        cents = self.seat.under(amount.name)
        return Choice(amount.choice, cents) if cents else Choice(amount.otherwise)

    def _count_listed(self, r: Round) -> int:
        """How many choices on the felt the seat lists by name."""
        return sum(self._amount(choice.about) is None for choice in r.seats[self.number].choices)

    def left_over(self, r: Round) -> str | None:
        """What the seat states in excess of its decisions."""
        if words := self._money_left_over(r):
            return words
        if self.seat.choices is None and self.seat.choice is None:
            return None
        given = self._count_listed(r)
        if self.seat.choices is None and given:
            return None
        extra = self.seat.listed_choices[given:]
        return one_of(choice.name for choice in extra) if extra else None

    def _money_left_over(self, r: Round) -> str | None:
        """An amount that the seat states and did not wager in full."""
        wagers = r.seats[self.number].wagers
        for name, cents in self.seat.amounts:
            if cents and cents != wagers.get(name):
                return f"{name} of {cents} cents"
        return None


class SplitSeat(WrittenSeat):
    """A seat with its first two cards, and its hands after a split or its further cards."""

    def __init__(self, game: Game, number: int, seat: FinishedSeat, form: HandList) -> None:
        super().__init__(game, number, seat)
        self._form = form

    @cached_property
    def _hands(self) -> list[FinishedHand]:
        """The hands in the order on the felt."""
        return order_hands(self._cards_by_form(), self.seat.hands)

    def cards(self) -> Sequence[str]:
        hands = self._hands
        if len(hands) == 1:
            return hands[0].cards
        split = [hands[0], hands[-1], *hands[-2:0:-1]]  # each begins with a card of the pair or of equal rank
        return [*(hand.cards[0] for hand in split), *(code for hand in hands for code in hand.cards[1:])]

    def answer(self, step: Decide, r: Round) -> Choice | None:
        if amount := self._amount(step.about):
            return self._answer_amount(amount)
        hands = self._hands
        if len(hands) == 1:  # the only hand has all cards of the seat
            return Choice(self._next_choice(hands[0], len(r.at(self.number))))
        lying = self._hands_on_felt(r)
        if len(lying) < len(hands):
            return Choice(self._form.split)
        active = int(step.about.removeprefix("hand ")) - 1
        return Choice(self._next_choice(hands[active], len(lying[active])))

    def _hands_on_felt(self, r: Round) -> Sequence[tuple[Card, ...]]:
        """The cards of each hand on the felt."""
        return self.game.part_cards(r, self.number, self._form.wager)

    def _next_choice(self, hand: FinishedHand, held: int) -> str:
        """The next choice of a hand that holds this many of its written cards."""
        form = self._form
        if hand.surrendered:
            return form.surrendered
        if hand.doubled and held == 2:
            return form.doubled
        return form.more if len(hand.cards) > held else form.enough

    def left_over(self, r: Round) -> str | None:
        if words := self._hands_left_over(r):
            return words
        if self.seat.choice is not None or self.seat.choices:
            return one_of(choice.name for choice in self.seat.listed_choices)
        return self._money_left_over(r)

    def _hands_left_over(self, r: Round) -> str | None:
        last = {choice.about: choice.name for choice in r.seats[self.number].choices}
        if len(self._hands) == 1:
            return self._end_left_over(self._hands[0], last.get("hand 1"))
        lying = self._hands_on_felt(r)
        if len(self._hands) > len(lying):  # a pair written as two hands of one card, where no decision was open
            return f"to {self._form.split}"
        for number, (hand, held) in enumerate(zip(self._hands, lying, strict=False), 1):
            if held != cards(hand.cards):
                return f"other cards for the hand {' '.join(hand.cards)}"
            if words := self._end_left_over(hand, last.get(f"hand {number}")):
                return words
        return None

    def _end_left_over(self, hand: FinishedHand, last: str | None) -> str | None:
        """What is left over of a hand whose last choice differs from the written one."""
        form = self._form
        if (last == form.doubled) == hand.doubled and (last == form.surrendered) == hand.surrendered:
            return None
        return f"to {form.doubled} or {form.surrendered}"


def order_hands(first_two: list[str], hands: list[FinishedHand] | None) -> list[FinishedHand]:
    """The written hands in the order on the felt: the first two cards outermost, resplits between."""
    if hands is None:
        return [FinishedHand(first_two)]
    if len(hands) == 1:
        if hands[0].cards[:2] != first_two:
            raise ImpossibleRound("an unsplit hand begins with the seat's two cards")
        return hands
    if not hands or not all(hand.cards for hand in hands):
        raise ImpossibleRound("a seat that lists its hands has at least one, and every hand has cards")
    rest = list(hands)
    ends = [_take_hand(rest, code) for code in first_two]
    return [ends[0], *rest, ends[1]]


def _take_hand(hands: list[FinishedHand], code: str) -> FinishedHand:
    """Remove and return the first hand that begins with this card."""
    for hand in hands:
        if hand.cards[0] == code:
            hands.remove(hand)
            return hand
    raise ImpossibleRound(f"split hands begin with one card of the pair each; none begins with {code}")


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
