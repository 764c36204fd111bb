"""The rules of a table as states: the deal, the pairs that split, and the dealer's hands that are drawn to.

All answers come from the machine. The solver's other assumptions, such as that only the values of cards count,
are checked, and a game that violates them is refused.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.shape import main_wager_of
from feltworks.analysis.solvers.shoe_game.felts import (
    BY_VALUE,
    FACES,
    SPLIT,
    STAND,
    UNIT,
    VALUES,
    Felts,
    NoShoeGame,
    Pay,
    Seats,
    spot_of,
)
from feltworks.cards import Card
from feltworks.hands.blackjack import BlackjackHand
from feltworks.machine.felt import HouseState, NewReading, Readings
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER
from feltworks.rules.steps import Decide

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
