"""How choices look in charts: ink and paper, and a word or the trade's letter besides the colour."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from feltworks.analysis.strategy.grids import Cell, Grid

_RED, _BLUE, _SLATE = ("#9c2c22", "#f9e4df"), ("#1c4f8f", "#dbe8f7"), ("#3f5570", "#e4eaf1")
_GREEN, _AMBER, _VIOLET = ("#14633b", "#d3ebdb"), ("#7a4b00", "#fbecd0"), ("#6a359c", "#ecdff6")
PLAIN: Final = ("#1a1c1e", "#e9e6dc")
COLOURS: Final = {
    "fold": _RED,
    "surrender": _RED,
    "check": _SLATE,
    "stay": _BLUE,
    "stand": _BLUE,
    "hit": _AMBER,
    "raise": _GREEN,
    "double": _GREEN,
    "bonus": _GREEN,
    "rescue": _VIOLET,
    "split": _VIOLET,
}
_LETTERS: Final = {"stand": "S", "hit": "H", "double": "D", "split": "P", "surrender": "R"}
LEGEND: Final = {
    "S": "stand",
    "H": "hit",
    "D": "double, or hit",
    "Ds": "double, or stand",
    "P": "split",
    "R": "surrender, or hit",
    "Rs": "surrender, or stand",
}


def ink_and_paper(choice: str) -> tuple[str, str]:
    """The two colours of a choice; those without their own are plain."""
    return COLOURS.get(choice, PLAIN)


def label(cell: "Cell") -> str:
    """The choice, with a star where more than the cell's names decides; blackjack's by their letters."""
    if not cell.otherwise:
        return cell.choice + ("*" if cell.is_mixed else "")
    gives_way = cell.choice in ("double", "surrender") and cell.otherwise == "stand"
    return _LETTERS.get(cell.choice, cell.choice) + ("s" if gives_way else "")


def legend(grids: "list[Grid]") -> dict[str, str]:
    """What stands in the cells of these charts: each label's meaning and the choice whose colours it has."""
    cells = [cell for grid in grids for cell in grid.cells.values()]
    found = {label(cell).rstrip("*"): cell.choice for cell in cells}
    return {name: found[name] for name in sorted(found, key=lambda name: (found[name], name))}
