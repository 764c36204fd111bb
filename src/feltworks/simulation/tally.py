"""The counts of a simulation: how often every wager had each outcome, and exact sums over whole rounds.

The figures of every wager follow from them: its house edge, the standard error, and outcome frequencies.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from itertools import combinations_with_replacement
from math import sqrt
from operator import add
from typing import Protocol

from msgspec import Struct

from feltworks.errors import LogError
from feltworks.money import Cents
from feltworks.rules.game import Game


class Cell(Struct, frozen=True, gc=False, order=True):
    """One outcome of an opening wager together with those derived from it.

    `net` and `wagered` are sums over the opening wager and those derived from it.
    """

    wager: str
    outcome: str
    net: Cents
    wagered: Cents
    opened: Cents


class SettledLine(Protocol):
    """The result of one wager, settled by a kernel or by the rules."""

    @property
    def wager(self) -> str: ...
    @property
    def outcome(self) -> str: ...
    @property
    def wagered(self) -> Cents: ...
    @property
    def net(self) -> Cents: ...


def cells_of(game: Game, opened: Mapping[str, Cents], lines: Sequence[SettledLine]) -> list[Cell]:
    """Sums a seat's lines into cells: every opening wager with those derived from it."""
    book = game.terms.rulebook.wager
    cells = []
    for wager, cents in opened.items():
        own = [line for line in lines if wager in (line.wager, book[line.wager].of)]
        net, wagered = sum(line.net for line in own), sum(line.wagered for line in own)
        cells.append(Cell(wager, _outcome_name(own), net, wagered, cents))
    return cells


def _outcome_name(lines: Sequence[SettledLine]) -> str:
    """Joins the outcomes of lines into one name, in the same way as the analysis."""
    names = [line.outcome for line in lines]
    if len(set(names)) == 1:
        return names[0]
    return " / ".join(f"{line.wager} {line.outcome}" for line in lines)


class Layout(Struct, frozen=True):
    """The columns of a tally's sums: each wager's net in a round, all seats together.

    If opening wagers vary (`opened` is None), columns with each wager's opening amount follow.
    """

    wagers: tuple[str, ...]
    opened: tuple[Cents, ...] | None  # each wager's opening amount in every round, all seats together

    @property
    def columns(self) -> int:
        """The number of columns."""
        return len(self.wagers) * (1 if self.opened is not None else 2)

    def amounts(self, cells: Iterable[Cell]) -> list[int]:
        """Computes what a round with these cells adds to every column."""
        amounts = [0] * self.columns
        for cell in cells:
            place = self.wagers.index(cell.wager)
            amounts[place] += cell.net
            if self.opened is None:
                amounts[len(self.wagers) + place] += cell.opened
        return amounts


class Tally(Struct, frozen=True):
    """Counts and sums of rounds; tallies can be added in any order with the same result."""

    rounds: int
    cells: Mapping[Cell, int]
    sums: tuple[int, ...]  # of every column
    products: tuple[int, ...]  # of every pair of columns, in the order of `pairs`

    def __add__(self, other: "Tally") -> "Tally":
        cells = dict(self.cells)
        for cell, count in other.cells.items():
            cells[cell] = cells.get(cell, 0) + count
        return Tally(
            self.rounds + other.rounds,
            cells,
            tuple(map(sum, zip(self.sums, other.sums, strict=True))),
            tuple(map(sum, zip(self.products, other.products, strict=True))),
        )

    @classmethod
    def empty(cls, layout: Layout) -> "Tally":
        """Returns a tally of no rounds."""
        return cls(0, {}, (0,) * layout.columns, (0,) * len(list(pairs(layout.columns))))

    def check(self, layout: Layout) -> None:
        """Refuses counts that belong to another layout."""
        blank, wagers = Tally.empty(layout), {cell.wager for cell in self.cells}
        lengths = len(self.sums), len(self.products)
        if lengths != (len(blank.sums), len(blank.products)) or not wagers <= set(layout.wagers):
            raise LogError("these counts were made by another version or another plan")


def add_tallies(layout: Layout, tallies: Iterable[Tally]) -> Tally:
    """Adds up the tallies of a layout."""
    one, *others = list(tallies) or [Tally.empty(layout)]
    return reduce(add, others, one)


def count_rounds(layout: Layout, rounds: Iterable[Sequence[Cell]]) -> Tally:
    """Counts rounds one by one, each given by the cells of all its seats."""
    number, cells, order = 0, Counter[Cell](), list(pairs(layout.columns))
    sums, products = [0] * layout.columns, [0] * len(order)
    for round_cells in rounds:
        number += 1
        cells.update(round_cells)
        amounts = layout.amounts(round_cells)
        sums = [total + amount for total, amount in zip(sums, amounts, strict=True)]
        products = [n + amounts[one] * amounts[two] for n, (one, two) in zip(products, order, strict=True)]
    return Tally(number, dict(cells), tuple(sums), tuple(products))


def pairs(columns: int) -> Iterator[tuple[int, int]]:
    """Yields the pairs of columns whose products are summed, in order.

    >>> list(pairs(2))
    [(0, 0), (0, 1), (1, 1)]
    """
    return combinations_with_replacement(range(columns), 2)


class SampledOutcome(Struct, frozen=True):
    """An outcome of a wager as sampled, per unit of the opening wager."""

    outcome: str
    count: int
    frequency: float
    net: Fraction
    wagered: Fraction


class SampledFigures(Struct, frozen=True):
    """The figures of one wager over all seats; its error treats a round as one sample, as seats are dependent."""

    wager: str
    house_edge: float  # per unit of the opening wager, positive where the house wins
    standard_error: float
    element_of_risk: float
    average_wager: float
    hit_frequency: float
    push_frequency: float
    outcomes: tuple[SampledOutcome, ...]


def sampled_figures(layout: Layout, tally: Tally) -> dict[str, SampledFigures]:
    """Computes the figures of every wager from a tally."""
    errors = standard_errors(layout, tally)
    counts: dict[str, dict[Cell, int]] = {name: {} for name in layout.wagers}
    for cell, count in tally.cells.items():
        counts[cell.wager][cell] = count
    return {name: _figures(name, counts[name], errors[name]) for name in layout.wagers}


def round_variance(layout: Layout, tally: Tally) -> float:
    """Computes the variance of a round's result over all wagers of all seats, in squared cents."""
    places = range(len(layout.wagers))
    products = dict(zip(pairs(layout.columns), tally.products, strict=True))
    squares = sum(products[min(one, two), max(one, two)] for one in places for two in places)
    total = sum(tally.sums[place] for place in places)
    return float(Fraction(squares, tally.rounds) - Fraction(total, tally.rounds) ** 2)


def standard_errors(layout: Layout, tally: Tally) -> dict[str, float]:
    """Computes the standard error of every wager's house edge: infinite before the second round."""
    sums, products = tally.sums, dict(zip(pairs(layout.columns), tally.products, strict=True))
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
    """Computes the standard error of the ratio net / opened from its squared residuals over rounds."""
    if rounds < 2 or not opened:
        return float("inf")
    ratio = Fraction(net, opened)
    residuals = net_net - 2 * ratio * net_opened + ratio * ratio * opened_opened
    return sqrt(residuals * rounds / (rounds - 1)) / opened


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
    """Lists outcomes, the best first, merging cells that are the same per unit of the opening wager."""
    counts = Counter[tuple[str, Fraction, Fraction]]()
    for cell, count in cells.items():
        counts[cell.outcome, Fraction(cell.net, cell.opened), Fraction(cell.wagered, cell.opened)] += count
    rows = [SampledOutcome(name, count, count / spots, net, wagered) for (name, net, wagered), count in counts.items()]
    return tuple(sorted(rows, key=lambda row: (-row.net, row.count, row.outcome)))
