"""The streets solver: one hand grows card by card, and wagers are added or taken back on the way.

It serves every game of that shape, also against a dealer's hand with an open card. The rules offer and settle
(`tree`), hands are grouped in classes (`growth`), and the dealer's hands are counted as in a showdown. The best
choice is found for every class of cards seen and open card of the dealer, from the last decision back to the first.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from fractions import Fraction
from functools import cached_property, partial
from math import gcd, perm
from typing import Any

import numpy as np
from msgspec import Struct

from feltworks.analysis.figures import Figures, Outcome, outcome_name
from feltworks.analysis.referee import Law, net
from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.showdown.cells import RELATIONS, ChoiceResults, net_table, whole_units
from feltworks.analysis.solvers.showdown.hands import DealtHands
from feltworks.analysis.solvers.showdown.solver import RankedMeetings
from feltworks.analysis.solvers.streets.growth import Growth, growth
from feltworks.analysis.solvers.streets.tree import Hand, NoStreets, Street, Streets, best_play
from feltworks.analysis.strategy.file import Chooser
from feltworks.cards import Card, Shoe
from feltworks.errors import FeltError
from feltworks.machine.walk import Settled
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.round import Choice
from feltworks.rules.sights import PlayerView

_LARGEST = 2**63 - 1
Run = tuple[ChoiceResults, ...]  # the results of hands that are settled alike, by end
Reached = tuple[Street, tuple[str, ...], Ints]  # with the choices on the way, and the orders of cards by sight


class StreetDecision(Struct, frozen=True):
    """The value in cents of each choice with some cards on a street, and the best choice."""

    street: Street
    cards: Hand
    up: Card | None  # the dealer's
    hands: int  # how many deals have this sight
    chance: Fraction  # of reaching this decision
    worth: Mapping[str, Fraction]
    best: str


class ResultRow(Struct, frozen=True):
    """One result of a whole spot: the choices made, how each wager was settled, and the number of ways."""

    path: tuple[str, ...]
    result: Settled
    ways: int


class _Totals(Struct, frozen=True):
    """The net of the served wagers and the money wagered, in whole units, over all cards to come.

    One row for each class of cards; one column for each card that the dealer may show, or a single column.
    """

    net: Ints
    money: Ints


class StreetsSolver:
    """The exact law of a spot under best play or a strategy, and the value of each choice on each street."""

    def __init__(
        self,
        game: Game,
        wagers: Mapping[str, Cents],
        shoe: Shoe,
        *,
        meters: Mapping[str, Cents] | None = None,
        serving: frozenset[str] | None = None,
    ) -> None:
        self.game, self.wagers, self.shoe = game, dict(wagers), shoe
        self._serving = serving
        self._follow: Callable[[Street], Ints] | None = None
        self.streets = Streets(game, wagers, meters or {}, shoe)
        self.streets.check()
        self.size = self.streets.ranking.size
        self._meetings = RankedMeetings(self.streets, wagers, shoe)
        self._classes, self._runs = self._meetings.classes, self._meetings.runs
        self._growth: Growth = growth(shoe, self.size, self.streets.ranking.wild)
        self._dealer_hands = self._meetings.total if self.streets.has_dealer else 1
        self._has_up_card = self.streets.has_up_card
        self.up_cards: tuple[Card | None, ...] = self._growth.faces if self._has_up_card else (None,)
        results = [result for run in self._runs for choice in run for result in choice.results]
        nets = [net(result, self._serving) for result in results]
        self._scale = whole_units(nets)
        moneys = [sum(line.wagered for line in result) for result in results]
        self._coin = gcd(*moneys) or 1
        highest = max(max(moneys) // self._coin, int(max(map(abs, nets)) * self._scale))
        self._whole: Any = np.int64 if highest * self.total <= _LARGEST else object  # the bound on all sums
        self._totals: dict[int, _Totals] = {}
        self._picks: dict[int, Ints] = {}
        self._after: dict[int, list[Ints]] = {}
        self._dealt: dict[tuple[int, bool], Ints] = {}
        self._price_ends()
        self._solve(self.streets.root)

    # What is dealt

    @property
    def total(self) -> int:
        """The number of orders in which the cards of a whole hand can come, times the dealer's hands."""
        return perm(self.shoe.total, self.size) * self._up_ways * self._dealer_hands

    @property
    def _up_ways(self) -> int:
        return self.shoe.total - self.size if self._has_up_card else 1

    def _has_columns(self, street: Street) -> bool:
        """Whether totals at a point have a column for each card of the dealer."""
        return self._has_up_card and bool(street.up or street.is_end)

    def sights(self, street: Street) -> Ints:
        """In how many ways each class of cards is dealt, together with each card of the dealer."""
        key = street.seen, self._has_columns(street)
        if key not in self._dealt:
            hands: Ints = self._growth.hands[street.seen].hands[:, None]
            self._dealt[key] = hands * self._growth.copies(street.seen) if key[1] else hands
        return self._dealt[key]

    def _rest(self, street: Street) -> int:
        """In how many ways the cards not seen at a point can come."""
        if self._has_columns(street):
            return perm(self.shoe.total - street.seen - 1, self.size - street.seen) * self._dealer_hands
        return perm(self.shoe.total - street.seen, self.size - street.seen) * self._up_ways * self._dealer_hands

    def _cells_by_run(self) -> Iterator[tuple[int, Run, Ints, Ints]]:
        """By the dealer's open card and run of whole hands: the run's classes, and the dealer's hands by cell."""
        run_of = self._meetings.run_of
        rows_of = [np.flatnonzero(run_of == place) for place in range(len(self._runs))]
        met = np.zeros((0, len(run_of)), np.int64)
        for column, up in enumerate(self._meetings.up_cards):
            if self.streets.has_dealer:
                met = self._meetings.cells_met(np.arange(len(run_of)), up)
            for run, rows in zip(self._runs, rows_of, strict=True):
                yield column, run, rows, met[:, rows]

    # Best play

    def _price_ends(self) -> None:
        """Compute the totals of every end."""
        shape, whole_hands = (len(self._classes), len(self.up_cards)), list[Street]()
        for end in self.streets.ends:
            if end.seen == self.size:
                whole_hands.append(end)
                self._totals[id(end)] = _Totals(np.zeros(shape, self._whole), np.zeros(shape, self._whole))
            else:
                ways = self.sights(end).astype(self._whole) * self._rest(end)
                self._totals[id(end)] = _Totals(*(ways * each[0] for each in self._prices(self._runs[0], end)))
        for column, run, rows, met in self._cells_by_run():
            for end in whole_hands:
                ways, totals = run[end.leaf].ways(met, self._dealer_hands), self._totals[id(end)]
                totals.net[rows, column], totals.money[rows, column] = (
                    np.array(each, self._whole) @ ways for each in self._prices(run, end)
                )
        for end in whole_hands:
            for each in (self._totals[id(end)].net, self._totals[id(end)].money):
                each *= self.sights(end)

    def _prices(self, run: Run, end: Street) -> tuple[list[int], list[int]]:
        """By result of an end: the net of the served wagers and the money wagered, in whole units."""
        results = run[end.leaf].results
        nets = [int(net(result, self._serving) * self._scale) for result in results]
        return nets, [sum(line.wagered for line in result) // self._coin for result in results]

    def _solve(self, street: Street) -> _Totals:
        """The totals at a point by class of cards seen there; stores the choice for each class."""
        if not street.is_end:
            after = [self._brought_back(self._solve(child), child, street) for _, child in street.choices]
            picks = self._picks[id(street)] = self._pick(street, after)
            net, money = (np.choose(picks, [getattr(each, name) for each in after]) for name in ("net", "money"))
            self._totals[id(street)] = _Totals(net, money)
        return self._totals[id(street)]

    def _brought_back(self, totals: _Totals, child: Street, street: Street) -> _Totals:
        """Sum the totals after a choice down to the classes of cards seen when it is made."""
        summed = [self._growth.sum_next(each, child.seen, street.seen) for each in (totals.net, totals.money)]
        if self._has_columns(child) and not self._has_columns(street):
            summed = [each.sum(axis=1, keepdims=True) for each in summed]
        return _Totals(*summed)

    def _pick(self, street: Street, after: Sequence[_Totals]) -> Ints:
        """The index of the best choice for each sight; on a tie, of the one that wagers less."""
        if self._follow is not None:
            return self._follow(street)
        picks = np.zeros(after[0].net.shape, dtype=np.int64)
        net, money = after[0].net.copy(), after[0].money.copy()
        for place, each in enumerate(after[1:], 1):
            better = (each.net > net) | ((each.net == net) & (each.money < money))
            picks[better], net[better], money[better] = place, each.net[better], each.money[better]
        return picks

    def _picks_of(self, strategy: Chooser, street: Street) -> Ints:
        """The index of the choice that a strategy makes for each sight."""
        hands, sights = self._growth.hands[street.seen], self.sights(street)
        names = [name for name, _ in street.choices]
        picks = np.zeros(sights.shape, np.int64)
        for row, column in np.argwhere(sights).tolist():
            up = self.up_cards[column] if street.up else None
            picks[row, column] = names.index(strategy(self.view(street, hands.cards(row), up)))
        return picks

    def play_by(self, follow: Callable[[Street], Ints]) -> "StreetsSolver":
        """A solver with the same counts that plays by `follow`: the index of the choice by sight on each street."""
        again = copy(self)
        vars(again).pop("rows", None)
        again._follow, again._picks, again._after = follow, {}, {}
        again._totals = {id(end): self._totals[id(end)] for end in self.streets.ends}
        again._solve(self.streets.root)
        return again

    def view(self, street: Street, cards: Hand, up: Card | None = None) -> PlayerView:
        """What the player sees with these cards at a point of the round; `up` is the dealer's open card."""
        unit = next(iter(self.wagers.values()))
        added = sum(choice.cents or 0 for choice in street.path)
        choices = sorted(street.choices, key=lambda each: each[1].path[-1].cents or 0)
        wagered = Fraction(sum(self.wagers.values()) + added, unit)
        return PlayerView(cards, (up,) if up else (), tuple(name for name, _ in choices), (), street.about, wagered)

    def street_after(self, chosen: Sequence[Choice]) -> Street:
        """The point of the round after these choices; refused if the tree does not hold them."""
        street = self.streets.root
        for choice in chosen:
            after = [child for _, child in street.choices if child.path[-1] == choice]
            if not after:
                raise FeltError("only the smallest and the largest amount of a raise are followed")
            street = after[0]
        return street

    def divisor(self, street: Street) -> Fraction:
        """Divide the worths of a sight by this and by its number of deals to get cents."""
        return self._rest(street) * self._scale

    def worths(self, street: Street) -> list[Ints]:
        """The totals of each choice on a street by sight, over all cards to come."""
        if id(street) not in self._after:
            self._after[id(street)] = [
                self._brought_back(self._totals[id(child)], child, street).net for _, child in street.choices
            ]
        return self._after[id(street)]

    def worth(self, street: Street, cards: Hand, up: Card | None = None) -> list[tuple[Street, Fraction]]:
        """The value of each choice with these cards, in cents, with the point that it leads to."""
        row, column = self._growth.sight_of(cards, up)
        divisor = int(self.sights(street)[row, column]) * self.divisor(street)
        nets = zip(street.choices, self.worths(street), strict=True)
        return [(child, Fraction(int(net[row, column]), divisor)) for (_, child), net in nets]

    def choice(self, chosen: Sequence[str], cards: Hand, up: Card | None = None) -> str:
        """The choice with these cards, after the choices named."""
        street = self.streets.root
        for name in chosen:
            street = dict(street.choices)[name]
        return street.choices[self.pick(street, cards, up)][0]

    def pick(self, street: Street, cards: Sequence[Card], up: Card | None = None) -> int:
        """The index of the choice with these cards on a street."""
        return int(self._picks[id(street)][self._growth.sight_of(cards, up)])

    def picks(self, street: Street) -> Ints:
        """By class of the cards seen on a street and card of the dealer: the index of the choice."""
        return self._picks[id(street)]

    # Results

    def _chains(self) -> Iterator[Reached]:
        """Every point that play reaches."""
        root = self.streets.root
        whole: Any = np.int64 if self.total <= _LARGEST else object

        def follow(street: Street, names: tuple[str, ...], chains: Ints) -> Iterator[Reached]:
            yield street, names, chains * self.sights(street)
            for place, (name, child) in enumerate(street.choices):
                here = np.where(self._picks[id(street)] == place, chains, 0)
                if here.any():
                    yield from follow(child, (*names, name), self._grown(here, street.seen, child))

        yield from follow(root, (), self._grown(np.ones((1, 1), whole), 0, root))

    def reached(self) -> dict[int, Ints]:
        """By id of a point: in how many orders of cards play comes to each of its sights."""
        return {id(street): ways for street, _, ways in self._chains()}

    def chance(self, street: Street, ways: int) -> Fraction:
        """The probability of sights that play comes to in so many orders of cards."""
        return Fraction(ways * self._rest(street), self.total)

    def _grown(self, chains: Ints, seen: int, child: Street) -> Ints:
        if self._has_columns(child) and chains.shape[1] == 1:
            chains = np.repeat(chains, len(self.up_cards), axis=1)
        return self._growth.orders(chains, seen, child.seen)

    @cached_property
    def rows(self) -> tuple[ResultRow, ...]:
        """Every result of the spot, with the number of orders of cards that lead to it."""
        rows: dict[tuple[tuple[str, ...], Settled], int] = {}
        reached = [(end, names, ways) for end, names, ways in self._chains() if end.is_end]
        for end, names, ways in reached:
            if end.seen < self.size:
                rows[names, self._runs[0][end.leaf].results[0]] = int(ways.sum()) * self._rest(end)
        for column, run, places, met in self._cells_by_run():
            for end, names, ways in reached:
                if end.seen == self.size:
                    choice = run[end.leaf]
                    counted = choice.ways(met, self._dealer_hands) @ ways[places, column]
                    for result, count in zip(choice.results, counted.tolist(), strict=True):
                        rows[names, result] = rows.get((names, result), 0) + int(count)
        return tuple(ResultRow(names, result, ways) for (names, result), ways in rows.items() if ways)

    def largest_win(self) -> Fraction:
        """The most that the whole spot can win over every deal and choice."""
        wins = [Fraction(0)]
        for column, run, places, met in self._cells_by_run():
            for end in self.streets.ends:
                choice, whole = run[end.leaf], end.seen == self.size
                dealt = self.sights(end)[places, column] if whole else np.ones(len(places), np.int64)
                ways = choice.ways(met, self._dealer_hands) @ (dealt > 0)
                results = (result for result, count in zip(choice.results, ways.tolist(), strict=True) if count)
                wins.extend(sum((line.net for line in result if line.net > 0), Fraction(0)) for result in results)
        return max(wins)

    def net_table(self, group: frozenset[str]) -> tuple[Ints, Ints, Ints, Fraction]:
        """The net of some wagers by run of whole hands, end, and cell of the dealer's hands, in whole units.

        Then the run of each value, the dealer's values at which results change, and the units in a cent.
        """
        run_of = np.zeros(len(self._classes.values), np.int64)
        run_of[self._classes.value] = self._meetings.run_of
        if (run_of[self._classes.value] != self._meetings.run_of).any():
            raise NoStreets("what a hand is paid goes by more than its value")
        cuts = np.array(self._meetings.cuts, np.int64)
        table, _, scale = net_table(self._runs, (len(cuts) + 1) * len(RELATIONS), group)
        return table, run_of, cuts, scale

    def hands_of(self, held: int) -> DealtHands:
        """The classes of `held` cards."""
        return self._growth.hands[held]

    def figures_of(self, group: frozenset[str], unit: Cents) -> Figures:
        """The figures of some of the spot's wagers together, per unit."""
        outcomes = []
        for row in self.rows:
            lines = [line for line in row.result if line.wager in group]
            name = outcome_name([(line.wager, line.outcome) for line in lines])
            net = sum((line.net for line in lines), Fraction(0)) / unit
            wagered = Fraction(sum(line.wagered for line in lines), unit)
            outcomes.append(Outcome(name, Fraction(row.ways, self.total), net, wagered))
        return Figures.of(outcomes)

    @property
    def law(self) -> Law:
        """The probability of each settlement of all wagers."""
        law: Law = {}
        for row in self.rows:
            law[row.result] = law.get(row.result, Fraction(0)) + Fraction(row.ways, self.total)
        return law

    def decisions(self) -> Iterator[StreetDecision]:
        """The decision for every class of cards and card of the dealer on every street."""
        reached = self.reached()
        for street in self.streets.root.decisions():
            hands, sights, worths = self._growth.hands[street.seen], self.sights(street), self.worths(street)
            picks = self._picks[id(street)]
            names = [name for name, _ in street.choices]
            ways = reached.get(id(street), np.zeros_like(sights))
            for row, column in np.argwhere(sights).tolist():
                alike = int(sights[row, column])
                values = [Fraction(int(each[row, column]), alike * self.divisor(street)) for each in worths]
                yield StreetDecision(
                    street,
                    hands.cards(row),
                    self.up_cards[column] if street.up else None,
                    alike,
                    self.chance(street, int(ways[row, column])),
                    dict(zip(names, values, strict=True)),
                    names[int(picks[row, column])],
                )


def streets_solver(
    game: Game,
    wagers: Mapping[str, Cents],
    shoe: Shoe,
    *,
    meters: Mapping[str, Cents] | None = None,
    serving: frozenset[str] | None = None,
    strategy: Chooser | None = None,
) -> StreetsSolver:
    """The solver of a spot; cached, so that a simulation, its exact figures and all strategies share the counts."""
    posted = tuple((meters or {}).items())
    best: StreetsSolver = best_play(StreetsSolver, game, tuple(wagers.items()), shoe, posted, serving)
    return best if strategy is None else best.play_by(partial(best._picks_of, strategy))
