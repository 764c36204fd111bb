"""The master games report for programs and sheets: one JSON document, or CSV a row a box."""

from collections.abc import Iterable
from typing import Any, Final

from feltworks.house.accounting.report import MasterGamesReport, Row
from feltworks.house.accounting.theory import Theory
from feltworks.house.accounting.win import Sums
from feltworks.money import Cents
from feltworks.spreadsheet import csv_text


def described(report: MasterGamesReport) -> dict[str, Any]:
    """The report as programs read it; amounts in cents."""
    return {
        "day": report.day,
        "final": report.is_final,
        "tables": [_row_described(row) for row in report.rows],
        "without_activity": report.without_activity,
        "total": {**_sums(report.total), "win": report.win, "theory": _theory(report.theory, report.win)},
        "void_openers": report.void_openers,
        "progressives_accrued": report.accrued,
        "tokes": report.tokes,
        "tasks": report.tasks,
    }


def _row_described(row: Row) -> dict[str, Any]:
    hold = row.sums.hold if row.is_final else None
    return {
        **{name: getattr(row, name) for name in ("table", "game", "shift", "period", "state")},
        **_sums(row.sums),
        "win": row.win,
        "final": row.is_final,
        "hold": float(hold) if hold is not None else None,
        "theory": _theory(row.theory, row.win),
        "variance": row.variance,
        "slips": row.slips,
        "as_approved": not row.deviations,
        "deviations": row.deviations,
    }


def _sums(sums: Sums) -> dict[str, Cents]:
    return {part: getattr(sums, part) for part in Sums.__struct_fields__}


def _theory(found: Theory | None, win: Cents | None) -> dict[str, Any] | None:
    if found is None:
        return None
    low, high = found.band
    return {
        "wagered": found.wagered,
        "win": {"exact": str(found.expected), "value": round(float(found.expected), 2)},
        "standard_deviation": round(found.deviation, 2),
        "band": [round(low, 2), round(high, 2)],
        "within_band": None if win is None else low <= win <= high,
        "deviations": None if win is None else found.surprise(win),
    }


_COLUMNS: Final[tuple[str, ...]] = (
    *("day", "table", "game", "shift", "state", "opener", "fills", "credits", "closer", "drop", "win"),
    *("hold", "theoretical_win", "band_low", "band_high", "variance", "as_approved"),
)


def as_csv(report: MasterGamesReport) -> str:
    """The report as a sheet: a row a box, amounts in cents, tables without activity with empty cells."""
    rows = [[cells.get(name, "") for name in _COLUMNS] for cells in _cells(report)]
    return csv_text([_COLUMNS, *rows])


def _cells(report: MasterGamesReport) -> Iterable[dict[str, Any]]:
    for row in report.rows:
        cells = _row_described(row)
        theory = cells.pop("theory") or {"win": {"value": ""}, "band": ["", ""]}
        low, high = theory["band"]
        found = {"theoretical_win": theory["win"]["value"], "band_low": low, "band_high": high}
        kept = {name: cells[name] for name in _COLUMNS if name in cells}
        yield {"day": report.day, **kept, **found}
    for table in report.without_activity:
        yield {"day": report.day, "table": table, "state": "no activity"}
