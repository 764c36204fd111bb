"""Knowledge where two hands share a board: sampled, with its error.

Own cards and what is known are drawn; then some flops are, and each is valued exactly over all boards and all
dealer's hands that can still come, with the knowledge and without. The choice before the flop is made by one
half of the flops and valued by the other, so that chance does not look like skill.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from feltworks.analysis.question import Question
from feltworks.analysis.solvers.board.solver import BoardSolver
from feltworks.analysis.solvers.board.tree import OWN, SHARED
from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.streets.tree import Street
from feltworks.protection.duels import layered_error
from feltworks.protection.knowledge import BOARD, DEALER, LAST, NEIGHBOURS, NEXT, Knowledge
from feltworks.protection.loops import value_flop
from feltworks.protection.worth import Unfit, Worth

_SAMPLES: Final = 300
_FLOPS: Final = 6  # of each deal
_FLOP: Final = 3
_BASE: Final = 5  # in which the cards of one rank are a digit
Floats = NDArray[np.float64]


class BoardWorth(BoardSolver):
    """The worth of known cards at a spot with a shared board."""

    def __init__(self, question: Question) -> None:
        super().__init__(
            question.game,
            question.stakes,
            question.shoe,
            meters=question.posted,
            serving=frozenset(question.serving),
        )
        self._question, self._cards = question, self._alike.cards
        weights = (_BASE ** np.arange(len(self._classes.ranks))).astype(np.int64)
        codes = self._classes.kinds[:, : len(weights)] @ weights
        order = np.argsort(codes)
        self._boards = weights, codes[order], order

    @property
    def has_decision(self) -> bool:
        """Whether anything is chosen."""
        return bool(self.boards.root.choices)

    def worth(self, known: Sequence[Knowledge], samples: int | None = None, seed: int = 1) -> Worth:
        """The edge with cards of the dealer or of the board known, and the hands of neighbours."""
        if not self.has_decision:
            raise Unfit(f"nothing is decided after the {self._question.wager} wager, so no card helps")
        held = max((one.number for one in known if one.place == DEALER), default=0)
        gone = OWN * sum(one.number for one in known if one.place == NEIGHBOURS)
        places = sorted({self._board_place(one) for one in known if one.place in (BOARD, NEXT)})
        others = [one.text for one in known if one.place not in (DEALER, NEIGHBOURS, BOARD, NEXT) or one.groups]
        if others or held > OWN or (places and places[-1] >= SHARED):
            words = f"here the dealer has {OWN} cards and the board {SHARED}; {', '.join(others) or 'that'} is none"
            raise Unfit(
                f"{words} of what can be known: dealer, dealer:{OWN}, board:first, board:last, next, "
                f"order:1 to {SHARED}, neighbours:N, burn"
            )
        if self._cards - OWN - gone < OWN + SHARED:
            raise Unfit(f"{gone // OWN} neighbours leave too few cards for a round")
        gains = self._gains(np.random.default_rng(seed), samples or _SAMPLES, held, gone, places)
        base = -self.figures_of(self._question.group, self._question.unit).house_edge
        return Worth(base, base + Fraction(float(gains.mean())), "sampled", layered_error(gains), len(gains))

    def _board_place(self, knowledge: Knowledge) -> int:
        return SHARED - 1 if knowledge.number == LAST else knowledge.number - 1

    @cached_property
    def _options(self) -> list[list[int]]:
        """By choice before the flop: the targets that can be chosen on it."""
        root = self.boards.root

        def targets(street: Street) -> list[int]:
            if id(street) in self._target_of:
                return [self._target_of[id(street)]]
            return [self._target_of[id(child)] for _, child in street.choices]

        is_first = id(root) not in self._target_of and not root.seen
        return [targets(child) for _, child in root.choices] if is_first else [targets(root)]

    @cached_property
    def _firsts(self) -> tuple[Ints, Floats]:
        """By holding the option of best play, and what every option brings in cents."""
        kinds, first = self._alike.kind_of, list(self.first_decisions())
        if not first:
            return np.zeros(len(kinds), np.int64), np.zeros((len(kinds), 1))
        worth = np.array([[float(each) for each in one.worth.values()] for one in first])
        best = np.array([list(one.worth).index(one.best) for one in first])
        return best[kinds], worth[kinds]

    def _gains(self, generator: np.random.Generator, samples: int, held: int, gone: int, places: list[int]) -> Floats:
        """What the knowledge adds in each of so many deals, per unit; holdings in layers of what they bring."""
        order = np.argsort(self._firsts[1].max(axis=1), kind="stable")
        layers = (np.arange(samples) + generator.random(samples)) / samples * len(order)
        rows = order[layers.astype(np.int64)]
        return np.array([self._gain(generator, row, held, gone, places) for row in rows.tolist()])

    def _gain(self, generator: np.random.Generator, row: int, held: int, gone: int, places: list[int]) -> float:
        own = self._alike.pairs[row]
        rest = generator.permutation(np.setdiff1d(np.arange(self._cards), own))
        dealer, out, open_cards = rest[:held], rest[held : held + gone], rest[held + gone :]
        known, unknown = open_cards[: len(places)], open_cards[len(places) :]
        in_flop = sum(place < _FLOP for place in places)
        later = known[in_flop:]
        flops = 1 if in_flop == _FLOP else _FLOPS
        brought = [
            self._flop(own, np.append(known[:in_flop], self._draw(generator, unknown, in_flop)), dealer, out, later)
            for _ in range(flops)
        ]
        return self._compare(row, np.array(brought), is_paired=not in_flop)

    def _draw(self, generator: np.random.Generator, unknown: Ints, in_flop: int) -> Ints:
        return generator.choice(unknown, _FLOP - in_flop, replace=False)

    def _flop(self, own: Ints, flop: Ints, dealer: Ints, out: Ints, later: Ints) -> list[list[float]]:
        """On one flop, by option: with the knowledge, without it, and without it over all that could come."""
        sums = np.zeros((3, len(self._targets)), np.int64)
        status = np.zeros(self._cards, np.int64)  # 1: with the dealer, 2: with neighbours, 3: in the board later
        for number, cards in enumerate((dealer, out, later), 1):
            status[cards] = number
        seen = OWN + _FLOP + len(dealer) + len(out)
        boards = comb(self._cards - seen - len(later), SHARED - _FLOP - len(later))
        hands = comb(self._cards - seen - (SHARED - _FLOP), OWN - len(dealer))
        value_flop(
            own, flop, status, len(dealer), len(later), *self._boards, self._tables, np.array(self._cuts, np.int64),
            self._run_of.astype(np.int64), self._nets, self._given[8], sums,
        )  # fmt: skip
        every = comb(self._cards - OWN - _FLOP, SHARED - _FLOP) * comb(self._cards - OWN - SHARED, OWN)
        scale = float(self._scale) * self._question.unit
        best, fixed, whole = sums / scale / np.array([[boards * hands], [boards * hands], [every]])
        rows: list[list[float]] = []
        for targets in self._options:
            plain = max(targets, key=lambda target: whole[target])
            rows.append([max(best[target] for target in targets), fixed[plain], whole[plain]])
        return rows

    def _compare(self, row: int, brought: Floats, *, is_paired: bool) -> float:
        """The gain of one deal from its flops; `brought` by flop, option and as `_flop` has it."""
        plain, worth = int(self._firsts[0][row]), self._firsts[1][row] / self._question.unit
        shifts = brought[:, :, 0] - (brought[:, :, 2] - worth if is_paired else 0.0)  # the flop's luck taken off
        halves = (
            [np.arange(len(brought)) % 2 == half for half in (0, 1)] if len(brought) > 1 else [np.ones(1, bool)] * 2
        )
        gains: list[float] = []
        for deciding, valued in (halves, halves[::-1]):
            choice = int(shifts[deciding].mean(axis=0).argmax())
            gains.append(float((brought[valued, choice, 0] - brought[valued, plain, 1]).mean()))
        return float(np.mean(gains))
