"""What the rules of a table say of a seat's hands: what is offered, what splits, when a hand is finished.

Every answer is asked of the game itself on a felt without cards. What the solver takes for granted besides,
such as that only the values of cards count, is checked on the way; a game that does otherwise is refused.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, Final, TypeVar

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.shape import main_wager_of
from feltworks.analysis.shoe_game.felts import Felts, Lying, NoShoeGame, readings_of
from feltworks.analysis.shoe_game.numbers import Bools, Ints
from feltworks.cards import DECK, Card
from feltworks.hands.blackjack import BlackjackHand, points
from feltworks.machine.felt import CardsRead, HouseState, NewReading
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER
from feltworks.rules.steps import Decide, Draw, Peek, Step, Turn

T = TypeVar("T")
UPS: Final = 10
VALUES: Final = range(10)  # of cards: 0 an ace, 9 a ten
STAND, HIT, DOUBLE, SURRENDER, SPLIT = ACTS = range(5)
HIGHEST: Final = 31  # total: a 21 that was drawn to
BY_VALUE: Final = tuple(tuple(face for face in DECK if points(face) == value + 1) for value in VALUES)
FACES: Final = tuple(faces[0] for faces in BY_VALUE)  # one card of every value,
TWINS: Final = tuple(faces[1] for faces in BY_VALUE)  # and another one of its rank


class Dealt(Struct, frozen=True):
    """The felt when a seat's first decision comes, and how it came to that."""

    lying: Lying
    step: Step | None
    peeked: bool
    offered: frozenset[str]  # the wagers that were declined


class End(Struct, frozen=True):
    """A dealer's hand that is complete."""

    total: int
    is_natural: bool


class DealerRules(Struct, frozen=True):
    """The dealer's hands as states: where each value leads from each, and which are complete.

    State 0 is no card, and each value's single card comes next.
    """

    after: tuple[tuple[int, ...], ...]
    ends: tuple[End | None, ...]
    hands: tuple[BlackjackHand, ...]

    def draws(self, total: int, *, soft: bool) -> bool:
        """Whether the dealer draws to such a total, of three cards or more where that makes a difference."""
        alike = [n for n, hand in enumerate(self.hands) if (hand.points, hand.soft) == (total, soft)]
        alike.sort(key=lambda n: self.hands[n].held)
        return bool(alike) and self.ends[alike[-1]] is None


class Counts(Struct, frozen=True):
    """What cards count together, as states: the empty hand first, and where each value leads."""

    after: Ints
    total: Ints
    soft: Bools
    is_over: Bools

    def follow(self, rows: list[Ints], after: Ints) -> Ints:
        """The state of every hand of a list, in layers of which each leads to later ones."""
        states = np.zeros(len(after), np.int64)
        for layer in rows:
            for value in VALUES:
                then = after[layer, value]
                states[then[then >= 0]] = self.after[states[layer[then >= 0]], value]
        return states


class Seats:
    """A seat's hands as states, each with what is offered; a state is asked about when first reached."""

    def __init__(self, rules: "TableRules") -> None:
        self._rules, self._felts = rules, rules.felts
        self.lying: list[Lying] = []
        self.place: list[int] = []  # which of the spot's hands it is about
        self.offers: list[Bools] = []  # by up card and act
        self.after: list[list[int]] = []  # by value of the card that follows a hit, or that it waits for
        self._known: dict[tuple[object, int], int] = {}

    def state(self, lying: Lying, place: int) -> int:
        """The number of a state."""
        key = lying.seat.lying, place
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = len(self.lying)
            self.lying.append(lying)
            self.place.append(place)
            self.offers.append(self._offers(lying, place))
            self.after.append([])
        return known

    def _waits(self, lying: Lying, place: int) -> bool:
        return lying.spot.active == place and not lying.spot.wants_card

    def _offers(self, lying: Lying, place: int) -> Bools:
        offers = np.zeros((UPS, len(ACTS)), np.bool_)
        if self._waits(lying, place):
            for up in VALUES:
                step = self.decision(lying, up)
                names = {offer.name for offer in step.offers}
                offers[up] = [word in names for word in self._rules.words]
        return offers

    def decision(self, lying: Lying, up: int) -> Decide:
        """What the seat is asked against an up card."""
        dealt = self._rules.dealt[up].lying
        step = self._felts.awaits(Lying(replace(lying.seat, choices=dealt.seat.choices), dealt.house))
        if not isinstance(step, Decide) or not lying.takes(step.about):
            raise self._felts.refuse("a hand waits for a choice that is not offered")
        return step

    def choose(self, state: int, act: int) -> Lying:
        """The seat after a choice."""
        lying = self.lying[state]
        up = int(np.argmax(self.offers[state][:, act]))
        step = self.decision(lying, up)
        offer = next(offer for offer in step.offers if offer.name == self._rules.words[act])
        return self._felts.choose(lying, step, offer)

    def may(self, state: int, act: int) -> bool:
        """Whether a choice is offered against any up card."""
        return bool(self.offers[state][:, act].any())

    def follow(self, state: int) -> list[int]:
        """By value: the state after a hit and such a card, or a card it waits for; −1 where none may come."""
        if not self.after[state]:
            lying, place = self.lying[state], self.place[state]
            waiting = lying.spot.active == place and lying.spot.wants_card
            if waiting or self.may(state, HIT):
                lying = lying if waiting else self.choose(state, HIT)
                cards = TWINS if lying.hand(place).held == 1 else FACES
                self.after[state] = [self.state(self._felts.draw(lying, card), place) for card in cards]
            else:
                self.after[state] = [-1] * 10
        return self.after[state]

    def over(self, root: int, total: int) -> Lying | None:
        """The seat after hits from a state that brought its hand to this total over 21."""
        for state in self.reached([root]):
            hand = self.lying[state].hand(self.place[state])
            if hand.is_over and hand.points == total:
                return self.lying[state]
        return None

    def stand(self, lying: Lying, place: int) -> Lying:
        """One of the spot's hands played to an end that is not over 21."""
        while lying.spot.active == place:
            if lying.spot.wants_card:
                lying = self._felts.draw(lying, FACES[9])
            else:
                lying = self.choose(self.state(lying, place), STAND)
        return lying

    def reached(self, roots: Sequence[int]) -> list[int]:
        """All states that hitting leads to from these, which are among them."""
        found, waiting = dict.fromkeys(roots), list(roots)
        while waiting:
            for state in self.follow(waiting.pop()):
                if state >= 0 and state not in found:
                    found[state] = None
                    waiting.append(state)
        return list(found)


class TableRules:
    """The rules of a game as this solver asks them; what was answered once is kept."""

    def __init__(self, game: Game[Any]) -> None:
        hands = game.written.hands
        if not game.has_spots or hands is None:
            raise NoShoeGame(game, "it has no hands that split")
        self.game, self.main = game, main_wager_of(game)
        self.words = (hands.enough, hands.more, hands.doubled, hands.surrendered, hands.split)
        self.wagers = (self.main,)
        self.readings = readings_of(game, self.wagers)
        self._parts: dict[str, Any] = {}
        self._asking = 0  # how deep: what is made of other parts is begun again with them
        if not self.dealt[0].lying.spot.hands:
            raise NoShoeGame(game, "its seats have no spot")

    @property
    def felts(self) -> Felts:
        return Felts(self.game, self.readings, self.wagers)

    def part(self, name: str, make: Callable[[], T]) -> T:
        """What was asked before, or is asked now; where the rules read a new hand all is asked again."""
        while name not in self._parts:
            self._asking += 1
            try:
                self._parts[name] = make()
            except NewReading:
                self._parts.clear()
                if self._asking > 1:
                    raise
            except CardsRead:
                raise NoShoeGame(self.game, "its rules look at single cards") from None
            finally:
                self._asking -= 1
        found: T = self._parts[name]
        return found

    @property
    def dealt(self) -> tuple[Dealt, ...]:
        """A hand that may be played, against each up card."""
        return self.part("dealt", lambda: tuple(self.deal(FACES[9], FACES[5], FACES[up]) for up in VALUES))

    def deal(self, first: Card, second: Card, up: Card) -> Dealt:
        """Deal these cards, the dealer's other one unseen; decisions on other wagers are declined."""
        felts, lying = self.felts, self.felts.opened()
        mine, open_, peeked, offered = [second, first], [up], False, set[str]()
        while True:
            step = felts.awaits(lying)
            if isinstance(step, Draw) and step.to == 0 and mine and not step.down:
                lying = felts.draw(lying, mine.pop())
            elif isinstance(step, Draw) and step.to == DEALER and (step.down or open_):
                lying = felts.dealer_draws(lying, step, up if step.down else open_.pop())
            elif isinstance(step, Peek):
                peeked = True
                other = next(face for face in DECK if face not in step.wanted)
                lying = felts.dealer_draws(lying, step, other)
            elif isinstance(step, Decide) and not lying.takes(step.about):
                offered |= {offer.wager for offer in step.offers}
                lying = felts.choose(lying, step, next(offer for offer in step.offers if not offer.most))
            elif mine or open_:
                raise felts.refuse("a seat is not dealt two cards before it is asked, and the dealer one")
            else:
                return Dealt(lying, step, peeked, frozenset(offered))

    @property
    def peeks(self) -> bool:
        """Whether a dealer's blackjack ends the round before anyone plays."""
        return self.part("peeks", self._peeks)

    def _peeks(self) -> bool:
        ends = self.dealer
        looks = set()
        for up in VALUES:
            then = [ends.ends[state] for state in ends.after[ends.after[0][up]]]
            if any(end is not None and end.is_natural for end in then):
                looks.add(self.dealt[up].peeked)
        if len(looks) > 1:
            raise self.felts.refuse("the dealer looks for blackjack under some up cards alone")
        return True in looks

    @property
    def dealer(self) -> DealerRules:
        return self.part("dealer", lambda: _Dealer(self).rules())

    @property
    def houses(self) -> dict[End, list[HouseState]]:
        """The dealer's places for every complete hand."""
        self.dealer  # noqa: B018  # which fills them
        return self.part("houses", dict)

    @property
    def holes(self) -> dict[tuple[int, int], HouseState]:
        """The dealer's first two cards, by up card and hole card."""
        self.dealer  # noqa: B018  # which fills them
        return self.part("holes", dict)

    @property
    def counts(self) -> Counts:
        """How the seat's hands count cards."""
        return self.part("counts", self._counts)

    def _counts(self) -> Counts:
        empty = self.felts.opened().hand(0)
        hands, known, after = [empty], {empty: 0}, []
        for hand in hands:
            row = []
            for card in FACES:
                drawn = hand if hand.is_over else hand.add(card)
                row.append(known.setdefault(drawn, len(hands)))
                hands += [drawn] if row[-1] == len(hands) else []
            after.append(row)
        total, soft, over = zip(*((hand.points, hand.soft, hand.is_over) for hand in hands), strict=True)
        return Counts(np.array(after), np.array(total), np.array(soft), np.array(over))

    @property
    def seats(self) -> Seats:
        return self.part("seats", lambda: Seats(self))

    @property
    def empty(self) -> int:
        """The state of a seat before its first card."""
        return self.seats.state(self.felts.opened(), 0)

    @property
    def pairs(self) -> tuple[int, ...]:
        """The state of each pair of one rank."""
        return self.part(
            "pairs", lambda: tuple(self.seats.follow(one)[v] for v, one in enumerate(self._ones))
        )

    @property
    def _ones(self) -> list[int]:
        return self.seats.follow(self.empty)

    @property
    def most_hands(self) -> tuple[int, ...]:
        """How many hands a pair of each value can become: 1 where it may not be split."""
        return self.part("most_hands", lambda: tuple(map(self._most_hands, VALUES)))

    def _most_hands(self, value: int) -> int:
        seats, state, hands = self.seats, self.pairs[value], 1
        while seats.may(state, SPLIT):
            hands += 1
            state = seats.state(self.felts.draw(seats.choose(state, SPLIT), TWINS[value]), 0)
        return hands

    @property
    def split_roots(self) -> dict[int, int]:
        """By value of the pairs that may be split: the first hand of the split, before its second card."""
        return self.part("split_roots", lambda: dict(self._split_roots()))

    def _split_roots(self) -> Iterator[tuple[int, int]]:
        for value, pair in enumerate(self.pairs):
            if self.seats.may(pair, SPLIT):
                yield value, self.seats.state(self.seats.choose(pair, SPLIT), 0)

    def kinds(self, value: int) -> tuple[frozenset[Card], ...]:
        """The cards of a value, in the groups that make pairs to split with each other."""
        return self.part(f"kinds {value}", lambda: tuple(self._kinds(value)))

    def _kinds(self, value: int) -> Iterator[frozenset[Card]]:
        left = list(BY_VALUE[value])
        while left:
            alike = [face for face in left if face is left[0] or self.may_split(left[0], face)]
            yield frozenset(alike)
            left = [face for face in left if face not in alike]

    def may_split(self, first: Card, second: Card) -> bool:
        """Whether these two cards may be split against any up card."""
        felts = self.felts
        lying = felts.draw(felts.draw(felts.opened(), first), second)
        return self.seats.may(self.seats.state(lying, 0), SPLIT)

    def is_told_apart(self, value: int) -> bool:
        """Whether cards of one value make pairs of several kinds, such as ten-value cards by rank."""
        return len(self.kinds(value)) > 1 and self.most_hands[value] > 1

    def check_values(self) -> None:
        """Make sure that of a card only its value counts, and of equal cards whether they are a pair."""
        self.part("values", self._check_values)

    def _check_values(self) -> bool:
        felts, opened = self.felts, self.felts.opened()
        for value, faces in enumerate(BY_VALUE):
            other = FACES[value - 1]
            wanted = _both(felts, opened, FACES[value], other)
            if any(_both(felts, opened, face, other) != wanted for face in faces):
                raise felts.refuse("cards of one value make different hands")
            for face in faces:
                mixed = self.seats.state(felts.draw(felts.draw(opened, FACES[value]), face), 0)
                if not np.array_equal(self._plain_offers(mixed), self._plain_offers(self.pairs[value])):
                    raise felts.refuse("two cards of one value are offered more than a split by their ranks")
        return True

    def _plain_offers(self, state: int) -> Bools:
        return self.seats.offers[state][:, :SPLIT]


def _both(felts: Felts, opened: Lying, one: Card, other: Card) -> list[object]:
    """What two cards make of a seat's hand, in either order."""
    return [felts.draw(felts.draw(opened, a), b).seat for a, b in ((one, other), (other, one))]


class _Dealer:
    """Asks for each of the dealer's hands whether it is drawn to."""

    def __init__(self, rules: TableRules) -> None:
        self._rules, self._felts = rules, rules.felts
        self._after: list[list[int]] = [list(range(1, 11)), *([] for _ in VALUES)]
        self._ends: list[End | None] = [None] * 11
        self._hands: list[BlackjackHand] = []
        self._known: dict[object, int] = {}
        self._houses: dict[End, list[HouseState]] = {}
        self._holes: dict[tuple[int, int], HouseState] = {}

    def rules(self) -> DealerRules:
        stands = [self._stand(up) for up in VALUES]
        self._hands = [BlackjackHand(), *(_hand(lying) for lying, _ in stands)]
        for up, (lying, step) in enumerate(stands):
            drawn = [self._felts.dealer_draws(lying, step, card) for card in FACES]
            self._after[up + 1] = [self._state(each) for each in drawn]
            self._holes |= {(up, value): each.house for value, each in enumerate(drawn)}
        for state in range(1, 11):
            for value in VALUES:
                if self._after[state][value] != self._after[value + 1][state - 1]:
                    raise self._felts.refuse("the order of the dealer's cards counts")
        self._rules.part("houses", lambda: self._houses)
        self._rules.part("holes", lambda: self._holes)
        return DealerRules(tuple(map(tuple, self._after)), tuple(self._ends), tuple(self._hands))

    def _stand(self, up: int) -> tuple[Lying, Step | None]:
        """A hand that stands against an up card, and what the dealer does then."""
        dealt = self._rules.dealt[up]
        if not isinstance(dealt.step, Decide):
            raise self._felts.refuse("a hand is not asked what to do")
        enough = next(offer for offer in dealt.step.offers if offer.name == self._rules.words[STAND])
        lying = self._felts.choose(dealt.lying, dealt.step, enough)
        step = self._felts.awaits(lying)
        if not (isinstance(step, Turn | Draw) and step.count == 1):
            raise self._felts.refuse("the dealer does not go on when the seat has played")
        return lying, step

    def _state(self, lying: Lying) -> int:
        """The number of the dealer's hand that lies there, with all that can follow it."""
        key = lying.house.dealer
        if key in self._known:
            return self._known[key]
        number = self._known[key] = len(self._hands)
        hand, step = _hand(lying), self._felts.awaits(lying)
        self._hands.append(hand)
        self._after.append([])
        end = End(hand.points, hand.is_blackjack) if step is None else None
        self._ends.append(end)
        if end:
            self._houses.setdefault(end, []).append(lying.house)
            self._after[number] = [-1] * 10
            return number
        if hand.is_over or not isinstance(step, Draw) or step.to != DEALER or step.count != 1:
            raise self._felts.refuse("the dealer does otherwise than draw card by card up to a total")
        following = [self._state(self._felts.dealer_draws(lying, step, card)) for card in FACES]
        self._after[number] = following
        return number


def _hand(lying: Lying) -> BlackjackHand:
    return next(hand for hand in lying.house.dealer.hands if isinstance(hand, BlackjackHand))


@lru_cache(maxsize=64)
def table_rules(game: Game[Any]) -> TableRules:
    """The rules of a game, asked once for all its shoes."""
    return TableRules(game)
