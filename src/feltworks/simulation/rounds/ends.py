"""The possible results of rounds on compiled tables, and the conversion of their counts into a tally."""

from collections.abc import Mapping, Sequence
from math import gcd
from threading import Lock
from typing import Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from feltworks.errors import BadOption
from feltworks.machine.node import Results
from feltworks.machine.program import Ledger, WagerResult
from feltworks.money import Cents
from feltworks.simulation.plan import Plan
from feltworks.simulation.rounds.decisions import Seating
from feltworks.simulation.rounds.kernel import DealtRound
from feltworks.simulation.tally import Cell, Layout, Tally, cells_of, pairs

_LARGEST: Final = 2**62  # bound on a sum of squares, so that no 64-bit number overflows
_FEW_ROUNDS: Final = 1 << 16  # the fewest rounds that are summed at once
Counts = NDArray[np.int64]


class PrizeRound(Struct, frozen=True):
    """A round with a prize from a meter: its number, the winners, and the round for the rules to deal."""

    number: int  # from 0, among the rounds of one call
    winners: tuple[str, ...]  # the outcome of each winning seat as if it were alone at the table
    dealt: DealtRound


class Stretch(Struct, frozen=True):
    """Rounds as the loop counted them; those with shared prizes are not counted but listed."""

    rounds: int
    numbers: Counts  # the numbers of the seats' results
    counts: Counts  # how often each of them came up
    sums: Counts
    products: Counts
    prizes: Sequence[PrizeRound] = ()


class Ends:
    """The possible results of a plan's rounds; converts counts of them into a tally."""

    def __init__(self, plan: Plan, seating: Seating, ledgers: Sequence[Ledger], emissions: Sequence[Results]) -> None:
        self._game, self._seating = plan.table, seating
        self._ledgers, self._emissions = ledgers, emissions
        self.many = len(plan.seats) > 1
        sizes = [ledger.size for ledger in ledgers]
        self.offsets = np.cumsum([0, *sizes[:-1]], dtype=np.int64)
        self.size = sum(sizes)
        varies = len(set(seating.levels)) > 1
        opened = tuple(sum(seat.get(name, 0) for seat in plan.seats) for name in plan.wagers)
        self.layout = Layout(plan.wagers, None if varies else opened)
        self._units = self._find_units()
        self._lock = Lock()
        # A cache of results so far: indices of cells, indices of round numbers, and for each round its cells and
        # what it adds to every column
        self._cells: dict[Cell, int] = {}
        self._places: dict[int, int] = {}
        self._entries: list[tuple[list[int], list[int]]] = []
        self._arrays: tuple[Counts, Counts] | None = None
        self.most_rounds, is_wide = self._most_rounds(len(plan.seats))
        self._numbers: Any = object if is_wide else np.int64

    def _most_rounds(self, seats: int) -> tuple[int, bool]:
        """Returns how many rounds can be summed at once, and whether their sums need more than 64 bits."""
        unit = dict(zip(self.layout.wagers, self._units, strict=False))
        nets = [
            (name, self._largest_net(ledger, name))
            for place, ledger in enumerate(self._ledgers)
            for name in self._seating.wagers[place]
        ]
        largest = seats * max((net for _, net in nets), default=1)
        in_units = seats * max((net // unit[name] for name, net in nets), default=1)
        most = _LARGEST // max(1, in_units) ** 2
        if largest > _LARGEST or (self.many and not most):
            raise BadOption("wager", largest, "amounts with which a round moves less than $20,000,000")
        # The sums of one seat are computed from its counts, so they can use Python's integers of any size
        is_wide = not self.many and most < _FEW_ROUNDS
        return (_FEW_ROUNDS if is_wide else most), is_wide

    def _largest_net(self, ledger: Ledger, name: str) -> Cents:
        """Returns the most that an opening wager wins or loses together with those derived from it."""
        book = self._game.terms.rulebook.wager
        derived = [other for other in ledger.wagers if book[other].of == name]
        ways = [[line.net for line in ledger.cells(name)] or [0]]
        ways += [[0, *(line.net for line in ledger.cells(other))] for other in derived]
        return max(sum(map(max, ways)), -sum(map(min, ways)))

    def _find_units(self) -> list[int]:
        """Returns the greatest common divisor of the amounts in each column, which keeps sums small."""
        nets: dict[str, int] = dict.fromkeys(self.layout.wagers, 0)
        for lines in self._emissions:
            for line in lines:
                nets[self._opening(line.wager)] = gcd(nets[self._opening(line.wager)], line.net)
        units = [net or 1 for net in nets.values()]
        if self.layout.opened is not None:
            return units
        wagers = self._seating.wagers
        return units + [gcd(*(seat.get(name, 0) for seat in wagers)) or 1 for name in self.layout.wagers]

    def _opening(self, wager: str) -> str:
        """Returns the opening wager that a line belongs to."""
        base = self._game.terms.rulebook.wager[wager].of
        return wager if wager in self.layout.wagers or base is None else base

    def lines(self, number: int) -> list[WagerResult]:
        """Returns the results of a seat's wagers in a round of this number."""
        place = self._place(number)
        return list(self._ledgers[place].lines(number - int(self.offsets[place])))

    def _place(self, number: int) -> int:
        """Returns the index, by level and kind, of the seats whose rounds have such numbers."""
        return int(np.searchsorted(self.offsets, number, side="right")) - 1

    def _read(self, number: int) -> tuple[list[int], list[int]]:
        """Returns the indices of a round's cells, and what it adds to every column in units of the column."""
        opened = self._seating.wagers[self._place(number)]
        lines = [replace(line, outcome=_outcome(line, opened)) for line in self.lines(number)]
        cells = cells_of(self._game, opened, lines)
        order = [self._cells.setdefault(cell, len(self._cells)) for cell in cells]
        order += [-1] * (len(self.layout.wagers) - len(cells))  # wagers that this seat does not make
        return order, [a // unit for a, unit in zip(self.layout.amounts(cells), self._units, strict=True)]

    def tally(self, stretch: Stretch) -> Tally:
        """Converts the counts of a stretch into a tally, without the rounds that the rules settle."""
        counts, sums, products = stretch.counts, stretch.sums, stretch.products
        places, columns = self._look_up(stretch.numbers.tolist())
        cells = list(self._cells)
        cell_counts = np.zeros(len(cells) + 1, np.int64)  # the last is for wagers that were not made
        for column in places.T:
            np.add.at(cell_counts, column, counts)
        if not self.many:
            sums = columns.T @ counts
            products = columns.T @ (columns * counts[:, None])
        units = self._units
        return Tally(
            stretch.rounds - len(stretch.prizes),
            {cell: n for cell, n in zip(cells, cell_counts.tolist(), strict=False) if n},
            tuple(int(total) * unit for total, unit in zip(sums.tolist(), units, strict=True)),
            tuple(int(products[pair]) * units[pair[0]] * units[pair[1]] for pair in pairs(len(units))),
        )

    def _look_up(self, numbers: Sequence[int]) -> tuple[Counts, Counts]:
        """Looks up the cells and columns of rounds of these numbers; adds new ones to the cache."""
        with self._lock:  # threads count rounds of one kernel at the same time
            for number in numbers:
                if number not in self._places:
                    self._places[number], self._arrays = len(self._entries), None
                    self._entries.append(self._read(number))
            if self._arrays is None:
                cells, columns = zip(*self._entries, strict=True) if self._entries else ((), ())
                shape = -1, len(self.layout.wagers)
                whole = np.array(columns, self._numbers).reshape(-1, self.layout.columns)
                self._arrays = np.array(cells, np.int64).reshape(shape), whole
            arrays = self._arrays
        places = np.array([self._places[number] for number in numbers], np.int64)
        return arrays[0][places], arrays[1][places]

    # With several seats the loop itself sums the nets of a round over all of them

    def emission_nets(self) -> Counts:
        """Computes what each emission adds to every column, in units of the column."""
        nets = np.zeros((len(self._emissions), self.layout.columns), np.int64)
        for place, lines in enumerate(self._emissions):
            for line in lines:
                nets[place, self.layout.wagers.index(self._opening(line.wager))] += line.net
        return np.asarray(nets // np.array(self._units))

    def opening_nets(self) -> Counts:
        """Computes what each kind of seat adds to every column when it opens."""
        opened = [
            self.layout.amounts(Cell(name, "", 0, 0, cents) for name, cents in seat.items())
            for seat in self._seating.wagers
        ]
        return np.asarray(np.array(opened, np.int64) // np.array(self._units))


def _outcome(line: WagerResult, opened: Mapping[str, Cents]) -> str:
    """Names the outcome of a line, adding "doubled" if a choice has doubled the wager."""
    is_doubled = line.parts == 1 and line.wagered == 2 * opened.get(line.wager, 0)
    return f"{line.outcome}, doubled" if is_doubled else line.outcome
