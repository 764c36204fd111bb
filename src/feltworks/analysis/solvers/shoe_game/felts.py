"""Wraps the machine's states of one seat and its dealer: the next step of the rules there, and what they pay.

The rules are called for a pair of states when play first reaches it. Rules that read single cards are refused,
so every answer holds for all cards that make the same hands. `Seats` numbers the states of a seat's hands, with
the offers of the rules in each and the transitions by cards.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.solvers.numbers import Bools
from feltworks.cards import DECK, Card
from feltworks.errors import FeltError
from feltworks.hands.blackjack import points
from feltworks.hands.spot import Spot, SpotHand
from feltworks.machine.felt import CardsRead, HouseState, NewReading, Readings, SeatState
from feltworks.machine.node import Node, Slot
from feltworks.machine.ruling import Ruling
from feltworks.machine.sides import Sides
from feltworks.machine.verdicts import OwnHands
from feltworks.money import Cents, Odds
from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, DEALER, SEAT, Choice
from feltworks.rules.steps import Decide, Offer

UNIT: Final[Cents] = 100_00  # the wager on a hand, divided out again
UPS: Final = 10
VALUES: Final = range(10)  # values of cards: 0 for an ace, 9 for a ten
STAND, HIT, DOUBLE, SURRENDER, SPLIT = ACTS = range(5)
BY_VALUE: Final = tuple(tuple(face for face in DECK if points(face) == value + 1) for value in VALUES)
FACES: Final = tuple(faces[0] for faces in BY_VALUE)  # one card of every value


class NoShoeGame(FeltError):
    """Raised for rules other than a seat against a dealer who draws, or that read more than hands."""

    def __init__(self, game: Game, because: str) -> None:
        super().__init__(f"{game.terms.rulebook.title} is not solved as a game with split hands: {because}")


class Pay(Struct, frozen=True):
    """The result of one hand: the outcome's name, the net and the money on it, in units of a hand's wager."""

    outcome: str
    net: Fraction
    wagered: Fraction


def spot_of(seat: SeatState) -> Spot:
    """The hands of a seat."""
    return next((hand for hand in seat.lying.hands if isinstance(hand, Spot)), Spot(()))


class Felts:
    """The machine's states of a seat with a wager; after `NewReading`, which adds a missing hand, begin again."""

    def __init__(self, game: Game, wager: str, readings: Readings, *, is_known: bool = False) -> None:
        self.game, self.readings, self.wager = game, readings, wager
        self.is_known = is_known  # all hands that the rules read are listed; others are refused
        self._sides = Sides(game, readings, FACES)
        self._ruling = Ruling(game, self._sides, OwnHands(game, readings), {})
        self.seats, self.houses, self.number = self._sides.seats, self._sides.houses, self._sides.number
        self._nodes: dict[tuple[int, int], Node] = {}
        self._paid: dict[tuple[str, str, Cents], Pay] = {}

    @cached_property
    def start(self) -> tuple[int, int]:
        """The numbers of the states of seat and house before the first card."""
        empty = self.readings.empty_place
        seat = SeatState(((self.wager, UNIT),), (), empty(SEAT))
        return self.number(seat), self.number(HouseState(empty(DEALER), empty(BOARD)))

    def node(self, seat: int, house: int) -> Node:
        """The node of two states, made by the rules."""
        known = self._nodes.get((seat, house))
        if known is None:
            try:
                known = self._nodes[seat, house] = self._ruling.ask(seat, house)
            except CardsRead:
                raise self.refuse("its rules look at single cards") from None
            except NewReading:
                if self.is_known:
                    raise self.refuse("its rules read further hands as play goes on") from None
                raise
        return known

    def draw(self, seat: int) -> tuple[int, ...]:
        """The seat's state after a card, by the card's value."""
        return self._sides.row(seat, Slot(SEAT))

    def dealer_draws(self, node: Node) -> tuple[int, ...]:
        """By value of a card: the house's state after the node's card is drawn, looked at or turned."""
        if node.slot is None or node.slot.place != DEALER:
            raise self.refuse("the dealer does not draw where a hand is complete")
        return self._sides.row(node.house, node.slot)

    def two_cards(self, first: Card, second: Card) -> int:
        """The seat's state after two cards of these values."""
        seat = self.seats[self.start[0]]
        for card in (first, second):
            (lying,) = self.readings.draw(seat.lying, SEAT, (card,))
            seat = replace(seat, lying=lying)
        return self.number(seat)

    def choose(self, seat: int, step: Decide, offer: Offer) -> int:
        """The seat's state after it takes an offer, with the largest amount."""
        choice = Choice(offer.name, offer.most, step.about)
        return self.number(self._ruling.choose(self.seats[seat], step, choice))

    def takes(self, seat: int, about: str) -> bool:
        """Whether the seat's hands record the choice of this decision."""
        return any(hand.takes(about) for hand in self.seats[seat].lying.hands)

    def pays(self, on: SeatState, against: HouseState, wager: str) -> list[Pay]:
        """The results of a wager's hands in order; refused while one of them is undecided."""
        lines = self._ruling.lines(self._ruling.lay(on, against), on)
        pays = []
        for line in (line for line in lines if line.wager == wager):
            key = wager, line.outcome, line.wagered
            if key not in self._paid:
                if not isinstance(line.pay, Odds):
                    raise self.refuse(f"{line.outcome} pays no odds")
                wagered = Fraction(line.wagered, UNIT)
                self._paid[key] = Pay(line.outcome, line.pay.exact * wagered, wagered)
            pays.append(self._paid[key])
        if not pays:
            raise self.refuse("a hand is undecided when the dealer's is complete")
        return pays

    def refuse(self, because: str) -> NoShoeGame:
        return NoShoeGame(self.game, because)


class Seats:
    """Numbers the states of one hand of a seat; the rules are called when a state is first reached."""

    def __init__(self, felts: Felts, words: Sequence[str], dealt: Sequence[tuple[int, int]]) -> None:
        """`words` names the acts in the game's terms; `dealt` has the states at the first decision, by up card."""
        self._felts, self._words, self._dealt = felts, words, dealt
        self.states: list[tuple[int, int]] = []  # the machine's state, and the index of the hand in the spot
        self.spots: list[Spot] = []
        self.offers: list[Bools] = []  # by up card and act: whether it is offered
        self._after: list[list[int]] = []
        self._known: dict[tuple[int, int], int] = {}

    def state(self, seat: int, place: int = 0) -> int:
        """The number of a state."""
        known = self._known.get((seat, place))
        if known is None:
            known = self._known[seat, place] = len(self.states)
            self.states.append((seat, place))
            self.spots.append(spot_of(self._felts.seats[seat]))
            self.offers.append(self._offers(known))
            self._after.append([])
        return known

    def lying(self, state: int) -> SeatState:
        """The seat's state on the felt."""
        return self._felts.seats[self.states[state][0]]

    def hand(self, state: int) -> SpotHand:
        """The hand of a state."""
        return self.spots[state].hands[self.states[state][1]]

    def is_active(self, state: int) -> bool:
        """Whether the hand waits for a card or a choice."""
        return self.spots[state].active == self.states[state][1]

    def waits(self, state: int) -> bool:
        """Whether the hand waits for a card."""
        return self.is_active(state) and self.spots[state].wants_card

    def is_natural(self, state: int) -> bool:
        """Whether the hand has no decision because its first two cards are a blackjack."""
        return self.spots[state].active is None and self.hand(state).is_blackjack

    def _offers(self, state: int) -> Bools:
        offers = np.zeros((UPS, len(ACTS)), np.bool_)
        if self.is_active(state) and not self.waits(state):
            for up in VALUES:
                names = {offer.name for offer in self._decision(state, up).offers}
                if further := names.difference(self._words):
                    raise self._felts.refuse(f"a hand is offered to {min(further)}")
                if self._words[STAND] not in names:
                    raise self._felts.refuse("a hand may not stand")
                offers[up] = [word in names for word in self._words]
        return offers

    def _decision(self, state: int, up: int) -> Decide:
        """The decision of the seat against an up card."""
        felts, (dealt, house) = self._felts, self._dealt[up]
        seat = felts.number(replace(self.lying(state), choices=felts.seats[dealt].choices))
        step = felts.node(seat, house).step
        if step is None or not felts.takes(seat, step.about):
            raise felts.refuse("a hand waits for a choice that is not offered")
        return step

    def may(self, state: int, act: int) -> bool:
        """Whether a choice is offered against any up card."""
        return bool(self.offers[state][:, act].any())

    def choose(self, state: int, act: int) -> int:
        """The state after a choice."""
        step = self._decision(state, int(np.argmax(self.offers[state][:, act])))
        offer = next(offer for offer in step.offers if offer.name == self._words[act])
        return self._felts.choose(self.states[state][0], step, offer)

    def follow(self, state: int) -> list[int]:
        """By value: the state after a hit, or a forced card, of this value; −1 if none may come."""
        if not self._after[state]:
            seat, place = self.states[state]
            if self.waits(state) or self.may(state, HIT):
                seat = seat if self.waits(state) else self.choose(state, HIT)
                self._after[state] = [self.state(drawn, place) for drawn in self._felts.draw(seat)]
            else:
                self._after[state] = [-1] * len(VALUES)
        return self._after[state]

    def reachable(self, root: int) -> list[int]:
        """All states that hitting leads to, including this one."""
        states, waiting = {root: None}, [root]
        while waiting:
            for state in self.follow(waiting.pop()):
                if state >= 0 and state not in states:
                    states[state] = None
                    waiting.append(state)
        return list(states)

    def bust_with(self, root: int, total: int) -> int | None:
        """The state after hits to this total over 21."""
        for state in self.reachable(root):
            hand = self.hand(state)
            if hand.is_over and hand.points == total:
                return state
        return None

    def stand(self, seat: int, place: int) -> int:
        """The state after one of the hands ends at 21 or less."""
        while spot_of(self._felts.seats[seat]).active == place:
            state = self.state(seat, place)
            seat = self._felts.draw(seat)[9] if self.waits(state) else self.choose(state, STAND)
        return seat
