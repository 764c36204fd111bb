"""Recomputes the books from their postings: seals, balances, slips, signatures, users, progressives."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, Row, Table, func, select

from feltworks.errors import BadOption, FeltError, StorageTrouble, UnknownName
from feltworks.house.closing import KIND as CLOSINGS
from feltworks.house.closing import closing_row, decode_closing, public_key, signature_faults
from feltworks.house.entries import ACCOUNTS as REGISTER_ACCOUNTS
from feltworks.house.entries import RegisterEntry, decode_register, decode_register_facts, register_lines
from feltworks.house.journal.book import account_kinds, book_number, postings
from feltworks.house.journal.posting import BEGINNING, HouseKey, Posting, noted_seals
from feltworks.house.progressive.acts import Act, Opening, decode_act
from feltworks.house.progressive.dispatch import apply, tasks_of
from feltworks.house.progressive.fund import CHART, Fund, Standing
from feltworks.house.progressive.records import KIND as PROGRESSIVE
from feltworks.house.progressive.records import read_standing, read_terms
from feltworks.house.progressive.terms import ProgressiveWager
from feltworks.house.rebuild import RowCheck, TableRebuild, TaskCheck, signature_check
from feltworks.house.register import KIND as REGISTER
from feltworks.house.storage.database import Database
from feltworks.house.storage.integrity import integrity_faults, schema_faults
from feltworks.house.storage.migration import read_house
from feltworks.house.storage.schema import (
    account,
    book,
    period,
    person,
    progressive,
    signature,
    slip,
    slip_void,
    stake,
    task,
    task_done,
)
from feltworks.house.storage.schema import closing as closing_table
from feltworks.house.storage.schema import posting as posting_table
from feltworks.house.tables import periods
from feltworks.house.tables.accounts import BOOK, WIN, play_account, table_accounts
from feltworks.house.tables.accounts import KIND as TABLES
from feltworks.house.tables.acts import decode_sealed
from feltworks.house.tables.tasks import TaskOrder
from feltworks.house.tables.tokes import ACCOUNTS as TOKE_ACCOUNTS
from feltworks.house.tables.tokes import KIND as TOKES
from feltworks.house.tables.tokes import decode_toke, toke_lines
from feltworks.house.users import BOOK as USERS_BOOK
from feltworks.house.users import FAILED, LOGINS, LOGINS_KIND, MOST_FAILURES, REHASH, Change, Login, secret_digest
from feltworks.house.users import KIND as USERS
from feltworks.money import Cents

# The kinds of books whose postings write rows of a table
_HOMES: Final[Mapping[Table, Sequence[str]]] = {
    signature: (TABLES, TOKES),
    task: (TABLES, PROGRESSIVE, REGISTER),
    task_done: (TABLES,),
    slip: (TABLES,),
    slip_void: (TABLES,),
    stake: (TABLES,),
    closing_table: (CLOSINGS,),
    progressive: (PROGRESSIVE,),
}
_SHORTEST_SEAL: Final = 16
_CLOCK_SLACK: Final = timedelta(seconds=2)  # clocks that are set over a network move by less
Inspector = Callable[[Posting], Iterator[str]]


class Verification(Struct, frozen=True):
    """What was recomputed of a book, and the faults found in it."""

    book: str
    postings: int
    entries: int
    hash: str
    troubles: list[str]
    notes: list[str] = []

    @property
    def holds(self) -> bool:
        return not self.troubles


def verify(connection: Connection, name: str, inspect: Inspector | None = None) -> Verification:
    """Recompute a book from its first posting; an inspector may check each posting further."""
    number = book_number(connection, name)
    sums: dict[str, Cents] = defaultdict(int)
    troubles: list[str] = []
    count = entries = 0
    last, clock = BEGINNING, Clock()
    mark: bytes | None = None
    key: HouseKey | None = connection.get_execution_options().get("house_key")
    for posting in postings(connection, number):
        count, entries = count + 1, entries + len(posting.entries)
        troubles += _seal_faults(posting, count, last)
        if key is not None and not key.bears_mark(name, posting.number, posting.hash, posting.mark):
            troubles.append(f"posting {posting.number} does not bear the mark of this house")
        troubles += clock.read(posting)
        for line in posting.entries:
            sums[line.debit] += line.cents
            sums[line.credit] -= line.cents
        if inspect is not None:
            try:
                troubles += inspect(posting)
            except (msgspec.DecodeError, ValueError) as trouble:
                troubles.append(f"posting {posting.number} has facts that cannot be read: {trouble}")
        last, mark = posting.hash, posting.mark
    p = posting_table.c
    is_outside = (p.book == number) & ((p.number < 1) | (p.number > count))
    if outside := connection.execute(select(func.count()).select_from(posting_table).where(is_outside)).scalar_one():
        troubles.append(f"{outside} postings are numbered outside 1 to {count}")
    if (head := connection.execute(select(book.c.mark).where(book.c.id == number)).scalar()) != mark:
        troubles.append(
            f"the book does not keep the mark of its last posting ({'none' if head is None else 'another'})"
        )
    troubles += _balance_faults(connection, number, count, last, sums)
    if key is None:
        clock.notes.append("the key of these books is not on this computer, so marks were not checked")
    return Verification(name, count, entries, last.hex(), troubles, clock.notes)


class Clock:
    """Reads when postings were made, and notes where the computer's clock went back."""

    def __init__(self) -> None:
        self._latest: datetime | None = None
        self.notes: list[str] = []

    def read(self, posting: Posting) -> Iterator[str]:
        """Read the time of a posting; they follow one another, so a posting made earlier shows a jump."""
        try:
            made = datetime.fromisoformat(posting.made_at)
        except ValueError:
            yield f"posting {posting.number} was made at no time that can be read: {posting.made_at!r}"
            return
        if self._latest is not None and made < self._latest - _CLOCK_SLACK:
            back = self._latest - made
            self.notes.append(f"the clock went back by {back} before posting {posting.number}")
        self._latest = made


def _seal_faults(posting: Posting, number: int, last: bytes) -> Iterator[str]:
    if posting.number != number:
        yield f"posting {number} is missing: {posting.number} stands in its place"
    if posting.previous != last:
        yield f"posting {posting.number} does not carry the seal of the one before"
    if posting.lines != len(posting.entries):
        yield f"posting {posting.number} announces other lines than its {len(posting.entries)}, or in another order"
    if not posting.is_sealed:
        yield f"posting {posting.number} is not what was sealed"


def _balance_faults(
    connection: Connection, number: int, count: int, last: bytes, sums: dict[str, Cents]
) -> Iterator[str]:
    b, a = book.c, account.c
    head = connection.execute(select(b.number, b.hash).where(b.id == number)).one()
    if (head.number, bytes(head.hash)) != (count, last):
        yield f"the book says that posting {head.number} is its last, but it ends with {count}"
    rows = connection.execute(select(a.name, a.cents).where(a.book == number))
    balances: dict[str, Cents] = dict(map(tuple, rows))
    for name in sorted(balances.keys() | sums.keys(), key=str):
        if (stored := balances.get(name, 0)) != (due := sums.get(name, 0)):
            yield f"account {name} is kept at {stored} cents; its lines make {due}"
    if total := sum(balances.values()):
        yield f"the accounts add up to {total} cents and not to nothing"


def verify_tables(database: Database, name: str) -> Verification:
    """Rebuild the book of the table games: every act is carried out again and its rows are compared."""
    with database.snapshot() as connection:
        rebuild = TableRebuild(connection, book_number(connection, name))
        checked = verify(connection, name, rebuild.inspect)
        troubles = [*checked.troubles, *rebuild.finish(), *_win_faults(connection)]
    return replace(checked, troubles=troubles, notes=[*checked.notes, *rebuild.notes])


def verify_tokes(database: Database, name: str) -> Verification:
    """Rebuild the book of tokes: its lines and its signatures."""
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
        boxes = periods.every_of(connection, table)
        won += sum(period.sums.win for period in boxes if period.state == "counted")
        out = -sum(period.sums.win for period in boxes if period.state != "counted")
        if (stored := balances.get(play_account(table), 0)) != out:
            yield f"{play_account(table)} is kept at {stored} cents; its slips make {out}"
    if (stored := -balances.get(WIN, 0)) != won:
        yield f"the win is kept at {stored} cents; the slips make {won}"


class Retrace:
    """Carries out the acts of a progressive again, from its opening on."""

    def __init__(self, name: str, tasks: RowCheck) -> None:
        self.fund: Fund | None = None
        self.says: list[str | None] = []  # of its tasks, in the order in which they were raised
        self._name = name
        self._tasks = tasks
        self._wager: ProgressiveWager | None = None

    def inspect(self, posting: Posting) -> Iterator[str]:
        """Carry out the act of a posting and compare its lines."""
        try:
            act, day = decode_act(posting.facts), date.fromisoformat(posting.day)
            lines = self._lines(act, day)
        except (FeltError, ValueError) as trouble:
            yield f"posting {posting.number} cannot have been posted: {trouble}"
            return
        if lines != posting.entries:
            yield f"posting {posting.number} has other lines than its act ({posting.kind}) brings about"
        assert self.fund is not None
        orders = tasks_of(self.fund.terms, act, posting.entries, day)
        rows = [_task_row(posting, order) for order in orders]
        self.says += [order[1] for order in rows]
        yield from self._tasks.compare(posting.number, [(*row, self._name, None) for row in rows])

    def _lines(self, act: Act, day: date) -> tuple[object, ...]:
        if isinstance(act, Opening):
            self._wager = ProgressiveWager(act.terms)
            self.fund = Fund(act.terms, Standing.at_opening(day), dict.fromkeys(CHART, 0))
        if self.fund is None or self._wager is None:
            raise ValueError("it comes before the opening")
        apply(self.fund, self._wager, act, day)
        return tuple(self.fund.take_entries())


def _task_row(posting: Posting, order: TaskOrder) -> tuple[str | None, ...]:
    raised = datetime.fromisoformat(posting.made_at)
    due = (raised + order.within).isoformat(timespec="milliseconds") if order.within else None
    return order.kind, order.says, due, posting.made_at


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
    elif retrace.fund.terms != terms:
        verified.troubles.append("its terms are not those that it was opened with")
    elif retrace.fund.standing != stored:
        verified.troubles.append("its state is not the one that its postings lead to")
    return verified


_decode = msgspec.json.Decoder(Change).decode
_decode_login = msgspec.json.Decoder(Login).decode
_DISMISSED = "dismissed"


class _User(Struct):
    """A user as the journal makes them; an unknown secret was set before digests were sealed."""

    role: str
    secret: str | None = None
    temporary: bool = False


def verify_users(database: Database, name: str) -> Verification:
    """Rebuild the users from their journal: roles, dismissals, and which password hash is stored."""
    users: dict[str, _User] = {}
    alone: list[str] = []
    with database.snapshot() as connection:
        checked = verify(connection, name, lambda posting: _follow(posting, users, alone))
        rows = connection.execute(select(person)).all()
        attempts = Attempts(connection)
    stored = {row.name: {1: row.role, 0: _DISMISSED}.get(row.active, "neither active nor dismissed") for row in rows}
    due = {name: user.role for name, user in users.items()}
    troubles = [
        f"user {user} is kept as {stored.get(user, 'nobody')}; the journal says {due.get(user, 'nobody')}"
        for user in sorted(stored.keys() | due.keys(), key=str)
        if stored.get(user) != due.get(user)
    ]
    for row in rows:
        user = users.get(row.name)
        if user is None or user.secret is None:
            continue
        if user.secret != secret_digest(row.secret):
            troubles.append(f"the password hash of {row.name} is not the one that was set")
        if user.temporary != bool(row.temporary):
            state = "to be changed" if user.temporary else "the user's own"
            troubles.append(f"the password of {row.name} is {state} by the journal, and not as it is kept")
    troubles += [*attempts.troubles, *(fault for row in rows for fault in attempts.faults_of(row))]
    return replace(checked, troubles=[*checked.troubles, *troubles], notes=[*checked.notes, *alone])


class Attempts:
    """Failed logins and lock-outs as the logins' journal seals them, held against what users are kept with."""

    def __init__(self, connection: Connection) -> None:
        self.troubles: list[str] = []
        self._latest: dict[str, Login] = {}
        self._failed: Counter[str] = Counter()  # in a row
        number = connection.execute(select(book.c.id).where(book.c.name == LOGINS)).scalar()
        for posting in postings(connection, number) if number is not None else ():
            try:
                login, made_at = _decode_login(posting.facts), datetime.fromisoformat(posting.made_at)
                self._read(posting.number, login, made_at)
            except (msgspec.DecodeError, ValueError):
                continue  # a fault of the logins' own journal

    def _read(self, number: int, login: Login, made_at: datetime) -> None:
        self._latest[login.user] = login
        is_locked = login.locked_until is not None and datetime.fromisoformat(login.locked_until) > made_at
        if is_locked or not login.failures:
            self._failed[login.user] = 0
        elif login.result == FAILED:
            self._failed[login.user] += 1
            if (failed := self._failed[login.user]) > login.failures:
                what = f"failure {failed} of {login.user} in a row and counts {login.failures}"
                self.troubles.append(f"posting {number} of {LOGINS} is {what}")

    def faults_of(self, row: Row[Any]) -> Iterator[str]:
        """A failure is counted before its password is checked, so a user may be kept with more, up to a lock-out."""
        login = self._latest.get(row.name, Login(row.name, "", 0))
        if login.failures is None:
            return  # recorded before failures were sealed
        if row.locked_until != login.locked_until:
            kept, sealed = (f"until {until}" if until else "none" for until in (row.locked_until, login.locked_until))
            yield f"the lock-out of {row.name} is kept {kept}; the logins say {sealed}"
        if not login.failures <= row.failures <= max(login.failures, MOST_FAILURES):
            yield f"{row.name} is kept with {row.failures} failed logins; the logins say {login.failures}"


def _follow(posting: Posting, users: dict[str, _User], alone: list[str]) -> Iterator[str]:
    change = _decode(posting.facts)
    if change.change in ("password", "role") and posting.witness is None and posting.made_by != change.user:
        what = f"{posting.made_by} set the {change.change} of {change.user} without a second person"
        alone.append(f"posting {posting.number}: {what}")
    user = users.setdefault(change.user, _User(change.role or ""))
    if change.role is not None:
        user.role = change.role
    elif change.change == _DISMISSED:
        user.role = _DISMISSED
    if change.secret is not None:
        user.secret = change.secret
        # what somebody else sets is changed at first use; a hash made anew is the same password
        user.temporary = user.temporary if change.change == REHASH else posting.made_by != change.user
    return iter(())


def verify_books(database: Database, names: Sequence[str] = ()) -> list[Verification]:
    """Recompute these books, or all of them."""
    with database.snapshot() as connection:
        rows = connection.execute(select(book.c.name).order_by(book.c.id)).scalars()
        kinds = {name: _BOOK_KINDS.get(name, PROGRESSIVE) for name in rows}  # whatever kind they are kept as
    for name in names:
        if name not in kinds:
            raise UnknownName("book", name, kinds)
    return [_verify_book(database, name, kinds[name]) for name in names or kinds]


def verify_closings(database: Database, name: str) -> Verification:
    """Rebuild the closed periods: their rows, their signatures, and that the seals they name still stand."""
    with database.snapshot() as connection:
        of, public = book_number(connection, name), public_key(connection)
        rows = RowCheck(connection, closing_table, of, "closed period", ("name", "kind", "first", "last"))

        def inspect(posting: Posting) -> Iterator[str]:
            closed = decode_closing(posting.facts)
            row = closing_row(of, posting, closed)
            yield from rows.compare(posting.number, [tuple(row[c] for c in ("name", "kind", "first", "last"))])
            yield from signature_faults(closed, posting.number, public)
            seals = [NotedSeal(book, head.number, head.seal) for book, head in closed.heads.items()]
            yield from _expected_faults(connection, seals)

        checked = verify(connection, name, inspect)
        return replace(checked, troubles=[*checked.troubles, *rows.finish()])


def verify_register(database: Database, name: str) -> Verification:
    """Rebuild the register: the lines that its entries make, and the tasks they raised."""
    with database.snapshot() as connection:
        tasks, balances = TaskCheck(connection, book_number(connection, name)), dict[str, Cents]()

        def inspect(posting: Posting) -> Iterator[str]:
            act = decode_register(posting.facts)
            if register_lines(act, balances) != posting.entries:
                yield f"posting {posting.number} has other lines than its entry brings about"
            for line in posting.entries:
                balances[line.debit] = balances.get(line.debit, 0) + line.cents
                balances[line.credit] = balances.get(line.credit, 0) - line.cents
            subject = act.name if isinstance(act, RegisterEntry) else ""
            yield from tasks.tasks(posting, decode_register_facts(posting.facts).tasks, subject, None)

        checked = verify(connection, name, inspect)
        return replace(checked, troubles=[*checked.troubles, *tasks.finish()])


_CHECKS: Final[Mapping[str, Callable[[Database, str], Verification]]] = {
    PROGRESSIVE: verify_progressive,
    TABLES: verify_tables,
    TOKES: verify_tokes,
    USERS: verify_users,
    CLOSINGS: verify_closings,
    REGISTER: verify_register,
}


def _verify_book(database: Database, name: str, kind: str) -> Verification:
    try:
        if kind in _CHECKS:
            return _CHECKS[kind](database, name)
        with database.snapshot() as connection:
            return verify(connection, name)
    except (StorageTrouble, TypeError, ValueError) as trouble:  # SQLite stores any bytes in any column
        return Verification(name, 0, 0, "", [f"it cannot be read: {trouble}"])


class Fault(Struct, frozen=True):
    """One fault; `book` is empty where it is of the database itself."""

    book: str
    fault: str


class Audit(Struct, frozen=True):
    """The verification of a whole database: its books, and faults of the database itself."""

    books: list[Verification]
    database: list[str]

    @property
    def faults(self) -> list[Fault]:
        of_books = [Fault(book.book, trouble) for book in self.books for trouble in book.troubles]
        return [*(Fault("", trouble) for trouble in self.database), *of_books]


class NotedSeal(Struct, frozen=True):
    """A seal that was noted elsewhere: on a printed report, in a letter, in a safe."""

    book: str
    number: int
    seal: str


def parse_seal(text: str) -> NotedSeal:
    """Read BOOK:N:SEAL.

    >>> parse_seal("house tables:12:00ff00ff00ff00ff").number
    12
    """
    name, number, seal = ("::" + text).rsplit(":", 2)
    if not (name[2:] and number.isdecimal() and len(seal) >= _SHORTEST_SEAL and _is_hex(seal)):
        raise BadOption("expect", text, f"BOOK:N:SEAL, with {_SHORTEST_SEAL} or more digits of the seal")
    return NotedSeal(name[2:], int(number), seal.lower())


def _is_hex(text: str) -> bool:
    return all(letter in "0123456789abcdefABCDEF" for letter in text)


def audit(
    database: Database, names: Sequence[str] = (), expect: Sequence[NotedSeal] = (), public: str | None = None
) -> Audit:
    """Verify these books, or all of them; the database's own soundness, its tables, noted seals and its key.

    `public` is the public part of the key, noted elsewhere, for whoever verifies without the key itself.
    """
    faults = [*integrity_faults(database), *schema_faults(database)]
    with database.snapshot() as connection:
        faults += _key_faults(connection, public)
        noted = noted_seals(read_house(connection).books)
        faults += _expected_faults(connection, [*expect, *map(parse_seal, noted)])
        faults += _homeless_rows(connection)
        faults += _kind_faults(connection)
    return Audit(verify_books(database, names), faults)


def _key_faults(connection: Connection, public: str | None) -> Iterator[str]:
    """Books that name another key than before may have been written anew from their first posting on."""
    if public is not None and public_key(connection) != public:
        yield "the books do not name the public key that was noted"
    key: HouseKey | None = connection.get_execution_options().get("house_key")
    if key is not None and key.public != public_key(connection):
        yield "the books name another public key than that of the key on this computer"
    if public is None and key is None:
        yield (
            "the key that these books name is not on this computer, so that their marks cannot be checked; "
            "copy it here, or give the public part that you noted with --public-key"
        )


def _expected_faults(connection: Connection, expect: Sequence[NotedSeal]) -> Iterator[str]:
    for noted in expect:
        if noted.seal == BEGINNING.hex() and noted.number == 0:
            continue  # the book had no posting then
        joined = posting_table.join(book, book.c.id == posting_table.c.book)
        p = posting_table.c
        wanted = select(p.hash).select_from(joined).where(book.c.name == noted.book, p.number == noted.number)
        stored = connection.execute(wanted).scalar()
        if stored is None:
            yield f"{noted.book} has no posting {noted.number}, whose seal was noted"
        elif not bytes(stored).hex().startswith(noted.seal):
            yield f"posting {noted.number} of {noted.book} does not bear the seal that was noted"


def _homeless_rows(connection: Connection) -> Iterator[str]:
    """Rows in books that have none of their kind, and tasks that are not numbered one after the other."""
    last, count = connection.execute(select(func.max(task.c.id), func.count()).select_from(task)).one()
    if (last or 0) != count:
        yield f"tasks are numbered without a gap up to {count}; the last one is {last}"
    for table, kinds in _HOMES.items():
        allowed = select(book.c.id).where(book.c.kind.in_(kinds))
        rows = select(func.count()).select_from(table).where(table.c.book.not_in(allowed))
        if count := connection.execute(rows).scalar_one():
            yield f"{count} rows of {table.name} belong to a book that has none"
    for table, name in ((period, BOOK), (person, USERS_BOOK)):
        count = connection.execute(select(func.count()).select_from(table)).scalar_one()
        if count and connection.execute(select(book.c.id).where(book.c.name == name)).scalar() is None:
            yield f"{count} rows of {table.name} belong to a book that does not exist, {name}"


_BOOK_KINDS: Final = {
    f"house {kind}": kind for kind in (TABLES, TOKES, USERS, LOGINS_KIND, CLOSINGS, REGISTER, "approvals")
}
_ACCOUNT_KINDS: Final[Mapping[str, Mapping[str, str]]] = {
    PROGRESSIVE: {name: account.kind for name, account in CHART.items()},
    TOKES: TOKE_ACCOUNTS,
    REGISTER: REGISTER_ACCOUNTS,
}


def _kind_faults(connection: Connection) -> Iterator[str]:
    """The kinds of books and accounts decide what is checked of them, so nobody may change them."""
    kinds = {name: _BOOK_KINDS.get(name, PROGRESSIVE) for name in connection.execute(select(book.c.name)).scalars()}
    for name, kind in connection.execute(select(book.c.name, book.c.kind)):
        if kind != kinds[name]:
            yield f"the book {name} is kept as one of {kind}; it is one of {kinds[name]}"
    tables = periods.tables(connection)
    for of in kinds:
        kept = account_kinds(connection, book_number(connection, of))
        due = {name: kind for table in tables for name, kind in table_accounts(table).items()}
        due = due if kinds[of] == TABLES else dict(_ACCOUNT_KINDS.get(kinds[of], {}))
        for name in sorted(kept.keys() | due.keys(), key=str):
            if kept.get(name) != due.get(name):
                says = f"is kept as {kept.get(name, 'nothing')}; it is {due.get(name, 'none that these books have')}"
                yield f"the account {name} of {of} {says}"
