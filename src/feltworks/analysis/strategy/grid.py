"""A chart of play: lines of what is held, columns of what else counts, and what to do in each cell."""

from collections.abc import Mapping

from msgspec import Struct

from feltworks.analysis.figures import Number


class Cell(Struct, frozen=True):
    """The choice in a cell, or the shares of several where the cards themselves decide."""

    shares: Mapping[str, Number]
    values: Mapping[str, Number]
    otherwise: str = ""  # where the choice is not open to a longer hand

    @property
    def choice(self) -> str:
        return max(self.shares, key=lambda name: self.shares[name])

    @property
    def is_mixed(self) -> bool:
        return len(self.shares) > 1


class Grid(Struct, frozen=True):
    """A chart: its lines from the top, its columns from the left, and the cells that can come up."""

    title: str
    down: str
    across: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: Mapping[tuple[str, str], Cell]
    notes: tuple[str, ...] = ()
    exceptions: tuple[str, ...] = ()  # every hand that plays otherwise than its mixed cell

    @property
    def choices(self) -> list[str]:
        """Every choice some cell makes."""
        return list(dict.fromkeys(name for cell in self.cells.values() for name in cell.shares))
