"""The rules of a table as states: how it is dealt, what splits, and which of the dealer's hands are drawn to.

Every answer is asked of the game itself on a felt without cards. What the solver takes for granted besides,
such as that only the values of cards count, is checked on the way; a game that does otherwise is refused.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
from msgspec import Struct

from feltworks.analysis.shape import main_wager_of
from feltworks.analysis.solvers.shoe_game.felts import (
    BY_VALUE,
    FACES,
    SPLIT,
    STAND,
    TWINS,
    VALUES,
    Felts,
    FeltState,
    NoShoeGame,
    Seats,
    readings_of,
)
from feltworks.cards import DECK, Card
from feltworks.hands.blackjack import BlackjackHand
from feltworks.machine.felt import HouseState, NewReading, Readings
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER
from feltworks.rules.steps import Decide, Draw, Peek, Step, Turn

HIGHEST: Final = 31  # total: a 21 that was drawn to


class End(Struct, frozen=True):
    """A dealer's hand that is complete."""

    total: int
    is_natural: bool


class DealerRules(Struct, frozen=True):
    """Where each value leads from each of the dealer's hands; state 0 is no card, single cards come next."""

    after: tuple[tuple[int, ...], ...]
    ends: tuple[End | None, ...]  # None while the dealer draws
    hands: tuple[BlackjackHand, ...]

    def draws(self, total: int, *, soft: bool) -> bool:
        """Whether the dealer draws to such a total, of three cards or more where that makes a difference."""
        alike = [n for n, hand in enumerate(self.hands) if (hand.points, hand.soft) == (total, soft)]
        return any(self.ends[n] is None for n in alike[-1:])


class Dealer:
    """Asks for each of the dealer's hands whether it is drawn to, a seat having stood against it."""

    def __init__(self, felts: Felts, stands: Sequence[FeltState]) -> None:
        self._felts = felts
        self._after: list[list[int]] = [list(range(1, 11)), *([] for _ in VALUES)]
        self._ends: list[End | None] = [None] * 11
        self._hands = [BlackjackHand(), *map(_hand, stands)]
        self._known: dict[object, int] = {}
        self.houses: dict[End, list[HouseState]] = {}  # every way to each complete hand
        self.holes: dict[tuple[int, int], HouseState] = {}  # by up card and hole card
        for up, lying in enumerate(stands):
            step = felts.awaits(lying)
            if not (isinstance(step, Turn | Draw) and step.count == 1):
                raise felts.refuse("the dealer does not go on when the seat has played")
            turned = [felts.dealer_draws(lying, step, card) for card in FACES]
            self.holes |= {(up, value): each.house for value, each in enumerate(turned)}
            self._after[1 + up] = [self._state(each) for each in turned]
        if any(self._after[1 + up][hole] != self._after[1 + hole][up] for up in VALUES for hole in VALUES):
            raise felts.refuse("the order of the dealer's cards counts")
        self.rules = DealerRules(tuple(map(tuple, self._after)), tuple(self._ends), tuple(self._hands))

    def _state(self, lying: FeltState) -> int:
        """The number of the dealer's hand that lies there, with all that can follow it."""
        known = self._known.get(lying.house.dealer)
        if known is not None:
            return known
        number = self._known[lying.house.dealer] = len(self._hands)
        hand, step = _hand(lying), self._felts.awaits(lying)
        end = End(hand.points, hand.is_blackjack) if step is None else None
        self._hands.append(hand)
        self._ends.append(end)
        self._after.append([-1] * len(VALUES))
        if end:
            self.houses.setdefault(end, []).append(lying.house)
        elif hand.is_over or not isinstance(step, Draw) or step.to != DEALER or step.count != 1:
            raise self._felts.refuse("the dealer does otherwise than draw card by card up to a total")
        else:
            drawn = [self._felts.dealer_draws(lying, step, card) for card in FACES]
            self._after[number] = [self._state(each) for each in drawn]
        return number


def _hand(lying: FeltState) -> BlackjackHand:
    return next(hand for hand in lying.house.dealer.hands if isinstance(hand, BlackjackHand))


class OpeningFelt(Struct, frozen=True):
    """The felt when a seat's first decision comes, and how it came to that."""

    lying: FeltState
    step: Step | None
    is_checked: bool  # whether the dealer has looked for blackjack
    offered: frozenset[str]  # the wagers that were declined


class TableRules:
    """The rules of a game as this solver needs them; answers are cached."""

    def __init__(self, game: Game, readings: Readings) -> None:
        hands = game.written.hands
        if not game.has_spots or hands is None:
            raise NoShoeGame(game, "it has no hands that split")
        self.game, self.main = game, main_wager_of(game)
        self.words = (hands.enough, hands.more, hands.doubled, hands.surrendered, hands.split)
        self.felts = Felts(game, readings, self.main)
        self.dealt = [self._deal(FACES[9], FACES[5], FACES[up]) for up in VALUES]
        if not self.dealt[0].lying.spot.hands:
            raise NoShoeGame(game, "its seats have no spot")
        self.stands = list(map(self._stand, self.dealt))  # the same hand once it has stood
        dealer = Dealer(self.felts, self.stands)
        self.dealer, self.houses, self.holes = dealer.rules, dealer.houses, dealer.holes
        self.felts.is_known = True
        self.seats = Seats(self.felts, self.words, [dealt.lying for dealt in self.dealt])

    def _deal(self, first: Card, second: Card, up: Card) -> OpeningFelt:
        """Deal these cards, the dealer's other one unseen; decisions on other wagers are declined."""
        felts, lying = self.felts, self.felts.empty_felt()
        mine, open_, is_checked, offered = [second, first], [up], False, set[str]()
        while True:
            step = felts.awaits(lying)
            if isinstance(step, Draw) and step.to == 0 and mine and not step.down:
                lying = felts.draw(lying, mine.pop())
            elif isinstance(step, Draw) and step.to == DEALER and (step.down or open_):
                lying = felts.dealer_draws(lying, step, up if step.down else open_.pop())
            elif isinstance(step, Peek):
                is_checked = True
                lying = felts.dealer_draws(lying, step, next(face for face in DECK if face not in step.wanted))
            elif isinstance(step, Decide) and not lying.takes(step.about):
                offered |= {offer.wager for offer in step.offers}
                lying = felts.choose(lying, step, next(offer for offer in step.offers if not offer.most))
            elif mine or open_:
                raise felts.refuse("a seat is not dealt two cards before it is asked, and the dealer one")
            else:
                return OpeningFelt(lying, step, is_checked, frozenset(offered))

    def _stand(self, dealt: OpeningFelt) -> FeltState:
        if not isinstance(dealt.step, Decide):
            raise self.felts.refuse("a hand is not asked what to do")
        enough = next(offer for offer in dealt.step.offers if offer.name == self.words[STAND])
        return self.felts.choose(dealt.lying, dealt.step, enough)

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
        return self.seats.state(self.felts.empty_felt())

    @cached_property
    def pairs(self) -> list[int]:
        """The state of each pair of one rank."""
        return [self.seats.follow(one)[value] for value, one in enumerate(self.seats.follow(self.empty))]

    @cached_property
    def most_hands(self) -> list[int]:
        """How many hands a pair of each value can become: 1 where it may not be split."""
        return [self._most_hands(value) for value in VALUES]

    def _most_hands(self, value: int) -> int:
        seats, state, hands = self.seats, self.pairs[value], 1
        while seats.may(state, SPLIT):
            hands += 1
            state = seats.state(self.felts.draw(seats.choose(state, SPLIT), TWINS[value]))
        return hands

    @cached_property
    def split_roots(self) -> dict[int, int]:
        """By value of the pairs that may be split: the first hand of the split, before its second card."""
        able = [value for value in VALUES if self.most_hands[value] > 1]
        return {value: self.seats.state(self.seats.choose(self.pairs[value], SPLIT)) for value in able}

    @cached_property
    def kinds(self) -> list[list[frozenset[Card]]]:
        """By value: its cards in the groups that make pairs to split with each other."""
        return [list(self._kinds(value)) for value in VALUES]

    def _kinds(self, value: int) -> Iterator[frozenset[Card]]:
        left = list(BY_VALUE[value])
        while left:
            alike = [face for face in left if face is left[0] or self.may_split(left[0], face)]
            yield frozenset(alike)
            left = [face for face in left if face not in alike]

    def _two_cards(self, first: Card, second: Card) -> FeltState:
        return self.felts.draw(self.felts.draw(self.felts.empty_felt(), first), second)

    def may_split(self, first: Card, second: Card) -> bool:
        """Whether these two cards may be split against any up card."""
        return self.seats.may(self.seats.state(self._two_cards(first, second)), SPLIT)

    def is_told_apart(self, value: int) -> bool:
        """Whether cards of one value make pairs of several kinds, such as ten-value cards by rank."""
        return self.most_hands[value] > 1 and len(self.kinds[value]) > 1

    @cached_property
    def goes_by_values(self) -> bool:
        """Of a card only its value counts, and of two equal ones whether they are a pair; else refused."""
        for value, faces in enumerate(BY_VALUE):
            mine, other = FACES[value], FACES[value - 1]
            for face in faces:
                if self._two_cards(face, other).seat != self._two_cards(mine, other).seat or (
                    self._two_cards(other, face).seat != self._two_cards(other, mine).seat
                ):
                    raise self.felts.refuse("cards of one value make different hands")
                both = self.seats.state(self._two_cards(mine, face)), self.pairs[value]
                plain, paired = (self.seats.offers[state][:, :SPLIT] for state in both)
                if not np.array_equal(plain, paired):
                    raise self.felts.refuse("two cards of one value are offered more than a split by rank")
        return True


@lru_cache(maxsize=64)
def table_rules(game: Game) -> TableRules:
    """The rules of a game, cached for all its shoes; built again while they read further hands."""
    readings = readings_of(game, [])
    while True:
        try:
            return TableRules(game, readings)
        except NewReading:
            continue
