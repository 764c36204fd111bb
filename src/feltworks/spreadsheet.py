"""CSV tables whose cells a spreadsheet never runs as formulas."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Final

Rows = Iterable[Sequence[object]]
_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "\n")  # the first characters of formulas
_NUMBER: Final = re.compile(r"[+-]?\d[\d,]*(\.\d+)?(e[+-]?\d+)?(/\d+)?\s?%?", re.IGNORECASE | re.ASCII)


def csv_text(rows: Rows) -> str:
    """Rows as comma-separated values."""
    text = io.StringIO()
    csv.writer(text).writerows([safe_cell(cell) for cell in row] for row in rows)
    return text.getvalue()


def safe_cell(cell: object) -> object:
    """Put an apostrophe before text that begins like a formula, so that it is not executed.

    Numbers, fractions and percentages are harmless and stay unchanged.
    """
    if isinstance(cell, str) and cell.lstrip(" ").startswith(_FORMULA_STARTS) and not _NUMBER.fullmatch(cell):
        return f"'{cell}"
    return cell
