"""How a wager is played, ready to print: charts in the house's colours, and short rules with their cost."""

from typing import Final

from msgspec import Struct

from feltworks.analysis.analyze import Question
from feltworks.analysis.figures import Number
from feltworks.analysis.strategy.report import Cell, Grid, strategy_report
from feltworks.errors import FeltError
from feltworks.reports.choices import letter, meaning, star, tint

MOST_RULES: Final = 4  # to remember; more are told by felt strategy
_WIDE: Final = 6  # columns beyond which a choice is told by a letter


class Square(Struct, frozen=True):
    """A cell of a chart: what it says, and the tint it says it in."""

    label: str
    tint: str


class Chart(Struct, frozen=True):
    """A grid with its words."""

    title: str
    down: str
    across: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Square | None, ...]], ...]
    legend: tuple[tuple[Square, str], ...]
    notes: tuple[str, ...]
    has_mixed: bool
    always: str  # the choice of every cell, where all have the same


class Rules(Struct, frozen=True):
    """A short list of rules and what it costs."""

    number: int
    words: str
    cost: Number
    house_edge: Number


class PlaySheet(Struct, frozen=True):
    """Best play, and play that can be remembered."""

    house_edge: Number
    chart_cost: Number | None
    charts: tuple[Chart, ...]
    rules: tuple[Rules, ...]
    remark: str


def play_sheet(question: Question, most_rules: int = MOST_RULES) -> PlaySheet | None:
    """The play of a wager; None where there is nothing to decide."""
    try:
        found = strategy_report(question, most_rules)
    except FeltError:
        return None
    lists = found.ladder.strategies
    return PlaySheet(
        found.house_edge,
        None if found.chart_edge is None else found.chart_edge - found.house_edge,
        tuple(map(_chart, found.grids)),
        tuple(Rules(len(each.rules), _sentence(each.words), each.cost, each.house_edge) for each in lists),
        found.ladder.remark,
    )


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _chart(grid: Grid) -> Chart:
    by_letter = len(grid.columns) > _WIDE
    cells = {place: _square(cell, by_letter=by_letter) for place, cell in grid.cells.items()}
    meanings = {
        cells[place].label.rstrip("*"): (cells[place].tint, meaning(cell))
        for place, cell in grid.cells.items()
    }
    legend = [(Square(label, tint), words) for label, (tint, words) in sorted(meanings.items())]
    rows = [(row, tuple(cells.get((row, column)) for column in grid.columns)) for row in grid.rows]
    mixed = any(cell.is_mixed for cell in grid.cells.values())
    choices = {cell.choice for cell in grid.cells.values()}
    return Chart(
        grid.title,
        grid.down,
        grid.across,
        grid.columns,
        tuple(rows),
        tuple(legend) if by_letter else (),
        tuple(grid.notes),
        mixed,
        choices.pop() if len(choices) == 1 and not mixed else "",
    )


def _square(cell: Cell, *, by_letter: bool) -> Square:
    said = letter(cell) if by_letter else cell.choice
    return Square(said + star(cell), tint(cell.choice))
