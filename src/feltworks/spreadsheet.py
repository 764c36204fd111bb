"""Tables for a spreadsheet: comma-separated values in which no cell can be taken for a formula."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Final

Rows = Iterable[Sequence[object]]
_RUNS: Final = ("=", "+", "-", "@", "\t", "\r", "\n")  # what a spreadsheet takes for the start of a formula
_NUMBER: Final = re.compile(r"[+-]?\d[\d,]*(\.\d+)?(e[+-]?\d+)?(/\d+)?\s?%?", re.IGNORECASE | re.ASCII)


def csv_text(rows: Rows) -> str:
    """Rows as comma-separated values."""
    text = io.StringIO()
    csv.writer(text).writerows([safe_cell(cell) for cell in row] for row in rows)
    return text.getvalue()


def safe_cell(cell: object) -> object:
    """A cell that is shown and not run: text that begins like a formula stands behind an apostrophe.

    Numbers, fractions and percentages are harmless and stay what they are.
    """
    if isinstance(cell, str) and cell.lstrip(" ").startswith(_RUNS) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell
