"""The worth of known cards where a hand meets the dealer's: counts the dealer's hands that hold the known cards.

Exact if there is time to compare every hand of the player with every lot of known cards. Otherwise deals are
sampled; each is valued exactly over all hands that the dealer can still have, with and without the knowledge.
The difference is the gain; its error is far smaller than that of either value.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from operator import mul
from typing import Final

import numpy as np

from feltworks.analysis.progress import Progress
from feltworks.analysis.question import Question
from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.setting import SetMeetings, sets_hands, setting_solver
from feltworks.analysis.solvers.showdown.cells import RELATIONS, net_table
from feltworks.analysis.solvers.showdown.duel import Duel
from feltworks.analysis.solvers.showdown.hands import choose_table
from feltworks.analysis.solvers.showdown.solver import RankedMeetings, meetings_of, showdown
from feltworks.protection.hands import Classes, HandWorth, hand_values
from feltworks.protection.knowledge import (
    DEALER,
    Knowledge,
    Unfit,
    Worth,
    group_numbers,
    part_neighbours,
)
from feltworks.protection.loops import best_of_lots, count_values, list_hands, list_sets
from feltworks.protection.removal import edge_of

_MOST_STEPS: Final = 10_000_000_000  # counts added up for an exact figure
_SAMPLE_STEPS: Final = 1_000_000_000  # and for a sampled one
_LEAST, _MOST = 400, 20_000  # deals in a sample
_HANDS_A_LOT: Final = 10_000  # that take as long as the arrays of a lot
_PIECES: Final = 100  # of long work; progress is reported after each
_SHORT: Final = np.iinfo(np.int16).max


class Duels(HandWorth):
    """A player's hand against the dealer's, and the value of each choice when cards are known."""

    def __init__(self, question: Question, progress: Progress | None = None) -> None:
        meetings, self.shoe = _meetings_of(question), question.shoe
        self.classes = meetings if isinstance(meetings, SetMeetings) else meetings.classes
        self._results, self._run_of = meetings.runs, meetings.run_of
        self._is_ranked = isinstance(meetings, RankedMeetings)
        if isinstance(meetings, RankedMeetings):
            super().__init__(question, progress, self.shoe.all_cards())
            self.size, self._cuts = meetings.classes.size, np.array(meetings.cuts, np.int64)
            self._values, cells = hand_values(meetings.classes, self.deck), 3 * len(self._cuts) + 3
        else:
            super().__init__(question, progress, meetings.deck)
            self.size, self._edges = meetings.house, meetings.bounds
            self._values, cells = meetings.dealer_place, meetings.bounds.shape[1] + 1
        self.own, self.up_cards = self.classes.size, int(meetings.has_up_card)
        self._choose = choose_table(len(self.deck), max(self.size, self.own))
        self._nets, self._offered, self._scale = net_table(self._results, cells)
        self._picks: dict[tuple[int, ...], Ints] = {}  # by the dealer's open card

    @property
    def has_decision(self) -> bool:
        """Whether any hand has a choice."""
        return any(len(run) > 1 for run in self._results)

    def worth(self, known: Sequence[Knowledge], samples: int | None = None, seed: int = 1) -> Worth:
        """The edge when some of the dealer's cards or the hands of neighbours are known."""
        (neighbours, cards), hidden = part_neighbours(known), self.size - self.up_cards
        others = [one.text for one in cards if one.place != DEALER or one.number > hidden]
        if others:
            raise Unfit(
                f"the only cards to come are the {hidden} hidden ones of the dealer, and {others[0]} is none of them; "
                f"what can be known: dealer:1 to {hidden}, neighbours:N, burn, group:RANKS@dealer"
            )
        if any(one.groups for one in cards) and len(known) > 1:
            raise Unfit("a group of the dealer's card has to be asked about by itself; name nothing else beside it")
        number = max((one.number for one in cards), default=0)  # a card named twice is the same card
        groups, holds = cards[0].split(self.shoe) if cards else None, self.up_cards + number
        taken, is_whole = neighbours * self.own, samples is None and not neighbours
        left = len(self.deck) - self.own - self.up_cards - taken
        if left < hidden:
            seats = (len(self.deck) - self.own - self.size) // self.own
            raise Unfit(f"the deck serves at most {seats} neighbours beside the player and the dealer")
        if is_whole and self._is_ranked and self._steps(holds) <= _MOST_STEPS:
            return self._exact(holds, cards[0])
        hands = self.ways(left, number) * (left if groups else 1)
        lots = len(self.classes) * (left + 1) ** self.up_cards * comb(left, number)
        if is_whole and lots * (hands + _HANDS_A_LOT) <= _SAMPLE_STEPS:
            return self.list_deals(number, groups)
        deals = samples or max(_LEAST, min(_MOST, _SAMPLE_STEPS // hands))
        return self.draw_deals(number, taken, groups, deals, seed)

    def first_cards(self) -> Classes:
        return self.classes

    def _steps(self, holds: int) -> int:
        """How many counts an exact figure adds up when `holds` of the dealer's cards are in sight."""
        sets = sum(comb(self.size, number) for number in range(self.size - holds + 1))
        return len(self.classes) * comb(len(self.deck), holds) * sets

    def _exact(self, holds: int, knowledge: Knowledge) -> Worth:
        """The exact worth: every hand against every lot of `holds` dealer's cards, or the groups of one card."""
        order = np.argsort(self.classes.value, kind="stable")
        lots, others = (self._sets(number) for number in (holds, self.size - holds))
        whole = np.zeros((len(others), len(lots)), np.int16 if self._values.max() < _SHORT else np.int32)
        list_hands(others, lots, self._choose, self._values, whole)
        places = np.argsort(self._values, kind="stable")
        dealers = np.column_stack([self._sets(self.size)[places], self._values[places]])
        starts = np.cumsum([0, *(comb(len(self.deck), number) for number in range(self.size - holds))])
        counts = np.zeros((len(self._cuts) + 2, starts[-1], len(lots)), np.int32)
        part_of, best = self._parts(knowledge, lots), np.zeros(len(order), np.int64)
        hands, mine = np.sort([self._own(row) for row in order.tolist()], axis=1), self.classes.value[order]
        slopes, missing = self._slopes(order, holds), ~self._offered[self._run_of[order]]
        splits, reached = _splits(self.size, holds), np.zeros(len(counts), np.int64)
        for begin in range(0, len(order), piece := -(-len(order) // _PIECES)):
            rows = slice(begin, begin + piece)
            best_of_lots(
                hands[rows], dealers, self._cuts, self._choose, whole, lots, part_of, *splits, starts[:-1],
                mine[rows], slopes[rows], missing[rows], reached, counts, best[rows],
            )  # fmt: skip
            if self._tell:
                self._tell(min(begin + piece, len(order)), len(order))
        total, left = sum(map(mul, best.tolist(), self.classes.hands[order].tolist())), len(self.deck) - self.size
        deals = comb(len(self.deck), self.size) * comb(left, holds) * comb(left - holds, self.size - holds)
        edge = Fraction(total, part_of.shape[1] * deals) / self._scale / self._question.unit
        return Worth(edge_of(self._question), edge)

    def _sets(self, size: int) -> Ints:
        """All sets of `size` cards."""
        sets = np.zeros((comb(len(self.deck), size), size), np.int64)
        list_sets(len(self.deck), self._choose, sets)
        return sets

    def _parts(self, knowledge: Knowledge, lots: Ints) -> Ints:
        """By lot: the number of what the player knows: the lot itself, or the open card and the hidden one's group."""
        groups = knowledge.split(self.shoe)
        if groups is None:
            return np.arange(len(lots))[:, None]
        hidden = group_numbers(self.deck, groups)[lots]
        return hidden if not self.up_cards else lots[:, ::-1] * len(groups) + hidden

    def _slopes(self, rows: Ints, holds: int) -> Ints:
        """By hand, choice and bound: what a dealer's hand below the bound adds; last, the total above all bounds."""
        slopes = np.zeros((len(rows), self._nets.shape[1], len(self._cuts) + 3), np.int64)
        own = np.searchsorted(self._cuts, self.classes.value[rows], side="right")
        nets = self._nets[self._run_of[rows]]
        every, last = np.arange(len(rows)), len(self._cuts)
        for cut in range(last):
            side = np.where(cut < own, RELATIONS[0], RELATIONS[-1])
            slopes[:, :, cut] = nets[every, :, 3 * cut + side] - nets[every, :, 3 * cut + 3 + side]
        worse, equal, better = (nets[every, :, 3 * own + relation] for relation in RELATIONS)
        slopes[:, :, last], slopes[:, :, last + 1] = worse - equal, equal - better
        above = nets[:, :, 3 * last + RELATIONS[-1]]
        slopes[:, :, last + 2] = above * comb(len(self.deck) - self.size - holds, self.size - holds)
        return slopes

    def ways(self, unseen: int, number: int) -> int:
        return comb(unseen - number, self.size - self.up_cards - number)

    def totals(self, row: int, up: Ints, lots: Ints, unseen: Ints, *, with_blind: bool) -> tuple[int, int]:
        """The totals over the dealer's hands that hold the open card and one of the lots."""
        counts = np.zeros(self._values.max() + 1, np.int64)
        for lot in lots:
            held, others = np.sort(np.append(up, lot)), unseen[~np.isin(unseen, lot)]
            count_values(held, others, self.size, self._choose, self._values, counts)
        worth = self._nets_of(row) @ counts
        best = int(worth[self._offered[self._run_of[row]]].max())
        return best, int(worth[self._plain_picks(*up.tolist())[row]]) if with_blind else 0

    def _nets_of(self, row: int) -> Ints:
        """By choice and value of the dealer: the net of a class of hands, in whole parts of a cent."""
        mine, theirs = self.classes.value[row], np.arange(self._values.max() + 1)
        if self._is_ranked:
            runs = np.searchsorted(self._cuts, theirs, side="right")
            cells = 3 * runs + 1 + np.sign(theirs - mine)
        else:
            cells = np.searchsorted(self._edges[mine], theirs, side="right")
        nets: Ints = self._nets[self._run_of[row]][:, cells]
        return nets

    def _plain_picks(self, *up: int) -> Ints:
        """By class of hands: the best choice without the knowledge, beside the dealer's open card if there is one."""
        if isinstance(self.classes, SetMeetings):
            return self.classes.solved.picks
        if up not in self._picks:
            question = self._question
            solved = showdown(question.game, wagers=question.stakes, shoe=self.shoe, meters=question.posted)
            self._picks[up] = solved.picks(*(self.deck[card] for card in up))
        return self._picks[up]


def _meetings_of(question: Question) -> RankedMeetings | Duel | SetMeetings:
    """The hands of both sides and their results; for hands that are set, of ranks alone."""
    game, stakes, meters, shoe = question.game, question.stakes, question.posted, question.shoe
    if sets_hands(game, stakes):
        return SetMeetings(setting_solver(game, stakes, shoe, meters, frozenset(question.group)), shoe)
    return meetings_of(game, stakes, meters, shoe)


def _splits(size: int, holds: int) -> tuple[Ints, Ints]:
    """Sets of places in a hand, as bit masks.

    First, each lot with a set of the other cards and its size; second, each such set with its size.
    """
    parts = [(part, part.bit_count()) for part in range(1 << size)]
    lots = [part for part, number in parts if number == holds]
    splits = [(lot, part, n) for lot in lots for part, n in parts if not lot & part and n < size - holds]
    return np.array(splits, np.int64).reshape(-1, 3), np.array([one for one in parts if one[1] <= size - holds])
