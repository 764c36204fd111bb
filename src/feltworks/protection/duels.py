"""The worth of known cards where a hand meets the dealer's: counts the dealer's hands that hold the known cards.

Exact if there is time to compare every hand of the player with every lot of known cards. Otherwise deals are
sampled; each is valued exactly over all hands that the dealer can still have, with and without the knowledge.
The difference is the gain; its error is far smaller than that of either value.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property
from math import comb, lcm
from operator import mul
from typing import Final

import numpy as np

from feltworks.analysis.progress import Progress
from feltworks.analysis.question import Question
from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.showdown.cells import RELATIONS, Cells, choice_results
from feltworks.analysis.solvers.showdown.hands import HandClasses, choose_table, hand_classes, rank_codes
from feltworks.analysis.solvers.showdown.solver import Showdown, showdown
from feltworks.analysis.solvers.showdown.spot import Spot, ranking_for
from feltworks.cards import Card
from feltworks.machine.compiler import Floats, Integers
from feltworks.protection.knowledge import (
    DEALER,
    Groups,
    Knowledge,
    Unfit,
    Worth,
    group_numbers,
    layers,
    part_neighbours,
    sampled_worth,
)
from feltworks.protection.loops import best_of_lots, fill_values, list_hands, list_sets, worth_of_deals

_MOST_STEPS: Final = 10_000_000_000  # counts added up for an exact figure
_SAMPLE_STEPS: Final = 1_000_000_000  # and for a sampled one
_LEAST, _MOST = 400, 100_000  # deals in a sample
_PIECES: Final = 100  # of long work; progress is reported after each
_LOW: Final = np.iinfo(np.int64).min
_SHORT: Final = np.iinfo(np.int16).max


class Duels:
    """A player's hand against the dealer's, and the value of each choice when cards are known."""

    def __init__(self, question: Question, progress: Progress | None = None) -> None:
        game = question.game
        self._question, self.shoe, self._tell = question, question.shoe, progress or (lambda *_: None)
        self.classes: HandClasses = hand_classes(self.shoe, ranking_for(game))
        self.size, self.deck = self.classes.size, self.shoe.all_cards()
        spot = Spot(game, question.stakes, question.posted)
        self.up_cards = spot.up_cards(self.classes.examples[0])
        cells = Cells(spot, self.classes)
        cells.check()
        self._choose = choose_table(len(self.deck), self.size)
        self._values = hand_values(self.classes, self.deck)
        self._cuts = np.array(cells.cuts, np.int64)
        self._runs: Ints = np.searchsorted(self._cuts, np.arange(len(self.classes.values)), side="right")
        self._run_of: Ints = cells.run_of
        self._results = [choice_results(cells, run) for run in cells.players]
        self._nets, self._scale = self._net_table(len(cells.dealer_runs) * len(RELATIONS))
        self._number = {card: place for place, card in enumerate(self.deck)}

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
        if not neighbours and samples is None and self._steps(self.up_cards + number) <= _MOST_STEPS:
            return self._exact(self.up_cards + number, cards[0])
        groups = cards[0].split(self.shoe) if cards else None
        return self._sample(number, neighbours, groups, samples, seed)

    def _steps(self, holds: int) -> int:
        """How many counts an exact figure adds up when `holds` of the dealer's cards are in sight."""
        sets = sum(comb(self.size, number) for number in range(self.size - holds + 1))
        return len(self.classes) * comb(len(self.deck), holds) * sets

    def _exact(self, holds: int, knowledge: Knowledge) -> Worth:
        """The exact worth: every hand against every lot of `holds` dealer's cards, or the groups of one card."""
        order = np.argsort(self.classes.value, kind="stable")
        lots, others = (self._sets(number) for number in (holds, self.size - holds))
        whole = np.zeros((len(others), len(lots)), np.int16 if len(self.classes.values) < _SHORT else np.int32)
        list_hands(others, lots, self._choose, self._values, whole)
        places = np.argsort(self._values, kind="stable")
        dealers = np.column_stack([self._sets(self.size)[places], self._values[places]])
        starts = np.cumsum([0, *(comb(len(self.deck), number) for number in range(self.size - holds))])
        counts = np.zeros((len(self._cuts) + 2, starts[-1], len(lots)), np.int32)
        part_of, best = self._parts(knowledge, lots), np.zeros(len(order), np.int64)
        hands, mine = np.sort(self._hands(order), axis=1), self.classes.value[order]
        slopes, missing = self._slopes(order, holds), self._missing[self._run_of[order]]
        splits, reached = _splits(self.size, holds), np.zeros(len(counts), np.int64)
        for begin in range(0, len(order), piece := -(-len(order) // _PIECES)):
            rows = slice(begin, begin + piece)
            best_of_lots(
                hands[rows], dealers, self._cuts, self._choose, whole, lots, part_of, *splits, starts[:-1],
                mine[rows], slopes[rows], missing[rows], reached, counts, best[rows],
            )  # fmt: skip
            self._tell(min(begin + piece, len(order)), len(order))
        total, left = sum(map(mul, best.tolist(), self.classes.hands[order].tolist())), len(self.deck) - self.size
        deals = comb(len(self.deck), self.size) * comb(left, holds) * comb(left - holds, self.size - holds)
        whole_deals = part_of.shape[1] * deals * self._scale * self._question.unit
        return Worth(-self._solved.figures.house_edge, Fraction(total, whole_deals))

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
        nets, own = self._nets[self._run_of[rows]], self._runs[self.classes.value[rows]]
        every, last = np.arange(len(rows)), len(self._cuts)
        for cut in range(last):
            side = np.where(cut < own, RELATIONS[0], RELATIONS[-1])
            slopes[:, :, cut] = nets[every, :, 3 * cut + side] - nets[every, :, 3 * cut + 3 + side]
        worse, equal, better = (nets[every, :, 3 * own + relation] for relation in RELATIONS)
        slopes[:, :, last], slopes[:, :, last + 1] = worse - equal, equal - better
        above = nets[:, :, 3 * last + RELATIONS[-1]]
        slopes[:, :, last + 2] = above * comb(len(self.deck) - self.size - holds, self.size - holds)
        return slopes

    def _places(self, some: Iterable[Card]) -> list[int]:
        return [self._number[card] for card in some]

    def _sample(self, number: int, neighbours: int, groups: Groups | None, samples: int | None, seed: int) -> Worth:
        """The sampled worth: draws the dealer's known cards and neighbours' hands; see the module docstring."""
        generator, taken = np.random.default_rng(seed), self.size * neighbours
        left, holds = len(self.deck) - self.size - self.up_cards - taken, self.up_cards + number
        if left < self.size - self.up_cards:
            seats = (len(self.deck) - self.size) // self.size - 1
            raise Unfit(f"the deck serves at most {seats} neighbours beside the player and the dealer")
        steps = comb(left - number, self.size - holds) * (left if groups else 1)
        deals = samples or max(_LEAST, min(_MOST, _SAMPLE_STEPS // steps))
        rows = self._draw_hands(generator, deals)
        rest = self._shuffle_rest(generator, self._hands(rows))
        gains = np.zeros(deals)
        for part in np.array_split(np.arange(deals), min(deals, _PIECES)):
            gains[part] = self._gains(rows[part], rest[part], holds, taken, groups) / self._question.unit
            self._tell(int(part[-1]) + 1, deals)
        return sampled_worth(-self._solved.figures.house_edge, gains)

    def _gains(self, rows: Ints, rest: Ints, holds: int, taken: int, groups: Groups | None) -> Floats:
        """The gain in each deal, in cents: choices are valued over all dealer's hands that are still possible."""
        deal, held, unseen = self._lots(rest, holds, taken, groups)
        worth = np.add.reduceat(self._value(rows[deal], held, unseen), np.flatnonzero(np.diff(deal, prepend=-1)))
        plain = self._plain_choices(rows, rest[:, : self.up_cards])
        ways = np.bincount(deal) * comb(unseen.shape[1], self.size - holds) * self._scale
        best = np.where(self._missing[self._run_of[rows]], _LOW, worth).max(axis=1)
        gains: Floats = (best - worth[np.arange(len(rows)), plain]) / ways
        return gains

    def _lots(self, rest: Ints, holds: int, taken: int, groups: Groups | None) -> tuple[Ints, Ints, Ints]:
        """The dealer's possible known cards, one row or more for each deal, and the cards still unseen.

        These are the first cards of the deal; with groups, the last of them stands for any card of its group.
        """
        if groups is None:
            return np.arange(len(rest)), rest[:, :holds], np.sort(rest[:, holds + taken :], axis=1)
        group_of, hidden = group_numbers(self.deck, groups), rest[:, holds - 1 :]
        deal, place = np.nonzero(group_of[hidden] == group_of[hidden[:, :1]])
        held = np.column_stack([rest[deal, : holds - 1], hidden[deal, place]])
        others = np.arange(hidden.shape[1]) != place[:, None]
        return deal, held, np.sort(hidden[deal][others].reshape(len(deal), -1), axis=1)

    def _draw_hands(self, generator: np.random.Generator, number: int) -> Ints:
        """Sample classes of hands by how often they are dealt: one from each of `number` equal layers by value."""
        order = np.argsort(self.classes.value, kind="stable")
        reached = np.cumsum(self.classes.hands[order])
        rows: Ints = order[np.searchsorted(reached, layers(generator, number) * reached[-1], side="right")]
        return rows

    def _hands(self, rows: Ints) -> Ints:
        return np.array([self._places(self.classes.cards(row)) for row in rows.tolist()])

    def _shuffle_rest(self, generator: np.random.Generator, hands: Ints) -> Ints:
        """The cards that are not in each hand, in a random order."""
        order = generator.random((len(hands), len(self.deck)))
        order[np.arange(len(hands))[:, None], hands] = 2.0  # sorts behind all others
        rest: Ints = np.argsort(order, axis=1)[:, : len(self.deck) - self.size]
        return rest

    def _value(self, rows: Ints, held: Ints, unseen: Ints) -> Ints:
        """By deal and choice: the total over all hands that the dealer can have."""
        worth = np.zeros((len(rows), self._nets.shape[1]), np.int64)
        worth_of_deals(
            np.sort(held, axis=1), unseen, self.size, self._choose, self._values, self._runs,
            self.classes.value[rows], self._nets[self._run_of[rows]], worth,
        )  # fmt: skip
        return worth

    def _plain_choices(self, rows: Ints, ups: Ints) -> Ints:
        """Each hand's best choice without the knowledge, given the dealer's open card if there is one."""
        if not self.up_cards:
            return self._solved.picks()[rows]
        plain = np.zeros(len(rows), np.int64)
        for up in np.unique(ups):
            beside = ups[:, 0] == up
            plain[beside] = self._solved.picks(self.deck[up])[rows[beside]]
        return plain

    @cached_property
    def _solved(self) -> Showdown:
        question = self._question
        return showdown(question.game, wagers=question.stakes, shoe=self.shoe, meters=question.posted)

    def _net_table(self, cells: int) -> tuple[Ints, int]:
        """By run of hands, choice and cell: the net in whole parts of a cent; and how many parts make a cent."""
        nets = [[choice.nets() for choice in run] for run in self._results]
        scale = lcm(*(net.denominator for run in nets for choice in run for net in choice))
        most = max(len(run) for run in self._results)
        table = np.zeros((len(nets), most, cells), np.int64)
        self._missing = np.ones((len(nets), most), np.bool_)
        for number, run in enumerate(self._results):
            for place, choice in enumerate(run):
                self._missing[number, place] = False
                for net, members in zip(nets[number][place], choice.cells, strict=True):
                    table[number, place, list(members)] = int(net * scale)
                if len(choice.results) == 1:
                    table[number, place, :] = int(nets[number][place][0] * scale)
        return table, scale


def _splits(size: int, holds: int) -> tuple[Ints, Ints]:
    """Sets of places in a hand, as bit masks.

    First, each lot with a set of the other cards and its size; second, each such set with its size.
    """
    parts = [(part, part.bit_count()) for part in range(1 << size)]
    lots = [part for part, number in parts if number == holds]
    splits = [(lot, part, n) for lot in lots for part, n in parts if not lot & part and n < size - holds]
    return np.array(splits, np.int64).reshape(-1, 3), np.array([one for one in parts if one[1] <= size - holds])


def hand_values(classes: HandClasses, deck: Sequence[Card]) -> Integers:
    """The value of every hand of a deck, by its index."""
    size, wild = classes.size, len(classes.ranks)
    columns = [classes.ranks.index(card.rank) if card.rank in classes.ranks else wild for card in deck]
    codes = rank_codes(np.eye(len(classes.counts), dtype=np.int64))[columns]
    is_wild = [card.rank in classes.wild_ranks or card.suit is None for card in deck]
    suits = [-1 if one else int(card.suit or 0) for card, one in zip(deck, is_wild, strict=True)]
    kinds = rank_codes(classes.kinds)
    order = np.argsort(kinds)
    return fill_values(
        codes, np.array(suits, np.int64), size, choose_table(len(deck), size), kinds[order],
        classes.mixed_value[order], classes.suited_value[order],
    )  # fmt: skip
