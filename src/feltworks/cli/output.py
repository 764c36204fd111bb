"""What commands print: a JSON document for programs, or sentences and tables fitted to a width for people.

Numbers and words are never broken. A table that is too wide for the terminal first wraps its longest columns
at spaces; if that is not enough, its first column becomes headings, and at last each row becomes a list.
"""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import TextWrapper
from typing import TYPE_CHECKING, Final

from msgspec import Struct

if TYPE_CHECKING:
    from rich.console import Console

Line = list[tuple[str, str]]  # pieces of one line, each with its style
HEADING: Final = "bold"
CUT: Final = "…"

_MARGIN, _GAP, _NARROW_GAP = 2, 3, 2
_COMFORT = 14  # text wrapped to fewer columns is hard to read
_LONGEST = 36  # a longer number, such as a fraction of a hundred digits, may be cut
_INSIDE_A_NUMBER = re.compile(r"(?<=\d) (?=%)|(?<=\d) (?=to \d)|(?<=\d to) (?=\d)|(?<=×) (?=\d)")
_GLUE = "\u00a0"
PLAY_MONEY: Final = "Play money only: a laboratory and a back office, not an online casino."

_CUT_NOTE: Final = f"{CUT} marks a number too long for this terminal; --json prints all of it."


class Cell(Struct, frozen=True):
    """The text of a cell and its style."""

    text: str
    style: str = ""


class Table:
    """A table with headings and rows of text; the first column names the row."""

    def __init__(self, *headings: str, title: str = "", gap: int = _GAP) -> None:
        self.headings, self.title, self.gap = headings, title, gap
        self.rows: list[tuple[Cell, ...]] = []

    def add_row(self, *cells: str | Cell) -> None:
        """Add a row, with one cell for each heading."""
        self.rows.append(tuple(Cell(cell) if isinstance(cell, str) else cell for cell in cells))

    def lines(self, width: int | None) -> Iterator[Line]:
        """The lines of the table for a terminal of this width; None means unlimited."""
        for line in wrap(self.title, width) if self.title else ():
            yield [(line, HEADING)]
        columns = self._columns()
        natural = [column.natural for column in columns]
        gap = min(self.gap, _NARROW_GAP)
        if width is None or _total(natural, self.gap) <= width:
            yield from self._grid(natural, self.gap)
        elif widths := _fit(columns, width, gap):
            yield from self._grid(widths, gap)
        elif self._first_column_repeats and (widths := _fit(columns[1:], width, gap)):
            yield from self._under_headings(width, widths, gap)
        else:
            yield from self._records(width)

    @property
    def _first_column_repeats(self) -> bool:
        return 2 * sum(1 for _ in groupby(self.rows, key=lambda row: row[0].text)) <= len(self.rows)

    def _columns(self) -> list["_Column"]:
        cells = [[row[number].text for row in self.rows] for number in range(len(self.headings))]
        return [_Column(heading, texts) for heading, texts in zip(self.headings, cells, strict=True)]

    def _grid(self, widths: Sequence[int], gap: int) -> Iterator[Line]:
        yield []
        yield from _row([Cell(heading, HEADING) for heading in self.headings], widths, gap)
        yield [(" " + "─" * (_total(widths, gap) - _MARGIN), "")]
        for name, *cells in self.rows:
            yield from _row([Cell(name.text, name.style or HEADING), *cells], widths, gap)
        yield []

    def _under_headings(self, width: int, widths: Sequence[int], gap: int) -> Iterator[Line]:
        """Lay out rows below their common first cell as a heading, with the same column widths in all parts."""
        for name, rows in groupby(self.rows, key=lambda row: row[0].text):
            part = Table(*self.headings[1:])
            part.rows = [row[1:] for row in rows]
            yield []
            yield from ([(line, HEADING)] for line in wrap(" ".join(name.split()), width))
            yield from list(part._grid(widths, gap))[1:-1]
        yield []

    def _records(self, width: int) -> Iterator[Line]:
        """Lay out each row as its name and a line for every other cell."""
        across = max(map(len, self.headings[1:]), default=0) + _MARGIN
        for name, *cells in self.rows:
            yield []
            yield from ([(line, HEADING)] for line in wrap(name.text, width))
            for heading, cell in zip(self.headings[1:], cells, strict=True):
                for number, line in enumerate(wrap(cell.text, width - across - _MARGIN)):
                    label = "" if number else heading
                    yield [(f"{'':{_MARGIN}}{label:<{across}}", ""), (line, cell.style)]
        yield []


class _Column:
    """The natural and the least width of a column."""

    def __init__(self, heading: str, texts: Sequence[str]) -> None:
        lines = [line for text in (heading, *texts) for line in text.split("\n")]
        words = [word for line in lines for word in _glue(line).split(" ")]
        longest = max(map(len, words))
        self.natural = max(map(len, lines))
        self.least = max(longest if longest <= _LONGEST else _LONGEST // 2, min(self.natural, _COMFORT))


def _total(widths: Sequence[int], gap: int) -> int:
    return sum(widths) + gap * (len(widths) - 1) + 2 * _MARGIN


def _fit(columns: Sequence[_Column], width: int, gap: int) -> list[int] | None:
    """Column widths that fit, made by narrowing the widest columns first; None if none fit."""
    least = [column.least for column in columns]
    widths = [column.natural for column in columns]
    if _total(least, gap) > width:
        return None
    while _total(widths, gap) > width:
        reducible = [number for number, column in enumerate(widths) if column > least[number]]
        widest = max(reducible, key=widths.__getitem__)
        widths[widest] -= 1
    return widths


def _row(cells: Sequence[Cell], widths: Sequence[int], gap: int) -> Iterator[Line]:
    wrapped = [wrap(cell.text, width) for cell, width in zip(cells, widths, strict=True)]
    for number in range(max(map(len, wrapped))):
        line: Line = [(" " * _MARGIN, "")]
        for cell, lines, width in zip(cells, wrapped, widths, strict=True):
            text = lines[number] if number < len(lines) else ""
            line += [(text, cell.style), (" " * (width - len(text) + gap), "")]
        yield line


def _glue(text: str) -> str:
    """Join a number and its unit into one word: 5.05 %, 3 to 2, × 2."""
    return _INSIDE_A_NUMBER.sub(_GLUE, text)


def wrap(text: str, width: int | None) -> list[str]:
    """Break text into lines at spaces only; a word longer than a line is cut with "…"."""
    if width is None:
        return text.split("\n")
    wrapper = TextWrapper(width, break_long_words=False, break_on_hyphens=False, drop_whitespace=True)
    lines = [line for part in text.split("\n") for line in wrapper.wrap(_glue(part)) or [""]]
    return [_cut(line.replace(_GLUE, " "), width) for line in lines]


def _cut(line: str, width: int) -> str:
    return line if len(line) <= width else line[: width - 1] + CUT


# Printing.


def print_json(document: object) -> None:
    """Print a JSON document, with dates and fractions as text."""
    import msgspec

    encoded = msgspec.json.format(msgspec.json.encode(document, enc_hook=str), indent=2)
    sys.stdout.write(encoded.decode() + "\n")


def fields_of(record: object, *names: str) -> dict[str, object]:
    """These attributes of a record by name, for a JSON document."""
    return {name: getattr(record, name) for name in names}


def _terminal() -> "Console | None":
    """Rich's console for a terminal; None in a pipe, as importing Rich takes longer than many commands."""
    if not sys.stdout.isatty() and not os.environ.get("FORCE_COLOR"):
        return None
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False)


class Page:
    """Output for people: coloured and fitted to a terminal, plain and unwrapped in a pipe."""

    def __init__(self) -> None:
        self._console: Final = _terminal()
        self._width: Final = self._console.width if self._console and self._console.is_terminal else None

    def print(self, shown: str | Table, style: str = "") -> None:
        """Print a sentence or a table."""
        lines = list(shown.lines(self._width)) if isinstance(shown, Table) else self._sentence(shown, style)
        for line in lines:
            self._print_line(line)
        if isinstance(shown, Table) and self._width and any(text.endswith(CUT) for line in lines for text, _ in line):
            self.print(_CUT_NOTE, "dim")

    def print_whole(self, text: str, style: str = "") -> None:
        """Print a text to be copied, such as a path or a command, without wrapping it."""
        self._print_line([(text, style)])

    def close(self) -> None:
        """Print the last line of every command."""
        self.print(PLAY_MONEY, style="dim")

    def _sentence(self, text: str, style: str) -> list[Line]:
        indent = text[: len(text) - len(text.lstrip(" "))]
        width = None if self._width is None else self._width - len(indent)
        return [[(f"{indent}{line}", style)] for line in wrap(text.lstrip(" "), width)]

    def _print_line(self, line: Line) -> None:
        if self._console is None:
            sys.stdout.write("".join([text for text, _ in line]).rstrip() + "\n")
            return
        from rich.text import Text

        text = Text.assemble(*line)
        text.rstrip()
        self._console.print(text, soft_wrap=True)
