"""Searches a grid of pay tables for those nearest a target, and computes the edge as a function of one pay.

Figures are exact, and every table is solved with its own best play.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import prod

import numpy as np
from msgspec import Struct

from feltworks.analysis.design.drafts import Drafts, Pays, Solved
from feltworks.errors import BadOption

_MOST_TABLES = 2_000_000
_NEAREST = 400  # tables that are compared exactly
_MOST_SOLVED = 60  # tables that one search solves
_STEPS = ((20, 1), (100, 5), (500, 25))  # a pay and the step for pays below it


class Between(Struct, frozen=True):
    """A range of figures; None leaves an end open."""

    least: Fraction | None = None
    most: Fraction | None = None

    def holds(self, figure: float | Fraction) -> bool:
        return (self.least is None or figure >= self.least) and (self.most is None or figure <= self.most)


class Goal(Struct, frozen=True):
    """The target of a search: the edge, and ranges of other figures."""

    edge: Fraction
    hit: Between = Between()
    deviation: Between = Between()


class Search(Struct, frozen=True):
    """The nearest tables of a grid, the size of the grid, and whether no other table can be nearer."""

    tables: Sequence[Solved]
    size: int
    complete: bool


def pay_step(pay: Fraction) -> int:
    """Returns the step by which a pay of this size is usually changed.

    >>> pay_step(Fraction(8)), pay_step(Fraction(40)), pay_step(Fraction(1000))
    (1, 5, 100)
    """
    return next((step for below, step in _STEPS if pay < below), 100)


def default_range(pay: Fraction, steps: int = 2) -> list[Fraction]:
    """Lists the pays within this many steps on either side of a pay, above zero."""
    step = pay_step(pay)
    return [value for place in range(-steps, steps + 1) if (value := pay + place * step) > 0]


def read_range(text: str) -> tuple[str, list[Fraction]]:
    """Parses "row: 8..20" or "row: 8..20 by 2".

    >>> read_range("suited 21: 8..10")
    ('suited 21', [Fraction(8, 1), Fraction(9, 1), Fraction(10, 1)])
    """
    row, colon, values = text.rpartition(":")
    ends, by, step = values.partition(" by ")
    low, dots, high = ends.partition("..")
    try:
        least, most, width = Fraction(low.strip()), Fraction(high.strip()), Fraction(step.strip() or 1)
    except (ValueError, ZeroDivisionError):
        least, most, width = Fraction(1), Fraction(0), Fraction(1)
    if not (colon and dots and row.strip()) or least > most or width <= 0 or (by and not step.strip()):
        raise BadOption("--within", text, 'a row and its range, such as "suited 21: 8..20"')
    return row.strip(), [least + place * width for place in range(int((most - least) / width) + 1)]


class Grid:
    """The pay tables of a search: every combination of values of the rows that may change."""

    def __init__(self, drafts: Drafts, within: Mapping[str, Sequence[Fraction]], keep: Sequence[str]) -> None:
        for row in (*within, *keep):
            drafts.check_row(row)
        self.base = dict(drafts.pays)
        free = [row for row in drafts.rows if row in within] if within else drafts.rows
        free = [row for row in free if row not in keep]
        for steps in (2, 1):  # a table of many rows gets only one step, to keep the grid small
            self.values = {row: list(within.get(row) or default_range(self.base[row], steps)) for row in free}
            self.size = prod(len(values) for values in self.values.values())
            if self.size <= _MOST_TABLES:
                break
        if self.size > _MOST_TABLES:
            wanted = f"at most {_MOST_TABLES:,} tables: narrow the rows, or keep some as they are"
            raise BadOption("--within", f"{self.size:,} tables", wanted)

    def table(self, number: int) -> Pays:
        """Returns the table with this index."""
        pays = dict(self.base)
        for row in reversed(self.values):
            number, place = divmod(number, len(self.values[row]))
            pays[row] = self.values[row][place]
        return pays

    def expectations(self, solved: Solved) -> "np.typing.NDArray[np.float64]":
        """Returns the player's mean net at every table with the play of one of them, in floating point."""
        base = {row: Fraction(0) if row in self.values else pay for row, pay in self.base.items()}
        sums = np.array([float(solved.expectation(base))])
        for row, values in self.values.items():
            column = np.array([float(solved.weights[row] * value) for value in values])
            sums = (sums[:, None] + column[None, :]).ravel()
        return sums


def nearest_tables(drafts: Drafts, grid: Grid, goal: Goal, wanted: int = 5) -> Search:
    """Finds the tables of a grid whose exact edge is nearest the goal.

    The mean net of best play is the maximum over all plays, and each play is linear in the pays. So the play of
    every solved table bounds all others from below; tables are solved until the nearest ones are exact.
    """
    plays = [drafts.solve(drafts.pays)]
    bounds = grid.expectations(plays[0])
    exact: dict[int, Solved] = {}
    is_linear = drafts.is_linear
    for _ in range(_MOST_SOLVED):
        near = _nearest(bounds, exact, goal, grid, plays, wanted)
        unsolved = [number for number in near if number not in exact]
        if not unsolved:
            break
        solved = drafts.solve(grid.table(unsolved[0]))
        exact[unsolved[0]] = solved
        if not is_linear:
            plays.append(solved)
            bounds = np.maximum(bounds, grid.expectations(solved))
    fitting = [solved for solved in exact.values() if _fits(solved, goal)]
    ordered = sorted(fitting, key=lambda table: _distance(table.figures.house_edge, table.pays, grid.base, goal))
    return Search(ordered[:wanted], grid.size, is_linear or len(exact) == grid.size)


def _nearest(
    bounds: "np.typing.NDArray[np.float64]",
    exact: Mapping[int, Solved],
    goal: Goal,
    grid: Grid,
    plays: Sequence[Solved],
    wanted: int,
) -> list[int]:
    """Returns the indices of the tables nearest the goal: solved ones by exact figures, others by bounds."""
    distance = np.abs(-bounds - float(goal.edge))
    for number, solved in exact.items():
        distance[number] = abs(float(solved.figures.house_edge - goal.edge)) if _fits(solved, goal) else np.inf
    count = min(_NEAREST, len(distance))
    near = np.argpartition(distance, count - 1)[:count].tolist()

    def rank(number: int) -> tuple[Fraction, int, Fraction]:
        pays = grid.table(number)
        if number in exact and not _fits(exact[number], goal):
            return Fraction(10**9), 0, Fraction(0)
        edge = -max(play.expectation(pays) for play in plays)
        return _distance(edge, pays, grid.base, goal)

    return sorted(near, key=rank)[:wanted]


def _distance(edge: Fraction, pays: Pays, base: Pays, goal: Goal) -> tuple[Fraction, int, Fraction]:
    """Returns a sort key: the distance from the goal, then the number and the size of the changes."""
    changed = [row for row in base if pays[row] != base[row]]
    moved = sum((abs(pays[row] - base[row]) / base[row] for row in changed), Fraction(0))
    return abs(edge - goal.edge), len(changed), moved


def _fits(solved: Solved, goal: Goal) -> bool:
    figures = solved.figures
    return goal.hit.holds(figures.hit_frequency) and goal.deviation.holds(figures.standard_deviation)


_MOST_PIECES = 60


class Piece(Struct, frozen=True):
    """A range of pays over which the edge is linear: its start and its slope."""

    least: Fraction
    most: Fraction
    edge_at_least: Fraction
    slope: Fraction  # of the edge; never above zero

    def edge(self, pay: Fraction) -> Fraction:
        """Returns the edge at a pay of this piece."""
        return self.edge_at_least + self.slope * (pay - self.least)


def pieces_of(drafts: Drafts, row: str, least: Fraction, most: Fraction) -> list[Piece]:
    """Computes the exact edge over a range of one row's pays in linear pieces; play changes only between them.

    With too many pieces the list ends before the range does.

    The mean net of best play is the upper envelope of straight lines. The two ends give two lines; the table is
    solved where they cross, and if best play is above both lines there, each side is searched in turn.
    """
    drafts.check_row(row)

    def line(pay: Fraction) -> Solved:
        return drafts.solve({**drafts.pays, row: pay})

    def value(solved: Solved, pay: Fraction) -> Fraction:
        return solved.expectation({**drafts.pays, row: pay})

    def lines(low: Fraction, first: Solved, high: Fraction, last: Solved) -> Iterator[Solved]:
        """Yields the lines of the envelope after the first one, up to the last."""
        if value(first, high) == value(last, high):
            return
        if value(last, low) == value(first, low):
            yield last
            return
        one, other = first.weights[row], last.weights[row]
        cross = low + (value(first, low) - value(last, low)) / (other - one)
        between = line(cross)
        if between.figures.expectation == value(first, cross):
            yield last
            return
        yield from lines(low, first, cross, between)
        yield from lines(cross, between, high, last)

    first = line(least)
    envelope = [first]
    for solved in lines(least, first, most, line(most)):
        envelope.append(solved)
        if len(envelope) > _MOST_PIECES:  # where the last line ends is not known
            return list(_pieces(envelope, row, least, most))[:-1]
    return list(_pieces(envelope, row, least, most))


def _pieces(envelope: list[Solved], row: str, least: Fraction, most: Fraction) -> Iterator[Piece]:
    begin = least
    for place, solved in enumerate(envelope):
        if place + 1 < len(envelope):
            after = envelope[place + 1]
            gap = _at(solved, row, begin) - _at(after, row, begin)
            end = begin + gap / (after.weights[row] - solved.weights[row])
        else:
            end = most
        if end > begin or len(envelope) == 1:
            yield Piece(begin, end, -_at(solved, row, begin), -solved.weights[row])
        begin = end


def _at(solved: Solved, row: str, pay: Fraction) -> Fraction:
    return solved.expectation({**solved.pays, row: pay})
