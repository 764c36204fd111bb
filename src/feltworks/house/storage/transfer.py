"""Copies whole books: a backup into a file, a restore into an empty database, or a move to another server.

Postings keep their seals and marks, so the copied books are the same, on either database.
"""

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing as closing_of
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, Table, func, insert, select, text, update

from feltworks.errors import StorageTrouble
from feltworks.house.journal.posting import BEGINNING
from feltworks.house.storage import schema
from feltworks.house.storage.database import Database, Insert
from feltworks.house.storage.migration import NEWEST, find_key, migrate
from feltworks.private_files import open_private

_AT_ONCE: Final = 2_000
# Tables that refer to postings, ordered so that rows are copied after those they refer to
_AFTER_POSTINGS: Final = (
    schema.progressive,
    schema.person,
    schema.period,
    schema.slip,
    schema.slip_void,
    schema.signature,
    schema.stake,
    schema.task,
    schema.task_done,
    schema.closing,
)


def back_up(books: Database, file: Path) -> None:
    """Write one state of the books to a new file that only its owner can read; the books may be in use."""
    if file.exists():
        raise StorageTrouble(f"{file} exists; give the backup a name of its own")
    draft = file.with_name(f"{file.name}.{os.getpid()}.part")
    try:
        os.close(open_private(str(draft), os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        if books.is_sqlite:
            _copy_file(books, draft)
        else:
            copy = Database(f"sqlite:///{draft}")
            copy_books(books, copy)
            copy.close()
        os.replace(draft, file)
    except OSError as trouble:
        raise StorageTrouble(f"the backup cannot be written to {file}: {trouble.strerror}") from None
    finally:
        for suffix in ("", "-wal", "-shm", "-journal"):
            draft.with_name(f"{draft.name}{suffix}").unlink(missing_ok=True)


def restore(file: Path, target: Database) -> None:
    """Fill an empty database with the books of a backup; after a failure it is left empty."""
    if not file.is_file():
        raise StorageTrouble(f"there is no backup at {file}")
    source = Database(f"sqlite:///{file}", read_only=True)
    try:
        copy_books(source, target)
    finally:
        source.close()


def _copy_file(books: Database, draft: Path) -> None:
    assert books.file is not None
    with closing_of(sqlite3.connect(books.file)) as source, closing_of(sqlite3.connect(draft)) as copy:
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")


def copy_books(source: Database, target: Database) -> None:
    """Copy every row of the books into an empty database, through the triggers that guard it."""
    with source.snapshot() as reading:
        version = reading.execute(text("SELECT version_num FROM alembic_version")).scalar()
        if version != NEWEST:
            raise StorageTrouble(f"the backup is of version {version}; open it with `felt house verify` first")
        with target.transaction() as writing:
            migrate(writing)
            if writing.execute(select(func.count()).select_from(schema.book)).scalar_one():
                raise StorageTrouble("the database to restore into holds books already; give an empty one")
            _copy_house(reading, writing)
            _copy_journals(reading, writing)
            for table in _AFTER_POSTINGS:
                _copy_rows(reading, writing, table)
            if writing.dialect.name == "postgresql":
                writing.execute(text("SELECT setval('book_id_seq', (SELECT max(id) FROM book))"))
    find_key(target)


def _copy_house(reading: Connection, writing: Connection) -> None:
    """Copy the name of the books, under which their key is stored."""
    h = schema.house
    row = reading.execute(select(h.c.books, h.c.public_key)).one()
    writing.execute(update(h).values(books=row.books))
    writing.execute(update(h).values(public_key=row.public_key))


def _copy_journals(reading: Connection, writing: Connection) -> None:
    """Copy books and accounts without balances; the triggers add those up again from the postings."""
    b, a = schema.book.c, schema.account.c
    for row in reading.execute(select(b.id, b.name, b.kind, b.number).order_by(b.id)).all():
        values = {"id": row.id, "name": row.name, "kind": row.kind, "hash": BEGINNING}
        writing.execute(insert(schema.book).values(values))
        accounts = reading.execute(select(a.book, a.name, a.kind).where(a.book == row.id)).mappings().all()
        if accounts:
            writing.execute(insert(schema.account), [dict(account) for account in accounts])
        for first in range(1, row.number + 1, _AT_ONCE):
            for table in (schema.entry, schema.posting):
                rows = _stretch(reading, table, row.id, first)
                if rows:
                    Insert(table).all(writing, rows)


def _stretch(reading: Connection, table: Table, book: int, first: int) -> Sequence[tuple[object, ...]]:
    within = (table.c.book == book) & table.c.number.between(first, first + _AT_ONCE - 1)
    rows = select(table).where(within).order_by(*table.primary_key.columns)
    return [tuple(row) for row in reading.execute(rows)]


def _copy_rows(reading: Connection, writing: Connection, table: Table) -> None:
    copied = Insert(table)
    for part in reading.execute(select(table).order_by(*table.primary_key.columns)).partitions(_AT_ONCE):
        copied.all(writing, [tuple(row) for row in part])
