"""The streets solver: one hand grows card by card, and wagers are added or taken back on the way.

It serves every game of that shape. The rules offer and settle (`tree`), hands grow in classes (`growth`);
the best choice is made for every class of cards seen, from the last decision back to the first.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import groupby
from math import lcm, perm
from typing import Any

import numpy as np
from msgspec import Struct, structs

from feltworks.analysis.figures import Figures, Outcome, outcome_name
from feltworks.analysis.referee import Law, net
from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.showdown.cells import borders
from feltworks.analysis.solvers.showdown.hands import DealtHands, HandClasses, hand_classes
from feltworks.analysis.solvers.streets.growth import Growth, growth
from feltworks.analysis.solvers.streets.tree import Hand, Street, Streets
from feltworks.analysis.strategy.file import Chooser
from feltworks.cards import Shoe
from feltworks.errors import FeltError
from feltworks.machine.walk import Settled
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.round import Choice
from feltworks.rules.sights import PlayerView

_LARGEST = 2**63 - 1


class StreetDecision(Struct, frozen=True):
    """What each choice is worth with some cards on a street, in cents, and the best of them."""

    street: Street
    cards: Hand
    hands: int  # how many sets of cards are alike
    worth: Mapping[str, Fraction]
    best: str


class ResultRow(Struct, frozen=True):
    """One way a whole spot comes out: the choices made, how each wager was settled, and in how many ways."""

    path: tuple[str, ...]
    result: Settled
    ways: int


class _Totals(Struct, frozen=True):
    """By class of cards: what the served wagers bring and the money wagered, over all cards to come."""

    net: Ints
    money: Ints


class StreetsSolver:
    """The exact law of a spot under best play or a strategy, and what each choice is worth on each street."""

    def __init__(
        self,
        game: Game,
        wagers: Mapping[str, Cents],
        shoe: Shoe,
        *,
        meters: Mapping[str, Cents] | None = None,
        serving: frozenset[str] | None = None,
        strategy: Chooser | None = None,
    ) -> None:
        self.game, self.wagers, self.shoe = game, dict(wagers), shoe
        self._serving, self._strategy = serving, strategy
        self.streets = Streets(game, wagers, meters or {}, shoe)
        self.streets.check()
        self.size = self.streets.ranking.size
        self._classes: HandClasses = hand_classes(shoe, self.streets.ranking)
        self._growth: Growth = growth(shoe, self.size, self.streets.ranking.wild)
        self._results = [self._leaf_results(end) for end in self.streets.root.ends()]
        self._check()
        self._scale = lcm(*(net(result, self._serving).denominator for leaf in self._results for result in leaf[0]))
        self._totals: dict[int, _Totals] = {}
        self._picks: dict[int, Ints] = {}
        self._after: dict[int, list[Ints]] = {}
        self._solve(self.streets.root)

    def _leaf_results(self, end: Street) -> tuple[list[Settled], Ints]:
        """The results of an end, and which of them each value of a whole hand has."""
        values, classes = len(self._classes.values), self._classes
        if end.seen < self.size:
            results = {self.streets.result(hand, end) for hand in self.streets.samples()}
            if len(results) > 1:
                raise self.streets.refusal("what a shorter round pays goes by its cards")
            return [*results], np.zeros(values, dtype=np.int64)
        known: dict[int, Settled] = {}

        def ask(value: int) -> Settled:
            if value not in known:
                known[value] = self.streets.result(classes.examples[value], end)
            return known[value]

        numbers: dict[Settled, int] = {}
        number_of = np.zeros(values, dtype=np.int64)
        for _, span in groupby(range(values), key=lambda place: classes.values[place].category):
            members = list(span)
            begins = [members[0], *borders(members, lambda one, other: ask(one) == ask(other))]
            for first in begins:
                number_of[first : members[-1] + 1] = numbers.setdefault(ask(first), len(numbers))
        return list(numbers), number_of

    def _check(self) -> None:
        """Settle hands that cover the deck one by one; refuse a game that goes by more than values."""
        place = {value.strength: number for number, value in enumerate(self._classes.values)}
        for number, end in enumerate(self.streets.root.ends()):
            results, number_of = self._results[number]
            for hand in self.streets.samples()[number % 3 :: 3]:
                value = place[self.streets.ranking.value(hand).strength]
                if self.streets.result(hand, end) != results[number_of[value]]:
                    raise self.streets.refusal("what is paid goes by more than how good the hand is")

    def _whole(self, highest: Fraction | int) -> Any:
        """Machine integers where no sum can exceed them, Python's otherwise."""
        most = int(highest * self._scale) * perm(self.shoe.total, self.size)
        return np.int64 if most <= _LARGEST else object

    def _solve(self, street: Street) -> _Totals:
        """The totals of a point by the classes of cards seen there; notes the choice for each class."""
        if street.is_end:
            totals = self._end_totals(street)
        else:
            after = [self._brought_back(self._solve(child), child, street) for _, child in street.choices]
            picks = self._pick(street, after)
            self._picks[id(street)] = picks
            net = np.choose(picks, [each.net for each in after])
            totals = _Totals(net, np.choose(picks, [each.money for each in after]))
        return self._totals.setdefault(id(street), totals)

    def _brought_back(self, totals: _Totals, child: Street, street: Street) -> _Totals:
        """The totals of what follows a choice, by the classes of cards seen when it is made."""
        summed = [self._growth.sum_next(each, child.seen, street.seen) for each in (totals.net, totals.money)]
        return _Totals(*summed)

    def _end_totals(self, end: Street) -> _Totals:
        results, number_of = self._results[end.leaf]
        nets = [int(net(result, self._serving) * self._scale) for result in results]
        money = [sum(line.wagered for line in result) for result in results]
        whole = self._whole(max(map(abs, [*nets, *money])))
        hands = self._growth.hands[end.seen].hands.astype(whole) * perm(
            self.shoe.total - end.seen, self.size - end.seen
        )
        if end.seen < self.size:
            return _Totals(hands * nets[0], hands * money[0])
        number = number_of[self._classes.value]
        return _Totals(np.array(nets, whole)[number] * hands, np.array(money, whole)[number] * hands)

    def _pick(self, street: Street, after: Sequence[_Totals]) -> Ints:
        """The place of the choice for each class: the best, and of equal ones the one that wagers less."""
        names = [name for name, _ in street.choices]
        if self._strategy is not None:
            hands, asked = self._growth.hands[street.seen], self.view(street, ())
            views = (structs.replace(asked, cards=hands.cards(row)) for row in range(len(hands)))
            return np.array([names.index(self._strategy(view)) for view in views])
        picks = np.zeros(len(after[0].net), dtype=np.int64)
        net, money = after[0].net.copy(), after[0].money.copy()
        for place, each in enumerate(after[1:], 1):
            better = (each.net > net) | ((each.net == net) & (each.money < money))
            picks[better], net[better], money[better] = place, each.net[better], each.money[better]
        return picks

    def view(self, street: Street, cards: Hand) -> PlayerView:
        """What is seen with these cards at a point of the round; all of them are the player's."""
        unit = next(iter(self.wagers.values()))
        added = sum(choice.cents or 0 for choice in street.path)
        choices = sorted(street.choices, key=lambda each: each[1].path[-1].cents or 0)
        wagered = Fraction(sum(self.wagers.values()) + added, unit)
        return PlayerView(cards, (), tuple(name for name, _ in choices), (), street.about, wagered)

    def street_after(self, chosen: Sequence[Choice]) -> Street:
        """The point of the round after these choices; refused where they are none of those followed."""
        street = self.streets.root
        for choice in chosen:
            after = [child for _, child in street.choices if child.path[-1] == choice]
            if not after:
                raise FeltError("only the smallest and the largest amount of a raise are followed")
            street = after[0]
        return street

    def worth(self, street: Street, cards: Hand) -> list[tuple[Street, Fraction]]:
        """What each choice is worth with these cards, in cents, by the point that it leads to."""
        row, seen = self._growth.row_of(cards), street.seen
        if id(street) not in self._after:
            self._after[id(street)] = [
                self._brought_back(self._totals[id(child)], child, street).net for _, child in street.choices
            ]
        hands = int(self._growth.hands[seen].hands[row])
        divisor = perm(self.shoe.total - seen, self.size - seen) * self._scale * hands
        nets = zip(street.choices, self._after[id(street)], strict=True)
        return [(child, Fraction(int(net[row]), divisor)) for (_, child), net in nets]

    def choice(self, chosen: Sequence[str], cards: Hand) -> str:
        """The choice with these cards, after choices of these names."""
        street = self.streets.root
        for name in chosen:
            street = dict(street.choices)[name]
        return street.choices[int(self._picks[id(street)][self._growth.row_of(cards)])][0]

    def picks(self, street: Street) -> Ints:
        """By class of the cards seen at a street: the place of the choice."""
        return self._picks[id(street)]

    @cached_property
    def rows(self) -> tuple[ResultRow, ...]:
        """Every way the spot comes out, in how many orders of its cards."""
        rows: dict[tuple[tuple[str, ...], Settled], int] = {}

        def follow(street: Street, chains: Ints, names: tuple[str, ...]) -> None:
            if street.is_end:
                for result, ways in self._count(street, chains):
                    rows[names, result] = rows.get((names, result), 0) + ways
                return
            picks = self._picks[id(street)]
            for place, (name, child) in enumerate(street.choices):
                here = np.where(picks == place, chains, 0)
                if here.any():
                    follow(child, self._growth.orders(here, street.seen, child.seen), (*names, name))

        root = self.streets.root
        begin = self._growth.orders(np.ones(1, dtype=np.int64), 0, root.seen)
        follow(root, begin, ())
        return tuple(ResultRow(names, result, ways) for (names, result), ways in rows.items())

    def _count(self, end: Street, chains: Ints) -> Iterator[tuple[Settled, int]]:
        results, number_of = self._results[end.leaf]
        ways = (chains.astype(object) * self._growth.hands[end.seen].hands.astype(object)) * perm(
            self.shoe.total - end.seen, self.size - end.seen
        )
        number = number_of[self._classes.value] if end.seen == self.size else np.zeros(len(ways), np.int64)
        for place, result in enumerate(results):
            if total := int(ways[number == place].sum()):
                yield result, total

    @property
    def total(self) -> int:
        """All orders in which the cards of a whole hand can come."""
        return perm(self.shoe.total, self.size)

    def leaf_results(self) -> list[tuple[list[Settled], Ints]]:
        """By end of the choices: its results, and which of them each value of a whole hand has."""
        return self._results

    def hands_of(self, held: int) -> DealtHands:
        """The classes of so many cards."""
        return self._growth.hands[held]

    def figures_of(self, group: frozenset[str], unit: Cents) -> Figures:
        """Some of the spot's wagers together, per unit."""
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
        """How likely each settlement of all wagers is."""
        law: Law = {}
        for row in self.rows:
            law[row.result] = law.get(row.result, Fraction(0)) + Fraction(row.ways, self.total)
        return law

    def reach(self) -> dict[int, Ints]:
        """By the id of a street and class of cards: in how many orders of all cards play comes there."""
        reached: dict[int, Ints] = {}

        def follow(street: Street, chains: Ints) -> None:
            if street.is_end:
                return
            rest = perm(self.shoe.total - street.seen, self.size - street.seen)
            reached[id(street)] = chains * self._growth.hands[street.seen].hands * rest
            for place, (_, child) in enumerate(street.choices):
                here = np.where(self._picks[id(street)] == place, chains, 0)
                follow(child, self._growth.orders(here, street.seen, child.seen))

        follow(self.streets.root, self._growth.orders(np.ones(1, dtype=np.int64), 0, self.streets.root.seen))
        return reached

    def decisions(self) -> Iterator[StreetDecision]:
        """What to do with every class of cards on every street."""
        for street in self.streets.root.decisions():
            hands = self._growth.hands[street.seen]
            after = [self._brought_back(self._totals[id(child)], child, street) for _, child in street.choices]
            picks = self._picks[id(street)]
            orders = perm(self.shoe.total - street.seen, self.size - street.seen) * self._scale
            names = [name for name, _ in street.choices]
            for row, count in enumerate(hands.hands.tolist()):
                worth = {
                    name: Fraction(int(each.net[row]), orders * count) for name, each in zip(names, after, strict=True)
                }
                yield StreetDecision(street, hands.cards(row), count, worth, names[int(picks[row])])
