"""The board showdown solver: two hands share a board, with choices before it, on the flop and after it.

It solves every game of this form with one deck. The rules offer and settle (`tree`); all boards up to suits are
swept once for the worth of every choice and once for the law (`sweep`).
"""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from itertools import pairwise, permutations
from math import comb, gcd, lcm
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.analysis.figures import Figures, Outcome, outcome_name
from feltworks.analysis.progress import Progress
from feltworks.analysis.referee import Law, net
from feltworks.analysis.solvers.board.sweep import (
    FLOPS,
    SUITS,
    BoardTables,
    CellLabels,
    Spot,
    count_runs,
    sweep_cells,
    sweep_law,
    sweep_worth,
)
from feltworks.analysis.solvers.board.tree import OWN, SHARED, Boards, Deal
from feltworks.analysis.solvers.board.values import SevenCards
from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.showdown.cells import find_cuts
from feltworks.analysis.solvers.showdown.hands import DealtHands, HandClasses, hand_classes
from feltworks.analysis.solvers.streets.tree import Street
from feltworks.analysis.strategy.facts import CardFacts
from feltworks.cards import DECK, Card, Shoe
from feltworks.errors import FeltError
from feltworks.hands.poker import best_value
from feltworks.machine.walk import Settled
from feltworks.money import Cents
from feltworks.rules.game import Game

_LARGEST = 2**63 - 1
_PARTS = 100  # of a sweep; progress is reported after each
Arrays = tuple[NDArray[Any], ...]
_MOST_SWEPT = 4
_swept: dict[bytes, Arrays] = {}  # the outputs of sweeps, the oldest first
_WORSE, _EQUAL, _BETTER = range(3)  # the dealer's hand compared with the player's


class BoardRow(Struct, frozen=True):
    """An outcome of a whole spot: the choices, the result of each wager, and the number of ways."""

    path: tuple[str, ...]
    result: Settled
    ways: int


class CellTotals(Struct, frozen=True):
    """How a decision goes in the cells of a chart; sums over all deals that come to it."""

    ways: Ints  # by cell and choice: the deals in which this choice is best
    worth: Ints  # by cell and choice
    best: Ints  # by cell: the worth of the best choices
    divisor: Fraction  # makes cents of a worth that was divided by its number of ways

    @property
    def commonest(self) -> Ints:
        """The index of the commonest best choice, by cell."""
        commonest: Ints = self.ways.argmax(axis=1)
        return commonest

    @property
    def loss(self) -> int:
        """What play by the commonest choice of every cell loses."""
        return int((self.best - np.take_along_axis(self.worth, self.commonest[:, None], 1)[:, 0]).sum())


class HoldingDecision(Struct, frozen=True):
    """The decision with two cards before the board is turned; worths in cents."""

    cards: tuple[Card, Card]
    holdings: int
    worth: Mapping[str, Fraction]
    best: str


class Suitless:
    """Classes of holdings and flops up to suits, with the effect of each permutation of suits."""

    def __init__(self, ranks: int) -> None:
        self.cards = SUITS * ranks
        cards = np.arange(self.cards)
        changes = [cards // SUITS * SUITS + np.array(change)[cards % SUITS] for change in permutations(range(SUITS))]
        pairs = [(a, b) for a in range(self.cards) for b in range(a + 1, self.cards)]
        self.pairs = np.array(pairs, dtype=np.int64)
        self.holding_of = np.zeros((self.cards, self.cards), dtype=np.int64)
        for place, (a, b) in enumerate(pairs):
            self.holding_of[a, b] = self.holding_of[b, a] = place
        self.changed = np.array([self.holding_of[c[self.pairs[:, 0]], c[self.pairs[:, 1]]] for c in changes])
        self._number_flops(changes)
        low, high = self.pairs[:, 0] // SUITS, self.pairs[:, 1] // SUITS
        suited = self.pairs[:, 0] % SUITS == self.pairs[:, 1] % SUITS
        kinds = (low * ranks + high) * 2 + suited
        self.kind_of: Ints = np.searchsorted(np.unique(kinds), kinds)  # by holding: its class before the flop

    def _number_flops(self, changes: Sequence[Ints]) -> None:
        """By flop: its class up to suits, and the permutation that maps it to the cards of the class."""
        size = self.cards
        flops = np.array([(a, b, c) for a in range(size) for b in range(a + 1, size) for c in range(b + 1, size)])
        codes = np.stack([_flop_codes(np.sort(change[flops], axis=1), size) for change in changes])
        least = codes.min(axis=0)
        known = np.unique(least)
        self.flops = len(known)
        number, change = np.searchsorted(known, least), codes.argmin(axis=0)
        self.flop_of = np.zeros((size, size, size), dtype=np.int64)
        self.change_of = np.zeros((size, size, size), dtype=np.int64)
        for order in permutations(range(3)):
            index = tuple(flops[:, place] for place in order)
            self.flop_of[index], self.change_of[index] = number, change
        # By class of flops: the permutations of suits that map its cards to themselves
        own = np.flatnonzero(_flop_codes(flops, size) == least)
        self.flop_cards = np.zeros((self.flops, 3), dtype=np.int64)
        self.flop_cards[number[own]] = flops[own]
        self.flop_ways: Ints = np.bincount(number)  # by class of flops: how many are alike
        self.stable: list[list[int]] = [[] for _ in range(self.flops)]
        for place in own.tolist():
            self.stable[int(number[place])] = np.flatnonzero(codes[:, place] == least[place]).tolist()


def _flop_codes(flops: Ints, size: int) -> Ints:
    codes: Ints = (flops[:, 0] * size + flops[:, 1]) * size + flops[:, 2]
    return codes


class BoardSolver:
    """The exact law of a spot under best play, and the worth of every holding before the flop."""

    def __init__(
        self,
        game: Game,
        wagers: Mapping[str, Cents],
        shoe: Shoe,
        *,
        meters: Mapping[str, Cents] | None = None,
        serving: frozenset[str] | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._progress = progress
        self.game, self._serving = game, serving
        self.boards = Boards(game, wagers, meters or {}, shoe)
        self._classes: HandClasses = hand_classes(shoe, self.boards.ranking)
        if self._classes.groups != (SUITS,):
            raise FeltError(
                f"{game.terms.rulebook.title}: exact figures are for a deck with all suits alike;"
                " `felt simulate` measures it with cards taken out"
            )
        self._ends = list(self.boards.root.ends())
        self._find_runs()
        self._check()
        self._prepare()
        self._decide()

    # Settlement of pairs of values

    def _find_runs(self) -> None:
        """The runs of the player's and of the dealer's values that have equal results at all ends."""
        values = self._classes.values
        self._known: dict[tuple[int, int, int], Settled] = {}
        self._player_cuts, self._cuts = find_cuts(values, range(len(self._ends)), self._ask)
        self._run_of: Ints = np.searchsorted(np.array(self._player_cuts), np.arange(len(values)), side="right")

    def _ask(self, end: int, mine: int, theirs: int) -> Settled:
        key = (end, mine, theirs)
        if key not in self._known:
            values = self._classes.values
            self._known[key] = self.boards.valued_result(self._ends[end], values[mine], values[theirs])
        return self._known[key]

    @cached_property
    def _cells(self) -> list[list[list[Settled | None]]]:
        """The result by end, player's run and dealer's cell; None if the combination is impossible."""
        count = len(self._classes.values)
        mine = _spans([0, *self._player_cuts, count])
        theirs = _spans([0, *self._cuts, count])
        return [
            [[self._cell(end, run, other, relation) for other in theirs for relation in range(3)] for run in mine]
            for end in range(len(self._ends))
        ]

    def _cell(self, end: int, mine: tuple[int, int], theirs: tuple[int, int], relation: int) -> Settled | None:
        if relation == _WORSE:
            return self._ask(end, mine[1], theirs[0]) if theirs[0] < mine[1] else None
        if relation == _BETTER:
            return self._ask(end, mine[0], theirs[1]) if theirs[1] > mine[0] else None
        both = max(mine[0], theirs[0])
        return self._ask(end, both, both) if both <= min(mine[1], theirs[1]) else None

    def _check(self) -> None:
        """Settle deals one by one; refuse a game whose results depend on more than values."""
        place = {value.strength: number for number, value in enumerate(self._classes.values)}
        for deal in self.boards.samples:
            mine, theirs = (self._value(deal, own, place) for own in (deal.seat, deal.dealer))
            other = int(np.searchsorted(self._cuts, theirs, side="right"))
            relation = _EQUAL if mine == theirs else _BETTER if theirs > mine else _WORSE
            for number, end in enumerate(self._ends):
                expected = self._cells[number][int(self._run_of[mine])][3 * other + relation]
                if self.boards.result(deal, end) != expected:
                    raise self.boards.refusal("what is paid goes by more than how good the hands are")

    def _value(self, deal: Deal, own: tuple[Card, ...], place: Mapping[int, int]) -> int:
        return place[best_value(self.boards.ranking, (*own, *deal.board)).strength]

    # The worth of choices

    def _prepare(self) -> None:
        """Compute the arrays that the sweeps read."""
        nets = [[[net(cell or (), self._serving) for cell in run] for run in end] for end in self._cells]
        every = {net for end in nets for run in end for net in run if net} or {Fraction(1)}
        whole = lcm(*(net.denominator for net in every))
        self._scale = Fraction(whole, gcd(*(int(net * whole) for net in every)))  # makes the smallest integers
        highest = max(map(abs, every)) * self._scale
        if highest * len(FLOPS) * self.total > _LARGEST:
            raise FeltError("the pays are too large to add up; take a smaller wager")
        self._nets = np.array([[[int(n * self._scale) for n in run] for run in end] for end in nets], np.int64)
        self._targets = self._list_targets()
        width = max(map(len, self._targets))
        padded = [[*leaves, *([-1] * (width - len(leaves)))] for leaves in self._targets]
        self._alike = Suitless(len(self._classes.ranks))
        seven = SevenCards(self._classes)
        self._with_one = seven.with_one
        is_kept = np.array([len(ends) > 1 for ends in self._targets])
        self._spot = Spot(
            *_board_arrays(self._classes),
            BoardTables(seven.by_ranks, seven.by_suit, seven.pair_of),
            self._alike.holding_of,
            np.array([*self._cuts, len(self._classes.values)], dtype=np.int64),
            self._run_of.astype(np.int64),
            self._nets,
            np.array(padded, dtype=np.int64),
            self._alike.flop_of,
            self._alike.change_of,
            self._alike.changed,
            rooms=np.where(is_kept, np.cumsum(is_kept) - 1, -1),
        )
        cells = len(self._alike.pairs) * self.choice_bits
        # The best end by target, board and holding, for targets with a choice
        self._last = np.zeros((int(is_kept.sum()), len(self._classes), -(-cells // 8)), np.uint8)

    @property
    def total(self) -> int:
        """The number of deals of the board, the player's cards and the dealer's."""
        cards = self._classes.shoe.total
        return comb(cards, SHARED) * comb(cards - SHARED, OWN) * comb(cards - SHARED - OWN, OWN)

    def _list_targets(self) -> list[list[int]]:
        """The targets: an end, or the ends to choose from when the whole board is seen."""
        self._target_of: dict[int, int] = {}
        targets: list[list[int]] = []

        def visit(street: Street) -> None:
            if street.is_end or street.seen == SHARED:
                self._target_of[id(street)] = len(targets)
                targets.append(sorted([end.leaf for end in street.ends()], key=self._money))
                return
            for _, child in street.choices:
                visit(child)

        visit(self.boards.root)
        return targets

    def _money(self, leaf: int) -> Cents:
        result = next(cell for run in self._cells[leaf] for cell in run if cell is not None)
        return sum(line.wagered for line in result)

    def _decide(self) -> None:
        targets, holdings = len(self._targets), len(self._alike.pairs)
        self._points: list[Street] = [s for s in self.boards.root.decisions() if s.seen == 3]
        chosen = [self._target_of[id(child)] for point in self._points for _, child in point.choices]
        on_flop = np.zeros((len(chosen), self._alike.flops, holdings), dtype=np.int64)
        at_once = np.zeros((targets, holdings), dtype=np.int64)
        if self.boards.root.choices:
            inputs, outputs = (np.array(chosen, dtype=np.int64),), (on_flop, at_once, self._last)
            on_flop, at_once, self._last = self._sweep(0, sweep_worth, inputs, outputs)
        self._on_flop = dict(zip(chosen, on_flop, strict=True))
        then = [self._decide_flop(point, self._on_flop) for point in self._points]
        self._then = np.stack([targets_ for targets_, _ in then]) if then else np.zeros((1, 1, holdings), np.int64)
        self._flop_totals = [totals for _, totals in then]
        self._first = self._decide_first(at_once)

    def _sweep(self, number: int, loop: Callable[..., None], inputs: Arrays, outputs: Arrays) -> Arrays:
        """The outputs of the first or second sweep over all boards; those of an equal sweep if it is remembered.

        The inputs say everything, so another question about the same table, or a copy of it, finds them again.
        """
        arrays = (*self._spot.tables, *(each for each in self._spot if isinstance(each, np.ndarray)), *inputs)
        key = hashlib.sha256(f"{number} {[each.shape for each in arrays]}".encode())
        for each in arrays:
            key.update(np.ascontiguousarray(each).data)
        if (known := _swept.get(key.digest())) is not None:
            return known
        boards = len(self._classes)
        part = -(-boards // _PARTS)
        for begin in range(0, boards, part):
            end = min(begin + part, boards)
            loop(self._spot, begin, end, *inputs, *outputs)
            if self._progress:
                self._progress(number * boards + end, 2 * boards)
        if len(_swept) == _MOST_SWEPT:
            _swept.pop(next(iter(_swept)))
        _swept[key.digest()] = outputs
        return outputs

    def _decide_flop(self, point: Street, on_flop: Mapping[int, Ints]) -> tuple[Ints, Ints]:
        """The target of the best choice by flop and holding, and its total worth by holding."""
        choices = [self._target_of[id(child)] for _, child in point.choices]
        order = sorted(choices, key=lambda target: self._money(self._targets[target][-1]))
        best = np.full(on_flop[order[0]].shape, order[0], dtype=np.int64)
        for flop, changes in enumerate(self._alike.stable):
            # Holdings that a permutation of suits maps to each other have the same choice
            sums = {t: sum(on_flop[t][flop][self._alike.changed[change]] for change in changes) for t in order}
            most = sums[order[0]]
            for target in order[1:]:
                best[flop] = np.where(sums[target] > most, target, best[flop])
                most = np.maximum(most, sums[target])
        totals = np.zeros(len(self._alike.pairs), dtype=np.int64)
        for target in order:
            totals += np.where(best == target, on_flop[target], 0).sum(axis=0)
        return best, totals

    def _decide_first(self, at_once: Ints) -> Ints:
        """By holding: the target, or ~ the point on the flop where play goes on."""
        root, kinds = self.boards.root, self._alike.kind_of
        holdings = len(kinds)
        if id(root) in self._target_of:
            return np.full(holdings, self._target_of[id(root)], dtype=np.int64)
        if root.seen == 3:
            return np.full(holdings, ~0, dtype=np.int64)
        number = int(kinds.max()) + 1
        self._worths: dict[str, Ints] = {}
        best, most = np.zeros(number, dtype=np.int64), np.full(number, -_LARGEST, dtype=np.int64)
        for name, child in root.choices:
            goes = self._goes_to(child)
            totals = at_once[goes] * len(FLOPS) if goes >= 0 else self._flop_totals[~goes]
            summed = np.zeros(number, dtype=np.int64)
            np.add.at(summed, kinds, totals)
            self._worths[name] = summed
            best, most = np.where(summed > most, goes, best), np.maximum(summed, most)
        return best[kinds]

    def _goes_to(self, child: Street) -> int:
        """The target of a street before the flop, or ~ the point on the flop where play goes on."""
        known = self._target_of.get(id(child))
        return ~next(at for at, point in enumerate(self._points) if point is child) if known is None else known

    @property
    def choice_bits(self) -> int:
        """The number of bits of a packed choice when the whole board is seen."""
        return next(bits for bits in (1, 2, 4, 8) if max(map(len, self._targets)) <= 1 << bits)

    def target(self, street: Street) -> list[int]:
        """The target of a street: an end itself, or the ends to choose from when the whole board is seen."""
        return self._targets[self._target_of[id(street)]]

    def last_picks(self, street: Street) -> NDArray[np.uint8]:
        """The index of the best end of such a street, by board and holding, packed by `choice_bits`."""
        packed: NDArray[np.uint8] = self._last[self._spot.rooms[self._target_of[id(street)]]]
        return packed

    def flop_picks(self, street: Street, flops: DealtHands) -> Ints:
        """The index of the choice at a street on the flop, by class of flops and holding."""
        point, picks = ~self._goes_to(street), np.zeros((len(flops), len(self._alike.pairs)), np.int64)
        place = {self._target_of[id(child)]: at for at, (_, child) in enumerate(street.choices)}
        place_of = np.array([place.get(target, 0) for target in range(len(self._targets))])
        for row in range(len(flops)):
            a, b, c = (self._number(card) for card in flops.cards(row))
            change = self._alike.changed[self._alike.change_of[a, b, c]]
            picks[row] = place_of[self._then[point, self._alike.flop_of[a, b, c]][change]]
        return picks

    def first_picks(self, holdings: DealtHands) -> Ints:
        """The index of the choice before the flop, by class of holdings."""
        goes = [self._goes_to(child) for _, child in self.boards.root.choices]
        held = [[self._number(card) for card in holdings.cards(row)] for row in range(len(holdings))]
        return np.array([goes.index(int(self._first[self._alike.holding_of[a, b]])) for a, b in held])

    def _number(self, card: Card) -> int:
        assert card.suit is not None
        return SUITS * self._classes.ranks.index(card.rank) + card.suit

    # Charts

    def flop_views(self) -> tuple[Ints, Ints]:
        """The player's cards and the board's, by class of flops and holding; some share a card."""
        pairs, flops = self._alike.pairs, self._alike.flop_cards
        return np.tile(pairs, (len(flops), 1)), np.repeat(flops, len(pairs), axis=0)

    def five_card_values(self, held: Ints, suited: Ints) -> Ints:
        """The places of the values of five-card hands; arbitrary for hands with a card twice."""
        weights = (SUITS + 2) ** np.arange(len(self._classes.ranks))
        codes = (self._classes.kinds[:, : len(weights)] * weights).sum(axis=1)
        order = np.argsort(codes)
        place = np.searchsorted(codes[order], weights[held // SUITS].sum(axis=1))
        kind = order[np.minimum(place, len(codes) - 1)]
        is_suited = suited == self._classes.size
        values: Ints = np.where(is_suited, self._classes.suited_value[kind], self._classes.mixed_value[kind])
        return values

    def describe(self, facts: CardFacts, own: Ints, board: Ints, *, with_draws: bool) -> Ints:
        """The columns of facts of many views."""
        ranks = facts.ranking.ranks
        place = np.array([ranks.index(rank) for rank in self._classes.ranks])  # as a deck may lack some ranks
        own, board = (SUITS * place[held // SUITS] + held % SUITS for held in (own, board))
        return facts.describe(own, board, with_draws=with_draws)

    @property
    def classes(self) -> HandClasses:
        """The classes of boards, with the values that hands can have."""
        return self._classes

    @property
    def pairs(self) -> Ints:
        """The cards of every holding, the lower first."""
        return self._alike.pairs

    @property
    def boards_up_to_suits(self) -> Ints:
        """The cards of every board, as suit + 4 · place of the rank."""
        return self._spot.boards

    @property
    def deal_worth(self) -> Fraction:
        """Divide sums of worth by this to get cents a round."""
        return self.total * len(FLOPS) * self._scale

    def flop_cells(self, street: Street, cell_of: Ints, cells: int) -> CellTotals:
        """The totals of a decision on the flop by cell; `cell_of` is by class of flops and holding."""
        pairs, flops, point = self._alike.pairs, self._alike.flop_cards, ~self._goes_to(street)
        targets = [self._target_of[id(child)] for _, child in street.choices]
        meets = (pairs[None, :, :, None] != flops[:, None, None, :]).all(axis=(2, 3)) & (self._first == ~point)
        dealt = np.where(meets, self._alike.flop_ways[:, None], 0)
        ways, worth = np.zeros((2, len(targets), cells), np.int64)
        best = np.zeros(cells, np.int64)
        for place, target in enumerate(targets):
            is_best = self._then[point] == target
            np.add.at(ways[place], cell_of, np.where(is_best, dealt, 0))
            np.add.at(worth[place], cell_of, np.where(meets, self._on_flop[target], 0))
            np.add.at(best, cell_of, np.where(meets & is_best, self._on_flop[target], 0))
        cards = self._classes.shoe.total
        later = comb(cards - OWN - 3, SHARED - 3) * comb(cards - OWN - SHARED, OWN)
        return CellTotals(ways.T, worth.T, best, later * self._scale)

    def flop_play(self, picks: Sequence[Ints]) -> Ints:
        """Where play leads, by decision on the flop, class of flops and holding; without choices best play."""
        played = self._then.copy()
        for point, (street, chosen) in enumerate(zip(self._points, picks, strict=False)):
            targets = np.array([self._target_of[id(child)] for _, child in street.choices])
            played[point] = targets[chosen]
        return played

    def last_cells(self, street: Street, then: Ints, labels: CellLabels) -> CellTotals:
        """The totals of a decision on the whole board by cell, where the flop is played by `then`."""
        target = self._target_of[id(street)]
        cells, choices = int(labels.column_of.max() + 1) * labels.rows, len(self._targets[target])
        (ways, worth), best = np.zeros((2, cells, choices), np.int64), np.zeros(cells, np.int64)
        sweep_cells(self._spot, self._first, then, target, labels, ways, worth, best)
        order = [self._targets[target].index(child.leaf) for _, child in street.choices]
        rest = comb(self._classes.shoe.total - OWN - SHARED, OWN)
        return CellTotals(ways[:, order], worth[:, order], best, rest * self._scale)

    @property
    def flop_decisions(self) -> Sequence[Street]:
        """The decisions on the flop."""
        return self._points

    # Results

    @cached_property
    def rows(self) -> tuple[BoardRow, ...]:
        """The outcomes of the spot."""
        counted = np.zeros_like(self._nets)
        if self._goes_by_own_hand:
            alone = np.zeros(len(self._player_cuts) + 1, dtype=np.int64)
            count_runs(self._spot, alone)
            known = [next(at for at, each in enumerate(run) if each is not None) for run in self._cells[0]]
            against = comb(self._classes.shoe.total - SHARED - OWN, OWN) * len(FLOPS)
            counted[0, np.arange(len(alone)), known] = alone * against
        else:
            (counted,) = self._sweep(1, sweep_law, (self._first, self._then, self._last), (counted,))
        rows: dict[tuple[tuple[str, ...], Settled], int] = {}
        for leaf, end in enumerate(self._ends):
            names = tuple(choice.name for choice in end.path)
            for run, row in enumerate(counted[leaf].tolist()):
                for cell, ways in enumerate(row):
                    result = self._cells[leaf][run][cell]
                    if ways:
                        assert result is not None, "values met that cannot meet"
                        rows[names, result] = rows.get((names, result), 0) + ways
        assert sum(rows.values()) == self.total * len(FLOPS), "a deal is lost"
        return tuple(BoardRow(names, result, ways) for (names, result), ways in rows.items())

    @property
    def _goes_by_own_hand(self) -> bool:
        """Whether there are no choices and the dealer's hand does not matter."""
        return len(self._ends) == 1 and all(len({*run} - {None}) == 1 for run in self._cells[0])

    def figures_of(self, group: frozenset[str], unit: Cents) -> Figures:
        """The figures of some of the spot's wagers together, per unit."""
        outcomes, whole = [], self.total * len(FLOPS)
        for row in self.rows:
            lines = [line for line in row.result if line.wager in group]
            name = outcome_name([(line.wager, line.outcome) for line in lines])
            net = sum((line.net for line in lines), Fraction(0)) / unit
            wagered = Fraction(sum(line.wagered for line in lines), unit)
            outcomes.append(Outcome(name, Fraction(row.ways, whole), net, wagered))
        return Figures.of(outcomes)

    @property
    def law(self) -> Law:
        """The probability of each settlement of all wagers."""
        law: Law = {}
        for row in self.rows:
            law[row.result] = law.get(row.result, Fraction(0)) + Fraction(row.ways, self.total * len(FLOPS))
        return law

    def first_decisions(self) -> Iterator[HoldingDecision]:
        """The decision for every two cards before the flop."""
        kinds = self._alike.kind_of
        if self.boards.root.seen or not self.boards.root.choices:
            return
        cards = self._classes.shoe.total
        deals = comb(cards - OWN, SHARED) * comb(cards - OWN - SHARED, OWN) * len(FLOPS) * self._scale
        for kind in range(int(kinds.max()) + 1):
            alike = np.flatnonzero(kinds == kind)
            worth = {name: int(summed[kind]) / (deals * len(alike)) for name, summed in self._worths.items()}
            one, other = self._alike.pairs[alike[0]].tolist()
            best = max(worth, key=lambda name: worth[name])
            yield HoldingDecision((self._face(other), self._face(one)), len(alike), worth, best)

    def _face(self, card: int) -> Card:
        return DECK[4 * (self._classes.ranks[card // SUITS] - 2) + card % SUITS]


def _spans(edges: Sequence[int]) -> list[tuple[int, int]]:
    return [(low, after - 1) for low, after in pairwise(edges)]


def _board_arrays(classes: HandClasses) -> tuple[Ints, Ints, Ints]:
    """The boards up to suits: their cards, the number of equivalent boards, and the kind of their ranks."""
    lies = np.zeros((len(classes), len(classes.ranks) * SUITS), dtype=np.bool_)
    for column, holdings in enumerate(classes.holdings):
        held = holdings.held[classes.holding[:, column]] > 0
        lies[:, int(classes.suits[column]) :: SUITS] = held
    boards = np.nonzero(lies)[1].reshape(len(classes), SHARED)
    return boards.astype(np.int64), classes.hands.astype(np.int64), classes.kind.astype(np.int64)
