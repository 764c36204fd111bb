"""Counts decision situations once, in whole numbers, and applies any pays and wagers of the spot to the counts.

A situation is what a player can know when a decision comes, with the exact law of each choice there.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from random import Random
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.progress import Progress
from feltworks.analysis.referee import Law, Referee, mean, money_wagered, net, reprice
from feltworks.analysis.strategy.file import Chooser
from feltworks.cards import Card, Shoe
from feltworks.machine.node import choices_of, names_of, result_of
from feltworks.machine.play import Decide as AnswerPoint
from feltworks.machine.play import DecisionPoint, Play
from feltworks.machine.sights import Sight, SightCache, SightWalk
from feltworks.machine.tables import State, Tables
from feltworks.machine.walk import Settled, Walk, settlement_of
from feltworks.money import Cents
from feltworks.rules.advance import advance, peek_answer
from feltworks.rules.game import Game
from feltworks.rules.pay_table import Pay
from feltworks.rules.round import BOARD, DEALER, FACE_DOWN, Place, Round, Seat
from feltworks.rules.sights import seat_view
from feltworks.rules.steps import Decide, Draw, Peek

_TRIALS = 20

Stakes = Mapping[str, Fraction]  # by wager: its weight against the stakes that the laws were computed with


class Situation(Struct, frozen=True):
    """What a player can hold and see: its probability, an example round, and the law of each choice."""

    probability: Fraction
    shown: Round
    laws: Mapping[str, Law]  # by choice; a choice of several amounts has the keys "name" and "name least"

    def value(self, choice: str, serving: Stakes) -> Fraction:
        """Returns the mean net of a choice on the wagers that it is made for."""
        return mean(self.laws[choice], lambda settled: _net_served(settled, serving))

    def best(self, serving: Stakes) -> str:
        """Returns the best choice; of choices with the same value, the one that wagers less."""
        if len(self.laws) == 1:
            return next(iter(self.laws))
        values = {name: self.value(name, serving) for name in self.laws}
        most = max(values.values())
        best = [name for name in self.laws if values[name] == most]
        return min(best, key=lambda name: mean(self.laws[name], money_wagered)) if len(best) > 1 else best[0]


def _net_served(settled: Settled, serving: Stakes) -> Fraction:
    return sum((line.net * serving.get(line.wager, 0) for line in settled), Fraction(0))


def mix_choices(situations: Iterable[Situation], choices: Iterable[str]) -> Law:
    """Computes the law of the whole round from the choice made in each situation."""
    law: Law = {}
    for situation, choice in zip(situations, choices, strict=True):
        for settled, chance in situation.laws[choice].items():
            law[settled] = law.get(settled, 0) + situation.probability * chance
    return law


def walk_situations(referee: Referee, r: Round) -> Iterator[Situation]:
    """Yields the situations of a game with one decision; a round without a decision counts as one too."""
    yield from _walk(referee, r, Fraction(1))


def _walk(referee: Referee, r: Round, probability: Fraction) -> Iterator[Situation]:
    step = referee.game.awaits(r)
    if step is None or isinstance(step, Decide):
        laws = _choice_laws(referee, r, step) if step else {"": referee.law(r)}
        yield Situation(probability, r, laws)
        return
    weighed = referee.next_cards(r, step)
    total = sum(weight for weight, _ in weighed)
    for weight, answer in referee.track.branches(weighed):
        yield from _walk(referee, advance(r, step, answer), probability * Fraction(weight, total))


def _choice_laws(referee: Referee, r: Round, step: Decide) -> dict[str, Law]:
    choices, laws = zip(*referee.choices(r, step), strict=True)
    return dict(zip(names_of(choices), laws, strict=True))


def depends_on_choices(game: Game, wager: str, stakes: Mapping[str, Cents], meters: Mapping[str, Cents]) -> bool:
    """Whether the seat's choices change how the same cards settle a wager, judged by random rounds.

    An example is a bonus wager that a folded hand loses: its edge depends on how the hand is played.
    """
    chance, deck = Random(1), list(game.terms.shoe.all_cards())
    for _ in range(_TRIALS):
        chance.shuffle(deck)
        third = len(deck) // 3
        places = {0: deck[:third], DEALER: deck[third : 2 * third], BOARD: deck[2 * third :]}
        ends = finished_rounds(game, Round((Seat(dict(stakes)),), meters=meters), places)
        if len({settle_wager(game, wager, end) for end in ends}) > 1:
            return True
    return False


def settle_wager(game: Game, wager: str, r: Round) -> Settled:
    """Settles one wager of a finished round in exact cents."""
    return settlement_of(result_of(line) for line in game.settle(r) if line.wager == wager)


def finished_rounds(game: Game, r: Round, places: Mapping[Place, Sequence[Card]]) -> Iterator[Round]:
    """Yields the end of the round for every sequence of choices; each place gets its own cards in order."""
    while (step := game.awaits(r)) is not None and not isinstance(step, Decide):
        place = step.to if isinstance(step, Draw) else step.at
        if isinstance(step, Peek):
            r = advance(r, step, peek_answer(step, places[place][step.index]))
            continue
        begin = len(r.at(place)) if isinstance(step, Draw) else step.index
        faces = tuple(places[place][begin : begin + step.count])
        r = advance(r, step, (FACE_DOWN,) * step.count if isinstance(step, Draw) and step.down else faces)
    if step is None:
        yield r
        return
    for choice in choices_of(step):
        yield from finished_rounds(game, advance(r, step, choice), places)


def turning_points(situations: Iterable[Situation], fixed: str, growing: str) -> list[Fraction]:
    """Finds the ratios growing/fixed at which some best choice changes: the corners of the upper envelopes."""
    corners: set[Fraction] = set()
    for situation in situations:
        lines = {(net_of(law, fixed), net_of(law, growing)) for law in situation.laws.values()}
        corners.update(_corners(lines))
    return sorted(corners)


def net_of(law: Law, wager: str) -> Fraction:
    """Returns the mean net of one wager under a law."""
    only = frozenset([wager])
    return mean(law, lambda settled: net(settled, only))


def _corners(lines: set[tuple[Fraction, Fraction]]) -> Iterator[Fraction]:
    """Yields the corners of the upper envelope of height + slope·x for x above zero."""
    height, slope = max(lines)
    at = Fraction(0)
    while True:
        crossings = [((height - h) / (s - slope), s, h) for h, s in lines if s > slope]
        crossings = [crossing for crossing in crossings if crossing[0] >= at]
        if not crossings:
            return
        at = min(x for x, _, _ in crossings)
        _, slope, height = max(crossing for crossing in crossings if crossing[0] == at)
        if at:
            yield at


_LEAST: Final = " least"  # suffix of the lower end of a range of amounts
Weighted = Sequence[tuple[Settled, int]]  # the weight of each settlement; one may be listed twice


class Cost(Struct, frozen=True):
    """The cost of a wager: per unit of the opening wager, and per unit of all money wagered."""

    house_edge: Fraction
    element_of_risk: Fraction


# A settlement in whole parts of a cent: net of the wagers that choices serve, all money on the spot, and net and
# money of the wagers in question.
_Worth = tuple[int, int, int, int]


def count_situations(
    game: Game,
    wagers: Mapping[str, Cents],
    shoe: Shoe,
    *,
    serving: Iterable[str] | None = None,
    meters: Mapping[str, Cents] | None = None,
    progress: Progress | None = None,
) -> list[Sight]:
    """Every first decision of a seat with these wagers, counted on the machine; refuses games that take too long.

    `serving` are the wagers whose net later decisions maximise.
    """
    tables = tables_of(game, tuple(wagers.items()), tuple((meters or {}).items()))
    return count_on(tables, shoe, serving=serving, progress=progress)


def count_on(
    tables: Tables,
    shoe: Shoe,
    *,
    serving: Iterable[str] | None = None,
    progress: Progress | None = None,
    known: SightCache | None = None,
) -> list[Sight]:
    """As `count_situations`, on tables that are compiled already; `known` has the counts of similar tables."""
    served = frozenset(serving) if serving is not None else None
    walk = SightWalk(tables, shoe, serving=served, joins_suits=True)
    walk.known = known
    walk.check_length()
    needless = _Needless()
    return [replace(sight, choices=needless.drop(sight.choices)) for sight in walk.sights(progress)]


def count_later(tables: Tables, shoe: Shoe, serving: Iterable[str]) -> dict[tuple[str, ...], list[tuple[str, Sight]]]:
    """Every decision after the first, with its name and the choices before it."""
    walk, needless = SightWalk(tables, shoe, serving=frozenset(serving), joins_suits=True), _Needless()
    walk.check_length()
    by_path: dict[tuple[str, ...], list[tuple[str, Sight]]] = {}
    for path, state, sight in walk.later_sights():
        choices = needless.drop(sight.choices)
        by_path.setdefault(path, []).append((tables.steps[state].about, replace(sight, choices=choices)))
    return by_path


class _Needless:
    """Drops the least of a range of amounts if another choice equals an amount of zero.

    The worth is linear in the amount, so the least is never better than both that choice and the most.
    """

    def __init__(self) -> None:
        self._numbers: dict[Settled, int] = {}
        self._parts: dict[tuple[int, frozenset[str]], int] = {}

    def drop(self, choices: Mapping[str, Weighted]) -> Mapping[str, Weighted]:
        ranges = [name for name in choices if name.endswith(_LEAST)]
        needless = [name for name in ranges if self._is_needless(choices, name, name.removesuffix(_LEAST))]
        return {name: weighted for name, weighted in choices.items() if name not in needless}

    def _is_needless(self, choices: Mapping[str, Weighted], least: str, most: str) -> bool:
        others = [weighted for name, weighted in choices.items() if name not in (least, most)]
        return any(self._only_adds_money(choices[most], other) for other in others)

    def _only_adds_money(self, raised: Weighted, plain: Weighted) -> bool:
        names = _wagers_of(plain)
        return names < _wagers_of(raised) and self._merge(raised, names) == self._merge(plain, names)

    def _merge(self, weighted: Weighted, wagers: frozenset[str]) -> dict[int, int]:
        merged: dict[int, int] = {}
        for settled, ways in weighted:
            key = id(settled), wagers
            if key not in self._parts:
                some = tuple([line for line in settled if line.wager in wagers])
                self._parts[key] = self._numbers.setdefault(some, len(self._numbers))
            merged[self._parts[key]] = merged.get(self._parts[key], 0) + ways
        return merged


def _wagers_of(weighted: Weighted) -> frozenset[str]:
    return frozenset([line.wager for settled, _ in weighted for line in settled])


def merge_alike(sights: Iterable[Sight]) -> list[Sight]:
    """Merges sights whose choices have equal weights; enough if only the cost is computed."""
    merged: dict[Hashable, Sight] = {}
    for sight in sights:
        key = tuple([(name, frozenset([(id(s), n) for s, n in w])) for name, w in sight.choices.items()])
        before = merged.get(key)
        merged[key] = replace(before, ways=before.ways + sight.ways) if before else sight
    return list(merged.values())


def reprice_sights(sights: Iterable[Sight], pays: Mapping[str, Mapping[str, Pay]]) -> list[Sight]:
    """The sights under other pays, all of them odds; correct only if no decision follows another."""
    known: dict[int, Settled] = {}

    def price(weighted: Weighted) -> Weighted:
        """A settlement is one object in all sights, so each is priced once."""
        for settled, _ in weighted:
            if id(settled) not in known:
                known[id(settled)] = reprice(settled, pays)
        return [(known[id(settled)], ways) for settled, ways in weighted]

    return [
        replace(sight, choices={name: price(weighted) for name, weighted in sight.choices.items()}) for sight in sights
    ]


@lru_cache(maxsize=8)
def tables_of(game: Game, wagers: tuple[tuple[str, Cents], ...], meters: tuple[tuple[str, Cents], ...] = ()) -> Tables:
    """The compiled tables of a seat, cached for a few games."""
    return Tables(game, dict(wagers), meters=dict(meters))


def places_by_name(state: State) -> dict[str, int]:
    """The index of each choice by name, the least money first."""
    order = sorted(range(len(state.choices)), key=lambda place: state.choices[place][0].cents or 0)
    return {state.names[place]: place for place in order}


def by_chooser(tables: Tables, follow: Chooser, later: AnswerPoint | None = None) -> AnswerPoint:
    """A `decide` function for plays from a chooser; `later` answers decisions after the first."""

    def decide(point: DecisionPoint) -> int:
        if later is not None and point.chosen:
            return later(point)
        places = places_by_name(tables.states[point.state])
        return places[follow(seat_view(point.mine, point.house, list(places), tables.steps[point.state].about))]

    return decide


def law_under(tables: Tables, shoe: Shoe, follow: Chooser) -> dict[Settled, Fraction]:
    """The probability of each settlement if a chooser answers all decisions of a round."""
    play = Play(tables, shoe, by_chooser(tables, follow), by_cards=True)
    walk = Walk(tables, shoe, choose=play.choice)
    walk.check_length()
    return walk.law()


def lay_cards(game: Game, opened: Round, mine: Sequence[Card], house: Sequence[Card]) -> Round:
    """The felt of one seat with these cards face up, before any decision."""
    r, own, others = opened, list(mine), list(house)
    while (step := game.awaits(r)) is not None and not isinstance(step, Decide):
        if isinstance(step, Draw) and step.down:
            r = advance(r, step, (FACE_DOWN,) * step.count)
            continue
        place = step.to if isinstance(step, Draw) else step.at
        cards, count = own if place >= 0 else others, getattr(step, "count", 1)
        if len(cards) < count:
            break
        r = advance(r, step, tuple(cards[:count]))
        del cards[:count]
    return r


def weighted_law(weighted: Weighted, chance: Callable[[int, int], Fraction] = Fraction) -> dict[Settled, Fraction]:
    """The probability of each settlement; `chance` makes the fractions."""
    merged: dict[Settled, int] = {}
    for settled, ways in weighted:
        merged[settled] = merged.get(settled, 0) + ways
    whole = sum(merged.values())
    return {settled: chance(ways, whole) for settled, ways in merged.items()}


def as_situations(
    game: Game, wagers: Mapping[str, Cents], sights: Sequence[Sight], meters: Mapping[str, Cents] | None = None
) -> list[Situation]:
    """The sights as situations, with example rounds and exact probabilities."""
    dealt = sum(sight.ways for sight in sights)
    known: dict[tuple[int, int], Fraction] = {}
    # Not `open_round`: a wager is measured alone even if a table requires another with it
    opened = Round((Seat(dict(wagers)),), meters=meters or {})

    def chance(ways: int, whole: int) -> Fraction:
        return known.get((ways, whole)) or known.setdefault((ways, whole), Fraction(ways, whole))

    return [
        Situation(
            chance(sight.ways, dealt),
            lay_cards(game, opened, sight.mine, sight.house),
            {name: weighted_law(weighted, chance) for name, weighted in sight.choices.items()},
        )
        for sight in sights
    ]


def cost(
    counted: Sequence[Sight],
    wagers: Iterable[str],
    unit: int,
    *,
    serving: Iterable[str] | None = None,
    always: str = "",
) -> Cost:
    """The cost of some wagers if each decision is best for those served, or always the choice named `always`."""
    taken = frozenset(wagers)
    worth, scale = _price_settlements(counted, taken, taken if serving is None else frozenset(serving))
    net = wagered = dealt = 0
    for sight in counted:
        sums = {name: _sum_worth(weighted, worth) for name, weighted in sight.choices.items()}
        best = sums.get(always) or max(sums.values(), key=lambda one: (one[0], -one[1]))
        net += sight.ways * best[2]
        wagered += sight.ways * best[3]
        dealt += sight.ways
    whole = sum(ways for _, ways in next(iter(counted[0].choices.values())))
    return Cost(-Fraction(net, scale * unit * dealt * whole), -Fraction(net, scale * wagered))


def _sum_worth(weighted: Weighted, worth: Mapping[int, _Worth]) -> _Worth:
    """The weighted sums over a choice's settlements: served, at stake, net and wagered."""
    served = at_stake = net = wagered = 0
    for settled, ways in weighted:
        one = worth[id(settled)]
        served += ways * one[0]
        at_stake += ways * one[1]
        net += ways * one[2]
        wagered += ways * one[3]
    return served, at_stake, net, wagered


def _price_settlements(
    sights: Iterable[Sight], taken: frozenset[str], served: frozenset[str]
) -> tuple[dict[int, _Worth], int]:
    """The priced settlements by object id, in whole parts of a cent, and the number of parts in a cent."""
    settlements = {
        id(settled): settled for sight in sights for weighted in sight.choices.values() for settled, _ in weighted
    }
    scale = lcm(*{line.net.denominator for settled in settlements.values() for line in settled})

    def net(settled: Settled, wagers: frozenset[str]) -> int:
        return sum(int(line.net * scale) for line in settled if line.wager in wagers)

    return {
        key: (
            net(settled, served),
            sum(line.wagered for line in settled),
            net(settled, taken),
            sum(line.wagered for line in settled if line.wager in taken),
        )
        for key, settled in settlements.items()
    }, scale
