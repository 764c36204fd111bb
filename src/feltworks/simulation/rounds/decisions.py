"""How the seats of a plan decide, computed for every state of their tables."""

from collections.abc import Hashable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import permutations
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from feltworks.analysis.analyze import situations_of
from feltworks.analysis.question import PRACTICAL, Question, is_practical
from feltworks.analysis.shape import ranking_of
from feltworks.analysis.solvers.counts import by_chooser, lay_cards, places_by_name
from feltworks.analysis.solvers.showdown.hands import HandClasses, hand_classes, in_suit
from feltworks.analysis.solvers.showdown.solver import showdown
from feltworks.analysis.solvers.showdown.spot import NoShowdown
from feltworks.analysis.strategy.advice import advice
from feltworks.analysis.strategy.decisions import kind_of
from feltworks.analysis.strategy.file import Chooser
from feltworks.cards import Card
from feltworks.errors import BadOption, FeltError
from feltworks.hands.blackjack import points
from feltworks.machine.felt import Felt
from feltworks.machine.node import Decider, Example, choices_of, names_of
from feltworks.machine.play import (
    Decide,
    DecisionPoint,
    HandChoices,
    Play,
    best_choices,
    follow_hands,
    takes_any_order,
)
from feltworks.machine.tables import State, Tables
from feltworks.machine.walk import MOST_STEPS, Walk
from feltworks.money import Cents, dollars
from feltworks.rules import steps
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.rules.round import Round, Seat
from feltworks.rules.sights import PlayerView, player_view, seat_view
from feltworks.simulation.plan import Plan, Strategy
from feltworks.simulation.rounds.strategies import (
    ALWAYS,
    SpotPlay,
    check_followed,
    chooser_of,
    is_about_bonus,
    serving_of,
    spot_play,
)


class Seating(Struct, frozen=True):
    """The seats of a plan: how each plays, and its opening wagers at each level of a counter's ramp."""

    kinds: tuple[int, ...]  # of each seat
    wagers: tuple[Mapping[str, Cents], ...]  # by level and kind: the opening wagers
    plays: tuple[Play, ...]
    different: int = 1  # kinds of seats
    levels: tuple[int, ...] = (0,)  # by true count
    tags: Mapping[Card, int] = {}  # what a card adds to the count

    @property
    def widest(self) -> int:
        """The largest true count that makes a difference."""
        return len(self.levels) // 2

    def level(self, count: int) -> int:
        return self.levels[count + self.widest]

    def opening(self, seat: int, level: int) -> Mapping[str, Cents]:
        return self.wagers[level * self.different + self.kinds[seat]]

    def play(self, seat: int, level: int) -> Play:
        return self.plays[level * self.different + self.kinds[seat]]


MOST_TRUE_COUNT: Final = 30  # larger counts are treated as this one


def by_true_count(seating: Seating, tags: Mapping[Card, int]) -> Seating:
    """The same seats with a separate kind for each true count; equal plays are shared, so this is cheap."""
    counts = 2 * MOST_TRUE_COUNT + 1
    return Seating(
        seating.kinds,
        seating.wagers[: seating.different] * counts,
        seating.plays[: seating.different] * counts,
        seating.different,
        tuple(range(counts)),
        tags,
    )


def seating_of(plan: Plan) -> Seating:
    """The seats of a plan; refuses a strategy that leaves a decision open."""
    different = sorted({tuple(seat.items()) for seat in plan.seats})
    kinds = tuple(different.index(tuple(seat.items())) for seat in plan.seats)
    wagers = [dict(kind) for kind in different]
    spots = _spots_of(plan)
    if spots.counter is None:
        plays = tuple(play_of(plan, seat) for seat in wagers)
        return Seating(kinds, tuple(wagers), plays, len(different))
    counter, counts = spots.counter, range(-spots.widest, spots.widest + 1)
    ramp = sorted({counter.units_at(count) for count in counts})
    by_level = [_raise_main(plan.table, seat, units) for units in ramp for seat in wagers]
    return Seating(
        kinds,
        tuple(by_level),
        tuple(play_of(plan, seat) for seat in by_level),
        len(different),
        tuple(ramp.index(counter.units_at(count)) for count in counts),
        {face: counter.tags.get(points(face), 0) for face in plan.table.terms.shoe},
    )


def _raise_main(game: Game, seat: Mapping[str, Cents], units: int) -> dict[str, Cents]:
    """The opening wagers of a counter who multiplies the main one by `units`."""
    hands = game.written.hands
    return {name: cents * (units if hands and name == hands.wager else 1) for name, cents in seat.items()}


def _plays_spots(plan: Plan) -> bool:
    """Whether a seat plays hands of its spot."""
    hands = plan.table.written.hands
    return hands is not None and plan.table.has_spots and hands.wager in plan.wagers


def _spots_of(plan: Plan) -> SpotPlay:
    """How the seats play their hands; independent of their wagers, so it is computed once for all seats."""
    hands = plan.table.written.hands
    if hands is None or not _plays_spots(plan):
        return SpotPlay((), (False,))
    return _spots(replace(plan, seats=({hands.wager: plan.table.terms.rulebook.wager[hands.wager].least},)).to_json())


@lru_cache(maxsize=4)
def _spots(plan_json: bytes) -> SpotPlay:
    plan = Plan.from_json(plan_json)
    return spot_play(plan.table, plan.strategy)


def play_of(plan: Plan, wagers: Mapping[str, Cents]) -> Play:
    """The play of a seat with these wagers; refuses a strategy that leaves a decision open."""
    return _play(replace(plan, seats=(wagers,)).to_json())


@lru_cache(maxsize=16)
def _play(plan_json: bytes) -> Play:
    """Cached so that the rounds and their exact figures share a play; other seats do not matter."""
    plan = Plan.from_json(plan_json)
    (wagers,) = plan.seats
    game, shoe = plan.table, plan.table.terms.shoe
    if game.has_spots:
        decide = _spot_decider(plan, wagers)
        return Play(Tables(game, wagers, meters=plan.meters, decide=decide), shoe)
    table = Plan(plan.game, plan.seats, Strategy(), plan.options, plan.pay_tables, plan.jackpot)
    tables = _tables(table.to_json())
    if not tables.steps:
        return Play(tables, shoe, lambda _: 0)
    follow = chooser_of(game, wagers, plan.strategy)
    check_followed(plan.strategy, follow)
    if follow is None and (street := _by_streets(plan, tables, wagers)) is not None:
        return Play(tables, shoe, street, by_cards=False)
    walk = _short_walk(tables, serving_of(game, wagers, plan.strategy))
    if walk is None and (hands := _by_hands(plan, tables, wagers, follow)) is not None:
        return Play(tables, shoe, hands, by_cards=True)
    if walk is None:
        answer = _by_advice(plan, tables, wagers) if follow is None else by_chooser(tables, follow)
        return Play(tables, shoe, answer, by_cards=False)
    is_list = plan.strategy.document is None and is_practical(plan.strategy.name)
    if follow is not None and not is_list:
        return Play(tables, shoe, by_chooser(tables, follow), by_cards=True)
    walk.law()
    best = best_choices(walk.best)
    return Play(tables, shoe, by_chooser(tables, follow, best) if follow else best, by_cards=True)


def _spot_decider(plan: Plan, wagers: Mapping[str, Cents]) -> Decider:
    """The function that answers every decision of a seat with a spot."""
    game = plan.table
    _check_bonus(plan)
    spots, bonus = _spots_of(plan), _BonusDecisions(game, wagers, _for_bonus(plan.strategy))

    def decide(felt: Felt, step: steps.Decide, example: Example | None) -> Sequence[str]:
        open_ = [offer.name for offer in step.offers]
        if game.spot is not None and game.spot.takes(step.about):
            return [play(felt, open_) for play in spots.by_count]
        if step.about in wagers:
            return [open_[0] if example is None else bonus.choose(step, example)]
        with_money = [offer.name for offer in step.offers if offer.wager]
        return [with_money[0] if insures and with_money else open_[0] for insures in spots.insures]

    return decide


def _for_bonus(strategy: Strategy) -> Strategy:
    """The strategy for a seat's bonus wagers: best play, unless the plan's strategy covers them."""
    by_name = strategy.document is None and strategy.name.startswith((PRACTICAL, ALWAYS))
    return strategy if by_name or is_about_bonus(strategy) else Strategy()


def _check_bonus(plan: Plan) -> None:
    """Refuse a strategy for bonus decisions if no bonus wager has a decision."""
    asks = any(plan.table.wagers[name].written is not None for name in plan.wagers)
    if is_about_bonus(plan.strategy) and not asks:
        words = "one that plays the hands: nothing can be raised at this table"
        raise BadOption("--strategy", plan.strategy.name, words)


class _BonusDecisions:
    """The answers of a seat to the decisions of its bonus wagers."""

    def __init__(self, game: Game, wagers: Mapping[str, Cents], strategy: Strategy) -> None:
        self._game, self._wagers, self._strategy = game, wagers, strategy
        self._choosers: dict[str, Chooser | None] = {}
        self._best: dict[str, dict[Hashable, str]] = {}

    def choose(self, step: steps.Decide, example: Example) -> str:
        wager, names = step.about, list(names_of(tuple(choices_of(step))))
        is_fixed, fixed = self._strategy.name.startswith(ALWAYS), self._strategy.name.removeprefix(ALWAYS)
        if is_fixed and fixed in names:
            return fixed
        seat = {wager: self._wagers[wager]}
        if wager not in self._choosers:
            strategy = Strategy() if is_fixed else self._strategy
            self._choosers[wager] = chooser_of(self._game, seat, strategy)
        follow = self._choosers[wager]
        if follow is not None:
            return follow(seat_view(*example, names, wager))
        best = self._best_by_kind(wager).get(kind_of(self._game, *example))
        if best in names:
            return best
        r = lay_cards(self._game, Round((Seat(seat),)), *example)
        return advice(self._game, self._game.view(r, 0), step).best

    def _best_by_kind(self, wager: str) -> Mapping[Hashable, str]:
        """The best choice by kind of sight, all counted at once; empty if that is not possible."""
        if wager not in self._best:
            self._best[wager] = {}
            with suppress(FeltError):
                question = Question(self._game, wager)
                for each in situations_of(question):
                    view = player_view(each.shown, ())
                    self._best[wager][kind_of(self._game, view.cards, view.dealer)] = each.best(question.serving)
        return self._best[wager]


@lru_cache(maxsize=8)
def _tables(plan_json: bytes) -> Tables:
    """The tables of a seat; cached, as they do not depend on its strategy."""
    plan = Plan.from_json(plan_json)
    return Tables(plan.table, plan.seats[0], meters=plan.meters)


def _short_walk(tables: Tables, serving: frozenset[str]) -> Walk | None:
    """The walk that finds the best choices; None if it is too long or the dealer looks at a card.

    The compiled rounds know a card that the dealer has looked at; a walk does not know it, like the player.
    """
    if any(state.wanted is not None for state in tables.states):
        return None
    try:
        walk = Walk(tables, serving=serving)
    except FeltError:
        return None
    return walk if walk.steps <= MOST_STEPS else None


def _places_by_amount(state: State) -> dict[str, int]:
    """The index of each choice by name, also by name and amount as the showdown solver writes it."""
    named = {f"{choice.name} {dollars(choice.cents or 0)}": n for n, (choice, _) in enumerate(state.choices)}
    return places_by_name(state) | named


def _by_advice(plan: Plan, tables: Tables, wagers: Mapping[str, Cents]) -> Decide:
    """Best play in a game too long to walk: takes the coach's advice on an example of each state."""
    game = plan.table
    opened = Round((Seat(dict(wagers)),), meters=plan.meters)

    def decide(point: DecisionPoint) -> int:
        step = tables.steps[point.state]
        r = lay_cards(game, opened, point.mine, point.house)
        return tables.states[point.state].names.index(advice(game, game.view(r, 0), step).best)

    return decide


def _by_streets(plan: Plan, tables: Tables, wagers: Mapping[str, Cents]) -> Decide | None:
    """Best play of a hand that grows on several streets; None if the game has another shape."""
    game = plan.table
    if ranking_of(game) is None:
        return None
    from feltworks.analysis.solvers.streets.solver import streets_solver
    from feltworks.analysis.solvers.streets.tree import NoStreets

    serving = serving_of(game, wagers, plan.strategy)
    try:
        solved = streets_solver(game, wagers, game.terms.shoe, meters=plan.meters, serving=serving)
    except NoStreets:
        return None

    def decide(seen: DecisionPoint) -> int:
        if solved.streets.has_dealer:
            choice = solved.choice(seen.chosen, seen.mine, next(iter(seen.house), None))
        else:
            choice = solved.choice(seen.chosen, (*seen.mine, *seen.house))
        return tables.states[seen.state].names.index(choice)

    return decide


def _by_hands(plan: Plan, tables: Tables, wagers: Mapping[str, Cents], follow: Chooser | None) -> HandChoices | None:
    """The choice of every hand in a showdown if a seat sees only its own hand; else None.

    Hands of the same value may need different choices, because the dealer cannot hold their cards.
    """
    game = plan.table
    ranking = ranking_of(game)
    if ranking is None or not takes_any_order(tables, ranking.size):
        return None
    classes = hand_classes(game.terms.shoe, ranking)
    if len(classes.wild_faces) > 1 or not _sees_hand_alone(tables, ranking.size):
        return None
    try:
        best = _best_choices(plan, wagers) if follow is None else {}
    except NoShowdown:
        return None
    cards = list(best) or [classes.cards(row) for row in range(len(classes))]
    number = {face: place for place, face in enumerate(tables.faces)}
    hands = np.array([[number[card] for card in hand] for hand in cards])
    states = follow_hands(tables.after_faces, tables.start, hands).tolist()
    listed = {
        state: places_by_name(tables.states[state]) if follow else _places_by_amount(tables.states[state])
        for state in set(states)
    }
    places = [
        listed[state][follow(PlayerView(hand, (), tuple(listed[state]))) if follow else best[hand]]
        for hand, state in zip(cards, states, strict=True)
    ]
    exchanges = _suit_exchanges(classes, tables.faces)
    return HandChoices(exchanges[:, hands].reshape(-1, ranking.size), np.tile(places, len(exchanges)))


def _sees_hand_alone(tables: Tables, size: int) -> bool:
    """Whether a seat decides after its first `size` cards, with no other card dealt before."""
    number = tables.start
    for _ in range(size):
        if not tables.states[number].on_seat:
            return False
        number = tables.states[number].after[0]
    return bool(tables.states[number].choices)


def _suit_exchanges(classes: HandClasses, faces: Sequence[Card]) -> NDArray[np.int64]:
    """By permutation of interchangeable suits: the face that replaces each face."""
    alike = dict(zip(classes.suits, map(id, classes.holdings), strict=True))
    exchanges = [dict(zip(classes.suits, suits, strict=True)) for suits in permutations(classes.suits)]
    return np.array(
        [
            [faces.index(in_suit(face, to)) for face in faces]
            for to in exchanges
            if all(alike[suit] == alike[other] for suit, other in to.items())
        ]
    )


def _best_choices(plan: Plan, wagers: Mapping[str, Cents]) -> dict[tuple[Card, ...], str]:
    """An example hand of every class with its best choice for the served wagers."""
    game, serving = plan.table, serving_of(plan.table, wagers, plan.strategy)
    served = {name: cents for name, cents in wagers.items() if name in serving}
    used = {meter for name in served for meter in meters_of(game.pays[name].values())}
    meters = {name: cents for name, cents in plan.meters.items() if name in used}
    return dict(showdown(game, wagers=served, meters=meters).choices())
