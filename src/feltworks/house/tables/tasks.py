"""Tasks that postings raise, such as notices and verifications, and when they are due."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from typing import Final

from msgspec import Struct
from msgspec.structs import asdict
from sqlalchemy import Connection, func, insert, select

from feltworks.documents import document_of
from feltworks.errors import NotNow, UnknownName
from feltworks.house.journal.posting import Posting
from feltworks.house.storage.schema import house, task, task_done
from feltworks.house.tables.acts import RaisedTask, TaskKind

NOTICE_WITHIN: Final = timedelta(hours=24)  # WAC 230-15-495


class TaskOrder(Struct, frozen=True):
    """A task for an act to raise, and the time allowed for it; None if the rule sets no time."""

    kind: TaskKind
    says: str
    within: timedelta | None = None


class Task(Struct, frozen=True):
    """A task; `due_at` is None if the rule sets no deadline."""

    id: int
    kind: TaskKind
    table: str  # the table, or the progressive
    period: int | None
    posting: int
    raised_at: datetime
    due_at: datetime | None
    says: str
    done: bool = False

    def is_overdue(self, now: datetime | None = None) -> bool:
        return not self.done and self.due_at is not None and (now or datetime.now(UTC)) > self.due_at


def number_tasks(connection: Connection, moment: str, orders: Iterable[TaskOrder]) -> tuple[RaisedTask, ...]:
    """Number tasks after the last one, and set the time by which each is due."""
    orders = tuple(orders)
    if not orders:
        return ()
    # Several books raise tasks: lock the house's only row, so that no number is used twice.
    connection.execute(select(house.c.id).with_for_update())
    last = int(connection.execute(select(func.coalesce(func.max(task.c.id), 0))).scalar_one())
    raised = datetime.fromisoformat(moment)
    return tuple(
        RaisedTask(
            last + n,
            order.kind,
            order.says,
            (raised + order.within).isoformat(timespec="milliseconds") if order.within else None,
        )
        for n, order in enumerate(orders, 1)
    )


def store_tasks(
    connection: Connection,
    book: int,
    posting: Posting,
    raised: Iterable[RaisedTask],
    *,
    subject: str,
    period: int | None = None,
) -> None:
    """Store the tasks that a posting raised."""
    of = {"book": book, "number": posting.number, "period": period, "subject": subject}
    rows = [{**of, **asdict(one), "raised_at": posting.made_at} for one in raised]
    if rows:
        connection.execute(insert(task), rows)


def tasks(connection: Connection, *, open_only: bool = True, posting: tuple[int, int] | None = None) -> list[Task]:
    """Tasks in the order in which they were raised, or only those of one posting, by its book and number."""
    joined = task.outerjoin(task_done, task_done.c.task == task.c.id)
    columns = *task.c, task_done.c.task.label("done")
    wanted = select(*columns).select_from(joined).order_by(task.c.id)
    if open_only:
        wanted = wanted.where(task_done.c.task.is_(None))
    if posting is not None:
        wanted = wanted.where(task.c.book == posting[0], task.c.number == posting[1])
    rows = connection.execute(wanted)
    return [document_of(Task, row, table=row.subject, posting=row.number, done=row.done is not None) for row in rows]


def known_task(connection: Connection, number: int) -> Task:
    """A task by its number, open or done."""
    known = {other.id: other for other in tasks(connection, open_only=False)}
    if number not in known:
        raise UnknownName("task", number, [other for other, entry in known.items() if not entry.done])
    return known[number]


def open_task(connection: Connection, number: int) -> Task:
    """An open task by its number."""
    task = known_task(connection, number)
    if task.done:
        raise NotNow(f"task {number} has been done already (house rule: a task is done once)")
    return task


def mark_done(connection: Connection, book: int, posting: Posting, number: int) -> None:
    """Mark a task as done."""
    connection.execute(insert(task_done).values(task=number, book=book, number=posting.number))
