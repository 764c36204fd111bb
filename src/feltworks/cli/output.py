"""What commands print: one JSON document for programs, sentences and tables for people."""

import sys
from typing import TYPE_CHECKING, Final

from feltworks.cli.tables import CUT, Table, wrap

if TYPE_CHECKING:
    from feltworks.cli.tables import Line

PLAY_MONEY: Final = "Play money only: a laboratory and a back office, not an online casino."

_CUT_NOTE: Final = f"{CUT} marks a number too long for this terminal; --json prints all of it."


def print_json(document: object) -> None:
    """Write one JSON document; dates and fractions come out as text."""
    import msgspec

    encoded = msgspec.json.format(msgspec.json.encode(document, enc_hook=str), indent=2)
    sys.stdout.write(encoded.decode() + "\n")


class Page:
    """Standard output for people: coloured and fitted to a terminal, plain and unwrapped in a pipe."""

    def __init__(self) -> None:
        from rich.console import Console

        self._console: Final = Console(highlight=False, markup=False, emoji=False)
        self._width: Final = self._console.width if self._console.is_terminal else None

    def print(self, shown: str | Table, style: str = "") -> None:
        """Print a sentence or a table."""
        lines = list(shown.lines(self._width)) if isinstance(shown, Table) else self._sentence(shown, style)
        for line in lines:
            self._print_line(line)
        if (
            isinstance(shown, Table)
            and self._width
            and any(text.endswith(CUT) for line in lines for text, _ in line)
        ):
            self.print(_CUT_NOTE, "dim")

    def print_whole(self, text: str, style: str = "") -> None:
        """Print a text that is to be copied, such as a path or a command: the terminal may break it."""
        self._print_line([(text, style)])

    def close(self) -> None:
        """The last line of every command."""
        self.print(PLAY_MONEY, style="dim")

    def _sentence(self, text: str, style: str) -> "list[Line]":
        indent = text[: len(text) - len(text.lstrip(" "))]
        width = None if self._width is None else self._width - len(indent)
        return [[(f"{indent}{line}", style)] for line in wrap(text.lstrip(" "), width)]

    def _print_line(self, line: "Line") -> None:
        from rich.text import Text

        text = Text.assemble(*line)
        text.rstrip()
        self._console.print(text, soft_wrap=True)
