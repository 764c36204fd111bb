"""The rules of a table as the machine's states of one seat and its dealer: the deal, the next step, and what they pay.

The rules are called for a pair of states when play first reaches it. Rules that read single cards are refused,
so every answer holds for all cards that make the same hands. The solver's other assumptions, such as that only the
values of cards count, are checked, and a game that violates them is refused. `Seats` numbers
the states of a seat's hands, with the offers of the rules in each and the transitions by cards.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.shape import main_wager_of
from feltworks.analysis.solvers.numbers import Bools
from feltworks.cards import DECK, Card
from feltworks.errors import FeltError
from feltworks.hands.blackjack import BlackjackHand, points
from feltworks.hands.spot import Spot, SpotHand
from feltworks.machine.felt import CardsRead, HouseState, NewReading, Readings, SeatState
from feltworks.machine.node import Node, Sides, Slot
from feltworks.machine.ruling import OwnHands, Ruling
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


HIGHEST: Final = 31  # the highest total, after a hit on 21


class End(Struct, frozen=True):
    """A completed hand of the dealer."""

    total: int
    is_natural: bool


class DealerRules(Struct, frozen=True):
    """The transitions of the dealer's hands by value; state 0 is no card, the single cards follow."""

    after: tuple[tuple[int, ...], ...]
    ends: tuple[End | None, ...]  # None while the dealer draws
    hands: tuple[BlackjackHand, ...]

    def draws(self, total: int, *, soft: bool) -> bool:
        """Whether the dealer draws to this total; of three cards or more, if that matters."""
        alike = [n for n, hand in enumerate(self.hands) if (hand.points, hand.soft) == (total, soft)]
        return any(self.ends[n] is None for n in alike[-1:])


class Dealer:
    """Finds the dealer's hands and which are drawn to, against a seat that stands."""

    def __init__(self, felts: Felts, stands: Sequence[tuple[int, int]]) -> None:
        """`stands`: by up card, the states of the seat that stands and of the house."""
        self._felts = felts
        self._after: list[list[int]] = [list(range(1, 11)), *([] for _ in VALUES)]
        self._ends: list[End | None] = [None] * 11
        self._hands = [BlackjackHand(), *(self._hand(house) for _, house in stands)]
        self._known: dict[int, int] = {}
        self.houses: dict[End, list[HouseState]] = {}  # by complete hand: the house's states with it
        self.holes: dict[tuple[int, int], HouseState] = {}  # by up card and hole card
        for up, (seat, house) in enumerate(stands):
            node = felts.node(seat, house)
            if node.slot is None or node.slot.place != DEALER or node.slot.count != 1:
                raise felts.refuse("the dealer does not go on when the seat has played")
            turned = felts.dealer_draws(node)
            self.holes |= {(up, value): felts.houses[each] for value, each in enumerate(turned)}
            self._after[1 + up] = [self._state(seat, each) for each in turned]
        if any(self._after[1 + up][hole] != self._after[1 + hole][up] for up in VALUES for hole in VALUES):
            raise felts.refuse("the order of the dealer's cards counts")
        self.rules = DealerRules(tuple(map(tuple, self._after)), tuple(self._ends), tuple(self._hands))

    def _state(self, seat: int, house: int) -> int:
        """The number of the dealer's hand in a state; adds all hands that follow it."""
        known = self._known.get(house)
        if known is not None:
            return known
        number = self._known[house] = len(self._hands)
        hand, node = self._hand(house), self._felts.node(seat, house)
        end = End(hand.points, hand.is_blackjack) if node.is_end else None
        self._hands.append(hand)
        self._ends.append(end)
        self._after.append([-1] * len(VALUES))
        if end:
            self.houses.setdefault(end, []).append(self._felts.houses[house])
        elif hand.is_over or node.slot is None or node.slot.turned is not None or node.slot.count != 1:
            raise self._felts.refuse("the dealer does otherwise than draw card by card up to a total")
        else:
            self._after[number] = [self._state(seat, each) for each in self._felts.dealer_draws(node)]
        return number

    def _hand(self, house: int) -> BlackjackHand:
        hands = self._felts.houses[house].dealer.hands
        return next(hand for hand in hands if isinstance(hand, BlackjackHand))


class Opening(Struct, frozen=True):
    """The states of seat and house at the first decision, and the steps before it."""

    seat: int
    house: int
    step: Decide | None
    is_checked: bool  # whether the dealer has peeked for blackjack
    offered: frozenset[str]  # the wagers that were declined


class TableRules:
    """The rules of a game in the form that this solver needs, cached."""

    def __init__(self, game: Game, readings: Readings) -> None:
        hands = game.written.hands
        if not game.has_spots or hands is None:
            raise NoShoeGame(game, "it has no hands that split")
        self.game, self.main = game, main_wager_of(game)
        self.words = (hands.enough, hands.more, hands.doubled, hands.surrendered, hands.split)
        self.felts = felts = Felts(game, self.main, readings)
        self.dealt = [self._deal(9, 5, up) for up in VALUES]
        if not spot_of(felts.seats[self.dealt[0].seat]).hands:
            raise NoShoeGame(game, "its seats have no spot")
        stands = [(self._stand(dealt), dealt.house) for dealt in self.dealt]
        self.standing = felts.seats[stands[0][0]]  # a seat that stands
        dealer = Dealer(felts, stands)
        self.dealer, self.houses, self.holes = dealer.rules, dealer.houses, dealer.holes
        felts.is_known = True
        self.seats = Seats(felts, self.words, [(dealt.seat, dealt.house) for dealt in self.dealt])

    def _deal(self, first: int, second: int, up: int) -> Opening:
        """Deal cards of these values with the dealer's other card unseen; other wagers are declined."""
        felts, (seat, house) = self.felts, self.felts.start
        mine, open_, is_checked, offered = [second, first], [up], False, set[str]()
        while True:
            node = felts.node(seat, house)
            slot, step, seat, house = node.slot, node.step, node.seat, node.house
            if slot is not None and slot.on_seat and mine:
                seat = felts.draw(seat)[mine.pop()]
            elif slot is not None and slot.wanted is not None:
                is_checked = True
                house = felts.dealer_draws(node)[next(v for v in VALUES if FACES[v] not in slot.wanted)]
            elif slot is not None and slot.place == DEALER and open_:
                house = felts.dealer_draws(node)[open_.pop()]
            elif step is not None and not felts.takes(seat, step.about):
                offered |= {offer.wager for offer in step.offers}
                seat = felts.choose(seat, step, next(offer for offer in step.offers if not offer.most))
            elif mine or open_:
                raise felts.refuse("a seat is not dealt two cards before it is asked, and the dealer one")
            else:
                return Opening(seat, house, step, is_checked, frozenset(offered))

    def _stand(self, dealt: Opening) -> int:
        if dealt.step is None:
            raise self.felts.refuse("a hand is not asked what to do")
        enough = next(offer for offer in dealt.step.offers if offer.name == self.words[STAND])
        return self.felts.choose(dealt.seat, dealt.step, enough)

    def dealer_pay(self, wager: str, up: int, hole: int) -> Pay:
        """The result of a wager on the dealer's first two cards, offered under this up card."""
        seat = self.felts.seats[self.dealt[up].seat]
        on = replace(seat, wagers=(*seat.wagers, (wager, UNIT)))
        [pay] = self.felts.pays(on, self.holes[up, hole], wager)
        return pay

    @cached_property
    def peeks(self) -> bool:
        """Whether a dealer's blackjack ends the round before anyone plays."""
        naturals = {n for n, end in enumerate(self.dealer.ends) if end and end.is_natural}
        ups = [up for up in VALUES if not naturals.isdisjoint(self.dealer.after[1 + up])]
        looks = {self.dealt[up].is_checked for up in ups}
        if len(looks) > 1:
            raise self.felts.refuse("the dealer looks for blackjack under some up cards alone")
        return True in looks

    @cached_property
    def empty(self) -> int:
        """The state of a seat before its first card."""
        return self.seats.state(self.felts.start[0])

    @cached_property
    def pairs(self) -> list[int]:
        """The state of each pair of one rank."""
        return [self.seats.follow(one)[value] for value, one in enumerate(self.seats.follow(self.empty))]

    @cached_property
    def most_hands(self) -> list[int]:
        """The most hands that a pair of each value can become: 1 if it may not be split."""
        return [self._most_hands(value) for value in VALUES]

    def _most_hands(self, value: int) -> int:
        seats, state, hands = self.seats, self.pairs[value], 1
        while seats.may(state, SPLIT):
            hands += 1
            state = seats.state(self.felts.draw(seats.choose(state, SPLIT))[value])
        return hands

    @cached_property
    def split_roots(self) -> dict[int, int]:
        """By value of the pairs that may be split: the first hand of the split, before its second card."""
        able = [value for value in VALUES if self.most_hands[value] > 1]
        return {value: self.seats.state(self.seats.choose(self.pairs[value], SPLIT)) for value in able}

    @cached_property
    def kinds(self) -> list[list[frozenset[Card]]]:
        """By value: its cards in groups that make pairs with each other."""
        return [list(self._kinds(value)) for value in VALUES]

    def _kinds(self, value: int) -> Iterator[frozenset[Card]]:
        left = list(BY_VALUE[value])
        while left:
            alike = [face for face in left if face is left[0] or self.may_split(left[0], face)]
            yield frozenset(alike)
            left = [face for face in left if face not in alike]

    def may_split(self, first: Card, second: Card) -> bool:
        """Whether these two cards may be split against any up card."""
        return self.seats.may(self.seats.state(self.felts.two_cards(first, second)), SPLIT)

    def is_told_apart(self, value: int) -> bool:
        """Whether cards of one value form several kinds of pairs, such as ten-value cards by rank."""
        return self.most_hands[value] > 1 and len(self.kinds[value]) > 1

    @cached_property
    def goes_by_values(self) -> bool:
        """Checks that only the values of cards count, and whether two cards are a pair; else refuses the game."""
        two_cards = self.felts.two_cards
        for value, faces in enumerate(BY_VALUE):
            mine, other = FACES[value], FACES[value - 1]
            for face in faces:
                if two_cards(face, other) != two_cards(mine, other) or (
                    two_cards(other, face) != two_cards(other, mine)
                ):
                    raise self.felts.refuse("cards of one value make different hands")
                both = self.seats.state(two_cards(mine, face)), self.pairs[value]
                plain, paired = (self.seats.offers[state][:, :SPLIT] for state in both)
                if not np.array_equal(plain, paired):
                    raise self.felts.refuse("two cards of one value are offered more than a split by rank")
        return True


@lru_cache(maxsize=64)
def table_rules(game: Game) -> TableRules:
    """The rules of a game, cached for all its shoes; rebuilt while they read further hands."""
    readings = Readings({}, FACES)
    while True:
        try:
            return TableRules(game, readings)
        except NewReading:
            continue
