"""How a choice looks in a chart, on paper and on a screen: its tint, its letter and what that means."""

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from feltworks.analysis.strategy.charts import Cell

TINTS: Final = {  # ink and paper; a paper's style sheet has them by name
    "lose": ("#9c2c22", "#f9e4df"),
    "info": ("#1c4f8f", "#dbe8f7"),
    "push": ("#3f5570", "#e4eaf1"),
    "win": ("#14633b", "#d3ebdb"),
    "warn": ("#7a4b00", "#fbecd0"),
    "rare": ("#6a359c", "#ecdff6"),
    "plain": ("#1a1c1e", "#e9e6dc"),
}
_CHOICES: Final = {
    "fold": "lose",
    "surrender": "lose",
    "check": "push",
    "stay": "info",
    "stand": "info",
    "hit": "warn",
    "raise": "win",
    "double": "win",
    "bonus": "win",
    "rescue": "rare",
    "split": "rare",
}
_LETTERS: Final = {"split": "P", "surrender": "R", "rescue": "Re"}
_FIRST_TWO_CARDS: Final = ("double", "surrender")  # a hand of more cards makes another choice


def tint(choice: str) -> str:
    """The name of a choice's tint."""
    return _CHOICES.get(choice, "plain")


def ink_and_paper(choice: str) -> tuple[str, str]:
    """The two colours of a choice."""
    return TINTS[tint(choice)]


def letter(cell: "Cell") -> str:
    """A choice by its letter, with a small s where larger hands stand instead."""
    first = _LETTERS.get(cell.choice, cell.choice[:1].upper())
    return f"{first}s" if cell.choice in _FIRST_TWO_CARDS and cell.otherwise == "stand" else first


def meaning(cell: "Cell") -> str:
    """What a letter stands for, with the choice that replaces it where it is not open."""
    if cell.choice in _FIRST_TWO_CARDS and cell.otherwise:
        return f"{cell.choice}, or {cell.otherwise}"
    return cell.choice


def star(cell: "Cell") -> str:
    """The mark of a cell in which other cards decide as well."""
    return "*" if cell.is_mixed else ""
