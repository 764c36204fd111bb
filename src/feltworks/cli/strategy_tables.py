"""Strategies for people: coloured charts, lists of rules with their cost, and ratios that change the play."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from feltworks.cli.output import Cell, Page, Table
from feltworks.reports.choices import ink_and_paper, letter, meaning, star

if TYPE_CHECKING:
    from feltworks.analysis.joint import TurningPoint
    from feltworks.analysis.strategy.charts import Cell as ChartCell
    from feltworks.analysis.strategy.charts import Grid
    from feltworks.analysis.strategy.practical import Ladder
    from feltworks.analysis.strategy.report import StrategyReport
    from feltworks.cards import Card


def show(report: "StrategyReport", *, values: bool) -> None:
    """Print all of it; `values` adds the value of every choice and every turning ratio."""
    page, terms = Page(), report.question.game.terms
    title = f"{terms.rulebook.title}: {terms.rulebook.wager[report.question.wager].title}"
    page.print(f"{title}, house edge {percentage(report.house_edge)} under best play", style="bold")
    if report.chart_edge is not None:
        cost = percentage(report.chart_edge - report.house_edge, 5)
        page.print(f"Best play goes by exact cards; the charts cost {cost} more.")
    for grid in report.grids:
        _show_grid(page, grid, values=values)
    letters = [f"{name} {words}" for name, (_, words) in legend(list(report.grids)).items() if words]
    if letters:
        page.print(f"  {'; '.join(letters)}", style="dim")
    for about, ladder in report.streets:
        page.print(_rules(ladder, f"{about}: rules to remember, and what they cost where all else is played best"))
        page.print(ladder.remark)
    if report.ladder.strategies:
        page.print(_rules(report.ladder, "Rules to remember, and what they cost over best play"))
    if not report.streets:
        page.print(report.ladder.remark)
    _show_turns(page, report, values=values)
    page.close()


def label(cell: "ChartCell") -> str:
    """What a cell of a chart shows: a letter in blackjack, else the choice; a star marks mixed cells."""
    return letter(cell) if cell.otherwise else cell.choice + star(cell)


def legend(grids: "list[Grid]") -> dict[str, tuple[str, str]]:
    """Each label of these charts with its choice, and its meaning where it is a letter."""
    cells = [cell for grid in grids for cell in grid.cells.values()]
    labels = {label(cell).rstrip("*"): (cell.choice, meaning(cell) if cell.otherwise else "") for cell in cells}
    return {name: labels[name] for name in sorted(labels, key=lambda name: (labels[name][0], name))}


def percentage(value: object, places: int = 4) -> str:
    """A number, exact or not, as a percentage."""
    from feltworks.analysis.figures import percent

    assert isinstance(value, Fraction | float)
    return percent(Fraction(value), places)


def _show_grid(page: Page, grid: "Grid", *, values: bool) -> None:
    page.print(_chart(grid))
    if any(cell.is_mixed for cell in grid.cells.values()):
        page.print("  * for most hands in the cell; other cards decide as well", style="dim")
    for note in grid.notes:
        page.print(f"  {note}", style="dim")
    if values:
        page.print(_values(grid))


def _chart(grid: "Grid") -> Table:
    title = f"{grid.title}: {grid.down} by {grid.across}"
    table = Table(grid.down, *grid.columns, title=title, gap=2)  # ten columns of words in eighty columns
    for row in grid.rows:
        cells = [grid.cells.get((row, column)) for column in grid.columns]
        table.add_row(row, *(_colour(cell) if cell else "" for cell in cells))
    return table


def _colour(cell: "ChartCell") -> Cell:
    return Cell(label(cell), " on ".join(ink_and_paper(cell.choice)))


def _values(grid: "Grid") -> Table:
    choices = list(dict.fromkeys(name for cell in grid.cells.values() for name in cell.values))
    table = Table(grid.down, grid.across, *choices, title="Value of each choice, per unit wagered")
    for row in grid.rows:
        for column in grid.columns:
            if cell := grid.cells.get((row, column)):
                amounts = [f"{float(cell.values[name]):+.5f}" if name in cell.values else "" for name in choices]
                table.add_row(row, column, *amounts)
    return table


def _rules(ladder: "Ladder", title: str) -> Table:
    table = Table("rules", "cost", "house edge", "in words", title=title)
    for strategy in ladder.strategies:
        cost = "none" if strategy.cost == 0 else percentage(strategy.cost, 5)
        table.add_row(str(len(strategy.rules)), cost, percentage(strategy.house_edge), strategy.words)
    return table


def _show_turns(page: Page, report: "StrategyReport", *, values: bool) -> None:
    for wager in dict.fromkeys(name for name, _ in report.turns):
        turns = [turn for name, turn in report.turns if name == wager]
        first, last = turns[0].ratio, turns[-1].ratio
        page.print(
            f"Best play changes at {len(turns)} ratios of the {wager} to the main wager,"
            f" from {first} ({float(first):.4f}) to {last} ({float(last):.4f})"
            f"{'' if values else '; --values and --json list them'}."
        )
        if values:
            page.print(_turns(turns))


def _turns(turns: "Sequence[TurningPoint]") -> Table:
    table = Table("ratio", "exact", "what changes", title="Ratios at which best play changes")
    for turn in turns:
        changes = [
            f"{_cards(change.view.cards)} against {_cards(change.view.dealer)}: {change.before} → {change.after}"
            for change in turn.changes
        ]
        table.add_row(f"{float(turn.ratio):.4f}", str(turn.ratio), "; ".join(changes))
    return table


def _cards(faces: "Sequence[Card]") -> str:
    return " ".join(face.code for face in faces)
