"""Lookup tables for the value of the best five of seven cards, for compiled loops.

The value in mixed suits depends on the ranks alone: a board's ranks and two more. A flush depends on the ranks
of its suit. Values are places in the order of all values of the ranking.
"""

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement

import numpy as np

from feltworks.analysis.solvers.numbers import Ints
from feltworks.analysis.solvers.showdown.hands import HandClasses

_SUITS = 4


class SevenCards:
    """The best value in mixed suits by the ranks of a board and two cards, and the best flush by its ranks."""

    def __init__(self, classes: HandClasses) -> None:
        self._ranks = len(classes.ranks)
        self._weights = [(_SUITS + 1) ** rank for rank in range(self._ranks)]
        kinds = classes.kinds[:, : self._ranks]
        self.pairs = list(combinations_with_replacement(range(self._ranks), 2))
        self.pair_of = np.zeros((self._ranks, self._ranks), dtype=np.int64)
        for place, (low, high) in enumerate(self.pairs):
            self.pair_of[low, high] = self.pair_of[high, low] = place
        five = {self._code(row): v for row, v in zip(kinds.tolist(), classes.mixed_value.tolist(), strict=True)}
        six = self._add_card(five)
        self.by_ranks = self._add_ranks(kinds, self._add_card(six), self.pairs)
        self.with_one = self._add_ranks(kinds, six, [(rank,) for rank in range(self._ranks)])
        self.by_suit = _best_by_suit(classes)

    def _code(self, counts: list[int]) -> int:
        return sum(count * weight for count, weight in zip(counts, self._weights, strict=True))

    def _add_card(self, best: dict[int, int]) -> dict[int, int]:
        """The best value with one more card, by the code of the ranks."""
        larger: dict[int, int] = {}
        for code, value in best.items():
            for weight in self._weights:
                if code // weight % (_SUITS + 1) < _SUITS and larger.get(code + weight, -1) < value:
                    larger[code + weight] = value
        return larger

    def _add_ranks(self, kinds: Ints, best: dict[int, int], ranks: Sequence[tuple[int, ...]]) -> Ints:
        """A row for each board, a column for each further ranks; -1 if the deck has no such cards."""
        added = [sum(self._weights[rank] for rank in more) for more in ranks]
        rows = [[best.get(code + more, -1) for more in added] for code in map(self._code, kinds.tolist())]
        return np.array(rows, dtype=np.int64)


def _best_by_suit(classes: HandClasses) -> Ints:
    """By bit mask of the ranks of one suit: the best flush among them; -1 for fewer than five."""
    ranks, size = len(classes.ranks), classes.size
    best = np.full(1 << ranks, -1, dtype=np.int64)
    natural = classes.kinds[:, :ranks]
    for row in np.flatnonzero(classes.suitable & (natural <= 1).all(axis=1)).tolist():
        best[sum(1 << rank for rank in np.flatnonzero(natural[row]).tolist())] = classes.suited_value[row]
    for held in (size + 1, size + 2):
        for chosen in combinations(range(ranks), held):
            mask = sum(1 << rank for rank in chosen)
            best[mask] = max(best[mask & ~(1 << rank)] for rank in chosen)
    return best
