"""The journal read again: posting by posting in their order, however long it is."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, select

from feltworks.errors import UnknownName
from feltworks.house.journal.posting import Entry, Posting
from feltworks.house.storage.tables import account, book, entry, posting

_AT_ONCE = 2_000
_P = posting.c
_COLUMNS = (
    *(_P.number, _P.key, _P.kind, _P.day, _P.made_at, _P.made_by, _P.witness, _P.explanation, _P.facts),
    *(_P.previous, _P.hash),
)


def book_number(connection: Connection, name: str) -> int:
    """The book of that name."""
    found = connection.execute(select(book.c.id).where(book.c.name == name)).scalar()
    if found is None:
        known = connection.execute(select(book.c.name).order_by(book.c.name)).scalars()
        raise UnknownName("book", name, known)
    return int(found)


def account_kinds(connection: Connection, number: int) -> dict[str, str]:
    """The accounts of a book with their kinds."""
    rows = connection.execute(select(account.c.name, account.c.kind).where(account.c.book == number))
    return dict(map(tuple, rows))


def postings(
    connection: Connection, number: int, *, first: int = 1, last: int | None = None
) -> Iterator[Posting]:
    """The postings of a book from one number to another, both included."""
    while True:
        upto = first + _AT_ONCE - 1 if last is None else min(first + _AT_ONCE - 1, last)
        rows = connection.execute(_numbered(posting, number, first, upto, *_COLUMNS)).all()
        lines = _lines(connection, number, first, upto)
        yield from (_posting(row, lines.get(row.number, ())) for row in rows)
        if (not rows and not lines) or upto == last:
            return
        first = upto + 1


def _numbered(table: Any, number: int, first: int, last: int, *columns: Any) -> Any:
    within = table.c.number.between(first, last)
    return select(*columns).where(table.c.book == number, within).order_by(*table.primary_key.columns)


def _lines(connection: Connection, number: int, first: int, last: int) -> dict[int, tuple[Entry, ...]]:
    c = entry.c
    rows = connection.execute(
        _numbered(entry, number, first, last, c.number, c.debit, c.credit, c.cents, c.reason)
    )
    return {
        posted: tuple(Entry(*row[1:]) for row in group) for posted, group in groupby(rows, lambda row: row[0])
    }


def _posting(row: Any, entries: tuple[Entry, ...]) -> Posting:
    kept = {**row._mapping, "previous": bytes(row.previous), "hash": bytes(row.hash)}
    return Posting(**kept, entries=entries)
