"""How a choice looks in a chart, on paper and on a screen: its tint, its letter and what that means."""

from typing import TYPE_CHECKING, Final

from feltworks.rules.choices import trade_choice

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


def tint(choice: str) -> str:
    """The name of a choice's tint."""
    return trade_choice(choice).tint


def ink_and_paper(choice: str) -> tuple[str, str]:
    """The two colours of a choice."""
    return TINTS[tint(choice)]


def letter(cell: "Cell") -> str:
    """A choice by its letter, with the mark of what larger hands do instead."""
    choice = trade_choice(cell.choice)
    instead = trade_choice(cell.otherwise or "").mark if choice.two_cards else ""
    return (choice.letter or cell.choice[:1].upper()) + instead


def meaning(cell: "Cell") -> str:
    """What a letter stands for, with the choice that replaces it where it is not open."""
    if trade_choice(cell.choice).two_cards and cell.otherwise:
        return f"{cell.choice}, or {cell.otherwise}"
    return cell.choice


def star(cell: "Cell") -> str:
    """The mark of a cell in which other cards decide as well."""
    return "*" if cell.is_mixed else ""
