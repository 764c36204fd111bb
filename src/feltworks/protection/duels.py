"""The worth of known cards where a hand meets the dealer's: counts the dealer's hands that hold the known cards.

Exact if there is time to compare every hand of the player with every lot of known cards. Otherwise deals are
sampled; each is valued exactly over all hands that the dealer can still have, with and without the knowledge.
The difference is the gain; its error is far smaller than that of either value.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import comb, lcm
from operator import mul
from typing import Final

import numpy as np

from feltworks.analysis.progress import Progress
from feltworks.analysis.question import Question
from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.setting import SetMeetings, sets_hands, setting_solver
from feltworks.analysis.solvers.showdown.cells import RELATIONS
from feltworks.analysis.solvers.showdown.duel import Duel
from feltworks.analysis.solvers.showdown.hands import HandClasses, choose_table, rank_codes
from feltworks.analysis.solvers.showdown.solver import RankedMeetings, meetings_of, showdown
from feltworks.cards import Card
from feltworks.machine.compiler import Integers
from feltworks.protection.knowledge import (
    DEALER,
    Groups,
    Knowledge,
    Unfit,
    Worth,
    group_numbers,
    layers,
    part_neighbours,
    parts_of,
    places_in,
    sampled_worth,
)
from feltworks.protection.loops import best_of_lots, count_values, fill_values, list_hands, list_sets
from feltworks.protection.removal import edge_of

_MOST_STEPS: Final = 10_000_000_000  # counts added up for an exact figure
_SAMPLE_STEPS: Final = 1_000_000_000  # and for a sampled one
_LEAST, _MOST = 400, 20_000  # deals in a sample
_HANDS_A_LOT: Final = 10_000  # that take as long as the arrays of a lot
_PIECES: Final = 100  # of long work; progress is reported after each
_LOW: Final = np.iinfo(np.int64).min
_SHORT: Final = np.iinfo(np.int16).max


class Duels:
    """A player's hand against the dealer's, and the value of each choice when cards are known."""

    def __init__(self, question: Question, progress: Progress | None = None) -> None:
        self._question, self.shoe, self._tell = question, question.shoe, progress or (lambda *_: None)
        meetings = _meetings_of(question)
        self.classes = meetings if isinstance(meetings, SetMeetings) else meetings.classes
        self._results, self._run_of, self.up_cards = meetings.runs, meetings.run_of, int(meetings.has_up_card)
        self._is_ranked = isinstance(meetings, RankedMeetings)
        if isinstance(meetings, RankedMeetings):
            self.deck, self.size = self.shoe.all_cards(), meetings.classes.size
            self._values, self._cuts = hand_values(meetings.classes, self.deck), np.array(meetings.cuts, np.int64)
        else:
            self.deck, self.size, self._edges = meetings.deck, meetings.house, meetings.bounds
            self._values = meetings.dealer_place
        self._choose = choose_table(len(self.deck), max(self.size, self.classes.size))
        self._nets, self._scale = self._net_table()

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
        if not neighbours and samples is None and self._is_ranked and self._steps(holds) <= _MOST_STEPS:
            return self._exact(holds, cards[0])
        left = len(self.deck) - self.classes.size - self.up_cards
        lots = len(self.classes) * (left + 1) ** self.up_cards * comb(left, number)
        hands = comb(left - number, self.size - holds) * (left if groups else 1)
        if not neighbours and samples is None and lots * (hands + _HANDS_A_LOT) <= _SAMPLE_STEPS:
            return self._list(number, groups)
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
        return Worth(edge_of(self._question), Fraction(total, whole_deals))

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

    def _sample(self, number: int, neighbours: int, groups: Groups | None, samples: int | None, seed: int) -> Worth:
        """The sampled worth: draws the dealer's known cards and neighbours' hands; see the module docstring."""
        generator, own_size, holds = np.random.default_rng(seed), self.classes.size, self.up_cards + number
        taken = own_size * neighbours
        left = len(self.deck) - own_size - self.up_cards - taken
        if left < self.size - self.up_cards:
            seats = (len(self.deck) - own_size - self.size) // own_size
            raise Unfit(f"the deck serves at most {seats} neighbours beside the player and the dealer")
        steps = comb(left - number, self.size - holds) * (left if groups else 1)
        deals = samples or max(_LEAST, min(_MOST, _SAMPLE_STEPS // steps))
        rows = self._draw_hands(generator, deals)
        rest = self._shuffle_rest(generator, self._hands(rows))
        plain, gains = self._plain_choices(rows, rest[:, : self.up_cards]), np.zeros(deals)
        for deal, row in enumerate(rows.tolist()):
            up, others = rest[deal, : self.up_cards], rest[deal, self.up_cards + taken :]
            lots, unseen = others[None, :number], np.sort(others)
            if groups:
                lots = next(some for some in parts_of(self.deck, unseen, number, groups) if lots[0] in some)
            worth = self._worth(row, up, lots, unseen)
            gains[deal] = (worth.max() - worth[plain[deal]]) / len(lots)
            self._tell(deal + 1, deals)
        ways = comb(left - number, self.size - holds) * self._scale * self._question.unit
        return sampled_worth(edge_of(self._question), gains / ways)

    def _list(self, number: int, groups: Groups | None) -> Worth:
        """The exact worth, one lot of known cards after the other."""
        total, ways, rows = 0, 0, np.arange(len(self.classes))
        for row, own in enumerate(self._hands(rows)):
            rest = np.setdiff1d(np.arange(len(self.deck)), own)
            for up in rest[:, None] if self.up_cards else np.zeros((1, 0), np.int64):
                unseen = np.setdiff1d(rest, up)
                deals = int(self.classes.hands[row]) * comb(len(unseen) - number, self.size - self.up_cards - number)
                for lots in parts_of(self.deck, unseen, number, groups):
                    total += int(self.classes.hands[row]) * int(self._worth(row, up, lots, unseen).max())
                    ways += deals * len(lots)
            self._tell(row + 1, len(rows))
        return Worth(edge_of(self._question), Fraction(total, ways * self._scale * self._question.unit))

    def _worth(self, row: int, up: Ints, lots: Ints, unseen: Ints) -> Ints:
        """By choice of a class of hands: the total over the dealer's hands that hold the open card and one of the lots.

        A choice that is not offered has the least number there is.
        """
        counts = np.zeros(self._values.max() + 1, np.int64)
        for lot in lots:
            held, others = np.sort(np.append(up, lot)), unseen[~np.isin(unseen, lot)]
            count_values(held, others, self.size, self._choose, self._values, counts)
        return np.where(self._missing[self._run_of[row]], _LOW, self._nets_of(row) @ counts)

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

    def _draw_hands(self, generator: np.random.Generator, number: int) -> Ints:
        """Sample classes of hands by how often they are dealt: one from each of `number` equal layers by value."""
        order = np.argsort(self.classes.value, kind="stable")
        reached = np.cumsum(self.classes.hands[order])
        rows: Ints = order[np.searchsorted(reached, layers(generator, number) * reached[-1], side="right")]
        return rows

    def _hands(self, rows: Ints) -> Ints:
        return np.array([places_in(self.deck, self.classes.cards(row)) for row in rows.tolist()])

    def _shuffle_rest(self, generator: np.random.Generator, hands: Ints) -> Ints:
        """The cards that are not in each hand, in a random order."""
        order = generator.random((len(hands), len(self.deck)))
        order[np.arange(len(hands))[:, None], hands] = 2.0  # sorts behind all others
        rest: Ints = np.argsort(order, axis=1)[:, : len(self.deck) - self.classes.size]
        return rest

    def _plain_choices(self, rows: Ints, ups: Ints) -> Ints:
        """Each hand's best choice without the knowledge, given the dealer's open card if there is one."""
        if isinstance(self.classes, SetMeetings):
            return self.classes.solved.picks[rows]
        question = self._question
        solved = showdown(question.game, wagers=question.stakes, shoe=self.shoe, meters=question.posted)
        if not self.up_cards:
            return solved.picks()[rows]
        plain = np.zeros(len(rows), np.int64)
        for up in np.unique(ups):
            beside = ups[:, 0] == up
            plain[beside] = solved.picks(self.deck[up])[rows[beside]]
        return plain

    def _net_table(self) -> tuple[Ints, int]:
        """By run of hands, choice and cell: the net in whole parts of a cent; and how many parts make a cent."""
        nets = [[choice.nets() for choice in run] for run in self._results]
        scale = lcm(*(net.denominator for run in nets for choice in run for net in choice))
        most = max(len(run) for run in self._results)
        cells = 1 + max(max(cells) for run in self._results for choice in run for cells in choice.cells)
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
