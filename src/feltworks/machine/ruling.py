"""Calls the rules about a pair of states: which lines are settled, and which card or choice comes next.

Wagers that depend only on a hand of their own are judged by one call of the rules for each hand.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cache, partial, reduce
from typing import Any, Final, NoReturn

from msgspec import Struct
from msgspec.structs import replace

from feltworks.cards import Card
from feltworks.errors import FeltError
from feltworks.hands.hand import Hand
from feltworks.machine.facts import Facts
from feltworks.machine.felt import (
    Amounts,
    Felt,
    HouseState,
    PlaceState,
    Readings,
    SeatState,
    lay_felt,
    own_hand,
    shown_cards,
)
from feltworks.machine.node import PART, Node, Result, Results, Sides, Slot, result_of
from feltworks.money import Cents, Odds
from feltworks.rules.advance import select_offer
from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, DEALER, SEAT, Back, Choice
from feltworks.rules.settlement import facts_for, price_line
from feltworks.rules.steps import Decide, Draw, Peek, Step, Turn
from feltworks.rules.wager import Line, Own, Verdict

Outcomes = tuple[str | None, ...]  # None: undecided


class TableRead(Exception):
    """Raised when a wager reads the table's standing, so that it depends on more than its own hand."""


class _NoStanding:
    """A stand-in for a game's standing that raises `TableRead` when it is used."""

    def _refuse(self, *_: object) -> NoReturn:
        raise TableRead

    __bool__ = __eq__ = __hash__ = __iter__ = __len__ = _refuse

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):  # looked up by Python itself, not by a rule
            raise AttributeError(name)
        raise TableRead


_NO_STANDING: Final = _NoStanding()


class Rows(Struct, frozen=True):
    """The outcomes of some wagers for many states of the house, without repetition."""

    wagers: tuple[str, ...]
    different: tuple[Outcomes, ...]  # the distinct combinations of outcomes
    row: tuple[int, ...]  # by state: the index of its combination


class OwnHands:
    """The wagers of a seat that have hands of their own, with cached outcomes."""

    def __init__(self, game: Game, readings: Readings) -> None:
        self._game, self._readings = game, readings
        self._places = {name: place for place, name in enumerate(readings.owners)}
        self._judged_alone = {
            name
            for name in readings.owners
            if type(game).settle is Game.settle
            and game.wagers[name].hand is not None
            and not game.wagers[name].divides
            and all(isinstance(pay, Odds) for pay in game.pays[name].values())
        }
        self._outcomes = {name: cache(partial(self._judge, name)) for name in self._judged_alone}
        self.forget()

    def forget(self) -> None:
        """Clear the caches that are keyed by states of the house, whose numbers change with a new graph."""
        self._hands: dict[Hashable, list[Hand]] = {}
        self._rows: dict[Hashable, Outcomes] = {}
        self._together: dict[Hashable, Rows] = {}
        self._shown: dict[Hashable, list[tuple[Card, ...]]] = {}

    def decide(self, open_wagers: Iterable[str]) -> bool:
        """Whether all of these wagers depend only on their own hands, as far as is known yet."""
        return self._judged_alone.issuperset(open_wagers)

    def settle(self, on: SeatState, against: HouseState, open_wagers: Iterable[str]) -> list[Line]:
        """The lines of those open wagers that their own hands decide now."""
        return self.lines(on, {name: self._outcomes[name](self._hand(name, on, against)) for name in open_wagers})

    def rows(self, on: SeatState, houses: Callable[[], Sequence[HouseState]], key: Hashable) -> Rows:
        """The outcomes of a seat's open wagers for some states of the house, cached under a key."""
        open_wagers = on.open_wagers
        known = self._together.get((open_wagers, on.lying.own, key))
        if known is None:
            rows = [self._row(name, on, houses, key) for name in open_wagers]
            places: defaultdict[Outcomes, int] = defaultdict()
            places.default_factory = places.__len__  # numbers in the order of first use
            row = tuple(map(places.__getitem__, zip(*rows, strict=True)))
            known = self._together[open_wagers, on.lying.own, key] = Rows(open_wagers, tuple(places), row)
        return known

    def lines(self, on: SeatState, outcomes: Mapping[str, str | None]) -> list[Line]:
        """The lines of wagers with these outcomes; a wager without an outcome stays open."""
        return [
            price_line(self._game, 0, name, "", cents, Verdict(outcome, "", ()), toke)
            for amounts, toke in ((on.wagers, False), (on.tokes, True))
            for name, cents in amounts
            if (outcome := outcomes.get(name)) is not None
        ]

    def _hand(self, name: str, on: SeatState, against: HouseState) -> Hand:
        hand: Hand = own_hand(on.lying, against, self._places[name], joint=self._readings.joint[name])
        return hand

    def _row(self, name: str, on: SeatState, houses: Callable[[], Sequence[HouseState]], key: Hashable) -> Outcomes:
        mine = on.lying.own[self._places[name]], key
        row = self._rows.get((name, mine))
        if row is None:
            hands_key = id(self._readings.owners[name]), mine  # wagers on the same cards share hands
            if hands_key not in self._hands:
                self._hands[hands_key] = self._hands_after(name, on, houses(), key)
            row = self._rows[name, mine] = tuple(map(self._outcomes[name], self._hands[hands_key]))
        return row

    def _hands_after(self, name: str, on: SeatState, houses: Sequence[HouseState], key: Hashable) -> list[Hand]:
        """A wager's own hand with each of these states of the house."""
        place = self._places[name]
        if not self._readings.joint[name]:
            return [self._hand(name, on, house) for house in houses]
        shown = self._shown.get((place, key))
        if shown is None:
            shown = self._shown[place, key] = [shown_cards(house, place) for house in houses]
        mine: Any = on.lying.own[place]
        if len(shown[0]) == 1:  # the same number for all houses; a fast path for the common case
            return [mine.add(card) for (card,) in shown]
        return [reduce(type(mine).add, cards, mine) for cards in shown]

    def _judge(self, name: str, hand: Hand) -> str | None:
        """The outcome of a wager by its own hand; raises `TableRead` once if the wager reads more than that."""
        try:
            verdict = self._game.wagers[name].judge(Own(_NO_STANDING, hand))
        except TableRead:
            self._judged_alone.discard(name)
            raise
        return None if verdict is None else verdict.outcome


class Ruling:
    """Calls the rules with felts made of a seat's state and the house's."""

    def __init__(self, game: Game, sides: Sides, own_hands: OwnHands, meters: Mapping[str, Cents]) -> None:
        self._game, self._sides, self._own_hands, self._meters = game, sides, own_hands, meters
        self._readings, self._seats, self._houses, self._id = sides.readings, sides.seats, sides.houses, sides.number
        self._priced: dict[Hashable, Result] = {}

    def ask(self, seat: int, house: int, facts: Facts | None = None) -> Node:
        """The node of two states: settles lines, deals cards face down, and stops at the next card or choice."""
        results: list[Result] = []
        on, against = self._seats[seat], self._houses[house]
        while True:
            lines, felt = self._decide(on, against, facts)
            if lines:
                decided = [self.result(line) for line in lines]
                judges, is_part = self._game.wagers, on.is_part  # of a split, with a wager on each hand
                results += [
                    replace(one, part=PART) if is_part and judges[one.wager].divides else one for one in decided
                ]
                names = {result.wager for result in decided}
                if names.issuperset(on.open_wagers):
                    return Node(self._id(on), self._id(against), tuple(results))
                on, against = self.forget(on, against, names)
                felt = None
            step = self._game.awaits(felt or self.lay(on, against, facts))
            if isinstance(step, Draw) and step.down:
                on, against = self._lay_down(on, against, step)
                continue
            if on is not self._seats[seat]:
                seat = self._id(on)
            if against is not self._houses[house]:
                house = self._id(against)
            return self._wait_for(seat, house, tuple(results), step)

    def lay(self, on: SeatState, against: HouseState, facts: Facts | None = None) -> Felt:
        """The felt of two states."""
        return lay_felt(self._readings, (on,), _with_board(on, against), self._meters, facts)

    def _decide(self, on: SeatState, against: HouseState, facts: Facts | None) -> tuple[list[Line], Felt | None]:
        """The lines of wagers that are completely decided; and the felt, if one was needed."""
        open_wagers = on.open_wagers
        if not self._own_hands.decide(open_wagers):
            felt = self.lay(on, against, facts)
            return self.lines(felt, on), felt
        if facts is not None:
            facts.is_whole = True
        return self._own_hands.settle(on, _with_board(on, against), open_wagers), None

    def result(self, line: Line) -> Result:
        """The result of a line, cached so that equal results are one object."""
        key = line.wager, line.part, line.outcome, line.wagered, line.net, line.toke
        if key not in self._priced:
            self._priced[key] = result_of(line)
        return self._priced[key]

    def lines(self, felt: Felt, on: SeatState) -> list[Line]:
        """The lines of wagers that are completely decided: they cover all money placed."""
        lines = self._game.settle(felt)
        if not lines:
            return []
        wagered: dict[tuple[str, bool], Cents] = {}
        for line in lines:
            key = line.wager, line.toke
            wagered[key] = wagered.get(key, 0) + line.wagered
        placed = {(name, False): cents for name, cents in on.wagers}
        placed |= {(name, True): cents for name, cents in on.tokes}
        return [line for line in lines if wagered[line.wager, line.toke] == placed[line.wager, line.toke]]

    def forget(self, on: SeatState, against: HouseState, decided: set[str]) -> tuple[SeatState, HouseState]:
        """Drop the own hands of decided wagers, and of wagers that could only follow from a decided one."""
        settled = on.settled | decided
        book, placed = self._game.terms.rulebook.wager, dict(on.wagers)
        over = {name for name in self._readings.owners if name not in placed and book[name].of in settled}

        def without(lying: PlaceState) -> PlaceState:
            names = zip(self._readings.owners, lying.own, strict=True)
            own = tuple([None if name in settled or name in over else hand for name, hand in names])
            return replace(lying, own=own) if own != lying.own else lying

        board = None if on.board is None else without(on.board)
        on = replace(on, settled=settled, lying=without(on.lying), board=board)
        return on, HouseState(without(against.dealer), without(against.board))

    def _lay_down(self, on: SeatState, against: HouseState, step: Draw) -> tuple[SeatState, HouseState]:
        down = self._readings.lay_down
        if step.to >= 0:
            return replace(on, lying=down(on.lying, SEAT, step.count)), against
        if step.to == DEALER:
            return on, replace(against, dealer=down(against.dealer, DEALER, step.count))
        if on.board is not None:
            return replace(on, board=down(on.board, BOARD, step.count)), against
        return on, replace(against, board=down(against.board, BOARD, step.count))

    def _wait_for(self, seat: int, house: int, results: Results, step: Step | None) -> Node:
        if step is None:
            raise FeltError(f"{self._game.terms.rulebook.title}: a round ends with a wager undecided")
        if isinstance(step, Decide):
            return Node(seat, house, results, step=step)
        return Node(seat, house, results, slot=self._slot(seat, house, step))

    def _slot(self, seat: int, house: int, step: Draw | Turn | Peek) -> Slot:
        if isinstance(step, Draw):
            shared = step.to == BOARD and self._seats[seat].board is not None
            return Slot(SEAT if step.to >= 0 else step.to, step.count, with_seat=shared)
        place = SEAT if step.at >= 0 else step.at
        shared = place == BOARD and self._seats[seat].board is not None
        if isinstance(step, Peek):
            return Slot(place, 1, step.index, step.wanted, with_seat=shared)
        back = self._sides.lying(seat if place == SEAT or shared else house, place, shared=shared).backs[step.index]
        again = isinstance(back, Back) and bool(back.barring)
        return Slot(place, step.count, step.index, again=again, with_seat=shared)

    def unseen(self, node: Node) -> tuple[int, int]:
        """The number of cards face down at the seat, and of the house's."""
        house = _with_board(self._seats[node.seat], self._houses[node.house])
        mine, dealer, board = (
            sum(back is not None for back in lying.backs)
            for lying in (self._seats[node.seat].lying, house.dealer, house.board)
        )
        return mine, dealer + board

    def choose(self, on: SeatState, step: Decide, choice: Choice) -> SeatState:
        """The seat's state after a choice."""
        offer, choice = select_offer(step, choice)
        amounts = dict(on.wagers)
        if choice.cents:
            amounts[offer.wager] = amounts.get(offer.wager, 0) + choice.cents
            if not amounts[offer.wager]:
                del amounts[offer.wager]
        wagers: Amounts = tuple(amounts.items())
        hands = on.lying.hands
        if any(hand.takes(choice.about) for hand in hands):
            hands = tuple([h.choose(choice.name) if h.takes(choice.about) else h for h in hands])
            return replace(on, wagers=wagers, lying=replace(on.lying, hands=hands))
        return replace(on, wagers=wagers, choices=(*on.choices, choice))


def _with_board(on: SeatState, against: HouseState) -> HouseState:
    """The house's state; with the board of the seat's state, if it is kept there."""
    return against if on.board is None else HouseState(against.dealer, on.board)


Key = tuple[int, Hashable]  # the number of hands, and the trace of finished ones


def divide(
    game: Game, felt: Felt, on: SeatState, limits: frozenset[int]
) -> tuple[SeatState, set[str], Mapping[Key, SeatState]]:
    """Split a seat: the hand played first, the wagers that do not lie on it, and the other hand by number and trace.

    Each hand has its share of the wagers; a wager on all hands together goes with the hand played last.
    """
    shares = _shares(game, felt, on)
    forks = [hand.fork(limits) for hand in on.lying.hands]
    keys = list(next(fork.later for fork in forks if fork is not None))

    def part(number: int, key: Key | None) -> SeatState:
        amounts = tuple((name, shares[name][number] if name in shares else cents) for name, cents in on.wagers)
        hands = [
            hand if fork is None else fork.first if key is None else fork.later[key]
            for hand, fork in zip(on.lying.hands, forks, strict=True)
        ]
        return replace(on, wagers=amounts, lying=replace(on.lying, hands=tuple(hands)), is_part=True)

    whole = {name for name, _ in on.wagers if name not in shares} - on.settled
    return part(0, None), whole, {key: part(1, key) for key in keys}


def _shares(game: Game, felt: Felt, on: SeatState) -> dict[str, list[Cents]]:
    """By wager that is divided: the money on each hand."""
    standing, shares = game.standing(felt, 0), dict[str, list[Cents]]()
    for name, cents in on.wagers:
        judge = game.wagers[name]
        if judge.divides and name not in on.settled:
            parts = judge.parts(facts_for(judge, felt, 0, standing), cents)
            shares[name] = [part.wagered for part in parts]
    return shares
