"""How a command speaks: one JSON document for programs, tables for people."""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

PLAY_MONEY = "Play money only: a laboratory and a back office, not an online casino."


def print_json(document: object) -> None:
    """Write one JSON document; dates and fractions come out as text."""
    import msgspec

    encoded = msgspec.json.format(msgspec.json.encode(document, enc_hook=str), indent=2)
    sys.stdout.write(encoded.decode() + "\n")


def console() -> "Console":
    """Where people read: coloured and folded to the screen, plain where the output goes to a file."""
    from rich.console import Console

    return Console(highlight=False, markup=False)


def new_table(*columns: str, title: str | None = None) -> "Table":
    """A table whose first column, the names, is never folded."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(title=title, box=SIMPLE_HEAD, title_justify="left", title_style="bold")
    for number, column in enumerate(columns):
        table.add_column(column, overflow="fold", no_wrap=number == 0, style="bold" if number == 0 else None)
    return table
