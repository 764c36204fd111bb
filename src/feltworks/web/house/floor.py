"""The floor over HTTP: open tables, tasks, notices of the server, the house's register, and the day at a glance."""

import datetime
from collections.abc import Iterator
from typing import Annotated

import msgspec
from litestar import get, post
from litestar.datastructures import State
from litestar.params import FromQuery, JSONBody
from msgspec import Meta, Struct

from feltworks.documents import document_of
from feltworks.house.duties import check_permitted
from feltworks.house.entries import KINDS, EntryKind, Kind, RegisterEntry, RegisterLine
from feltworks.house.floor import FloorDay, floor_day
from feltworks.house.progressive.fund import IN_PLAY, REMOVED
from feltworks.house.progressive.ledger import Ledger
from feltworks.house.progressive.records import progressive_names
from feltworks.house.register import Register
from feltworks.house.storage.database import Database
from feltworks.house.tables.books import TableBooks
from feltworks.house.tables.desk import TablePosting
from feltworks.money import dollars
from feltworks.web.data_folder import Notice, Notices
from feltworks.web.house.office import (
    Amount,
    Count,
    CurrentUser,
    Pieces,
    QueryDay,
    ReadableBooks,
    Signatures,
    Signer,
    TheOffice,
    Word,
    Words,
    check_signatures,
    check_witness,
    today,
)
from feltworks.web.tables.rooms import Rooms
from feltworks.web.tables.router import open_tables

Reason = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f\ud800-\udfff]*$")]


class FloorTable(Struct, frozen=True):
    """An open table: its players, which of them are away, and whether a round is running."""

    id: str
    title: str
    name: str
    seats: int
    players: list[str]
    away: list[str]
    running: bool
    private: bool
    standing: bool


class CloseTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to be closed, and the reason."""

    table: Word
    because: Reason


class TableClosure(Struct, frozen=True):
    """A closed table; `voided` is the number of the round that was running and is void."""

    id: str
    voided: int | None


@get("/floor", sync_to_thread=False)
def floor(state: State, person: CurrentUser) -> list[FloorTable]:
    """Every open table, private ones included."""
    check_permitted(person.name, person.role, "reading")
    rooms: Rooms = state.rooms
    return [
        document_of(FloorTable, table.summary, players=table.players, away=table.away, standing=table.standing)
        for table in open_tables(rooms)
    ]


@post("/floor/close", status_code=200)
async def close_table(state: State, person: CurrentUser, data: JSONBody[CloseTable]) -> TableClosure:
    """Close a table: a round in progress is void, its wagers go back, and the players are sent away."""
    check_permitted(person.name, person.role, "shutdown")
    rooms: Rooms = state.rooms
    voided = await rooms.close_table(data.table, f"{data.because} ({person.name}, {person.role})")
    return TableClosure(data.table, voided)


@get("/notices", sync_to_thread=False)
def list_notices(state: State, person: CurrentUser) -> list[Notice]:
    """The tables, games and files that the server could not open."""
    check_permitted(person.name, person.role, "reading")
    notices: Notices = state.notices
    return notices.all()


class HouseTask(Struct, frozen=True):
    """A task; one without an id is derived from the books, and a posting ends it."""

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


class FinishTask(Struct, frozen=True, forbid_unknown_fields=True):
    """A finished task, and the reference to its record."""

    task: Annotated[int, Meta(ge=1, le=10**15)]
    reference: Words
    signed: Signatures
    key: Word = ""


@get("/tasks", sync_to_thread=True)
def tasks(readable: ReadableBooks, every: FromQuery[bool] = False) -> list[HouseTask]:
    """The open tasks; with `every` also the finished ones."""
    raised = TableBooks(readable).tasks(open_only=not every)
    from_slips = [document_of(HouseTask, task, overdue=task.is_overdue()) for task in raised]
    return [*from_slips, *_deposit_tasks(readable)]


@post("/tasks/done", status_code=200, sync_to_thread=True)
def finish(office: TheOffice, person: CurrentUser, data: JSONBody[FinishTask]) -> TablePosting:
    """Finish a task; the roles that may sign depend on its kind."""
    books = TableBooks(office.database)
    kinds = {task.id: task.kind for task in books.tasks(open_only=False)}
    signed = check_signatures(office, person, kinds.get(data.task, "notice"), data.signed)
    return books.finish(data.task, data.reference, signed, key=data.key)


def _deposit_tasks(database: Database) -> Iterator[HouseTask]:
    """WAC 230-15-455: tasks to test each progressive's bank account, and to fund one that is stopped."""
    with database.snapshot() as connection:
        known = progressive_names(connection)
    for name in known:
        ledger = Ledger(database, name)
        balances = ledger.balances()
        missing = dollars(balances.missing)
        if balances.standing.state == REMOVED:
            continue
        due = balances.standing.tested + datetime.timedelta(days=ledger.terms.deposit_days)
        if balances.standing.state != IN_PLAY:
            says = f"{name} is stopped; its bank account lacks {missing} (WAC 230-15-455)"
            yield HouseTask("deposit", says, jackpot=name, overdue=True)
        elif balances.missing or due <= today():
            says = f"{name}: the bank account lacks {missing} for its prizes (WAC 230-15-455)"
            yield HouseTask("deposit", says, jackpot=name, due_on=due, overdue=due < today())


class NewEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """Something to be entered, and the second person."""

    kind: EntryKind
    name: Word
    says: Words
    witness: Signer
    reference: Words = ""
    until: datetime.date | None = None
    table: Word = ""
    cents: Amount = 0
    pieces: Pieces = {}
    count: Count = 0


class StrikeEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry to be struck, the reason, and the second person."""

    entry: Annotated[int, Meta(ge=1, le=10**15)]
    because: Words
    witness: Signer


class RegisterPosting(Struct, frozen=True):
    """The posting that was made."""

    number: int


@get("/register", sync_to_thread=True)
def register(readable: ReadableBooks) -> list[RegisterLine]:
    """Every entry of the register, struck ones included."""
    return Register(readable).lines()


@post("/register", status_code=200, sync_to_thread=True)
def enter(office: TheOffice, person: CurrentUser, data: JSONBody[NewEntry]) -> RegisterPosting:
    """Enter something into the register."""
    second = check_witness(office, person, data.witness)
    entry = msgspec.convert(data, RegisterEntry, from_attributes=True)
    return RegisterPosting(Register(office.database).add(entry, by=person.name, second=second, day=today()))


@post("/register/strike", status_code=200, sync_to_thread=True)
def strike(office: TheOffice, person: CurrentUser, data: JSONBody[StrikeEntry]) -> RegisterPosting:
    """Strike an entry of the register."""
    second = check_witness(office, person, data.witness)
    number = Register(office.database).strike(data.entry, data.because, by=person.name, second=second, day=today())
    return RegisterPosting(number)


@get("/register/kinds", sync_to_thread=False)
def kinds() -> dict[str, Kind]:
    """The kinds of entries, with the facts that each takes."""
    return {str(kind): facts for kind, facts in KINDS.items()}


@get("/today", sync_to_thread=True)
def floor_today(readable: ReadableBooks, day: QueryDay = None) -> FloorDay:
    """The floor of a day: alerts, tables against their expectation, tasks, people and stock."""
    return floor_day(readable, day or today())


HANDLERS = [floor, close_table, list_notices, tasks, finish, register, kinds, enter, strike, floor_today]
