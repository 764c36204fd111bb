"""Rebuilds from the sealed postings the rows behind the tables' reports and every act of a progressive.

What comes out is compared with the stored rows, lines, tasks, terms and state.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, Table, func, select

from feltworks.errors import FeltError
from feltworks.house.journal.book import book_number
from feltworks.house.journal.posting import Entry, Posting
from feltworks.house.journal.verification import Verification, verify
from feltworks.house.progressive import acts
from feltworks.house.progressive.fund import CHART, Fund, Standing
from feltworks.house.progressive.records import apply, read_standing, read_terms, tasks_of
from feltworks.house.progressive.terms import ProgressiveWager
from feltworks.house.storage import schema
from feltworks.house.storage.database import Database
from feltworks.house.storage.schema import account, book, period, signature, task
from feltworks.house.tables import periods
from feltworks.house.tables.accounts import BOOK, WIN, Sums, lines, play_account, slips_of, sum_slips
from feltworks.house.tables.acts import (
    Act,
    Opener,
    RaisedTask,
    SealedFacts,
    SlipKind,
    TaskDone,
    Void,
    Wagers,
    decode_act,
    decode_sealed,
    kind_of,
)
from feltworks.house.tables.slips import reverse_entries
from feltworks.house.tables.tokes import decode_toke, toke_lines
from feltworks.money import Cents

Row = tuple[Any, ...]
_AT_ONCE: Final = 2_000


class RowsByPosting:
    """The rows of a table by their posting, read in batches so that memory use stays constant."""

    def __init__(self, connection: Connection, table: Table, book: int, *columns: str) -> None:
        self._connection, self._table, self._book = connection, table, book
        self._columns = [table.c[name] for name in columns]
        self._rows: dict[int, list[Row]] = {}
        self._upto = 0

    def of(self, number: int) -> list[Row]:
        """The rows of a posting; call it for postings in ascending order."""
        if number > self._upto:
            first, self._upto = number, number + _AT_ONCE - 1
            c = self._table.c
            of_stretch = (c.book == self._book) & c.number.between(first, self._upto)
            self._rows = {}
            for at, *row in self._connection.execute(select(c.number, *self._columns).where(of_stretch)):
                self._rows.setdefault(at, []).append(tuple(row))
        return self._rows.get(number, [])

    def count(self) -> int:
        """The number of rows of this book."""
        c = self._table.c
        counted = select(func.count()).select_from(self._table).where(c.book == self._book)
        return int(self._connection.execute(counted).scalar_one())


class RowCheck:
    """Compares the rows of one table, posting by posting, and their number at the end."""

    def __init__(self, connection: Connection, table: Table, book: int, what: str, columns: Sequence[str]) -> None:
        self._rows, self._what = RowsByPosting(connection, table, book, *columns), what
        self._due = 0

    def compare(self, number: int, due: Sequence[Row]) -> Iterator[str]:
        """Compare the rows of a posting with those made from its sealed facts."""
        rows = self._rows.of(number)
        if not rows and not due:
            return
        self._due += len(due)
        stored = Counter(rows)
        for row in (stored - Counter(due)).elements():
            yield f"posting {number} has a {self._what} that it did not seal: {_words(row)}"
        for row in (Counter(due) - stored).elements():
            yield f"posting {number} sealed a {self._what} that is missing or changed: {_words(row)}"

    def finish(self) -> Iterator[str]:
        """Compare the number of rows: a surplus row belongs to no posting of this book."""
        if (stored := self._rows.count()) != self._due:
            yield f"there are {stored} {self._what} rows; the postings sealed {self._due}"


def _words(row: Row) -> str:
    return ", ".join("none" if value is None else str(value) for value in row)


class TaskCheck(RowCheck):
    """Compares the tasks raised by postings."""

    def __init__(self, connection: Connection, book: int) -> None:
        columns = ("id", "kind", "says", "due_at", "period", "subject", "raised_at")
        super().__init__(connection, task, book, "task", columns)

    def tasks(self, posting: Posting, raised: Sequence[RaisedTask], subject: str, period: int | None) -> Iterator[str]:
        of = (period, subject, posting.made_at)
        yield from self.compare(posting.number, [(t.id, t.kind, t.says, t.due_at, *of) for t in raised])


def signature_check(connection: Connection, book: int) -> RowCheck:
    """The comparison of a book's signatures."""
    return RowCheck(connection, signature, book, "signature", ("position", "person", "role"))


class _Paper(Struct):
    """A slip as it is rebuilt."""

    kind: SlipKind
    serial: int
    cents: Cents
    number: int
    is_void: bool = False


class TableRebuild:
    """Carries out the acts of the tables' book again, one posting after the other."""

    def __init__(self, connection: Connection, book: int) -> None:
        self._connection, self._book = connection, book
        self._signatures = signature_check(connection, book)
        self._slips = RowCheck(connection, schema.slip, book, "slip", ("kind", "serial", "period", "cents"))
        self._voids = RowCheck(connection, schema.slip_void, book, "void slip", ("kind", "serial"))
        columns = ("line", "period", "wager", "cents", "count")
        self._stakes = RowCheck(connection, schema.stake, book, "entry of wagers", columns)
        self._tasks = TaskCheck(connection, book)
        self._done = RowCheck(connection, schema.task_done, book, "finished task", ("task",))
        self._serials: Counter[SlipKind] = Counter()
        self._papers: dict[int, list[_Paper]] = {}  # by period
        self.notes: list[str] = []

    def inspect(self, posting: Posting) -> Iterator[str]:
        """Rebuild the rows that a posting wrote, and compare them."""
        act, sealed = decode_act(posting.facts), decode_sealed(posting.facts)
        signed = [(each.position, each.person, each.role) for each in sealed.signed]
        yield from self._signatures.compare(posting.number, signed)
        yield from self._compare(posting, act, sealed)
        if kind_of(act) != posting.kind:
            yield f"posting {posting.number} is called {posting.kind} and holds the act {kind_of(act)}"

    def _compare(self, posting: Posting, act: Act, sealed: SealedFacts) -> Iterator[str]:
        number = posting.number
        if isinstance(act, Opener):
            yield from self._compare_period(posting, act)
        voided = self._void(act) if isinstance(act, Void) else []
        papers = self._write_slips(number, act)
        due_lines = self._lines(act, voided)
        if due_lines != posting.entries:
            yield f"posting {number} has other lines than its act ({posting.kind}) brings about"
        yield from self._slips.compare(
            number, [(paper.kind, paper.serial, act.period, paper.cents) for paper in papers]
        )
        yield from self._voids.compare(number, [(paper.kind, paper.serial) for paper in voided])
        made = act.stakes if isinstance(act, Wagers) else ()
        stakes = [(n, act.period, s.wager, s.cents, s.count) for n, s in enumerate(made, 1)]
        yield from self._stakes.compare(number, stakes)
        if sealed.tasks is not None:
            subject, of = act.table, act.period or None
            yield from self._tasks.tasks(posting, sealed.tasks, subject, of)
        yield from self._done.compare(number, [(act.task,)] if isinstance(act, TaskDone) else [])

    def _compare_period(self, posting: Posting, act: Opener) -> Iterator[str]:
        """Compare the row of a box with its sealed opener."""
        c = period.c
        row = self._connection.execute(select(period).where(c.id == act.period)).one_or_none()
        if row is None:
            yield f"box {act.period}, opened by posting {posting.number}, is missing"
            return
        due: dict[str, object] = {"table_name": act.table, "day": posting.day}
        if act.order is None:
            self.notes.append(f"box {act.period} was opened before orders were sealed")
        else:
            due |= {
                "shift": act.shift,
                "game": act.order.game,
                "as_ordered": msgspec.json.encode(act.order).decode(),
                "deviations": msgspec.json.encode(act.deviations).decode(),
            }
        for column, sealed in due.items():
            if (stored := getattr(row, column)) != sealed:
                name = {"table_name": "table", "as_ordered": "order"}.get(column, column)
                yield f"box {act.period} is stored with {name} {stored}; its opener sealed {sealed}"

    def _write_slips(self, number: int, act: Act) -> list[_Paper]:
        papers = []
        for kind, cents in slips_of(act):
            self._serials[kind] += 1
            papers.append(_Paper(kind, self._serials[kind], cents, number))
        self._papers.setdefault(act.period, []).extend(papers)
        return papers

    def _void(self, act: Void) -> list[_Paper]:
        """Void the slip that a void posting names and all slips written with it; return them."""
        papers = self._papers.get(act.period, [])
        number = next((p.number for p in papers if (p.kind, p.serial) == (act.kind, act.serial)), None)
        voided = [paper for paper in papers if paper.number == number]
        for paper in voided:
            paper.is_void = True
        return voided

    def _lines(self, act: Act, voided: Sequence[_Paper]) -> tuple[Entry, ...]:
        if voided:
            return tuple(reverse_entries(self._connection, self._book, voided[0].number))
        return lines(act, self._sums(act.period))

    def _sums(self, of: int) -> Sums:
        return sum_slips((paper.kind, paper.cents) for paper in self._papers[of] if not paper.is_void)

    def finish(self) -> Iterator[str]:
        """Find rows that no posting accounts for, and boxes without an opener."""
        for check in (self._signatures, self._slips, self._voids, self._stakes, self._tasks, self._done):
            yield from check.finish()
        boxes = int(self._connection.execute(select(func.count()).select_from(period)).scalar_one())
        if boxes != (opened := self._serials["opener"]):
            yield f"there are {boxes} boxes; the postings opened {opened}"


def verify_tables(database: Database, name: str) -> Verification:
    """Rebuild the book of the table games: carry out every act again and compare its rows."""
    with database.snapshot() as connection:
        rebuild = TableRebuild(connection, book_number(connection, name))
        checked = verify(connection, name, rebuild.inspect)
        troubles = [*checked.troubles, *rebuild.finish(), *_win_faults(connection)]
    return replace(checked, troubles=troubles, notes=[*checked.notes, *rebuild.notes])


def verify_tokes(database: Database, name: str) -> Verification:
    """Rebuild the book of tokes: compare its lines and signatures."""
    with database.snapshot() as connection:
        signatures = signature_check(connection, book_number(connection, name))
        checked = verify(connection, name, lambda posting: _toke_faults(posting, signatures))
        return replace(checked, troubles=[*checked.troubles, *signatures.finish()])


def _toke_faults(posting: Posting, signatures: RowCheck) -> Iterator[str]:
    signed = decode_sealed(posting.facts).signed
    yield from signatures.compare(posting.number, [(s.position, s.person, s.role) for s in signed])
    if toke_lines(decode_toke(posting.facts)) != posting.entries:
        yield f"posting {posting.number} has other lines than its act ({posting.kind}) brings about"


def _win_faults(connection: Connection) -> Iterator[str]:
    """Compare the win of all counted boxes and the money out at each table with the accounts."""
    a = account.c
    of = select(book.c.id).where(book.c.name == BOOK).scalar_subquery()
    rows = connection.execute(select(a.name, a.cents).where(a.book == of))
    balances: dict[str, Cents] = dict(map(tuple, rows))
    won = 0
    for table in periods.tables(connection):
        boxes = periods.read(connection, select(period.c.id).where(period.c.table_name == table))
        won += sum(period.sums.win for period in boxes if period.state == "counted")
        out = -sum(period.sums.win for period in boxes if period.state != "counted")
        if (stored := balances.get(play_account(table), 0)) != out:
            yield f"{play_account(table)} is stored at {stored} cents; its slips make {out}"
    if (stored := -balances.get(WIN, 0)) != won:
        yield f"the win is stored at {stored} cents; the slips make {won}"


class Retrace:
    """Carries out the acts of a progressive again, beginning with its opening."""

    def __init__(self, name: str, tasks: RowCheck) -> None:
        self.fund: Fund | None = None
        self.says: list[str | None] = []  # sentences of its tasks, in the order in which they were raised
        self._name = name
        self._tasks = tasks
        self._wager: ProgressiveWager | None = None

    def inspect(self, posting: Posting) -> Iterator[str]:
        """Carry out the act of a posting and compare its lines."""
        try:
            act, day = acts.decode_act(posting.facts), date.fromisoformat(posting.day)
            lines = self._lines(act, day)
        except (FeltError, ValueError) as trouble:
            yield f"posting {posting.number} cannot have been posted: {trouble}"
            return
        if lines != posting.entries:
            yield f"posting {posting.number} has other lines than its act ({posting.kind}) brings about"
        assert self.fund is not None
        orders = tuple(tasks_of(self.fund.terms, act, posting.entries, day))
        raised = datetime.fromisoformat(posting.made_at)
        dues = [(raised + o.within).isoformat(timespec="milliseconds") if o.within else None for o in orders]
        rows = [(o.kind, o.says, due, posting.made_at) for o, due in zip(orders, dues, strict=True)]
        self.says += [order[1] for order in rows]
        yield from self._tasks.compare(posting.number, [(*row, self._name, None) for row in rows])

    def _lines(self, act: acts.Act, day: date) -> tuple[object, ...]:
        if isinstance(act, acts.Opening):
            self._wager = ProgressiveWager(act.terms)
            self.fund = Fund(act.terms, Standing.at_opening(day), dict.fromkeys(CHART, 0))
        if self.fund is None or self._wager is None:
            raise ValueError("it comes before the opening")
        apply(self.fund, self._wager, act, day)
        return tuple(self.fund.take_entries())


def verify_progressive(database: Database, name: str) -> Verification:
    """Recompute seals, balances, lines and state of one progressive."""
    with database.snapshot() as connection:
        columns = ("kind", "says", "due_at", "raised_at", "subject", "period")
        of = book_number(connection, name)
        tasks = RowCheck(connection, task, of, "task", columns)
        retrace = Retrace(name, tasks)
        verified = verify(connection, name, retrace.inspect)
        verified.troubles.extend(tasks.finish())
        numbered = connection.execute(select(task.c.says).where(task.c.book == of).order_by(task.c.id)).scalars()
        if list(numbered) != retrace.says:
            verified.troubles.append("its tasks are not numbered in the order in which they were raised")
        try:
            stored = read_standing(connection, book_number(connection, name))
            terms = read_terms(connection, name)
        except (FeltError, ValueError) as trouble:
            return replace(verified, troubles=[*verified.troubles, f"its terms and state cannot be read: {trouble}"])
    if retrace.fund is None:
        verified.troubles.append("it has no opening")
        return verified
    if retrace.fund.terms != terms:
        verified.troubles.append("its terms are not those that it was opened with")
    if retrace.fund.standing != stored:
        verified.troubles.append("its state is not the one that its postings lead to")
    return verified
