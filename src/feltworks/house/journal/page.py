"""The page being written: a book locked for one writer, to which postings are added and then kept at once."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, select

from feltworks.errors import PostingRefused, UnknownName
from feltworks.house.journal.posting import Entry, Posting, Signed, seal
from feltworks.house.storage.statements import Insert, Prepared, among
from feltworks.house.storage.tables import account, book, entry, posting
from feltworks.money import Cents

_HEAD = select(book.c.id, book.c.number, book.c.hash).where(book.c.name == "")
_LOCK, _LOOK = Prepared(_HEAD.with_for_update()), Prepared(_HEAD)
BALANCES = Prepared(select(account.c.name, account.c.cents).where(account.c.book == 0))
_BY_KEY = Prepared(
    select(posting.c.number, posting.c.kind, posting.c.day, posting.c.facts).where(
        posting.c.book == 0, posting.c.key == ""
    )
)
_POSTINGS, _ENTRIES = Insert(posting), Insert(entry)
_MANY = 500


class Earlier(Struct, frozen=True):
    """What was posted before under some key."""

    number: int
    kind: str
    day: str
    facts: str


def glance(connection: Connection, name: str) -> tuple[int, int, dict[str, Cents]]:
    """A book's id, the number of its last posting and its balances, without a lock; the book exists."""
    head = _LOOK.first(connection, name)
    assert head is not None
    return int(head[0]), int(head[1]), dict(map(tuple, BALANCES.all(connection, head[0])))


class Page:
    """A book, locked until the transaction ends."""

    def __init__(self, connection: Connection, name: str) -> None:
        self.connection, self.name = connection, name
        # On PostgreSQL a statement that waits for a lock goes on with what it saw before the wait:
        # whatever else is read of the book has to be read in statements of its own, after this one.
        head = _LOCK.first(connection, name)
        if head is None:
            raise UnknownName("book", name, _names(connection))
        self.book, self.number, self.last = int(head[0]), int(head[1]), bytes(head[2])
        self._moment = datetime.now(UTC).isoformat(timespec="milliseconds")
        self._added: list[Posting] = []

    def balances(self) -> dict[str, Cents]:
        """Every account of the book; debits count up."""
        return dict(map(tuple, BALANCES.all(self.connection, self.book)))

    def earlier(self, keys: Sequence[str]) -> dict[str, Earlier]:
        """What stands in the book under these keys already."""
        if len(keys) == 1:
            found = _BY_KEY.first(self.connection, self.book, keys[0])
            return {keys[0]: Earlier(*found)} if found else {}
        columns = posting.c.key, posting.c.number, posting.c.kind, posting.c.day, posting.c.facts
        # Of a plain comparison with the book both databases make a walk through all its postings, since its
        # number leads their primary key; a computed one leaves them the index of the keys alone.
        here = posting.c.book + 0 == self.book
        earlier = {}
        for begin in range(0, len(keys), _MANY):
            wanted = among(self.connection, posting.c.key, keys[begin : begin + _MANY])
            rows = self.connection.execute(select(*columns).where(here, wanted))
            earlier.update({key: Earlier(*rest) for key, *rest in rows})
        return earlier

    def add(self, kind: str, facts: str, signed: Signed, entries: Iterable[Entry]) -> Posting:
        """Write a posting under the last one."""
        if not (signed.key and signed.by and signed.explanation.strip()):
            raise PostingRefused("a posting needs its key, somebody who makes it, and an explanation")
        if signed.witness is not None and signed.witness in ("", signed.by):
            raise PostingRefused(f"{signed.by} posts this and cannot be the second person as well")
        unsealed = Posting(
            self.number + 1,
            signed.key,
            kind,
            signed.day.isoformat(),
            self._moment,
            signed.by,
            signed.witness,
            signed.explanation,
            facts,
            tuple(entries),
            self.last,
            b"",
        )
        added = msgspec.structs.replace(unsealed, hash=seal(unsealed))
        self.number, self.last = added.number, added.hash
        self._added.append(added)
        return added

    def write(self) -> None:
        """Hand the database what was added: lines first, then the postings that seal them."""
        lines = [
            (self.book, p.number, line, e.debit, e.credit, e.cents, e.reason)
            for p in self._added
            for line, e in enumerate(p.entries, 1)
        ]
        if lines:
            _ENTRIES.all(self.connection, lines)
        if self._added:
            _POSTINGS.all(self.connection, [_row(self.book, p) for p in self._added])
        self._added = []


def _row(number: int, p: Posting) -> tuple[object, ...]:
    said = (p.key, p.kind, p.day, p.made_at, p.made_by, p.witness, p.explanation, p.facts)
    return (number, p.number, *said, len(p.entries), p.previous, p.hash)


def _names(connection: Connection) -> list[str]:
    return list(connection.execute(select(book.c.name).order_by(book.c.name)).scalars())
