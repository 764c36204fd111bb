"""Tasks: what somebody still has to do because of what happened, and that it was done."""

import datetime
from collections.abc import Iterator
from typing import Annotated

from litestar import get, post
from litestar.datastructures import State
from litestar.params import FromQuery, JSONBody
from msgspec import Meta, Struct

from feltworks.house.duties import check_permitted
from feltworks.house.progressive.fund import IN_PLAY, REMOVED
from feltworks.house.progressive.ledger import Ledger
from feltworks.house.progressive.records import progressive_names
from feltworks.house.storage.database import Database
from feltworks.house.tables.books import TableBooks
from feltworks.house.tables.desk import TablePosting
from feltworks.house.tables.tasks import Task
from feltworks.money import dollars
from feltworks.web.house.asking import Asker, Word, Words, office_of, today
from feltworks.web.house.signing import Signings, signatures


class TaskTold(Struct, frozen=True):
    """Something to do; one without a number follows from the books and ends with a posting."""

    kind: str
    says: str
    id: int | None = None
    table: str | None = None
    jackpot: str | None = None
    raised_at: datetime.datetime | None = None
    due_at: datetime.datetime | None = None
    due_on: datetime.date | None = None
    overdue: bool = False
    done: bool = False


class Finishing(Struct, frozen=True, forbid_unknown_fields=True):
    """A task that is done, and where that is written."""

    task: Annotated[int, Meta(ge=1, le=10**15)]
    reference: Words
    signed: Signings
    key: Word = ""


@get("/tasks", sync_to_thread=True)
def tasks(state: State, person: Asker, every: FromQuery[bool] = False) -> list[TaskTold]:
    """What is to be done; with `every` also what has been done."""
    check_permitted(person.name, person.role, "reading")
    database = office_of(state).database
    raised = TableBooks(database).tasks(open_only=not every)
    return [*map(_told, raised), *_following(database)]


@post("/tasks/done", status_code=200, sync_to_thread=True)
def finish(state: State, person: Asker, data: JSONBody[Finishing]) -> TablePosting:
    """A task is done; who may say so depends on the task."""
    office = office_of(state)
    books = TableBooks(office.database)
    kinds = {each.id: each.kind for each in books.tasks(open_only=False)}
    signed = signatures(office, person, kinds.get(data.task, "notice"), data.signed)
    return books.finish(data.task, data.reference, signed, key=data.key)


def _told(task: Task) -> TaskTold:
    return TaskTold(
        task.kind,
        task.says,
        id=task.id,
        table=task.table,
        raised_at=task.raised_at,
        due_at=task.due_at,
        overdue=task.is_overdue(),
        done=task.done,
    )


def _following(database: Database) -> Iterator[TaskTold]:
    """WAC 230-15-455: every progressive's bank account is tested in time, and a stopped game says why."""
    with database.snapshot() as connection:
        known = progressive_names(connection)
    for name in known:
        ledger = Ledger(database, name)
        found = ledger.balances()
        if found.standing.state == REMOVED:
            continue
        due = found.standing.tested + datetime.timedelta(days=ledger.terms.deposit_days)
        if found.standing.state != IN_PLAY:
            says = f"{name} is stopped; its bank account lacks {dollars(found.missing)} (WAC 230-15-455)"
            yield TaskTold("deposit", says, jackpot=name, overdue=True)
        elif found.missing or due <= today():
            says = f"{name}: the bank account lacks {dollars(found.missing)} of the prizes (WAC 230-15-455)"
            yield TaskTold("deposit", says, jackpot=name, due_on=due, overdue=due < today())


HANDLERS = [tasks, finish]
