"""What a tally says of every wager: its house edge and the standard error, and how often it came out how."""

from fractions import Fraction
from math import sqrt

from msgspec import Struct

from feltworks.simulation.tally import Cell, Layout, Tally, moments, rows_counted


class SampledOutcome(Struct, frozen=True):
    """One way a wager came out, per unit opened with."""

    outcome: str
    count: int
    frequency: float
    net: Fraction
    wagered: Fraction


class Measured(Struct, frozen=True):
    """The figures of one wager over all seats; the error is of whole rounds, so that seats may depend."""

    wager: str
    house_edge: float  # per unit of the opening wager, positive where the house wins
    standard_error: float
    element_of_risk: float
    average_wager: float
    hit_frequency: float
    push_frequency: float
    outcomes: tuple[SampledOutcome, ...]


def measured(layout: Layout, tally: Tally) -> dict[str, Measured]:
    """The figures of every wager."""
    counted = _counted(layout, tally)
    errors = standard_errors(layout, tally)
    return {name: _figures(name, counted[name], errors[name]) for name in layout.wagers}


def standard_errors(layout: Layout, tally: Tally) -> dict[str, float]:
    """The standard error of every wager's house edge: infinite before the second round."""
    sums, products = moments(layout, tally)
    rounds, wagers = tally.rounds, len(layout.wagers)
    found = {}
    for place, name in enumerate(layout.wagers):
        if layout.opened is not None:
            each = layout.opened[place]
            opened, crossed, squared = each * rounds, each * sums[place], each * each * rounds
        else:
            opened = sums[wagers + place]
            crossed = products[place, wagers + place]
            squared = products[wagers + place, wagers + place]
        found[name] = _error(rounds, sums[place], opened, products[place, place], crossed, squared)
    return found


def _error(rounds: int, net: int, opened: int, net_net: int, net_opened: int, opened_opened: int) -> float:
    """The error of a ratio of two sums, by what is left of each round's net when its share is taken off."""
    if rounds < 2 or not opened:
        return float("inf")
    share = Fraction(net, opened)
    left = net_net - 2 * share * net_opened + share * share * opened_opened
    return sqrt(left * rounds / (rounds - 1)) / opened


def _counted(layout: Layout, tally: Tally) -> dict[str, dict[Cell, int]]:
    found: dict[str, dict[Cell, int]] = {name: {} for name in layout.wagers}
    for row, count in rows_counted(layout, tally):
        for cell in row:
            found[cell.wager][cell] = found[cell.wager].get(cell, 0) + count
    return found


def _figures(name: str, cells: dict[Cell, int], error: float) -> Measured:
    spots = sum(cells.values()) or 1
    opened = sum(cell.opened * count for cell, count in cells.items()) or 1
    net = sum(cell.net * count for cell, count in cells.items())
    wagered = sum(cell.wagered * count for cell, count in cells.items()) or 1
    return Measured(
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
