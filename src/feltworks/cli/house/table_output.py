"""The output of `felt house table`: a slip with its number, the tasks, and the master games report."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from msgspec.structs import asdict

from feltworks.cli.output import PLAY_MONEY, Page, Table, print_json
from feltworks.money import dollars

if TYPE_CHECKING:
    from feltworks.house.storage.database import Database
    from feltworks.house.tables.desk import TablePosting
    from feltworks.house.tables.periods import Period
    from feltworks.house.tables.report import MasterGamesReport, Row
    from feltworks.house.tables.tasks import Task


def show_posting(books: "Database", posting: "TablePosting", *, as_json: bool) -> None:
    """Print a posting, and the state of its table."""
    from feltworks.house.tables.books import TableBooks

    period = TableBooks(books).period(posting.table) if posting.period else None
    if as_json:
        print_json(_posting_document(posting, period))
        return
    page = Page()
    void = " is void" if posting.slip and posting.slip.void else ""
    what = f"{posting.slip.kind} {posting.slip.serial}{void}" if posting.slip else "posted"
    again = "; it was posted before, so nothing was posted now" if posting.repeated else ""
    page.print(f"{what} (posting {posting.number}){again}")
    for task in posting.tasks:
        page.print(f"Task {task.id}{_due(task)}: {task.says}")
    if period is not None:
        page.print(f"Table {period.table}: the box of {period.day} is {period.state}. {PLAY_MONEY}")
        for deviation in period.deviations:
            page.print(f"Not as approved: {deviation}")


def _posting_document(posting: "TablePosting", period: "Period | None") -> dict[str, object]:
    box: dict[str, object] | None = None
    if period is not None:
        box = {"state": period.state, "day": period.day, "as_approved": not period.deviations}
        box["deviations"] = period.deviations
    return {**asdict(posting), "box": box}


def show_tasks(tasks: "list[Task]", *, as_json: bool) -> None:
    """Print the open tasks."""
    now = datetime.now(UTC)
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


def print_report(report: "MasterGamesReport") -> None:
    """Print the master games report of a day."""
    columns = ("Table", "Game", "Opener", "Fills", "Credits", "Closer", "Drop", "Win")
    title = f"Master games report of {report.day}"
    table = Table(*columns, "Expected win (95 of 100)", title=title)
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
    marks = ["not as approved"] if row.deviations else []
    marks += [f"revised {row.revisions} times" if row.revisions > 1 else "revised"] if row.revisions else []
    name = "\n".join([f"{row.table} {row.shift}".strip(), *marks])
    theory = "no wagers entered"
    if row.theory is not None:
        low, high = (dollars(round(value)) for value in row.theory.band)
        theory = f"{dollars(round(row.theory.expected))} ({low} to {high})"
    return [name, row.game, *amounts, row.state if row.win is None else dollars(row.win), theory]
