"""What stands in the cells of a chart on a screen: words, or blackjack's letters with their legend."""

from typing import TYPE_CHECKING

from feltworks.reports.choices import letter, meaning, star

if TYPE_CHECKING:
    from feltworks.analysis.strategy.report import Cell, Grid


def label(cell: "Cell") -> str:
    """The choice, with a star where more than the cell's names decides; blackjack's by their letters."""
    return letter(cell) if cell.otherwise else cell.choice + star(cell)


def legend(grids: "list[Grid]") -> dict[str, tuple[str, str]]:
    """What stands in the cells of these charts: each label's choice, and its meaning where it is a letter."""
    cells = [cell for grid in grids for cell in grid.cells.values()]
    found = {
        label(cell).rstrip("*"): (cell.choice, meaning(cell) if cell.otherwise else "") for cell in cells
    }
    return {name: found[name] for name in sorted(found, key=lambda name: (found[name][0], name))}
