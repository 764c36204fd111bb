"""Searches for short lists of rules: the first rule that fits decides; a last choice covers the rest.

It knows nothing about games: situations are columns of regrets (the loss of each choice, in whole numbers),
phrases are rows of zeros and ones. A rule inserted at place j of a list changes only situations that no earlier
rule decides, compared with what the later rules do there; so one matrix product prices every phrase at every
place of every list. These products are exact: whole numbers are cut into limbs so small that no sum exceeds
the 53 bits of a float.

The search is a beam search that adds one rule at a time and then exchanges single rules until nothing
improves. All lists of one rule are tried; a longer list may not be the best of its length, but its cost is
exact.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from feltworks.analysis.solvers.numbers import Bools

Floats = npt.NDArray[np.float64]
Whole = npt.NDArray[Any]  # int64 where every sum fits, Python integers otherwise

_WIDTH = 10  # of the beam: lists of each length that the search continues with
_POLISHED = 2  # lists of the beam that are improved by exchanging rules
_FLOAT_BITS, _INT_BITS = 53, 62


class RuleList(Struct, frozen=True):
    """Rules as indices of a phrase and a choice, the choice where no rule fits, and the cost of the list."""

    rules: tuple[tuple[int, int], ...]
    otherwise: int
    cost: int


class RuleSearch:
    """Finds cheap lists of rules for one table of regrets."""

    def __init__(
        self, fits: Bools, regrets: Sequence[Sequence[int | None]], burdens: Sequence[int], unsaid: Bools | None = None
    ) -> None:
        """`fits` is indexed by phrase and situation, `regrets` by choice and situation (None: not open).

        `unsaid`, indexed by phrase and choice, marks the rules that are not allowed.
        """
        self.fits, self.burdens, self.unsaid = fits, burdens, unsaid
        self._dense: Floats = fits.astype(np.float64)
        fallback = [next(x for x in column if x is not None) for column in zip(*regrets, strict=True)]
        most = sum(max(filter(None, column), default=0) for column in zip(*regrets, strict=True))
        kind: Any = np.int64 if most.bit_length() < _INT_BITS else object
        filled = [
            [other if regret is None else regret for regret, other in zip(row, fallback, strict=True)]
            for row in regrets
        ]
        self.regrets: Whole = np.array(filled, dtype=kind)
        self.open = np.array([[regret is not None for regret in row] for row in regrets])
        self._bits, self._highest = most.bit_length() + 1, 2 * most + 1
        everywhere = np.flatnonzero(self.open.all(axis=1)).tolist()
        self.last_words: list[int] = everywhere or list(range(len(regrets)))

    def lists(self, most_rules: int) -> Iterator[RuleList]:
        """Yields the best list found of each length, from no rules on, while another rule lowers the cost."""
        beam = [self._with_cost((), choice) for choice in self.last_words]
        best = min(beam, key=self._order)
        yield best
        for _ in range(most_rules):
            if best.cost == self.least_cost:
                return
            beam = self._polish(self._widen(beam))
            if not beam or beam[0].cost >= best.cost:
                return
            best = beam[0]
            yield best

    @property
    def least_cost(self) -> int:
        """The cost that no number of rules can avoid, because phrases do not separate all situations."""
        return int(np.where(self.open, self.regrets, self.regrets.max()).min(axis=0).sum())

    def _order(self, one: RuleList) -> tuple[int, int]:
        return one.cost, sum(self.burdens[phrase] for phrase, _ in one.rules)

    def _widen(self, beam: Sequence[RuleList]) -> list[RuleList]:
        """Returns the cheapest lists with one more rule; of lists of equal cost the one with least to remember."""
        return self._keep_best(self._insertions(beam, 4 * _WIDTH))

    def _keep_best(self, lists: Iterable[RuleList]) -> list[RuleList]:
        by_cost: dict[int, RuleList] = {}
        for one in sorted(lists, key=self._order):
            by_cost.setdefault(one.cost, one)
        return list(by_cost.values())[:_WIDTH]

    def _polish(self, beam: list[RuleList]) -> list[RuleList]:
        return self._keep_best([*map(self._improve, beam[:_POLISHED]), *beam])

    def _improve(self, one: RuleList) -> RuleList:
        """Removes each rule in turn and inserts the best one anywhere, until nothing improves."""
        while True:
            shorter = [
                self._with_cost(one.rules[:j] + one.rules[j + 1 :], one.otherwise) for j in range(len(one.rules))
            ]
            others = [self._with_cost(one.rules, choice) for choice in self.last_words]
            better = min([*self._insertions(shorter, 1), *others], key=self._order)
            if self._order(better) >= self._order(one):
                return one
            one = better

    def _with_cost(self, rules: tuple[tuple[int, int], ...], otherwise: int) -> RuleList:
        return RuleList(rules, otherwise, int(self._tails(rules, otherwise)[0].sum()))

    def _where_decides(self, rule: tuple[int, int]) -> Bools:
        """Returns the situations that a rule decides; where its choice is not open the next rule applies."""
        fitting: Bools = self.fits[rule[0]] & self.open[rule[1]]
        return fitting

    def _tails(self, rules: tuple[tuple[int, int], ...], otherwise: int) -> list[Whole]:
        """Returns the cost of each situation under the rules from each place on."""
        tails: list[Whole] = [self.regrets[otherwise]]
        for rule in reversed(rules):
            tails.append(np.where(self._where_decides(rule), self.regrets[rule[1]], tails[-1]))
        return tails[::-1]

    def _columns(self, one: RuleList) -> Iterator[Whole]:
        """Yields, for each place and choice, the change of cost of each situation if a rule decides it."""
        left = np.ones(self.fits.shape[1], dtype=np.bool_)
        for place, tail in enumerate(self._tails(one.rules, one.otherwise)):
            for choice, regret in enumerate(self.regrets):
                yield np.where(left & self.open[choice], regret - tail, 0)
            if place < len(one.rules):
                left = left & ~self._where_decides(one.rules[place])

    def _insertions(self, lists: Sequence[RuleList], wanted: int) -> Iterator[RuleList]:
        """Yields the cheapest ways to insert one more rule into these lists."""
        columns = [(one, number, column) for one in lists for number, column in enumerate(self._columns(one))]
        if not columns:
            return
        before = np.array([one.cost for one, _, _ in columns], dtype=self.regrets.dtype)
        costs = before + self._products(np.stack([column for _, _, column in columns], axis=1))
        if self.unsaid is not None:
            choices = [number % len(self.regrets) for _, number, _ in columns]
            costs = np.where(self.unsaid[:, choices], self._highest, costs)
        flat = costs.ravel()
        order = np.argsort(flat, kind="stable")[:wanted] if wanted > 1 else [int(np.argmin(flat))]
        for place in order:
            phrase, column = divmod(int(place), len(columns))
            one, number, _ = columns[column]
            at, choice = divmod(number, len(self.regrets))
            yield RuleList((*one.rules[:at], (phrase, choice), *one.rules[at:]), one.otherwise, int(flat[place]))

    def _products(self, columns: Whole) -> Whole:
        """Computes the exact matrix product of phrases and columns."""
        if self._bits <= _FLOAT_BITS:
            return (self._dense @ columns.astype(np.float64)).astype(np.int64).astype(columns.dtype)
        limb = _FLOAT_BITS - 1 - len(columns).bit_length()
        sums = np.zeros((len(self._dense), columns.shape[1]), dtype=columns.dtype)
        for place in range(0, self._bits, limb):
            part = columns >> place
            if place + limb < self._bits:
                part = part & ((1 << limb) - 1)
            product = (self._dense @ part.astype(np.float64)).astype(np.int64).astype(columns.dtype)
            sums = sums + (product << place)
        return sums
