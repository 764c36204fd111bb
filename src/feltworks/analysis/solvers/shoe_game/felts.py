"""A seat and a dealer on a felt that holds hands and no cards: what the rules want next, and what they pay.

A rule that looks at a single card is refused here, so whatever is asked on such a felt holds for all cards
that make the same hands. `Seats` numbers the states of a seat: what the rules offer in each, and where
cards lead.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.solvers.numbers import Bools
from feltworks.cards import DECK, Card
from feltworks.errors import FeltError
from feltworks.hands.blackjack import points
from feltworks.hands.spot import Spot, SpotHand
from feltworks.machine.felt import CardsRead, HouseState, NewReading, Readings, SeatState, lay_felt
from feltworks.money import Cents, Odds
from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, DEALER, SEAT, Choice, Round
from feltworks.rules.steps import Decide, Draw, Offer, Peek, Step, Turn

T = TypeVar("T")
UNIT: Final[Cents] = 100_00  # on a hand, to be divided by again


_NO_SPOT: Final = Spot(())


class NoShoeGame(FeltError):
    """Rules that deal otherwise than to a seat and a dealer who draws, or that look at more than hands."""

    def __init__(self, game: Game, because: str) -> None:
        super().__init__(f"{game.terms.rulebook.title} is not solved as a game with split hands: {because}")


class FeltState(Struct, frozen=True, gc=False):
    """What lies on the felt."""

    seat: SeatState
    house: HouseState

    @property
    def spot(self) -> Spot:
        """The hands of the seat."""
        return next((hand for hand in self.seat.lying.hands if isinstance(hand, Spot)), _NO_SPOT)

    def takes(self, about: str) -> bool:
        """Whether a choice on this decision becomes part of the seat's hands."""
        return any(hand.takes(about) for hand in self.seat.lying.hands)

    def hand(self, place: int) -> SpotHand:
        """One of the seat's hands."""
        return self.spot.hands[place]


class Pay(Struct, frozen=True):
    """How one hand came out: in the game's words, what it nets and what lay on it, a hand's wager being 1."""

    outcome: str
    net: Fraction
    wagered: Fraction


class Felts:
    """The felts of one seat with a wager; `NewReading` says that a hand is missing: lay them anew."""

    def __init__(self, game: Game, readings: Readings, wager: str, *, is_known: bool = False) -> None:
        self.game, self.readings, self.wager = game, readings, wager
        self.is_known = is_known  # all hands that the rules read: others are refused

    def empty_felt(self) -> FeltState:
        """Before the first card."""
        empty = self.readings.empty_place
        seat = SeatState(((self.wager, UNIT),), (), empty(SEAT))
        return FeltState(seat, HouseState(empty(DEALER), empty(BOARD)))

    def awaits(self, lying: FeltState) -> Step | None:
        """What has to happen next, None where the round is over."""
        return self._ask(self.game.awaits, lying)

    def _ask(self, question: Callable[[Round], T], lying: FeltState) -> T:
        try:
            return question(lay_felt(self.readings, (lying.seat,), lying.house, {}))
        except CardsRead:
            raise self.refuse("its rules look at single cards") from None
        except NewReading:
            if self.is_known:
                raise self.refuse("its rules read further hands as play goes on") from None
            raise

    def draw(self, lying: FeltState, card: Card) -> FeltState:
        """A card comes to the seat."""
        (drawn,) = self.readings.draw(lying.seat.lying, SEAT, (card,))
        return FeltState(replace(lying.seat, lying=drawn), lying.house)

    def dealer_draws(self, lying: FeltState, step: Step | None, card: Card) -> FeltState:
        """A card comes to the dealer as the step says: drawn, or turned where it lay."""
        dealer, readings = lying.house.dealer, self.readings
        if isinstance(step, Draw) and step.down:
            dealer = readings.lay_down(dealer, DEALER, step.count)
        elif isinstance(step, Draw):
            (dealer,) = readings.draw(dealer, DEALER, (card,))
        elif isinstance(step, Peek) and card not in step.wanted:
            dealer = readings.bar(dealer, step.index, step.wanted)
        elif isinstance(step, Peek | Turn):
            (dealer,) = readings.turn(dealer, DEALER, step.index, (card,))
        else:
            raise self.refuse("the dealer does not draw where a hand is complete")
        return FeltState(lying.seat, replace(lying.house, dealer=dealer))

    def choose(self, lying: FeltState, step: Decide, offer: Offer) -> FeltState:
        """The seat takes an offer, of a range of amounts the largest."""
        seat, made = lying.seat, Choice(offer.name, offer.most, step.about)
        if offer.most:
            amounts = dict(seat.wagers)
            amounts[offer.wager] = amounts.get(offer.wager, 0) + offer.most
            seat = replace(seat, wagers=tuple(amounts.items()))
        if lying.takes(step.about):
            taken = [h.choose(made.name) if h.takes(step.about) else h for h in seat.lying.hands]
            return FeltState(replace(seat, lying=replace(seat.lying, hands=tuple(taken))), lying.house)
        return FeltState(replace(seat, choices=(*seat.choices, made)), lying.house)

    def pays(self, lying: FeltState, wager: str) -> list[Pay]:
        """What a wager's hands come to, one after the other; refused while one of them is undecided."""
        lines = [line for line in self._ask(self.game.settle, lying) if line.wager == wager]
        if sum(line.wagered for line in lines) != dict(lying.seat.wagers)[wager]:
            raise self.refuse("a hand is undecided when the dealer's is complete")
        pays = []
        for line in lines:
            if not isinstance(line.pay, Odds):
                raise self.refuse(f"{line.outcome} pays no odds")
            wagered = Fraction(line.wagered, UNIT)
            pays.append(Pay(line.outcome, line.pay.exact * wagered, wagered))
        return pays

    def refuse(self, because: str) -> NoShoeGame:
        return NoShoeGame(self.game, because)


def readings_of(game: Game, wagers: Sequence[str], known: Readings | None = None) -> Readings:
    """Which hands the wagers are judged by, and those that the rules are known to read."""
    hands: Mapping[str, Any] = {name: game.wagers[name].hand for name in wagers if game.wagers[name].hand}
    readings = Readings(hands, tuple(game.terms.shoe))
    if known is not None:
        readings.hands, readings.counted = known.hands, known.counted
    return readings


UPS: Final = 10
VALUES: Final = range(10)  # of cards: 0 an ace, 9 a ten
STAND, HIT, DOUBLE, SURRENDER, SPLIT = ACTS = range(5)
BY_VALUE: Final = tuple(tuple(face for face in DECK if points(face) == value + 1) for value in VALUES)
FACES: Final = tuple(faces[0] for faces in BY_VALUE)  # one card of every value,
TWINS: Final = tuple(faces[1] for faces in BY_VALUE)  # and another one of its rank


class Seats:
    """The states of a seat; the rules are asked about one when it is first reached."""

    def __init__(self, felts: Felts, words: Sequence[str], dealt: Sequence[FeltState]) -> None:
        """`words` are the game's for the acts; `dealt` is a felt before the first decision, by up card."""
        self._felts, self._words, self._dealt = felts, words, dealt
        self.lying: list[FeltState] = []
        self.place: list[int] = []  # which of the spot's hands it is about
        self.offers: list[Bools] = []  # by up card and act
        self._after: list[list[int]] = []
        self._known: dict[tuple[object, int], int] = {}

    def state(self, lying: FeltState, place: int = 0) -> int:
        """The number of a state."""
        key = lying.seat.lying, place
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = len(self.lying)
            self.lying.append(lying)
            self.place.append(place)
            self.offers.append(self._offers(lying, place))
            self._after.append([])
        return known

    def _offers(self, lying: FeltState, place: int) -> Bools:
        offers = np.zeros((UPS, len(ACTS)), np.bool_)
        if lying.spot.active == place and not lying.spot.wants_card:
            for up in VALUES:
                names = {offer.name for offer in self._decision(lying, up).offers}
                if further := names.difference(self._words):
                    raise self._felts.refuse(f"a hand is offered to {min(further)}")
                if self._words[STAND] not in names:
                    raise self._felts.refuse("a hand may not stand")
                offers[up] = [word in names for word in self._words]
        return offers

    def _decision(self, lying: FeltState, up: int) -> Decide:
        """What the seat is asked against an up card."""
        dealt = self._dealt[up]
        step = self._felts.awaits(FeltState(replace(lying.seat, choices=dealt.seat.choices), dealt.house))
        if not isinstance(step, Decide) or not lying.takes(step.about):
            raise self._felts.refuse("a hand waits for a choice that is not offered")
        return step

    def may(self, state: int, act: int) -> bool:
        """Whether a choice is offered against any up card."""
        return bool(self.offers[state][:, act].any())

    def choose(self, state: int, act: int) -> FeltState:
        """The seat after a choice."""
        lying = self.lying[state]
        step = self._decision(lying, int(np.argmax(self.offers[state][:, act])))
        offer = next(offer for offer in step.offers if offer.name == self._words[act])
        return self._felts.choose(lying, step, offer)

    def follow(self, state: int) -> list[int]:
        """By value: the state after a hit and such a card, or a card it waits for; −1 where none may come."""
        if not self._after[state]:
            lying, place = self.lying[state], self.place[state]
            waits = lying.spot.active == place and lying.spot.wants_card
            if waits or self.may(state, HIT):
                lying = lying if waits else self.choose(state, HIT)
                cards = TWINS if lying.hand(place).held == 1 else FACES
                self._after[state] = [self.state(self._felts.draw(lying, card), place) for card in cards]
            else:
                self._after[state] = [-1] * len(VALUES)
        return self._after[state]

    def reachable(self, root: int) -> list[int]:
        """All states that hitting leads to, this one among them."""
        states, waiting = {root: None}, [root]
        while waiting:
            for state in self.follow(waiting.pop()):
                if state >= 0 and state not in states:
                    states[state] = None
                    waiting.append(state)
        return list(states)

    def bust_with(self, root: int, total: int) -> FeltState | None:
        """The seat after hits from a state that brought its hand to this total over 21."""
        for state in self.reachable(root):
            hand = self.lying[state].hand(self.place[state])
            if hand.is_over and hand.points == total:
                return self.lying[state]
        return None

    def stand(self, lying: FeltState, place: int) -> FeltState:
        """One of the spot's hands played to an end that is not over 21."""
        while lying.spot.active == place:
            if lying.spot.wants_card:
                lying = self._felts.draw(lying, FACES[9])
            else:
                lying = self.choose(self.state(lying, place), STAND)
        return lying
