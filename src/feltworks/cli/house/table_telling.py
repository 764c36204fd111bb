"""How the books of the tables answer: a slip with its number, the tasks, and the master games report."""

import sys
from datetime import UTC, date, datetime
from typing import TYPE_CHECKING, Any

from feltworks.cli.output import PLAY_MONEY, console, new_table, print_json
from feltworks.money import dollars

if TYPE_CHECKING:
    from feltworks.house.storage.database import Database
    from feltworks.house.tables.desk import TablePosting
    from feltworks.house.tables.periods import Period
    from feltworks.house.tables.report import MasterGamesReport, Row
    from feltworks.house.tables.tasks import Task


def tell(books: "Database", posted: "TablePosting", *, as_json: bool) -> None:
    """What was posted, and where the table stands now."""
    from feltworks.house.tables.books import TableBooks

    period = TableBooks(books).period(posted.table) if posted.period else None
    if as_json:
        print_json(_posted(posted, period))
        return
    screen = console()
    void = " is void" if posted.slip and posted.slip.void else ""
    what = f"{posted.slip.kind} {posted.slip.serial}{void}" if posted.slip else "posted"
    again = "; the same was posted before, so nothing was posted now" if posted.repeated else ""
    screen.print(f"{what} (posting {posted.number}){again}")
    for task in posted.tasks:
        screen.print(f"Task {task.id}{_due(task)}: {task.says}")
    if period is not None:
        screen.print(f"Table {period.table}: the box of {period.day} is {period.state}. {PLAY_MONEY}")
        for deviation in period.deviations:
            screen.print(f"Not as approved: {deviation}")


def _posted(posted: "TablePosting", period: "Period | None") -> dict[str, Any]:
    said = {field: getattr(posted, field) for field in posted.__struct_fields__}
    standing: dict[str, object] | None = None
    if period is not None:
        standing = {"state": period.state, "day": period.day, "as_approved": not period.deviations}
        standing["deviations"] = period.deviations
    return {**said, "box": standing}


def print_tasks(books: "Database", *, as_json: bool) -> None:
    """What is still to be done."""
    from feltworks.house.tables.books import TableBooks

    found, now = TableBooks(books).tasks(), datetime.now(UTC)
    if as_json:
        print_json({"tasks": [{**_fields(task), "overdue": task.is_overdue(now)} for task in found]})
        return
    table = new_table("Task", "What", "Table", "Due", "Says")
    for task in found:
        due = f"{task.due_at:%Y-%m-%d %H:%M} UTC" if task.due_at else "at once"
        due = f"overdue: {due}" if task.is_overdue(now) else due
        table.add_row(str(task.id), task.kind, task.table, due, task.says)
    console().print(table)


def _fields(task: "Task") -> dict[str, Any]:
    return {field: getattr(task, field) for field in task.__struct_fields__}


def _due(task: "Task") -> str:
    return f", due {task.due_at:%Y-%m-%d %H:%M} UTC" if task.due_at else ""


def print_report(books: "Database", day: date, *, as_json: bool, as_csv: bool) -> None:
    """The master games report of a day."""
    from feltworks.house.tables import report
    from feltworks.house.tables.report import master_games_report

    found = master_games_report(books, day)
    if as_json:
        print_json(report.report_document(found))
    elif as_csv:
        sys.stdout.write(report.report_csv(found))
    else:
        _print_report(found)


def _print_report(found: "MasterGamesReport") -> None:
    columns = ("Table", "Game", "Opener", "Fills", "Credits", "Closer", "Drop", "Win", "Theory (95 in 100)")
    table = new_table(*columns, title=f"Master games report of {found.day}")
    for column in table.columns[2:-1]:
        column.no_wrap = True  # an amount in two lines is read wrongly
    for row in found.rows:
        table.add_row(*_cells(row))
    screen = console()
    screen.print(table)
    for name in found.without_activity:
        screen.print(f"Table {name}: no activity.")
    for name, cents in found.accrued.items():
        screen.print(f"{name}: {dollars(cents)} added to the prizes (WAC 230-15-671).")
    win = "not final: a box waits for its count" if found.win is None else dollars(found.win)
    screen.print(f"Win of the day: {win}. Tokes: {dollars(found.tokes)}. {PLAY_MONEY}")


def _cells(row: "Row") -> list[str]:
    sums = row.sums
    amounts = [dollars(cents) for cents in (sums.opener, sums.fills, sums.credits, sums.closer, sums.drop)]
    named = f"{row.table} {row.shift}".strip() + ("" if not row.deviations else "\nnot as approved")
    theory = "no wagers entered"
    if row.theory is not None:
        low, high = (dollars(round(value)) for value in row.theory.band)
        theory = f"{dollars(round(row.theory.expected))} ({low} to {high})"
    return [named, row.game, *amounts, row.state if row.win is None else dollars(row.win), theory]
