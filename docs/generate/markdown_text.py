"""Markdown as the generated pages need it: tables whose cells may hold anything."""

from collections.abc import Iterable, Sequence
from itertools import cycle

NOTE = "*This page is generated from the source when the site is built.*"


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A table, or nothing where it would have no rows.

    >>> print(table(["pay", "is"], [["`a|b`", "x|y"]]))
    | pay | is |
    |---|---|
    | `a|b` | x\\|y |
    """
    written = [_row(row) for row in rows]
    return "\n".join([_row(headings), "|" + "---|" * len(headings), *written]) if written else ""


def _row(cells: Sequence[object]) -> str:
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _cell(content: object) -> str:
    """A bar divides cells, but not within the type of programs, where its escape would be seen."""
    parts = " ".join(str(content).split()).split("`")
    return "`".join(part if is_code else part.replace("|", "\\|") for part, is_code in zip(parts, cycle((False, True))))


def code(text: object) -> str:
    """Text in the type of programs; nothing stays nothing."""
    return f"`{text}`" if str(text) else ""


def page(*parts: str) -> str:
    """Paragraphs, headings and tables under one another; empty ones are left out."""
    return "\n\n".join(part for part in parts if part) + "\n"


def section(heading: str, *parts: str) -> str:
    """A heading with what stands below it, or nothing where nothing does."""
    below = [part for part in parts if part]
    return "\n\n".join([f"## {heading}", *below]) if below else ""
