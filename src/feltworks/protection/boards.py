"""The worth of known cards where two hands share a board: exact for the dealer's cards, else sampled.

For known cards of the dealer alone all flops are enumerated. Otherwise known cards are sampled, with some flops for
each; on each flop every holding of the player is valued exactly over all boards and dealer's hands that can still
come, with the knowledge and without. The choice before the flop is made on other flops than the one that values
it, so that a lucky choice is not counted as gain.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cached_property, reduce
from itertools import combinations, permutations
from math import comb
from typing import Final

import numpy as np

from feltworks.analysis.progress import Progress, Track, part_of
from feltworks.analysis.question import Question
from feltworks.analysis.solvers.board.solver import BoardSolver
from feltworks.analysis.solvers.board.sweep import SUITS
from feltworks.analysis.solvers.board.tree import OWN, SHARED
from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.streets.tree import Street
from feltworks.machine.compiler import Floats
from feltworks.protection.flops import Lot, RankKinds, class_places, follow_flop, pool_flop, value_flop
from feltworks.protection.knowledge import (
    BOARD,
    DEALER,
    LAST,
    NEXT,
    Knowledge,
    Unfit,
    Worth,
    layered_error,
    part_neighbours,
)

_SAMPLES: Final = 312  # flops
_FLOPS: Final = 6  # for each lot, where lots of known cards are sampled
_FLOP: Final = 3
_SWEEPS: Final = 4  # the whole work in units of the sweeps without any knowledge
_BASE: Final = 5  # number base with one digit per rank: the count of its cards


class BoardWorth(BoardSolver):
    """The worth of known cards where the player's and the dealer's hands share a board."""

    def __init__(self, question: Question, progress: Progress | None = None) -> None:
        serving = frozenset(question.serving)
        report = progress or (lambda *_: None)
        super().__init__(
            question.game,
            question.stakes,
            question.shoe,
            meters=question.posted,
            serving=serving,
            progress=part_of(progress, 0, _SWEEPS),
        )
        self._question, self._cards = question, self._alike.cards
        self._tell: Progress = lambda done, total: report(1 + (_SWEEPS - 1) * done / total, _SWEEPS)
        weights = (_BASE ** np.arange(len(self._classes.ranks))).astype(np.int64)
        codes = self._classes.kinds[:, : len(weights)] @ weights
        order = np.argsort(codes)
        self._kinds = RankKinds(weights, codes[order], order)
        self._numbers: dict[int, Ints] = {}  # by number of known cards
        self._lots: dict[tuple[tuple[int, ...], int], tuple[Ints, Ints, Ints]] = {}  # by suit permutations and number
        values = np.arange(len(self._classes.values))
        self._dealers: Ints = np.searchsorted(self._cuts, values, side="right").astype(np.int64)

    @property
    def has_decision(self) -> bool:
        """Whether the player has a choice."""
        return bool(self.boards.root.choices)

    def worth(self, known: Sequence[Knowledge], samples: int | None = None, seed: int = 1) -> Worth:
        """The edge when cards of the dealer or the board, a card's group, or neighbours' hands are known."""
        neighbours, cards = part_neighbours(known)
        held, gone = max((one.number for one in cards if one.place == DEALER), default=0), OWN * neighbours
        on_board = [one for one in cards if one.place in (BOARD, NEXT)]
        places = sorted({SHARED - 1 if one.number == LAST else one.number - 1 for one in on_board})
        others = [one.text for one in cards if one.place != DEALER and one not in on_board]
        if others or held > OWN or (places and places[-1] >= SHARED):
            words = f"here the dealer has {OWN} cards and the board {SHARED}; {', '.join(others) or 'that'} is none"
            raise Unfit(
                f"{words} of what can be known: dealer, dealer:{OWN}, board:first, board:last, next, "
                f"order:1 to {SHARED}, neighbours:N, burn, or the group of one card"
            )
        if self._cards - OWN - gone < OWN + SHARED:
            raise Unfit(f"{neighbours} neighbours leave too few cards for a round")
        if any(one.groups for one in known) and len(known) > 1:
            raise Unfit("the group of a card has to be asked about by itself; name nothing else beside it")
        base = -self.figures_of(self._question.group, self._question.unit).house_edge
        # With no card exposed suits are interchangeable, so a twelfth of the flops represents all
        is_dealers = held and len(known) == 1 and not known[0].groups
        if samples is None and is_dealers and not self._question.exposed:
            return Worth(base, self._known_cards(held))
        generator, number = np.random.default_rng(seed), samples or _SAMPLES
        if listed := self._list_lots(known, held, places):
            lots, flops = listed, max(2, number // len(listed))
        else:
            flops = 1 if places[:_FLOP] == [0, 1, 2] else _FLOPS
            middles = (np.arange(max(2, number // flops)) + 0.5) / max(2, number // flops)
            lots = [self._draw_lot(generator, layer, held, gone, places) for layer in middles.tolist()]
        followed = Track(self._tell).branches([(1, lot) for lot in lots])
        gains, ways = np.stack([self._lot_gains(generator, lot, flops) for _, lot in followed], axis=1)
        edge = base + Fraction(float(gains.sum() / ways.sum()))
        if listed:
            spread = (gains / ways.mean(axis=1, keepdims=True)).std(axis=1, ddof=1) / flops**0.5
            error = float(np.sqrt(((ways.sum(axis=1) / ways.sum() * spread) ** 2).sum()))
        else:
            error = layered_error(gains.sum(axis=1) / ways.sum(axis=1))
        return Worth(base, edge, "sampled", error, gains.size)

    def _known_cards(self, held: int) -> Fraction:
        """The edge with one card of the dealer known, or both, summed over all deals."""
        cards, left = self._cards, self._cards - held - OWN
        flops = np.array(list(combinations(range(cards), _FLOP)))
        _, times = np.unique(self._alike.flop_of[tuple(flops.T)], return_counts=True)
        firsts = np.zeros((1, len(self._options)), np.int64)
        for flop, alike in enumerate(times.tolist()):
            firsts = firsts + alike * self.follow_known(flop, held)
            self._tell(flop + 1, len(times))
        deals = comb(cards, held) * comb(cards - held, OWN) * comb(left, _FLOP)
        deals *= comb(left - _FLOP, SHARED - _FLOP) * comb(left - SHARED, OWN - held)
        return sum(map(int, firsts.max(axis=1))) / (deals * self._scale * self._question.unit)

    def follow_known(self, number: int, held: int) -> Ints:
        """On one flop, by class of the dealer's known card or cards with a holding, and by option: the best total."""
        alike, width, ends, both = self._alike, 2 * len(self._classes.ranks), len(self._targets), held == OWN
        flop, pairs = alike.flop_cards[number], width * (width + 1) // 2
        sums = np.zeros((SUITS + 1, pairs if both else width, pairs, ends), np.int64)
        suits = np.append(np.unique(flop % SUITS), SUITS)
        nets = np.ascontiguousarray(self._nets.transpose(1, 2, 0))
        most = np.stack([nets[:, :, leaves].max(axis=2) for leaves in self._targets], axis=2)[: None if both else 0]
        for suit in suits.tolist():
            follow_flop(self._spot, self._kinds, self._dealers, nets, most, flop, suit, sums[suit])
        classes, places = class_places(alike.pairs, self._cards)
        known, theirs = (alike.pairs, places) if both else (np.arange(self._cards)[:, None], classes)
        lots, sizes, goes = self._lots_on(tuple(alike.stable[number]), held)
        firsts = np.zeros((int(self.alike_known(held).max()) + 1, len(self._options)), np.int64)
        options = np.array([[*targets, *[-1] * (ends - len(targets))] for targets in self._options])
        pool_flop(flop, suits, sums, alike.pairs, known, places, theirs, lots, sizes, goes, options, firsts)
        return firsts

    def alike_known(self, held: int) -> Ints:
        """By known cards of the dealer and holding: the number of their class up to suits."""
        if held not in self._numbers:
            least = self._least_alike(range(len(self._alike.changed)), held)
            self._numbers[held] = np.searchsorted(np.unique(least), least)
        return self._numbers[held]

    def _lots_on(self, changes: tuple[int, ...], held: int) -> tuple[Ints, Ints, Ints]:
        """One of each lot of known cards and holding that these suit permutations map to each other, and its class.

        In between, how many lots it stands for.
        """
        if (changes, held) not in self._lots:
            lots, sizes = np.unique(self._least_alike(changes, held), return_counts=True)
            self._lots[changes, held] = lots, sizes, self.alike_known(held)[lots]
        return self._lots[changes, held]

    def _least_alike(self, changes: Iterable[int], held: int) -> Ints:
        known = self._alike.changed if held == OWN else self._suit_changes
        numbers = (known[change][:, None] * len(self._alike.pairs) + self._alike.changed[change] for change in changes)
        least: Ints = reduce(np.minimum, numbers).ravel()
        return least

    def _draw_lot(
        self, generator: np.random.Generator, layer: float, held: int, gone: int, places: Sequence[int]
    ) -> Lot:
        """Draw the known cards, the first from a layer of the deck, and the neighbours' cards."""
        first = int(layer * self._cards)
        rest = [first, *generator.permutation(np.delete(np.arange(self._cards), first)).tolist()]
        in_flop = sum(place < _FLOP for place in places)
        ends = np.cumsum([held, len(places) - in_flop, in_flop, gone])
        dealers, later, flop, _ = (
            self._mark(rest[start:end]) for start, end in zip([0, *ends[:-1]], ends, strict=True)
        )
        free = 1 - self._mark(rest[: ends[-1]])
        return Lot(free, flop, dealers, later, (in_flop, held, len(places) - in_flop))

    def _list_lots(self, known: Sequence[Knowledge], held: int, places: Sequence[int]) -> list[Lot]:
        """Every value that one known card may have: its group, or else its rank, as suits are interchangeable."""
        if held + len(places) != 1 or len(known) > 1:
            return []
        numbers = int(bool(places) and places[0] < _FLOP), held, int(bool(places) and places[0] >= _FLOP)
        groups = known[0].split(self._classes.shoe)
        if groups is None:
            marks = [self._mark([card]) for card in range(0, self._cards, SUITS)]
            return [Lot(1 - some, some, some, some, numbers) for some in marks]
        marks = [self._mark([card for card in range(self._cards) if self._face(card) in group]) for group in groups]
        return [Lot(self._mark(range(self._cards)), some, some, some, numbers) for some in marks]

    def _mark(self, cards: Sequence[int]) -> Ints:
        marked = np.zeros(self._cards, np.int64)
        marked[list(cards)] = 1
        return marked

    @cached_property
    def _options(self) -> list[list[int]]:
        """By choice before the flop: the targets that can still be chosen on the flop."""
        root = self.boards.root

        def targets(street: Street) -> list[int]:
            if id(street) in self._target_of:
                return [self._target_of[id(street)]]
            return [self._target_of[id(child)] for _, child in street.choices]

        is_first = id(root) not in self._target_of and not root.seen
        return [targets(child) for _, child in root.choices] if is_first else [targets(root)]

    @cached_property
    def _firsts(self) -> tuple[Ints, Floats]:
        """By holding, the option that best play takes; by option and holding, its value in cents."""
        kinds, first = self._alike.kind_of, list(self.first_decisions())
        if not first:
            return np.zeros(len(kinds), np.int64), np.zeros((1, len(kinds)))
        worth = np.array([[float(each) for each in one.worth.values()] for one in first])
        best = np.array([list(one.worth).index(one.best) for one in first])
        return best[kinds], worth[kinds].T

    def _lot_gains(self, generator: np.random.Generator, lot: Lot, flops: int) -> tuple[Floats, Floats]:
        """By flop: the gain from the knowledge summed over all holdings, per unit, and the number of ways."""
        brought = [self._flop(self._draw_flop(generator, lot), lot) for _ in range(flops)]
        best, fixed, whole, ways = (np.array(part) for part in zip(*brought, strict=True))
        plain, worth = self._firsts
        with np.errstate(invalid="ignore"):
            shifts = best / ways[:, None]
            if not lot.numbers[0]:  # subtract the effect of the flop itself, to reduce the variance
                shifts -= whole - worth / self._question.unit
        is_dealt = ways > 0
        totals = self._pool(np.where(is_dealt[:, None], shifts, 0.0), lot)
        dealt = self._pool(is_dealt[:, None].astype(np.float64), lot)
        if flops > 1:  # the sum over all other flops
            totals, dealt = totals.sum(axis=0) - totals, dealt.sum(axis=0) - dealt
        choice = np.where(dealt > 0, totals / np.maximum(dealt, 1), worth).argmax(axis=1)
        chosen = np.take_along_axis(best, choice[:, None], axis=1)[:, 0]
        blind = np.take_along_axis(fixed, np.broadcast_to(plain, choice.shape)[:, None], axis=1)[:, 0]
        weight = lot.flop.sum() if lot.numbers[0] else 1  # a larger group is more likely on the flop
        return weight * (chosen - blind).sum(axis=1), weight * ways.sum(axis=1)

    def _pool(self, values: Floats, lot: Lot) -> Floats:
        """Sum over holdings that a player who knows the lot values equally; the last axis is by holding."""
        least = np.arange(len(self._alike.pairs))
        changes = self._alike.changed
        for change, cards in zip(changes, self._suit_changes, strict=True):
            if all((part[cards] == part).all() for part in (lot.free, lot.flop, lot.dealers, lot.later)):
                least = np.minimum(least, change)
        sums = np.zeros_like(values)
        np.add.at(sums.T, least, values.T)
        return sums[..., least]

    @cached_property
    def _suit_changes(self) -> Ints:
        """By suit permutation and card: the card that it becomes."""
        cards = np.arange(self._cards)
        return np.array([cards - cards % SUITS + np.array(new)[cards % SUITS] for new in permutations(range(SUITS))])

    def _draw_flop(self, generator: np.random.Generator, lot: Lot) -> Ints:
        """Draw a flop that contains the known card, if one of its cards is known."""
        known = np.flatnonzero(lot.flop) if lot.numbers[0] else np.zeros(0, np.int64)
        if lot.numbers[0] < len(known):  # a group: one of its cards is on the flop
            known = generator.choice(known, 1)
        rest = np.setdiff1d(np.flatnonzero(lot.free), known)
        return np.append(known, generator.choice(rest, _FLOP - len(known), replace=False))

    def _flop(self, flop: Ints, lot: Lot) -> tuple[Floats, Floats, Floats, Ints]:
        """On one flop, by option and holding: the totals with the knowledge, and without it.

        Third, the mean that a player without the knowledge expects; fourth, by holding, the number of ways.
        """
        holdings = len(self._alike.pairs)
        sums, ways = np.zeros((3, len(self._targets), holdings), np.int64), np.zeros(holdings, np.int64)
        free = lot.free.copy()
        free[flop] = 0
        value_flop(self._spot, self._kinds, flop, lot._replace(free=free), sums, ways)
        every = comb(self._cards - OWN - _FLOP, SHARED - _FLOP) * comb(self._cards - OWN - SHARED, OWN)
        best, fixed, whole = sums / float(self._scale) / self._question.unit
        rows: list[tuple[Floats, Floats, Floats]] = []
        for targets in self._options:
            plain = whole[targets].argmax(axis=0)
            taken = [np.take_along_axis(part[targets], plain[None], axis=0)[0] for part in (fixed, whole)]
            rows.append((best[targets].max(axis=0), taken[0], taken[1] / every))
        by_option = [np.array(part) for part in zip(*rows, strict=True)]
        return by_option[0], by_option[1], by_option[2], ways
