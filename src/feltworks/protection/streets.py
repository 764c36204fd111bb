"""The worth of known cards where one hand grows with a board: cards of the board, or the hands of neighbours.

For each class of own cards, an array holds all orders of the cards to come, with one axis for each card.
The value of a choice is the sum over the axes that the player cannot see. The axis of a known card is
not summed, or is summed group by group.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from math import lcm, perm
from typing import Final

import numpy as np

from feltworks.analysis.progress import Progress
from feltworks.analysis.question import Question
from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.showdown.hands import choose_table, hand_classes
from feltworks.analysis.solvers.streets.solver import StreetsSolver
from feltworks.analysis.solvers.streets.tree import Street
from feltworks.machine.compiler import Integers, compile_loop
from feltworks.machine.walk import Settled
from feltworks.protection.duels import hand_values
from feltworks.protection.knowledge import BOARD, LAST, NEIGHBOURS, NEXT, Knowledge, Unfit, Worth, layers, sampled_worth
from feltworks.protection.loops import MOST_CARDS, place_of

_SAMPLES: Final = 2_000
Picks = dict[int, Ints]  # by decision: the index of the choice, along the axes that are seen there


class StreetWorth:
    """The worth of known cards in a game of streets."""

    has_decision = True

    def __init__(self, question: Question, progress: Progress | None = None) -> None:
        self._question, self.shoe, self._tell = question, question.shoe, progress or (lambda *_: None)
        serving = frozenset(question.serving)
        self.solved = StreetsSolver(
            question.game, question.stakes, question.shoe, meters=question.posted, serving=serving
        )
        if self.solved.streets.has_dealer:
            raise Unfit(
                f"{question.game.terms.rulebook.title}: what a known card is worth is not followed where a hand that"
                " grows meets the dealer's; `felt protect --count` measures what cards that are gone change"
            )
        self.root, self.size = self.solved.streets.root, self.solved.size
        self.own, self.deck = self.root.seen, self.shoe.all_cards()
        self.more = self.size - self.own
        self._number = {card: place for place, card in enumerate(self.deck)}
        self._choose = choose_table(len(self.deck), self.size)
        nets = [[self._net(result) for result in results] for results, _ in self.solved.leaf_results()]
        self._scale = lcm(*(net.denominator for leaf in nets for net in leaf))
        self._nets = [
            np.append(np.array([int(net * self._scale) for net in leaf], np.int64)[number_of], 0)
            for leaf, (_, number_of) in zip(nets, self.solved.leaf_results(), strict=True)
        ]

    def _net(self, settled: Settled) -> Fraction:
        return sum((line[2] for line in settled if line[0] in self._question.group), Fraction(0))

    @cached_property
    def _values(self) -> Integers:
        return hand_values(hand_classes(self.shoe, self.solved.streets.ranking), self.deck)

    def baseline(self) -> Fraction:
        """The edge of best play without any knowledge."""
        return -self.solved.figures_of(self._question.group, self._question.unit).house_edge

    def worth(self, known: Sequence[Knowledge], samples: int | None = None, seed: int = 1) -> Worth:
        """The edge when cards of the board or the hands of neighbours are known."""
        if [one.place for one in known] == [NEIGHBOURS]:
            return self._sample(known[0].number, samples or _SAMPLES, seed)
        axes = {self.more - 1 if one.number == LAST else one.number - 1: one for one in known}
        for axis, one in axes.items():
            if one.place not in (BOARD, NEXT) or axis >= self.more:
                words = f"the cards to come are the {self.more} of the board; {one.text} is none of them"
                raise Unfit(
                    f"{words}; what can be known: board:first, board:last, next, order:N, burn, or neighbours:N alone"
                )
        total, hands = 0, self.solved.hands_of(self.own)
        for row, count in enumerate(hands.hands.tolist()):
            own = self._own_cards(row)
            rest = np.setdiff1d(np.arange(len(self.deck)), own)
            groups = {axis: self._groups(one, rest) for axis, one in axes.items()}
            layout = _Layout(self, self._lay_out(own, rest), groups)
            total += count * int(layout.solve(self.root).sum())
            self._tell(row + 1, len(hands.hands))
        orders = hands.hands.sum() * perm(len(self.deck) - self.own, self.more)
        edge = Fraction(total, int(orders) * self._scale * self._question.unit)
        return Worth(self.baseline(), edge)

    def _lay_out(self, own: Ints, rest: Ints) -> Ints:
        """The value of the whole hand by the cards to come; -1 where a card would come twice."""
        grown = np.zeros(len(rest) ** self.more, np.int32)
        grow_values(own, rest, self.size, self._choose, self._values, grown)
        return grown.reshape((len(rest),) * self.more)

    def _groups(self, knowledge: Knowledge, rest: Ints) -> Ints | None:
        """By possible card and group: 1 if the card is in the group, else 0."""
        groups = knowledge.split(self.shoe)
        if groups is None:
            return None
        return np.array([[int(self.deck[card] in group) for group in groups] for card in rest.tolist()])

    def leaf_totals(self, street: Street, grown: Ints) -> Ints:
        """The net at an end, for every order of the cards; 0 where a card would come twice."""
        nets: Ints = self._nets[street.leaf][grown]
        return nets

    def _sample(self, neighbours: int, samples: int, seed: int) -> Worth:
        """Sample own and neighbours' cards; the cards that can still come are enumerated exactly."""
        taken = self.own * neighbours
        if len(self.deck) - self.own - taken < self.more:
            raise Unfit(f"{neighbours} neighbours leave too few cards for the board")
        generator, hands = np.random.default_rng(seed), self.solved.hands_of(self.own)
        drawn = layers(generator, samples) * hands.hands.sum()
        gains = np.zeros(samples)
        for place, row in enumerate(np.searchsorted(np.cumsum(hands.hands), drawn, side="right").tolist()):
            gains[place] = self._gain(self._own_cards(row), generator, taken)
            self._tell(place + 1, samples)
        gains /= perm(len(self.deck) - self.own - taken, self.more) * self._scale * self._question.unit
        return sampled_worth(self.baseline(), gains)

    def _own_cards(self, row: int) -> Ints:
        return np.array([self._number[card] for card in self.solved.hands_of(self.own).cards(row)], np.int64)

    def _gain(self, own: Ints, generator: np.random.Generator, taken: int) -> float:
        rest = np.setdiff1d(np.arange(len(self.deck)), own)
        grown = self._lay_out(own, rest)
        plain: Picks = {}
        _Layout(self, grown).solve(self.root, plain)
        gone = generator.choice(len(rest), taken, replace=False)
        for axis in range(self.more):
            grown = grown.copy()
            np.moveaxis(grown, axis, 0)[gone] = -1
        best, blind = (_Layout(self, grown).solve(self.root, picks).sum() for picks in (None, plain))
        return float(best - blind)


class _Layout:
    """All orders of the cards to come after some own cards, and what is known about each axis."""

    def __init__(self, game: StreetWorth, grown: Ints, known: Mapping[int, Ints | None] | None = None) -> None:
        self._game, self._grown, self._known = game, grown, known or {}

    def solve(self, street: Street, picks: Picks | None = None) -> Ints:
        """The totals of best play along the axes that are seen, or of the given picks; adds those that are missing."""
        if street.is_end:
            return self._game.leaf_totals(street, self._grown)
        after = np.stack([self._sum(self.solve(child, picks), street) for _, child in street.choices])
        if picks is not None and id(street) not in picks:
            picks[id(street)] = after.argmax(axis=0)
        totals: Ints = (
            after.max(axis=0) if picks is None else np.take_along_axis(after, picks[id(street)][None], axis=0)[0]
        )
        return totals

    def _sum(self, totals: Ints, street: Street) -> Ints:
        """Sum over the cards that are neither seen nor known at a decision."""
        for axis in range(street.seen - self._game.own, self._game.more):
            groups = self._known.get(axis)
            if axis not in self._known:
                totals = totals.sum(axis=axis, keepdims=True)
            elif groups is not None and totals.shape[axis] == len(groups):
                totals = np.moveaxis(np.moveaxis(totals, axis, -1) @ groups, -1, axis)
        return totals


@compile_loop
def grow_values(own: Ints, unseen: Ints, size: int, choose: Ints, values: Integers, grown: Ints) -> None:
    """Fills `grown` with the hand's value for every order of the cards to come; -1 where a card comes twice."""
    more, hand, order = size - len(own), np.zeros(MOST_CARDS, np.int64), np.zeros(MOST_CARDS, np.int64)
    number = len(unseen)
    for place in range(len(grown)):
        rest, first, is_dealt = place, np.int64(0), True
        for at in range(more):  # the last card changes fastest
            card, to = rest % number, at
            rest //= number
            while to > 0 and order[to - 1] > card:
                order[to] = order[to - 1]
                to -= 1
            is_dealt &= to == 0 or order[to - 1] != card
            order[to] = card
        for at in range(more):
            first = first * number + order[at]
        grown[place] = -1
        if is_dealt and first < place:  # the same cards in ascending order came before
            grown[place] = grown[first]
        elif is_dealt:
            hand[: len(own)] = own
            for at in range(more):
                hand[len(own) + at] = unseen[order[at]]
            grown[place] = values[place_of(hand, size, choose)]
