"""What a simulation counts: how often every row of a layout came up, and exact sums over whole rounds.

From these follow every wager's figures: its house edge, the standard error, and how often it came out how.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from math import sqrt
from typing import Any, Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.errors import LogError
from feltworks.money import Cents
from feltworks.rules.game import Game

Counts = NDArray[np.int64]


class Cell(Struct, frozen=True, gc=False, order=True):
    """One way a wager can come out, together with those derived from it.

    `wager` is the opening one; `net` and `wagered` sum it up with what followed from it.
    """

    wager: str
    outcome: str
    net: Cents
    wagered: Cents
    opened: Cents


Row = tuple[Cell, ...]  # cells that come out together


class SettledLine(Protocol):
    """How one wager came out, whether a kernel or the rules settled it."""

    @property
    def wager(self) -> str: ...
    @property
    def outcome(self) -> str: ...
    @property
    def wagered(self) -> Cents: ...
    @property
    def net(self) -> Cents: ...


def row_of(game: Game[Any], opened: Mapping[str, Cents], lines: Sequence[SettledLine]) -> Row:
    """The cells of a seat's lines: every opening wager with what followed from it."""
    book = game.terms.rulebook.wager
    cells = []
    for wager, cents in opened.items():
        own = [line for line in lines if wager in (line.wager, book[line.wager].of)]
        net, wagered = sum(line.net for line in own), sum(line.wagered for line in own)
        cells.append(Cell(wager, _outcome_name(own), net, wagered, cents))
    return tuple(cells)


def _outcome_name(lines: Sequence[SettledLine]) -> str:
    """The outcome's name, or every line's where they differ: as the analysis calls it."""
    names = [line.outcome for line in lines]
    if len(set(names)) == 1:
        return names[0]
    return " / ".join(f"{line.wager} {line.outcome}" for line in lines)


class Layout(Struct, frozen=True):
    """What the numbers of a tally stand for.

    Where every round falls into exactly one row (`joint`), sums over rounds follow from the counts. Where
    not, as with several seats, a kernel keeps them: of each wager's net in a round, all seats together, and,
    where the opening wagers vary (`opened` is None), of each wager's opening after all the nets.
    """

    wagers: tuple[str, ...]
    rows: tuple[Row, ...]
    opened: tuple[Cents, ...] | None  # what is opened with in every round, all seats together
    joint: bool = True

    @property
    def columns(self) -> int:
        """Over how many amounts of a round sums are kept."""
        return len(self.wagers) * (1 if self.opened is not None else 2)


class Tally(Struct, frozen=True):
    """Counts and sums of rounds; tallies add up to the same in any order."""

    rounds: int
    counts: Counts
    sums: tuple[int, ...] = ()  # of every column; only where the layout is not joint
    products: tuple[int, ...] = ()  # of every pair of columns as `pairs` lists them
    others: Mapping[Row, int] = {}  # rows that the layout does not list, such as shares of a jackpot

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(
            self.rounds + other.rounds,
            self.counts + other.counts,
            tuple(map(sum, zip(self.sums, other.sums, strict=True))),
            tuple(map(sum, zip(self.products, other.products, strict=True))),
            Counter(self.others) + Counter(other.others),
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tally) and self.pack() == other.pack()

    __hash__ = None  # type: ignore[assignment]  # arrays have no hash

    @classmethod
    def empty(cls, layout: Layout) -> "Tally":
        """Nothing counted yet."""
        columns = 0 if layout.joint else layout.columns
        zeros = (0,) * len(list(pairs(columns)))
        return cls(0, np.zeros(len(layout.rows), np.int64), (0,) * columns, zeros)

    def pack(self) -> "PackedTally":
        """The same numbers for JSON and pickle."""
        others = tuple(sorted(self.others.items()))
        return PackedTally(self.rounds, self.counts.tolist(), self.sums, self.products, others)


class PackedTally(Struct, frozen=True, forbid_unknown_fields=True):
    """A tally in plain numbers."""

    rounds: int
    counts: list[int]
    sums: tuple[int, ...] = ()
    products: tuple[int, ...] = ()
    others: tuple[tuple[Row, int], ...] = ()

    def unpack(self, layout: Layout) -> Tally:
        """The tally of this layout; refuses numbers that belong to another."""
        blank = Tally.empty(layout)
        lengths = [len(numbers) for numbers in (self.counts, self.sums, self.products)]
        if lengths != [len(numbers) for numbers in (blank.counts, blank.sums, blank.products)]:
            raise LogError("these counts were made by another version or another plan")
        counts = np.array(self.counts, np.int64)
        return Tally(self.rounds, counts, self.sums, self.products, dict(self.others))


def tally_rows(layout: Layout, rounds: Iterable[Sequence[Row]]) -> Tally:
    """Count rounds one by one, each by the rows of its seats, which the layout need not list."""
    number, others, order = 0, Counter[Row](), list(pairs(layout.columns))
    sums, products = [0] * layout.columns, [0] * len(order)
    for rows in rounds:
        number += 1
        others.update(rows)
        columns = zip(*(row_columns(layout, row) for row in rows), strict=True)
        nets = [sum(column) for column in columns]
        sums = [total + net for total, net in zip(sums, nets, strict=True)]
        products = [n + nets[one] * nets[two] for n, (one, two) in zip(products, order, strict=True)]
    counts = np.zeros(len(layout.rows), np.int64)
    return Tally(number, counts, tuple(sums), tuple(products), others)


def row_counts(layout: Layout, tally: Tally) -> Iterator[tuple[Row, int]]:
    """Every row that came up, and how often."""
    for row, count in zip(layout.rows, tally.counts.tolist(), strict=True):
        if count:
            yield row, count
    yield from tally.others.items()


def pairs(columns: int) -> Iterator[tuple[int, int]]:
    """The pairs of columns whose products are summed, in their order.

    >>> list(pairs(2))
    [(0, 0), (0, 1), (1, 1)]
    """
    return combinations_with_replacement(range(columns), 2)


def moments(layout: Layout, tally: Tally) -> tuple[Sequence[int], dict[tuple[int, int], int]]:
    """The sum of every column and of every product of two, over all rounds."""
    order = list(pairs(layout.columns))
    if not layout.joint:
        return tally.sums, dict(zip(order, tally.products, strict=True))
    rows = [(row_columns(layout, row), n) for row, n in row_counts(layout, tally)]
    sums = [sum(n * row[column] for row, n in rows) for column in range(layout.columns)]
    return sums, {(one, two): sum(n * row[one] * row[two] for row, n in rows) for one, two in order}


def row_columns(layout: Layout, row: Row) -> list[int]:
    """What a row adds to every column: the nets by wager, then the openings where they vary."""
    nets = [sum(cell.net for cell in row if cell.wager == name) for name in layout.wagers]
    if layout.opened is not None:
        return nets
    return nets + [sum(cell.opened for cell in row if cell.wager == name) for name in layout.wagers]


class SampledOutcome(Struct, frozen=True):
    """One way a wager came out, per unit opened with."""

    outcome: str
    count: int
    frequency: float
    net: Fraction
    wagered: Fraction


class SampledFigures(Struct, frozen=True):
    """The figures of one wager over all seats; the error is of whole rounds, so that seats may depend."""

    wager: str
    house_edge: float  # per unit of the opening wager, positive where the house wins
    standard_error: float
    element_of_risk: float
    average_wager: float
    hit_frequency: float
    push_frequency: float
    outcomes: tuple[SampledOutcome, ...]


def sampled_figures(layout: Layout, tally: Tally) -> dict[str, SampledFigures]:
    """The figures of every wager."""
    counted = _count_cells(layout, tally)
    errors = standard_errors(layout, tally)
    return {name: _figures(name, counted[name], errors[name]) for name in layout.wagers}


def standard_errors(layout: Layout, tally: Tally) -> dict[str, float]:
    """The standard error of every wager's house edge: infinite before the second round."""
    sums, products = moments(layout, tally)
    rounds, wagers = tally.rounds, len(layout.wagers)
    errors = {}
    for place, name in enumerate(layout.wagers):
        if layout.opened is not None:
            stake = layout.opened[place]
            opened, crossed, squared = stake * rounds, stake * sums[place], stake * stake * rounds
        else:
            opened = sums[wagers + place]
            crossed = products[place, wagers + place]
            squared = products[wagers + place, wagers + place]
        errors[name] = _error(rounds, sums[place], opened, products[place, place], crossed, squared)
    return errors


def _error(rounds: int, net: int, opened: int, net_net: int, net_opened: int, opened_opened: int) -> float:
    """The error of a ratio of two sums, by what is left of each round's net when its share is taken off."""
    if rounds < 2 or not opened:
        return float("inf")
    share = Fraction(net, opened)
    left = net_net - 2 * share * net_opened + share * share * opened_opened
    return sqrt(left * rounds / (rounds - 1)) / opened


def _count_cells(layout: Layout, tally: Tally) -> dict[str, dict[Cell, int]]:
    counts: dict[str, dict[Cell, int]] = {name: {} for name in layout.wagers}
    for row, count in row_counts(layout, tally):
        for cell in row:
            counts[cell.wager][cell] = counts[cell.wager].get(cell, 0) + count
    return counts


def _figures(name: str, cells: dict[Cell, int], error: float) -> SampledFigures:
    spots = sum(cells.values()) or 1
    opened = sum(cell.opened * count for cell, count in cells.items()) or 1
    net = sum(cell.net * count for cell, count in cells.items())
    wagered = sum(cell.wagered * count for cell, count in cells.items()) or 1
    return SampledFigures(
        name,
        -net / opened,
        error,
        -net / wagered,
        wagered / opened,
        sum(count for cell, count in cells.items() if cell.net > 0) / spots,
        sum(count for cell, count in cells.items() if cell.net == 0) / spots,
        _outcomes(cells, spots),
    )


def _outcomes(cells: dict[Cell, int], spots: int) -> tuple[SampledOutcome, ...]:
    """Best first; cells that differ in money alone stand together where they are the same per unit."""
    gathered: dict[tuple[str, Fraction, Fraction], int] = {}
    for cell, count in cells.items():
        key = cell.outcome, Fraction(cell.net, cell.opened), Fraction(cell.wagered, cell.opened)
        gathered[key] = gathered.get(key, 0) + count
    rows = [
        SampledOutcome(name, count, count / spots, net, wagered)
        for (name, net, wagered), count in gathered.items()
    ]
    return tuple(sorted(rows, key=lambda row: (-row.net, row.count, row.outcome)))
