"""Tasks that a table raises, such as notices and verifications, and when they are due."""

from datetime import UTC, datetime, timedelta
from typing import Final, Literal

from msgspec import Struct
from sqlalchemy import Connection, func, insert, select

from feltworks.errors import NotNow, UnknownName
from feltworks.house.journal.posting import Posting
from feltworks.house.storage.schema import period, task, task_done

TaskKind = Literal["notice", "verification"]
NOTICE_WITHIN: Final = timedelta(hours=24)  # WAC 230-15-495


class Task(Struct, frozen=True):
    """A task; `due_at` is None where the rule sets no deadline."""

    id: int
    kind: TaskKind
    table: str
    period: int
    posting: int
    raised_at: datetime
    due_at: datetime | None
    says: str
    done: bool = False

    def is_overdue(self, now: datetime | None = None) -> bool:
        return not self.done and self.due_at is not None and (now or datetime.now(UTC)) > self.due_at


def raise_task(
    connection: Connection, book: int, posting: Posting, of: int, kind: TaskKind, says: str
) -> int:
    """Add a task for a posting; returns its number."""
    number = int(connection.execute(select(func.coalesce(func.max(task.c.id), 0))).scalar_one()) + 1
    raised = datetime.fromisoformat(posting.made_at)
    due = (raised + NOTICE_WITHIN).isoformat(timespec="milliseconds") if kind == "notice" else None
    row = {"id": number, "kind": kind, "book": book, "number": posting.number, "period": of}
    connection.execute(insert(task).values(**row, raised_at=posting.made_at, due_at=due, says=says))
    return number


def tasks(connection: Connection, *, open_only: bool = True, posting: int | None = None) -> list[Task]:
    """Tasks in the order in which they were raised."""
    joined = task.join(period, period.c.id == task.c.period).outerjoin(
        task_done, task_done.c.task == task.c.id
    )
    columns = *task.c, period.c.table_name, task_done.c.task.label("done")
    wanted = select(*columns).select_from(joined).order_by(task.c.id)
    if open_only:
        wanted = wanted.where(task_done.c.task.is_(None))
    if posting is not None:
        wanted = wanted.where(task.c.number == posting)
    return [
        Task(
            row.id,
            row.kind,
            row.table_name,
            row.period,
            row.number,
            datetime.fromisoformat(row.raised_at),
            datetime.fromisoformat(row.due_at) if row.due_at else None,
            row.says,
            row.done is not None,
        )
        for row in connection.execute(wanted)
    ]


def open_task(connection: Connection, number: int) -> Task:
    """An open task by its number."""
    known = {other.id: other for other in tasks(connection, open_only=False)}
    if number not in known:
        raise UnknownName("task", number, [other for other, entry in known.items() if not entry.done])
    if known[number].done:
        raise NotNow(f"task {number} has been done already")
    return known[number]


def mark_done(connection: Connection, book: int, posting: Posting, number: int) -> None:
    """Mark a task as done."""
    connection.execute(insert(task_done).values(task=number, book=book, number=posting.number))
