"""What `felt house table` prints: a slip with its number, the tasks, and the master games report."""

import sys
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from feltworks.cli.output import PLAY_MONEY, Page, print_json
from feltworks.cli.tables import Table
from feltworks.money import dollars

if TYPE_CHECKING:
    from feltworks.house.storage.database import Database
    from feltworks.house.tables.desk import TablePosting
    from feltworks.house.tables.periods import Period
    from feltworks.house.tables.report import MasterGamesReport, Row
    from feltworks.house.tables.tasks import Task


def show_posting(books: "Database", posted: "TablePosting", *, as_json: bool) -> None:
    """Print what was posted, and the state of the table."""
    from feltworks.house.tables.books import TableBooks

    period = TableBooks(books).period(posted.table) if posted.period else None
    if as_json:
        print_json(_posting_document(posted, period))
        return
    page = Page()
    void = " is void" if posted.slip and posted.slip.void else ""
    what = f"{posted.slip.kind} {posted.slip.serial}{void}" if posted.slip else "posted"
    again = "; it was posted before, so nothing was posted now" if posted.repeated else ""
    page.print(f"{what} (posting {posted.number}){again}")
    for task in posted.tasks:
        page.print(f"Task {task.id}{_due(task)}: {task.says}")
    if period is not None:
        page.print(f"Table {period.table}: the box of {period.day} is {period.state}. {PLAY_MONEY}")
        for deviation in period.deviations:
            page.print(f"Not as approved: {deviation}")


def _posting_document(posted: "TablePosting", period: "Period | None") -> dict[str, object]:
    box: dict[str, object] | None = None
    if period is not None:
        box = {"state": period.state, "day": period.day, "as_approved": not period.deviations}
        box["deviations"] = period.deviations
    return {**asdict(posted), "box": box}


def show_tasks(books: "Database", *, as_json: bool) -> None:
    """Print the open tasks."""
    from feltworks.house.tables.books import TableBooks

    tasks, now = TableBooks(books).tasks(), datetime.now(UTC)
    if as_json:
        print_json({"tasks": [{**asdict(task), "overdue": task.is_overdue(now)} for task in tasks]})
        return
    table = Table("Task", "What", "Table", "Due", "Says")
    for task in tasks:
        due = f"{task.due_at:%Y-%m-%d %H:%M} UTC" if task.due_at else "at once"
        due = f"overdue: {due}" if task.is_overdue(now) else due
        table.add_row(str(task.id), task.kind, task.table, due, task.says)
    Page().print(table)


def _due(task: "Task") -> str:
    return f", due {task.due_at:%Y-%m-%d %H:%M} UTC" if task.due_at else ""


def show_report(books: "Database", day: date, *, as_json: bool, as_csv: bool) -> None:
    """Print the master games report of a day."""
    from feltworks.house.tables.report import master_games_report, report_csv, report_document

    report = master_games_report(books, day)
    if as_json:
        print_json(report_document(report))
    elif as_csv:
        sys.stdout.write(report_csv(report))
    else:
        _print_report(report)


def _print_report(report: "MasterGamesReport") -> None:
    columns = (
        "Table",
        "Game",
        "Opener",
        "Fills",
        "Credits",
        "Closer",
        "Drop",
        "Win",
        "Expected win (95 of 100)",
    )
    table = Table(*columns, title=f"Master games report of {report.day}")
    for row in report.rows:
        table.add_row(*_cells(row))
    page = Page()
    page.print(table)
    for name in report.without_activity:
        page.print(f"Table {name}: no activity.")
    for name, cents in report.accrued.items():
        page.print(f"{name}: {dollars(cents)} added to the prizes (WAC 230-15-671).")
    win = "not final: a box waits for its count" if report.win is None else dollars(report.win)
    page.print(f"Win of the day: {win}. Tokes: {dollars(report.tokes)}. {PLAY_MONEY}")


def _cells(row: "Row") -> list[str]:
    sums = row.sums
    amounts = [dollars(cents) for cents in (sums.opener, sums.fills, sums.credits, sums.closer, sums.drop)]
    name = f"{row.table} {row.shift}".strip() + ("" if not row.deviations else "\nnot as approved")
    theory = "no wagers entered"
    if row.theory is not None:
        low, high = (dollars(round(value)) for value in row.theory.band)
        theory = f"{dollars(round(row.theory.expected))} ({low} to {high})"
    return [name, row.game, *amounts, row.state if row.win is None else dollars(row.win), theory]
