"""What blackjack's counts mean: the layout's rows, and the sums over whole rounds."""

from collections.abc import Iterator
from itertools import product

import numpy as np
from numpy.typing import NDArray

from feltworks.errors import BadOption
from feltworks.simulation.kernels.blackjack import places as p
from feltworks.simulation.kernels.blackjack.money import MAIN
from feltworks.simulation.kernels.blackjack.table import TableArrays
from feltworks.simulation.tally import Cell, Layout, Tally, pairs

_LARGEST = 2**62  # what a sum of squares stays under, so that no 64-bit number wraps


class Counting:
    """How the compiled rounds' counts become a tally."""

    def __init__(self, table: TableArrays) -> None:
        self._table = table
        rows: dict[Cell, int] = {}
        placed = [(place, rows.setdefault(cell, len(rows))) for place, cell in _cells(table)]
        self._places, self._rows = (np.array(part, np.int64) for part in zip(*placed, strict=True))
        opened = None if table.varies else tuple(table.opened(0))
        self.layout = Layout(table.wagers, tuple((cell,) for cell in rows), opened, joint=False)
        self.most_rounds = self._summable()

    def tally(self, rounds: int, counts: NDArray[np.int64], sums: NDArray[np.int64]) -> Tally:
        """The tally of so many rounds."""
        found = np.zeros(len(self.layout.rows), np.int64)
        np.add.at(found, self._rows, counts[self._places])
        if len(self._table.kinds) > 1:
            columns = self.layout.columns
            listed = sums[columns:].tolist()
            return Tally(rounds, found, tuple(listed[:columns]), tuple(listed[columns:]))
        return Tally(rounds, found, *self._one_seat(counts))

    def _one_seat(self, counts: NDArray[np.int64]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """One seat's sums follow from its cells and what the blackjack wager brought in each."""
        columns, own = self.layout.columns, self._table.main_column
        sums, products = [0] * columns, dict.fromkeys(pairs(columns), 0)
        for level in range(len(self._table.play.ramp)):
            main, side, with_side, nets, amounts = self._blocks(counts, level)
            sums[own] += _dot(main, nets)
            products[own, own] += _dot(main, nets, nets)
            for one in range(columns):
                sums[one] += _dot(side, amounts[one])
                products[min(own, one), max(own, one)] += _dot(with_side, amounts[one])
                for two in range(one, columns):
                    products[one, two] += _dot(side, amounts[one], amounts[two])
        return tuple(sums), tuple(products.values())

    def _blocks(self, counts: NDArray[np.int64], level: int) -> tuple[NDArray[np.int64], ...]:
        shape, table = self._table.shape, self._table
        counted = counts[level * shape.counts : (level + 1) * shape.counts]
        money = table.nets[level * shape.nets + p.HAND_CELLS : (level + 1) * shape.nets]
        main, side, with_side = np.split(counted, [shape.main, shape.main + shape.side])
        amounts = money[shape.main + shape.side :].reshape(shape.columns, shape.side)
        return main, side, with_side, money[: shape.main], amounts

    def _summable(self) -> int:
        """How many rounds can be summed up before a sum of squares could wrap."""
        most = max(1, int(np.abs(self._table.nets).max()) * len(self._table.kinds))
        if most * most > _LARGEST:
            raise BadOption("wager", most, "amounts with which a round moves less than $20,000,000")
        return _LARGEST // (most * most)


def _cells(table: TableArrays) -> Iterator[tuple[int, Cell]]:
    """Every cell of every kind of seat and level, with its place among the counts."""
    shape = table.shape
    for kind, level in product(table.purses, range(len(table.play.ramp))):
        purse, begin = table.purses[kind][level], table.place(kind, level) * shape.counts
        if MAIN in purse.opened:
            for place, cell in purse.main_cells(shape, insures=table.insures):
                yield begin + place, cell
        for place, cells in purse.side_cells(shape):
            for cell in cells:
                yield begin + shape.main + place, cell


def _dot(counts: NDArray[np.int64], *factors: NDArray[np.int64]) -> int:
    """The sum of products, in whole numbers of any size."""
    some = np.flatnonzero(counts)
    total = 0
    for number in zip(counts[some].tolist(), *(factor[some].tolist() for factor in factors), strict=True):
        product_ = 1
        for part in number:
            product_ *= part
        total += product_
    return total
