"""Verifies a whole database: its books, users, closed periods, tables, triggers and key."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, Row, Table, func, select

from feltworks.errors import StorageTrouble, UnknownName
from feltworks.house.closing import KIND as CLOSINGS
from feltworks.house.closing import Restoration, closing_row, lost_seals, public_key, signature_faults
from feltworks.house.closing import decode_act as decode_closing
from feltworks.house.entries import ACCOUNTS as REGISTER_ACCOUNTS
from feltworks.house.entries import RegisterEntry, decode_register, register_lines
from feltworks.house.journal.book import account_kinds, book_number, find_book, postings, seal_fault
from feltworks.house.journal.posting import Posting
from feltworks.house.journal.seals import HouseKey, NotedSeal
from feltworks.house.journal.verification import Verification, verify
from feltworks.house.progressive.fund import CHART
from feltworks.house.progressive.records import KIND as PROGRESSIVE
from feltworks.house.rebuild import RowCheck, TaskCheck, verify_progressive, verify_tables, verify_tokes
from feltworks.house.register import KIND as REGISTER
from feltworks.house.storage import schema
from feltworks.house.storage.database import Database
from feltworks.house.storage.integrity import integrity_faults, schema_faults
from feltworks.house.storage.schema import book, period, person, task
from feltworks.house.tables import periods
from feltworks.house.tables.accounts import BOOK, table_accounts
from feltworks.house.tables.accounts import KIND as TABLES
from feltworks.house.tables.acts import decode_sealed
from feltworks.house.tables.tokes import ACCOUNTS as TOKE_ACCOUNTS
from feltworks.house.tables.tokes import KIND as TOKES
from feltworks.house.users import (
    ATTEMPT,
    FAILED,
    LOGINS,
    LOGINS_KIND,
    MOST_FAILURES,
    REHASH,
    Change,
    Login,
    secret_digest,
)
from feltworks.house.users import BOOK as USERS_BOOK
from feltworks.house.users import KIND as USERS
from feltworks.money import Cents

# The kinds of books whose postings write rows of a table
_HOMES: Final[Mapping[Table, Sequence[str]]] = {
    schema.signature: (TABLES, TOKES),
    task: (TABLES, PROGRESSIVE, REGISTER),
    schema.task_done: (TABLES,),
    schema.slip: (TABLES,),
    schema.slip_void: (TABLES,),
    schema.stake: (TABLES,),
    schema.closing: (CLOSINGS,),
    schema.progressive: (PROGRESSIVE,),
}

_decode = msgspec.json.Decoder(Change).decode
_decode_login = msgspec.json.Decoder(Login).decode
_DISMISSED = "dismissed"


class _User(Struct):
    """A user as rebuilt from the journal; the secret is unknown if set before digests were sealed."""

    role: str
    secret: str | None = None
    temporary: bool = False


def verify_users(database: Database, name: str) -> Verification:
    """Rebuild the users from their journal: roles, dismissals and digests of the stored password hashes."""
    users: dict[str, _User] = {}
    alone: list[str] = []
    with database.snapshot() as connection:
        checked = verify(connection, name, lambda posting: _follow(posting, users, alone))
        rows = connection.execute(select(person)).all()
        attempts = Attempts(connection)
    stored = {row.name: {1: row.role, 0: _DISMISSED}.get(row.active, "neither active nor dismissed") for row in rows}
    due = {name: user.role for name, user in users.items()}
    troubles = [
        f"user {user} is stored as {stored.get(user, 'nobody')}; the journal says {due.get(user, 'nobody')}"
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
            troubles.append(f"the password of {row.name} is {state} by the journal, and not as it is stored")
    troubles += [*attempts.troubles, *(fault for row in rows for fault in attempts.faults_of(row))]
    return replace(checked, troubles=[*checked.troubles, *troubles], notes=[*checked.notes, *alone])


class Attempts:
    """Compares failed logins and lock-outs sealed in the logins' journal with the rows of the users."""

    def __init__(self, connection: Connection) -> None:
        self.troubles: list[str] = []
        self._latest: dict[str, Login] = {}
        self._counted: set[str] = set()  # users whose attempts were sealed before their passwords were checked
        number = find_book(connection, LOGINS)
        for posting in postings(connection, number) if number is not None else ():
            try:
                self._read(posting.number, _decode_login(posting.facts))
            except (msgspec.DecodeError, ValueError):
                continue  # verification of the logins' own journal reports it

    def _read(self, number: int, login: Login) -> None:
        before = self._before(login.user)
        self._latest[login.user] = login
        if login.failures is None or before.failures is None or login.result not in (ATTEMPT, FAILED):
            return  # recorded before failures were sealed, or not counted
        due, is_locked = before.failures + 1, login.locked_until != before.locked_until
        if login.result == ATTEMPT:
            self._counted.add(login.user)
        elif login.user in self._counted:
            due = before.failures
        elif login.failures >= due or login.locked_until is not None:
            return  # older books count failures, not attempts, and parallel ones may have been counted between
        is_due = is_locked and not login.failures if due >= MOST_FAILURES else login.failures == due and not is_locked
        if not is_due:
            what = f"failure {due} of {login.user} in a row and counts {login.failures}"
            self.troubles.append(f"posting {number} of {LOGINS} is {what}{' with a lock-out' if is_locked else ''}")

    def _before(self, user: str) -> Login:
        return self._latest.get(user, Login(user, "", 0))

    def faults_of(self, row: Row[Any]) -> Iterator[str]:
        """Compare the counts and the lock-out of a user with the last ones sealed."""
        login = self._before(row.name)
        if login.failures is None:
            return  # recorded before failures were sealed
        if row.locked_until != login.locked_until:
            kept, sealed = (f"until {until}" if until else "none" for until in (row.locked_until, login.locked_until))
            yield f"the lock-out of {row.name} is stored {kept}; the logins say {sealed}"
        if row.failures != login.failures:
            yield f"{row.name} is stored with {row.failures} failed logins; the logins say {login.failures}"


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
        # a password set by somebody else is temporary; a new hash of it changes nothing
        user.temporary = user.temporary if change.change == REHASH else posting.made_by != change.user
    return iter(())


def verify_books(database: Database, names: Sequence[str] = ()) -> list[Verification]:
    """Recompute these books, or all of them."""
    with database.snapshot() as connection:
        rows = connection.execute(select(book.c.name).order_by(book.c.id)).scalars()
        kinds = {name: _BOOK_KINDS.get(name, PROGRESSIVE) for name in rows}  # whichever kind is stored
    for name in names:
        if name not in kinds:
            raise UnknownName("book", name, kinds)
    return [_verify_book(database, name, kinds[name]) for name in names or kinds]


def verify_closings(database: Database, name: str) -> Verification:
    """Rebuild the closed periods: check their rows, signatures and named seals."""
    with database.snapshot() as connection:
        of, public = book_number(connection, name), public_key(connection)
        rows = RowCheck(connection, schema.closing, of, "closed period", ("name", "kind", "first", "last"))
        notes: list[str] = []

        def inspect(posting: Posting) -> Iterator[str]:
            act = decode_closing(posting.facts)
            if isinstance(act, Restoration):
                lost = ", ".join(seal.rpartition(":")[0] for seal in act.lost)
                notes.append(f"posting {posting.number}: restored ({posting.explanation}) without {lost}")
                return
            row = closing_row(of, posting, act)
            yield from rows.compare(posting.number, [tuple(row[c] for c in ("name", "kind", "first", "last"))])
            yield from signature_faults(act, posting.number, public)
            seals = (NotedSeal(book, head.number, head.seal) for book, head in act.heads.items())
            yield from filter(None, (seal_fault(connection, noted) for noted in seals))

        checked = verify(connection, name, inspect)
        return replace(checked, troubles=[*checked.troubles, *rows.finish()], notes=[*checked.notes, *notes])


def verify_register(database: Database, name: str) -> Verification:
    """Rebuild the register: compare the lines and tasks of its entries."""
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
            yield from tasks.tasks(posting, decode_sealed(posting.facts).tasks or (), subject, None)

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
    """One fault; `book` is empty for a fault of the database itself."""

    book: str
    fault: str


class Audit(Struct, frozen=True):
    """The result of verifying a whole database: its books, and faults of the database itself."""

    books: list[Verification]
    database: list[str]

    @property
    def faults(self) -> list[Fault]:
        of_books = [Fault(book.book, trouble) for book in self.books for trouble in book.troubles]
        return [*(Fault("", trouble) for trouble in self.database), *of_books]


def audit(
    database: Database, names: Sequence[str] = (), expect: Sequence[NotedSeal] = (), public: str | None = None
) -> Audit:
    """Verify these books, or all of them, and the database itself: integrity, tables, noted seals and key.

    `public` is the public part of the key, noted elsewhere, to verify without the key itself.
    """
    faults = [*integrity_faults(database), *schema_faults(database)]
    last = database.last_seals.all() if database.last_seals else []  # read first, so that the snapshot has them all
    with database.snapshot() as connection:
        faults += _key_faults(connection, public)
        faults += filter(None, (seal_fault(connection, noted) for noted in expect))
        faults += lost_seals(connection, last).values()
        faults += _homeless_rows(connection)
        faults += _kind_faults(connection)
    return Audit(verify_books(database, names), faults)


def _key_faults(connection: Connection, public: str | None) -> Iterator[str]:
    """Check the key that the books name: with another one they may have been rewritten from the start."""
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


def _homeless_rows(connection: Connection) -> Iterator[str]:
    """Find rows in books of a kind without such rows, and gaps in the numbers of tasks."""
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
        if count and find_book(connection, name) is None:
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
    """Check the kinds of books and accounts, since they decide which other checks apply."""
    kinds = {name: _BOOK_KINDS.get(name, PROGRESSIVE) for name in connection.execute(select(book.c.name)).scalars()}
    for name, kind in connection.execute(select(book.c.name, book.c.kind)):
        if kind != kinds[name]:
            yield f"the book {name} is stored as one of {kind}; it is one of {kinds[name]}"
    tables = periods.tables(connection)
    for of in kinds:
        kept = account_kinds(connection, book_number(connection, of))
        due = {name: kind for table in tables for name, kind in table_accounts(table).items()}
        due = due if kinds[of] == TABLES else dict(_ACCOUNT_KINDS.get(kinds[of], {}))
        for name in sorted(kept.keys() | due.keys(), key=str):
            if kept.get(name) != due.get(name):
                says = f"is stored as {kept.get(name, 'nothing')}; it is {due.get(name, 'none that these books have')}"
                yield f"the account {name} of {of} {says}"
