"""Strategies on the terminal: coloured grids, lists of rules with their cost, and turning ratios."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from feltworks.cli.output import PLAY_MONEY, console, new_table
from feltworks.cli.strategy_labels import label, legend
from feltworks.reports.choices import ink_and_paper

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from feltworks.analysis.strategy.optimal import TurningPoint
    from feltworks.analysis.strategy.report import Grid, StrategyReport
    from feltworks.cards import Card


def show(found: "StrategyReport", *, values: bool) -> None:
    """Print everything for people; `values` adds what each choice is worth, and every turning ratio."""
    screen, terms = console(), found.question.game.terms
    title = f"{terms.rulebook.title}: {terms.rulebook.wager[found.question.wager].title}"
    screen.print(f"{title}, house edge {shown(found.house_edge)} under best play", style="bold")
    if found.chart_edge is not None:
        lost = shown(found.chart_edge - found.house_edge, 5)
        screen.print(f"Best play goes by exact cards; the charts of totals and pairs cost {lost} more.")
    for grid in found.grids:
        _show_grid(screen, grid, values=values)
    letters = [f"{name} {words}" for name, (_, words) in legend(list(found.grids)).items() if words]
    if letters:
        screen.print(f"  {'; '.join(letters)}", style="dim")
    screen.print(_rules(found))
    screen.print(found.ladder.remark)
    _show_turns(screen, found, values=values)
    screen.print(PLAY_MONEY, style="dim")


def shown(value: object, places: int = 4) -> str:
    """A share as a percentage, whether it is exact or not."""
    from feltworks.analysis.audit.figure_text import percent

    assert isinstance(value, Fraction | float)
    return percent(Fraction(value), places)


def _show_grid(screen: "Console", grid: "Grid", *, values: bool) -> None:
    screen.print(_table(grid))
    if any(cell.is_mixed for cell in grid.cells.values()):
        screen.print("  * for most hands there; more than these two things decides", style="dim")
    for note in grid.notes:
        screen.print(f"  {note}", style="dim")
    if values:
        screen.print(_values(grid))


def _table(grid: "Grid") -> "Table":
    from rich.text import Text

    table = new_table(grid.down, *grid.columns, title=f"{grid.title}: {grid.down} by {grid.across}")
    table.padding = (0, 1, 0, 0)  # ten columns of words on a screen of eighty
    for row in grid.rows:
        cells = [grid.cells.get((row, column)) for column in grid.columns]
        painted = [
            Text(label(cell), style=" on ".join(ink_and_paper(cell.choice))) if cell else "" for cell in cells
        ]
        table.add_row(row, *painted)
    return table


def _values(grid: "Grid") -> "Table":
    choices = list(dict.fromkeys(name for cell in grid.cells.values() for name in cell.values))
    table = new_table(grid.down, grid.across, *choices, title="What each choice is worth, per unit")
    for row in grid.rows:
        for column in grid.columns:
            if cell := grid.cells.get((row, column)):
                worth = [
                    f"{float(cell.values[name]):+.5f}" if name in cell.values else "" for name in choices
                ]
                table.add_row(row, column, *worth)
    return table


def _rules(found: "StrategyReport") -> "Table":
    title = "Rules to remember, and what they cost over best play"
    table = new_table("rules", "cost", "house edge", "in words", title=title)
    for each in found.ladder.strategies:
        cost = "none" if each.cost == 0 else shown(each.cost, 5)
        table.add_row(str(len(each.rules)), cost, shown(each.house_edge), each.words)
    return table


def _show_turns(screen: "Console", found: "StrategyReport", *, values: bool) -> None:
    for wager in dict.fromkeys(name for name, _ in found.turns):
        turns = [turn for name, turn in found.turns if name == wager]
        first, last = turns[0].ratio, turns[-1].ratio
        screen.print(
            f"Best play changes at {len(turns)} ratios of the {wager} to the wager that is played,"
            f" from {first} ({float(first):.4f}) to {last} ({float(last):.4f})"
            f"{'' if values else '; --values and --json list them'}."
        )
        if values:
            screen.print(_turns(turns))


def _turns(turns: "Sequence[TurningPoint]") -> "Table":
    table = new_table("ratio", "exact", "what changes", title="Ratios at which best play changes")
    for turn in turns:
        changes = [
            f"{_cards(each.seen.cards)} against {_cards(each.seen.dealer)}: {each.before} → {each.after}"
            for each in turn.changes
        ]
        table.add_row(f"{float(turn.ratio):.4f}", str(turn.ratio), "; ".join(changes))
    return table


def _cards(faces: "Sequence[Card]") -> str:
    return " ".join(face.code for face in faces)
