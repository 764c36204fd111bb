"""Records as documents, and tables as CSV whose cells a spreadsheet never runs as formulas."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from typing import Final, TypeVar

import msgspec

D = TypeVar("D", bound=msgspec.Struct)


def document_of(kind: type[D], *records: object, **fields: object) -> D:
    """A document with these fields; each remaining field comes from the first record that has it, or is null."""
    for name in kind.__struct_fields__:
        if name not in fields:
            record = next((record for record in records if hasattr(record, name)), None)
            fields[name] = getattr(record, name, None)
    return msgspec.convert(fields, kind, from_attributes=True)


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
