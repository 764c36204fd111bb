"""A book of the journal: locked while one writer posts to it, or read posting by posting."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from datetime import UTC, date, datetime
from itertools import groupby
from typing import Any, NoReturn

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql import Insert as InsertStatement
from sqlalchemy.sql.schema import Table

from feltworks.errors import BadOption, PostingRefused, StorageTrouble, UnknownName
from feltworks.house.journal.posting import BEGINNING, Entry, Posting, Voucher, seal
from feltworks.house.journal.seals import FOLDER_VARIABLE, HouseKey, NotedSeal
from feltworks.house.storage.database import (
    ENDS,
    FEW,
    Database,
    Insert,
    PreparedSelect,
    Read,
    Row,
    fetch_many,
    is_among,
    pipeline,
)
from feltworks.house.storage.schema import account, book, entry, posting
from feltworks.money import Cents

_HEAD = select(book.c.id, book.c.number, book.c.hash, book.c.mark).where(book.c.name == "")
_LOCK, _LOOK = PreparedSelect(_HEAD.with_for_update()), PreparedSelect(_HEAD)
BALANCES = PreparedSelect(select(account.c.name, account.c.cents).where(account.c.book == 0))
BY_KEY = PreparedSelect(
    select(posting.c.number, posting.c.kind, posting.c.day, posting.c.facts).where(
        posting.c.book == 0, posting.c.key == ""
    )
)
_POSTINGS, _ENTRIES = Insert(posting), Insert(entry)
_MANY = 500


class EarlierPosting(Struct, frozen=True):
    """A posting that was made before under the same key."""

    number: int
    kind: str
    day: str
    facts: str

    def refuse(self, key: str) -> NoReturn:
        """Refuse another act under this key."""
        raise PostingRefused(
            f"the key {key} stands for posting {self.number} ({self.kind} on {self.day}), "
            "which is not the same; give a new key (house rule: one key, one posting)"
        )


def earlier_under(key: str, rows: Sequence[Row]) -> dict[str, EarlierPosting]:
    """The row that BY_KEY found, as a posting under its key; empty if there is none."""
    return {key: EarlierPosting(*rows[0])} if rows else {}


def read_head(connection: Connection, name: str) -> tuple[int, int, dict[str, Cents]]:
    """The id of an existing book, the number of its last posting and its balances, read without a lock."""
    head = _LOOK.first(connection, name)
    assert head is not None
    return int(head[0]), int(head[1]), dict(map(tuple, BALANCES.all(connection, head[0])))


_KEYS_OF_THE_BOOKS = re.compile(r"[a-z ]+/\d+|log \w+ to .*|\d{4}-\d\d-\d\d table .* round .*")

_LONGEST_KEY = 200


def check_key(key: str) -> None:
    """Refuse a given key like those that the books make: it would keep the posting out that gets this key."""
    if not key.isprintable() or len(key) > _LONGEST_KEY:
        raise BadOption("key", f"{key[:20]}…", f"up to {_LONGEST_KEY} printable characters")
    if _KEYS_OF_THE_BOOKS.fullmatch(key):
        raise PostingRefused(
            f"the books make keys like {key} themselves; give another (house rule: one key, one posting)"
        )


def check_words(words: str) -> None:
    """Refuse characters that a server cannot store, since books move from a file to a server."""
    if not all(sign.isprintable() or sign.isspace() for sign in words):
        raise BadOption("words", repr(words[:40]), "characters that can be printed")


class Chain:
    """Postings sealed one after the other, continuing from the last one of a book; nothing is stored yet."""

    def __init__(self, name: str, number: int, last: bytes, key: HouseKey | None) -> None:
        self.name, self.number, self.last = name, number, last
        self.moment = datetime.now(UTC).isoformat(timespec="milliseconds")
        self._key = key
        self._added: list[Posting] = []

    def add(self, kind: str, facts: str, voucher: Voucher, entries: Iterable[Entry]) -> Posting:
        """Seal a posting after the last one."""
        if not (voucher.key and voucher.by and voucher.explanation.strip()):
            raise PostingRefused(
                "a posting needs a key, a person and an explanation (house rule: every posting is explained)"
            )
        check_words(voucher.explanation)
        if voucher.witness is not None and voucher.witness in ("", voucher.by):
            raise PostingRefused(f"{voucher.by} posts this and cannot be the second person as well (house rule)")
        unsealed = Posting(
            self.number + 1,
            voucher.key,
            kind,
            voucher.day.isoformat(),
            self.moment,
            voucher.by,
            voucher.witness,
            voucher.explanation,
            facts,
            tuple(entries),
            self.last,
            b"",
        )
        assert self._key is not None
        sealed = seal(unsealed)
        mark = self._key.mark(self.name, unsealed.number, sealed)
        added = msgspec.structs.replace(unsealed, hash=sealed, mark=mark)
        self.number, self.last = added.number, added.hash
        self._added.append(added)
        return added

    @property
    def today(self) -> date:
        """The day on which the postings are made."""
        return datetime.fromisoformat(self.moment).date()

    def take(self) -> list[Posting]:
        """The added postings that are not stored yet; they are removed from the chain."""
        added, self._added = self._added, []
        return added


class Page(Chain):
    """A book that is locked until the transaction ends."""

    def __init__(self, connection: Connection, name: str, *reads: Read) -> None:
        # On PostgreSQL a statement that waited for a lock continues with the state from before the wait,
        # so separate statements after this one read the rest of the book, in the same round trip.
        heads, *self.reads = fetch_many(connection, (_LOCK, name), *reads)
        if not heads:
            raise UnknownName("book", name, _names(connection))
        head = heads[0]
        super().__init__(name, int(head[1]), bytes(head[2]), connection.get_execution_options().get("house_key"))
        self.connection, self.book = connection, int(head[0])
        self._check_mark(None if head[3] is None else bytes(head[3]))
        self._begins = self.last

    def _check_mark(self, mark: bytes | None) -> None:
        """Refuse to add to a book whose last posting was not written with the key of this house."""
        if self._key is None:
            raise StorageTrouble(
                "the key of these books is not on this computer, so nothing can be posted; "
                f"copy it here and name its folder in {FOLDER_VARIABLE}"
            )
        if self.number and not self._key.bears_mark(self.name, self.number, self.last, mark):
            raise StorageTrouble(
                f"posting {self.number} of {self.name} does not bear the mark of this house: it was written "
                "past these books; `felt house verify` says what differs"
            )

    def post(
        self,
        kind: str,
        act: object,
        entries: Iterable[Entry] = (),
        *,
        day: date,
        by: str,
        witness: str | None = None,
        why: str,
        key: str = "",
    ) -> Posting:
        """Add one act as JSON and store it; its key is the number of its posting unless one is given."""
        check_words(why)
        numbered = key or f"{kind}/{self.number + 1}"
        voucher = Voucher(key=numbered, day=day, by=by, witness=witness, explanation=why)
        posting = self.add(kind, msgspec.json.encode(act).decode(), voucher, entries)
        self.write()
        return posting

    def balances(self) -> dict[str, Cents]:
        """The balance of every account; debits are positive."""
        return dict(map(tuple, BALANCES.all(self.connection, self.book)))

    def earlier(self, keys: Sequence[str]) -> dict[str, EarlierPosting]:
        """The postings already in the book under these keys."""
        if len(keys) == 1:
            return earlier_under(keys[0], BY_KEY.all(self.connection, self.book, keys[0]))
        columns = posting.c.key, posting.c.number, posting.c.kind, posting.c.day, posting.c.facts
        # With a plain comparison both databases scan all postings of the book by their primary key; a
        # computed expression makes them use the index on the keys.
        here = posting.c.book + 0 == self.book
        earlier = {}
        for begin in range(0, len(keys), _MANY):
            wanted = is_among(self.connection, posting.c.key, keys[begin : begin + _MANY])
            rows = self.connection.execute(select(*columns).where(here, wanted))
            earlier.update({key: EarlierPosting(*rest) for key, *rest in rows})
        return earlier

    def find_earlier(self, key: str) -> EarlierPosting | None:
        """The posting already in the book under a key that somebody gave."""
        check_key(key)
        return self.earlier([key]).get(key) if key else None

    def write(self, *, commit: bool = False) -> None:
        """Store the added postings: lines first, then the postings that seal them.

        With `commit` a server ends the transaction in the same round trip; write nothing else in it afterwards.
        """
        lines, rows = _rows(self.book, self.take())
        is_small = 0 < len(rows) <= FEW and len(lines) <= FEW
        with pipeline(self.connection, commit=commit) if is_small else nullcontext():
            if lines:
                _ENTRIES.all(self.connection, lines)
            if rows:
                _POSTINGS.all(self.connection, rows)
                self.connection.info.setdefault(ENDS, {})[self.name] = (self.number, self.last, self._begins)


_ARGUMENTS = ("integer", "bigint", "bytea", *["text"] * 10, "bytea", "bytea", "integer", "json")
_APPEND = f"SELECT felt_append({', '.join(f'%s::{kind}' for kind in _ARGUMENTS)})"


# The same conditions for a SQLite file: an unchanged head, no later closing, the roles of the signers.
_HOLDS = "EXISTS (SELECT 1 FROM person WHERE name = ? AND role = ? AND active = 1)"
_UNCHANGED = (
    "SELECT 1 FROM book WHERE id = ? AND number = ? AND hash = ? "
    f"AND NOT EXISTS (SELECT 1 FROM closing WHERE last >= ?) AND {_HOLDS} AND "
)


def append(database: Database, book: int, chain: Chain, roles: Mapping[str, str]) -> bool:
    """Store the one posting of a chain in one round trip; its signers have to have these roles.

    False if the book has another head, the day is closed, a role has changed, or the posting is refused: nothing is
    stored, and the ordinary way finds the reason. After a broken connection its key shows whether it was stored.
    """
    (p,) = chain.take()
    if database.is_in_memory:
        return False  # every connection to memory opens a database of its own
    is_stored = _append_to_file(database, book, p, roles) if database.is_sqlite else _call(database, book, p, roles)
    if is_stored and database.last_seals is not None:
        database.last_seals.note(chain.name, p.number, p.hash, p.previous)
    return is_stored


def _call(database: Database, book: int, p: Posting, roles: Mapping[str, str]) -> bool:
    head = (book, p.number - 1, p.previous, roles[p.made_by], roles[p.witness] if p.witness else None)
    columns = (p.key, p.kind, p.day, p.made_at, p.made_by, p.witness, p.explanation, p.facts, p.hash, p.mark)
    moved = msgspec.json.encode(p.entries).decode()
    return database.call(_APPEND, (*head, *columns, len(p.entries), moved)) is True


def _append_to_file(database: Database, book: int, p: Posting, roles: Mapping[str, str]) -> bool:
    lines, rows = _rows(book, [p])
    head = (book, p.number - 1, p.previous, p.day, p.made_by, roles[p.made_by])
    second = (p.witness, roles[p.witness]) if p.witness else ()
    condition = _UNCHANGED + (_HOLDS if second else "true")
    writes = (_ENTRIES.of_one_row, lines), (_POSTINGS.of_one_row, rows)
    return database.attempt(condition, (*head, *second), *writes) is True


Rows = list[tuple[object, ...]]


def _rows(book: int, added: Sequence[Posting]) -> tuple[Rows, Rows]:
    """The rows of the postings' lines, and the rows of the postings."""
    lines: Rows = [
        (book, p.number, line, e.debit, e.credit, e.cents, e.reason)
        for p in added
        for line, e in enumerate(p.entries, 1)
    ]
    return lines, [_row(book, p) for p in added]


def _row(number: int, p: Posting) -> tuple[object, ...]:
    columns = (p.key, p.kind, p.day, p.made_at, p.made_by, p.witness, p.explanation, p.facts)
    return (number, p.number, *columns, len(p.entries), p.previous, p.hash, p.mark)


def _names(connection: Connection) -> list[str]:
    return list(connection.execute(select(book.c.name).order_by(book.c.name)).scalars())


def open_page(connection: Connection, name: str, kind: str, accounts: Mapping[str, str] | None = None) -> Page:
    """Lock a book for posting; create the book and its accounts if they are missing."""
    if find_book(connection, name) is None:
        connection.execute(_insert_if_missing(connection, book).values(name=name, kind=kind, hash=BEGINNING))
    page = Page(connection, name)
    missing = (accounts or {}).keys() - page.balances().keys()
    for missing_account in sorted(missing):
        values = {"book": page.book, "name": missing_account, "kind": (accounts or {})[missing_account]}
        connection.execute(_insert_if_missing(connection, account).values(**values))
    return page


def _insert_if_missing(connection: Connection, table: Table) -> InsertStatement:
    """An insert that does nothing if the row exists, as two writers may create the same book at once."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table).on_conflict_do_nothing()
    return postgresql.insert(table).on_conflict_do_nothing()


_AT_ONCE = 2_000
_P, _E = posting.c, entry.c
_COLUMNS = (
    *(_P.number, _P.key, _P.kind, _P.day, _P.made_at, _P.made_by, _P.witness, _P.explanation, _P.facts),
    *(_P.previous, _P.hash, _P.mark, _P.lines),
)
_LINES = (_E.number, _E.line, _E.debit, _E.credit, _E.cents, _E.reason)
_POSTING_RANGE, _LINE_RANGE = (
    PreparedSelect(
        select(*columns)
        .where(table.c.book == 0, table.c.number >= 0, table.c.number <= 0)
        .order_by(*table.primary_key.columns)
    )
    for table, columns in ((posting, _COLUMNS), (entry, _LINES))
)
_BOOK = PreparedSelect(select(book.c.id).where(book.c.name == ""))
_SEAL = PreparedSelect(
    select(posting.c.hash).join(book, book.c.id == posting.c.book).where(book.c.name == "", posting.c.number == 0)
)


def seal_fault(connection: Connection, noted: NotedSeal) -> str:
    """The fault of a posting whose seal was noted; empty if it still bears that seal."""
    if noted.number == 0 and noted.seal == BEGINNING.hex():
        return ""  # the book had no posting then
    row = _SEAL.first(connection, noted.book, noted.number)
    if row is None:
        return f"{noted.book} has no posting {noted.number}, whose seal was noted"
    bears = bytes(row[0]).hex().startswith(noted.seal)
    return "" if bears else f"posting {noted.number} of {noted.book} does not bear the seal that was noted"


def is_stored(database: Database, noted: NotedSeal) -> bool:
    """Whether a posting still bears its noted seal."""
    with database.snapshot() as connection:
        return not seal_fault(connection, noted)


def find_book(connection: Connection, name: str) -> int | None:
    """The id of a book by its name; None where there is none."""
    row = _BOOK.first(connection, name)
    return int(row[0]) if row else None


def book_number(connection: Connection, name: str) -> int:
    """The id of a book by its name."""
    number = find_book(connection, name)
    if number is None:
        raise UnknownName("book", name, _names(connection))
    return number


def account_kinds(connection: Connection, number: int) -> dict[str, str]:
    """The accounts of a book with their kinds."""
    rows = connection.execute(select(account.c.name, account.c.kind).where(account.c.book == number))
    return dict(map(tuple, rows))


def days_of(connection: Connection, number: int) -> tuple[str, str] | None:
    """The first and the last day of a book's postings; None where it has none."""
    days = select(func.min(posting.c.day), func.max(posting.c.day)).where(posting.c.book == number)
    first, last = connection.execute(days).one()
    return (first, last) if first else None


def postings(connection: Connection, number: int, *, first: int = 1, last: int | None = None) -> Iterator[Posting]:
    """The postings of a book from one number to another, both included."""
    while True:
        upto = first + _AT_ONCE - 1 if last is None else min(first + _AT_ONCE - 1, last)
        rows, numbered = fetch_many(
            connection, (_POSTING_RANGE, number, first, upto), (_LINE_RANGE, number, first, upto)
        )
        lines = {posted: list(group) for posted, group in groupby(numbered, lambda row: row[0])}
        yield from (_posting(row, lines.get(row[0], ())) for row in rows)
        if (not rows and not lines) or upto == last:
            return
        first = upto + 1


def postings_of_kinds(connection: Connection, number: int, kinds: Sequence[str]) -> Iterator[Any]:
    """The rows of a book's postings of these kinds, or of all kinds, without their lines, the oldest first."""
    rows = select(*_COLUMNS).where(_P.book == number).order_by(_P.number)
    yield from connection.execute(rows.where(_P.kind.in_(kinds)) if kinds else rows)


def _posting(row: Row, lines: Sequence[Row]) -> Posting:
    number, key, kind, day, made_at, made_by, witness, explanation, facts, previous, sealed, mark, announced = row
    entries = tuple(Entry(*line[2:]) for line in lines)
    if lines and lines[-1][1] != len(lines):
        announced = -1
    content = (number, key, kind, day, made_at, made_by, witness, explanation, facts)
    return Posting(*content, entries, bytes(previous), bytes(sealed), None if mark is None else bytes(mark), announced)
