"""The play of a wager for print: charts in the house's colours, and short rules with their cost."""

from typing import Final

from msgspec import Struct

from feltworks.analysis.analyze import Question
from feltworks.analysis.figures import Number
from feltworks.analysis.strategy.grid import Cell, Grid
from feltworks.analysis.strategy.report import strategy_report
from feltworks.errors import FeltError
from feltworks.reports.choices import letter, meaning, star, tint

MOST_RULES: Final = 4  # `felt strategy` shows more
_MOST_NAMED_COLUMNS: Final = 6  # a wider chart shows choices by letters


class Square(Struct, frozen=True):
    """A cell of a chart: its label and its tint."""

    label: str
    tint: str


class Chart(Struct, frozen=True):
    """A chart with its legend and notes."""

    title: str
    down: str
    across: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Square | None, ...]], ...]
    legend: tuple[tuple[Square, str], ...]
    notes: tuple[str, ...]
    exceptions: tuple[str, ...]  # every hand that plays otherwise than its starred cell
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
        report = strategy_report(question, most_rules)
    except FeltError:
        return None
    lists = report.ladder.strategies
    return PlaySheet(
        report.house_edge,
        None if report.chart_edge is None else report.chart_edge - report.house_edge,
        tuple(map(_chart, report.grids)),
        tuple(Rules(len(list_.rules), _sentence(list_.words), list_.cost, list_.house_edge) for list_ in lists),
        report.ladder.remark,
    )


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _chart(grid: Grid) -> Chart:
    by_letter = len(grid.columns) > _MOST_NAMED_COLUMNS
    cells = {place: _square(cell, by_letter=by_letter) for place, cell in grid.cells.items()}
    meanings = {
        cells[place].label.rstrip("*"): (cells[place].tint, meaning(cell)) for place, cell in grid.cells.items()
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
        tuple(note for note in grid.notes if note not in grid.exceptions),
        grid.exceptions,
        mixed,
        choices.pop() if len(choices) == 1 and not mixed else "",
    )


def _square(cell: Cell, *, by_letter: bool) -> Square:
    label = letter(cell) if by_letter else cell.choice
    return Square(label + star(cell), tint(cell.choice))
