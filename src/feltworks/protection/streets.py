"""The worth of known cards where one hand grows, with a board or against the dealer's hand.

For each class of own cards, an array holds all orders of the cards to come, with one axis for each card.
The value of a choice is the sum over the axes that the player cannot see. The axis of a known card is
not summed, or is summed group by group. The dealer's hands are counted for every whole hand of the player's:
those that hold the known cards and, by inclusion and exclusion, none of the player's.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import comb, perm
from typing import Final

import numpy as np

from feltworks.analysis.progress import Progress
from feltworks.analysis.question import Question
from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.showdown.hands import choose_table, hand_classes
from feltworks.analysis.solvers.streets.solver import StreetsSolver
from feltworks.analysis.solvers.streets.tree import Street
from feltworks.cards import Card
from feltworks.machine.compiler import Integers, compile_loop, inline
from feltworks.protection.hands import Classes, HandWorth, hand_values
from feltworks.protection.knowledge import (
    BOARD,
    DEALER,
    LAST,
    NEXT,
    Groups,
    Knowledge,
    Unfit,
    Worth,
    part_neighbours,
)
from feltworks.protection.loops import MOST_CARDS, list_sets, next_choice, place_of

_SAMPLES: Final = 2_000
_SAMPLE_STEPS: Final = 3_000_000_000  # counts added up for a sampled figure
_MOST_STEPS: Final = 10_000_000_000  # and for an exact one
_STEPS_A_DEAL: Final = 300_000  # for the arrays of a deal, however few its cards
_LEAST: Final = 100  # deals in a sample
_LARGEST: Final = 2**62
Axes = Mapping[int, Groups | None]  # by known card to come: its groups, or None if the card itself is known


class StreetWorth(HandWorth):
    """The worth of known cards in a game of streets."""

    has_decision = True

    def __init__(self, question: Question, progress: Progress | None = None) -> None:
        super().__init__(question, progress, question.shoe.all_cards())
        game, shoe, serving = question.game, question.shoe, frozenset(question.serving)
        self._solved = StreetsSolver(game, question.stakes, shoe, meters=question.posted, serving=serving)
        streets, self._size, title = self._solved.streets, self._solved.size, game.terms.rulebook.title
        self._root, self.own, self._has_dealer = streets.root, streets.root.seen, streets.has_dealer
        self.more, self.up_cards = self._size - self.own, int(streets.has_up_card)
        self._hidden = self._size - self.up_cards if self._has_dealer else 0  # cards of the dealer
        if self.up_cards and not self._root.up:
            raise Unfit(f"{title}: the dealer's open card comes after a decision; ask with --sees burn or --exposed")
        self._choose = choose_table(len(self.deck), self._size)
        self._values = hand_values(hand_classes(shoe, streets.ranking), self.deck)
        self._nets, self._run_of, self._cuts, self._scale = self._solved.net_table(question.group)
        left = len(self.deck) - self.own - self.up_cards
        if int(abs(self._nets).max()) * self.ways(left, 0) * comb(left, self._size) > _LARGEST:
            raise Unfit(f"{title}: the totals of its deals are too large to add up")
        self._axes: Axes = {}
        self._sets: dict[tuple[int, int], Ints] = {}
        self._grids: dict[tuple[int, int], Ints] = {}

    def worth(self, known: Sequence[Knowledge], samples: int | None = None, seed: int = 1) -> Worth:
        """The edge when cards of the board or the dealer, a card's group, or the hands of neighbours are known."""
        neighbours, cards = part_neighbours(known)
        dealers = [one for one in cards if one.place == DEALER]
        self._axes = self._known_axes([one for one in cards if one.place != DEALER])
        number, taken = max((one.number for one in dealers), default=0), neighbours * self.own
        if number > self._hidden:
            raise self._unfit(dealers[-1])
        groups = dealers[0].split(self._question.shoe) if dealers else None
        if any(one.groups for one in dealers) and len(dealers) > 1:
            raise Unfit("the group of a dealer's card stands for itself; name no other card of the dealer")
        left = len(self.deck) - self.own - self.up_cards - taken
        if left < self.more + self._hidden:
            raise Unfit(f"{neighbours} neighbours leave too few cards for the round")
        lots = len(self.first_cards()) * (left + 1) ** self.up_cards * comb(left, number)
        steps = self._steps(left - number, number) * (left if groups else 1)
        if samples is None and not neighbours and lots * steps <= _MOST_STEPS:
            return self.list_deals(number, groups)
        deals = samples or max(_LEAST, min(_SAMPLES, _SAMPLE_STEPS // steps))
        return self.draw_deals(number, taken, groups, deals, seed)

    def baseline(self) -> Fraction:
        return -self._solved.figures_of(self._question.group, self._question.unit).house_edge

    def first_cards(self) -> Classes:
        return self._solved.hands_of(self.own)

    def _steps(self, left: int, number: int) -> int:
        """About how many counts one deal takes."""
        hands = comb(left, self._hidden - number) * 2**self.more * (len(self._cuts) + 2) if self._has_dealer else 0
        return _STEPS_A_DEAL + 10 * perm(left, self.more) + hands

    def _known_axes(self, known: Sequence[Knowledge]) -> Axes:
        """By card to come that is known: its groups."""
        axes: dict[int, Groups | None] = {}
        for one in known:
            axis = self.more - 1 if one.number == LAST else one.number - 1
            if one.place not in (BOARD, NEXT) or axis >= self.more:
                raise self._unfit(one)
            if one.place == NEXT and self._solved.streets.deals_dealer_next():
                raise Unfit(f"after the first decision the dealer takes a card, so {one.text} is the dealer's")
            axes[axis] = one.split(self._question.shoe)
        return axes

    def _unfit(self, one: Knowledge) -> Unfit:
        hidden = self._hidden
        dealers = f" and {hidden} of the dealer" if hidden > 0 else ""
        words = f"the cards to come are the {self.more} of the player's hand{dealers}; {one.text} is none of them"
        more = f"dealer:1 to {hidden}, " if hidden > 0 else ""
        return Unfit(f"{words}; what can be known: {more}board:first, board:last, next, order:N, burn, or neighbours:N")

    def ways(self, unseen: int, number: int) -> int:
        """The number of deals of all other cards, the player's in order."""
        left, hidden = unseen - number, self._hidden - number
        return perm(left, self.more) * comb(left - self.more, max(hidden, 0))

    def totals(self, row: int, up: Ints, lots: Ints, unseen: Ints, *, with_blind: bool) -> tuple[int, int]:
        """The totals over all orders of the cards to come and all hands of the dealer's."""
        layout = self._layout(self._own(row), up, unseen, lots)
        best = int(layout.solve(self._root).sum())
        return best, int(layout.solve(self._root, is_blind=True).sum()) if with_blind else 0

    def _layout(self, own: Ints, up: Ints, unseen: Ints, lots: Ints) -> "_Layout":
        """All orders of the cards to come, against the dealer's hands that hold the open card and one of the lots."""
        sets = self.sets(len(unseen), self.more)
        totals = np.zeros((self._nets.shape[1], len(sets) + 1), np.int64)  # the last is no deal
        for lot in lots:
            is_left = ~np.isin(unseen, lot)
            places = np.flatnonzero(is_left[sets].all(axis=1))
            totals[:, places] += self._meet(own, np.sort(np.append(up, lot)), unseen[is_left])
        faces = [[self.deck[card] for card in some.tolist()] for some in (own, up, unseen)]
        groups = {axis: self._memberships(some, faces[2]) if some else None for axis, some in self._axes.items()}
        return _Layout(self, faces, totals, groups)

    def _memberships(self, groups: Groups, unseen: Sequence[Card]) -> Ints:
        """By unseen card and group: 1 if the card is in the group, else 0."""
        return np.array([[int(card in group) for group in groups] for card in unseen])

    def _meet(self, own: Ints, held: Ints, unseen: Ints) -> Ints:
        """By end and set of cards to come: the total over the dealer's hands that hold the cards `held`."""
        mine = self._grow(own, unseen)
        if not self._has_dealer:
            return self._nets[self._run_of[mine], :, 0].T
        theirs, number = self._grow(held, unseen), self._size - len(held)
        totals = np.zeros((self._nets.shape[1], len(mine)), np.int64)
        meet_dealers(
            mine, np.argsort(mine), self.sets(len(unseen), self.more), theirs, np.argsort(theirs),
            self.sets(len(unseen), number), self._choose[: len(unseen) + 1], self._nets, self._run_of, self._cuts,
            totals,
        )  # fmt: skip
        return totals

    def _grow(self, held: Ints, unseen: Ints) -> Ints:
        """The values of all whole hands with these cards, by the set of the others."""
        values = np.zeros(comb(len(unseen), self._size - len(held)), np.int64)
        grow_values(held, unseen, self._size, self._choose, self._values, values)
        return values

    def sets(self, among: int, size: int) -> Ints:
        """All sets of `size` places among so many; cached."""
        if (among, size) not in self._sets:
            self._sets[among, size] = np.zeros((comb(among, size), size), np.int64)
            list_sets(among, self._choose, self._sets[among, size])
        return self._sets[among, size]

    def grid(self, among: int, axes: int) -> Ints:
        """By places along some axes: the number of their set; -1 where a place comes twice; cached."""
        if (among, axes) not in self._grids:
            places = np.sort(np.indices((among,) * axes).reshape(axes, among**axes), axis=0)
            numbers = sum((self._choose[row, at + 1] for at, row in enumerate(places)), np.zeros(among**axes, np.int64))
            numbers[(np.diff(places, axis=0) == 0).any(axis=0)] = -1
            self._grids[among, axes] = numbers.reshape((among,) * axes)
        return self._grids[among, axes]

    def plain_picks(self, street: Street, faces: Sequence[Sequence[Card]]) -> Ints:
        """The choices without the knowledge, along the axes that are seen at a decision."""
        own, up, unseen = faces
        sets = self.sets(len(unseen), street.seen - self.own)
        hands = ((*own, *(unseen[place] for place in places)) for places in sets.tolist())
        picks = np.array([self._solved.pick(street, hand, up[0] if up and street.up else None) for hand in hands])
        return picks[self.grid(len(unseen), street.seen - self.own)]


class _Layout:
    """All orders of the cards to come after some own cards, and what is known about each axis."""

    def __init__(
        self,
        game: StreetWorth,
        faces: Sequence[Sequence[Card]],
        totals: Ints,
        known: Mapping[int, Ints | None],
    ) -> None:
        self._game, self._faces, self._totals, self._known = game, faces, totals, known

    def solve(self, street: Street, *, is_blind: bool = False) -> Ints:
        """The totals along the axes that are seen or known, of best play or of play without the knowledge."""
        game, number = self._game, len(self._faces[2])
        if street.is_end:
            totals: Ints = self._totals[street.leaf][game.grid(number, game.more)]
            return totals
        after = np.stack([self._sum(self.solve(child, is_blind=is_blind), street) for _, child in street.choices])
        if not is_blind:
            return np.asarray(after.max(axis=0))
        picks = game.plain_picks(street, self._faces)
        picks = picks.reshape(*picks.shape, *[1] * (game.more - picks.ndim))
        blind: Ints = np.take_along_axis(after, np.broadcast_to(picks, after.shape[1:])[None], axis=0)[0]
        return blind

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
def grow_values(held: Ints, unseen: Ints, size: int, choose: Ints, values: Integers, grown: Ints) -> None:
    """Fills `grown` with the value of the whole hand, by the index of the set of unseen cards that completes it."""
    more, hand = size - len(held), np.zeros(MOST_CARDS, np.int64)
    picked, going = np.arange(more), True
    while going:
        place = np.int64(0)
        hand[: len(held)] = held
        for at in range(more):
            place += choose[picked[at], at + 1]
            hand[len(held) + at] = unseen[picked[at]]
        grown[place] = values[place_of(hand, size, choose)]
        going = next_choice(picked, more, len(unseen))


@inline
def _count_sets(hand: Ints, choose: Ints, starts: Ints, most: int, sign: int, counts: Ints) -> int:
    """Counts every set of up to `most` places of a hand; with a sign, sums their counts instead, odd sets less."""
    total = np.int64(0)
    for part in range(1 << len(hand)):
        held, number = 0, np.int64(0)
        for at in range(len(hand)):
            if part >> at & 1:
                held += 1
                number += choose[hand[at], held]
        if held > most:
            continue
        if sign:
            total += counts[starts[held] + number] * (1 - 2 * (held % 2))
        else:
            counts[starts[held] + number] += 1
    return int(total)


@compile_loop
def meet_dealers(
    mine: Ints, order: Ints, sets: Ints, theirs: Ints, ranking: Ints, others: Ints, choose: Ints, nets: Ints,
    run_of: Ints, cuts: Ints, totals: Ints,
) -> None:  # fmt: skip
    """Fills `totals` by end and the player's hand: its total net over the dealer's hands that share no card with it.

    `mine` and `theirs` are values of hands, `order` and `ranking` put them in ascending order; `sets` and `others`
    are their cards. `nets` by run, end and cell; `run_of` by value of the player's; `cuts` of the dealer's values.
    """
    among, last = len(choose) - 1, len(cuts)
    most = min(sets.shape[1], others.shape[1])
    starts = np.zeros(most + 2, np.int64)
    for held in range(most + 1):
        starts[held + 1] = starts[held] + choose[among, held]
    bounds, reached = np.append(cuts, np.zeros(2, cuts.dtype)), np.zeros(last + 2, np.int64)
    counts, met = np.zeros((last + 2, starts[-1]), np.int64), np.zeros(last + 2, np.int64)
    every = choose[among - sets.shape[1], others.shape[1]]
    for place in order:
        bounds[last], bounds[last + 1] = mine[place], mine[place] + 1
        for bound in range(last + 2):
            while reached[bound] < len(theirs) and theirs[ranking[reached[bound]]] < bounds[bound]:
                _count_sets(others[ranking[reached[bound]]], choose, starts, most, 0, counts[bound])
                reached[bound] += 1
            met[bound] = _count_sets(sets[place], choose, starts, most, 1, counts[bound])
        rows, worse, not_better = nets[run_of[mine[place]]], met[last], met[last + 1]
        for run in range(last + 1):
            low = met[run - 1] if run else np.int64(0)
            high = met[run] if run < last else every
            below, above = min(high, worse) - min(low, worse), max(high, not_better) - max(low, not_better)
            for end in range(len(totals)):
                row = rows[end, 3 * run : 3 * run + 3]
                totals[end, place] += row[0] * below + row[1] * (high - low - below - above) + row[2] * above
