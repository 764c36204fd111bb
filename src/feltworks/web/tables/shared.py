"""Tables in PostgreSQL, shared by several server processes; each table is open in one process at a time.

A process holds an advisory lock as long as its database session lasts, and writes over that session only.
When the process dies, the database ends the session and releases the lock. Another process may then take its
tables, and no uncommitted write of the dead one can follow. The seeds of undealt cards are rows that only
the processes read.
"""

import asyncio
import os
import secrets
import time
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final, ParamSpec, TypeVar

import msgspec
import psycopg
from msgspec import Struct
from psycopg.rows import tuple_row
from sqlalchemy.engine import make_url

from feltworks.errors import StorageTrouble
from feltworks.table.events import RoundOpened
from feltworks.table.log import decode_line
from feltworks.web.data_folder import KEEP_SECONDS, KEY_BYTES, LOG, ClosingNote, sentence_of
from feltworks.web.tables.order import SavedOrder
from feltworks.web.tables.storage import SavedTable, TableStore, encode

P = ParamSpec("P")
T = TypeVar("T")
Address = tuple[str, int]
LOCKS: Final = 0x46454C54  # the class of the advisory locks; 0 is for set-up, the others are processes
LITTLE: Final = 5  # a surplus of so many tables, or 1/LITTLE of a share, is kept: players would reconnect
DEAD_CHECK_SECONDS: Final = 0.1  # between two checks for dead processes, as many players reconnect at once
MOST_LINES: Final = 100_000  # of the log of an open table; older rounds are deleted
LOST_DATABASE: Final = 4  # the exit status of a process that cannot write

_SET_UP: Final = """
CREATE SCHEMA IF NOT EXISTS felt_live;
CREATE SEQUENCE IF NOT EXISTS felt_live.process_number AS integer CYCLE;
CREATE TABLE IF NOT EXISTS felt_live.process (
    id integer PRIMARY KEY,
    host text NOT NULL,
    port integer NOT NULL
);
CREATE TABLE IF NOT EXISTS felt_live.game_table (
    id text PRIMARY KEY,
    terms bytea NOT NULL,
    standing text,
    owner integer REFERENCES felt_live.process ON DELETE SET NULL,
    seats bytea,
    seed bytea,
    round_from bigint NOT NULL DEFAULT 0,
    is_busy boolean NOT NULL DEFAULT false,
    unused_since double precision,
    description bytea,
    close_because text,
    closed bytea,
    trouble text
) WITH (fillfactor = 50);
CREATE TABLE IF NOT EXISTS felt_live.line (
    table_id text REFERENCES felt_live.game_table ON DELETE CASCADE,
    n bigint,
    line bytea NOT NULL,
    PRIMARY KEY (table_id, n)
);
CREATE TABLE IF NOT EXISTS felt_live.revealed (
    table_id text REFERENCES felt_live.game_table ON DELETE CASCADE,
    shoe bytea,
    PRIMARY KEY (table_id, shoe)
);
CREATE TABLE IF NOT EXISTS felt_live.login (
    key text PRIMARY KEY,
    user_name text NOT NULL,
    began double precision NOT NULL,
    seen double precision NOT NULL
);
CREATE TABLE IF NOT EXISTS felt_live.secret (
    id integer PRIMARY KEY CHECK (id = 1),
    session_key bytea NOT NULL
);
"""
# A machine that vanishes is noticed in about five seconds; the end of a process at once.
_SESSION: Final = """
SET synchronous_commit = off;
SET tcp_keepalives_idle = 2;
SET tcp_keepalives_interval = 1;
SET tcp_keepalives_count = 3;
"""
_OPEN: Final = "closed IS NULL AND trouble IS NULL"
_ROW: Final = "terms, seats, seed, round_from"


class SavedRow(Struct, frozen=True):
    """A table as saved in its rows: the order, the last round, the seats and the seed."""

    order: SavedOrder
    lines: list[bytes]
    seats: bytes | None
    seed: bytes


class Duties(Struct, frozen=True):
    """A process's tasks: tables to open, tables to close and why, how many to hand over and to which process."""

    to_open: list[str]
    to_close: dict[str, str]
    surplus: int = 0
    receiver: int = 0


class SharedTables:
    """This process's database session, which one thread uses in the order of the calls."""

    def __init__(self, url: str) -> None:
        self._url = make_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
        try:
            self._connection = psycopg.connect(self._url, autocommit=True, row_factory=tuple_row)
        except psycopg.Error as error:
            raise StorageTrouble(f"the database refused: {str(error).splitlines()[0]}") from None
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="tables")
        self._batch = Batch()
        self._writes = self._committed = 0
        self._commit: asyncio.Future[None] | None = None
        self._checked_at = -DEAD_CHECK_SECONDS
        self.process = 0
        self._call(self._set_up)

    def _call(self, work: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
        """Run work in the session's thread and wait for it; if the session has failed, this process ends."""
        return self._thread.submit(self._guard, partial(work, *args, **named)).result()

    async def call(self, work: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
        """Like `_call`, without blocking the event loop."""
        return await asyncio.get_running_loop().run_in_executor(
            self._thread, self._guard, partial(work, *args, **named)
        )

    def _guard(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except psycopg.Error as error:
            LOG.error("this process ends, as its session with the database failed: %s", sentence_of(error))
            os._exit(LOST_DATABASE)  # at once, as its tables in memory may be out of date

    def _set_up(self) -> None:
        self._connection.execute(_SESSION)
        with self._connection.transaction():
            self._connection.execute("SELECT pg_advisory_xact_lock(%s, 0)", [LOCKS])
            self._connection.execute(_SET_UP)

    # Processes.

    def register(self, address: Address) -> None:
        """Take a process number and its lock, and save this process's address."""

        def insert() -> int:
            (number,) = self._one("SELECT nextval('felt_live.process_number')::integer")
            self._connection.execute("SELECT pg_advisory_lock(%s, %s)", [LOCKS, number])
            self._connection.execute("INSERT INTO felt_live.process VALUES (%s, %s, %s)", [number, *address])
            return int(number)

        self.process = self._call(insert)

    def leave(self) -> None:
        """Commit all writes, release all tables and end the session."""
        self.flush()
        self._call(self._connection.execute, "DELETE FROM felt_live.process WHERE id = %s", [self.process])
        self.close()

    def close(self) -> None:
        """End the session and its thread."""
        self._thread.shutdown()
        self._connection.close()

    def _remove_dead_processes(self) -> None:
        """Remove processes whose lock is free, as their sessions have ended; their tables then have no owner."""
        if time.monotonic() - self._checked_at < DEAD_CHECK_SECONDS:
            return
        self._checked_at = time.monotonic()
        self._connection.execute(
            "DELETE FROM felt_live.process WHERE id <> %s AND pg_try_advisory_xact_lock(%s, id)",
            [self.process, LOCKS],
        )

    def processes(self) -> dict[int, Address]:
        """The running processes and their addresses."""
        rows = self._call(lambda: self._all("SELECT id, host, port FROM felt_live.process"))
        return {number: (host, port) for number, host, port in rows}

    # Owning tables.

    def locate(self, id_: str) -> "Address | SavedRow | None":
        """Take a table without an owner. Returns its row if it is now ours, else its owner's address; or None."""

        def take() -> Address | SavedRow | None:
            self._remove_dead_processes()
            mine = f"UPDATE felt_live.game_table SET owner = %s WHERE id = %s AND {_OPEN}"
            taken = f"{mine} AND (owner IS NULL OR owner = %s) RETURNING {_ROW}"
            if row := self._one(taken, self.process, id_, self.process):
                return self._saved_row(id_, row)
            theirs = "SELECT host, port FROM felt_live.game_table t JOIN felt_live.process p ON p.id = t.owner"
            address: Address | None = self._one(f"{theirs} WHERE t.id = %s AND {_OPEN}", id_)
            return address

        return self._call(take)

    async def duties(self, owned: Collection[str], unused: float) -> Duties:
        """Take tables whose owners died, and return all tasks of this process."""
        return await self.call(self._duties, set(owned), unused)

    def _duties(self, owned: set[str], unused: float) -> Duties:
        self._remove_dead_processes()
        self._connection.execute(
            f"""UPDATE felt_live.game_table SET owner = %s WHERE id IN (
                SELECT id FROM felt_live.game_table
                WHERE owner IS NULL AND {_OPEN}
                AND (is_busy OR close_because IS NOT NULL OR (standing IS NULL AND unused_since < %s))
                FOR UPDATE SKIP LOCKED)""",
            [self.process, unused],
        )
        mine = self._all(
            f"SELECT id, close_because FROM felt_live.game_table WHERE owner = %s AND {_OPEN}", self.process
        )
        counts = self._all(
            """SELECT p.id, count(t.id) FROM felt_live.process p
            LEFT JOIN felt_live.game_table t ON t.owner = p.id GROUP BY p.id ORDER BY 2, 1"""
        )
        (receiver, least), total = counts[0], sum(count for _, count in counts)
        share = -(-total // len(counts))
        surplus = min(len(mine) - share, share - least)
        return Duties(
            [id_ for id_, _ in mine if id_ not in owned],
            {id_: because for id_, because in mine if because is not None},
            surplus if surplus > max(LITTLE, share // LITTLE) else 0,
            receiver,
        )

    def hand_over(self, ids: Collection[str], receiver: int) -> None:
        """Commit all changes and give tables to another process; if it has just died, they have no owner."""
        self.flush()
        living = "SELECT id FROM felt_live.process WHERE id = %s FOR KEY SHARE"  # waits for a removal
        given = "UPDATE felt_live.game_table SET owner = (SELECT id FROM receiver) WHERE id = ANY(%s)"
        self._call(self._connection.execute, f"WITH receiver AS ({living}) {given}", [receiver, list(ids)])

    # Tables.

    def create(self, id_: str, order: SavedOrder) -> "TableRows":
        """Insert a new table, which has no owner until somebody visits it."""
        sql = "INSERT INTO felt_live.game_table (id, terms, standing) VALUES (%s, %s, %s)"
        standing = order.new.game if order.is_standing else None
        self._call(self._connection.execute, sql, [id_, msgspec.json.encode(order), standing])
        return TableRows(self, id_)

    def read(self, id_: str) -> SavedRow:
        """Read a table's rows."""
        self.flush()
        sql = f"SELECT {_ROW} FROM felt_live.game_table WHERE id = %s"
        return self._call(lambda: self._saved_row(id_, self._one(sql, id_)))

    def _saved_row(self, id_: str, row: tuple[bytes, bytes | None, bytes | None, int]) -> SavedRow:
        terms, seats, seed, first = row
        lines = self._all("SELECT line FROM felt_live.line WHERE table_id = %s AND n >= %s ORDER BY n", id_, first)
        return SavedRow(SavedOrder.read(terms), [line for (line,) in lines], seats, seed or b"")

    def set_aside(self, id_: str, trouble: str) -> None:
        """Mark a table that cannot be opened; its other data stay as they are."""
        sql = "UPDATE felt_live.game_table SET trouble = %s, owner = NULL WHERE id = %s"
        self._call(self._connection.execute, sql, [trouble, id_])

    def trouble_of(self, id_: str) -> str | None:
        """Why a table was set aside; None if it was not."""
        row = self._call(self._one, "SELECT trouble FROM felt_live.game_table WHERE id = %s", id_)
        return row[0] if row else None

    def archive(self, id_: str, note: ClosingNote) -> None:
        """Close a table for good; its rows are kept."""
        self.flush()
        sql = "UPDATE felt_live.game_table SET closed = %s, owner = NULL WHERE id = %s"
        self._call(self._connection.execute, sql, [msgspec.json.encode(note), id_])

    def prune(self, now: float) -> None:
        """Delete tables that were closed long ago, with their logs, and the oldest rounds of long logs.

        It may take long, so it uses its own database session and play does not wait for it.
        """
        closed = """DELETE FROM felt_live.game_table
            WHERE closed IS NOT NULL AND (convert_from(closed, 'UTF8')::json ->> 'at')::float8 < %s"""
        lines = """DELETE FROM felt_live.line l USING felt_live.game_table t
            WHERE l.table_id = t.id AND l.n < t.round_from - %s"""
        with psycopg.connect(self._url, autocommit=True) as connection:
            connection.execute(closed, [now - KEEP_SECONDS])
            connection.execute(lines, [MOST_LINES])

    def request_closing(self, id_: str, because: str) -> None:
        """Ask the owner of a table to close it."""
        sql = f"UPDATE felt_live.game_table SET close_because = %s WHERE id = %s AND {_OPEN}"
        self._call(self._connection.execute, sql, [because, id_])

    def closing_note(self, id_: str) -> ClosingNote | None:
        """The note of a closed table; None while it is open."""
        row = self._call(self._one, "SELECT closed FROM felt_live.game_table WHERE id = %s", id_)
        return msgspec.json.decode(row[0], type=ClosingNote) if row and row[0] else None

    def count(self) -> int:
        """How many tables are open."""
        return int(self._call(self._one, f"SELECT count(*) FROM felt_live.game_table WHERE {_OPEN}")[0])

    def descriptions(self) -> list[bytes]:
        """The last description of every open table, ordered by id."""
        sql = f"SELECT description FROM felt_live.game_table WHERE description IS NOT NULL AND {_OPEN} ORDER BY id"
        return [description for (description,) in self._call(self._all, sql)]

    def open_standing(self, games: Collection[str], open_: Callable[[str], None]) -> None:
        """Open a standing table of each game that has none; a lock lets only one process do so at a time."""
        self._call(self._connection.execute, "SELECT pg_advisory_lock(%s, 0)", [LOCKS])
        try:
            sql = f"SELECT standing FROM felt_live.game_table WHERE standing IS NOT NULL AND {_OPEN}"
            there = {name for (name,) in self._call(self._all, sql)}
            for game in games:
                if game not in there:
                    open_(game)
        finally:
            self._call(self._connection.execute, "SELECT pg_advisory_unlock(%s, 0)", [LOCKS])

    def session_key(self) -> bytes:
        """The key that encrypts session cookies in all processes; the first process makes it."""

        def key() -> bytes:
            sql = "INSERT INTO felt_live.secret VALUES (1, %s) ON CONFLICT DO NOTHING"
            self._connection.execute(sql, [secrets.token_bytes(KEY_BYTES)])
            return bytes(self._one("SELECT session_key FROM felt_live.secret")[0])

        return self._call(key)

    # Writing: changes are collected during a commit, so that many tables share the next one.

    @property
    def batch(self) -> "Batch":
        """The changes for the next commit; reading this property counts as a write."""
        self._writes += 1
        return self._batch

    def _take(self) -> "tuple[Batch, int]":
        batch, self._batch = self._batch, Batch()
        return batch, self._writes

    def flush(self) -> None:
        """Commit all changes so far and wait for it."""
        batch, upto = self._take()
        self._call(self._write, batch)
        self._committed = max(self._committed, upto)

    async def confirm(self) -> None:
        """Wait until all changes so far are committed; clients are sent nothing earlier."""
        wanted = self._writes
        while self._committed < wanted:
            if self._commit is None:
                self._commit = asyncio.ensure_future(self._commit_batch())
            await asyncio.shield(self._commit)

    async def _commit_batch(self) -> None:
        batch, upto = self._take()
        try:
            await self.call(self._write, batch)
            self._committed = max(self._committed, upto)
        finally:
            self._commit = None

    def _write(self, batch: "Batch") -> None:
        if not batch.is_empty:
            with self._connection.pipeline(), self._connection.transaction():
                for sql, values in batch.statements():
                    self._connection.execute(sql, values)

    def _one(self, sql: str, *values: object) -> Any:
        return self._connection.execute(sql, values).fetchone()

    def _all(self, sql: str, *values: object) -> list[Any]:
        return self._connection.execute(sql, values).fetchall()


class Batch:
    """Changes to any number of tables that are committed together."""

    def __init__(self) -> None:
        self.lines: list[tuple[str, int, bytes]] = []
        self.round_from: dict[str, int] = {}
        self.seats: dict[str, tuple[bytes, bool, float | None]] = {}
        self.seeds: dict[str, bytes] = {}
        self.revealed: list[tuple[str, bytes]] = []
        self.descriptions: dict[str, bytes] = {}

    @property
    def is_empty(self) -> bool:
        return not (self.lines or self.seats or self.seeds or self.revealed or self.descriptions)

    def statements(self) -> list[tuple[str, list[Any]]]:
        """The SQL statements of the batch, a few for any number of tables."""
        seats = [(id_, *row) for id_, row in self.seats.items()]
        rows: list[tuple[str, list[Any]]] = [
            ("INSERT INTO felt_live.line SELECT * FROM unnest(%s::text[], %s::bigint[], %s::bytea[])", self.lines),
            (_update("round_from = c.a", "bigint"), list(self.round_from.items())),
            (_update("seats = c.a, is_busy = c.b, unused_since = c.c", "bytea", "boolean", "float8"), seats),
            (_update("seed = c.a", "bytea"), list(self.seeds.items())),
            (_update("description = c.a", "bytea"), list(self.descriptions.items())),
            (
                "INSERT INTO felt_live.revealed SELECT * FROM unnest(%s::text[], %s::bytea[]) ON CONFLICT DO NOTHING",
                self.revealed,
            ),
        ]
        return [(sql, [list(column) for column in zip(*values, strict=True)]) for sql, values in rows if values]


def _update(changes: str, *types: str) -> str:
    names = ", ".join(["id", "a", "b", "c"][: len(types) + 1])
    arrays = ", ".join(f"%s::{type_}[]" for type_ in ("text", *types))
    return f"UPDATE felt_live.game_table t SET {changes} FROM unnest({arrays}) c({names}) WHERE t.id = c.id"


class TableRows(TableStore):
    """Stores one table in its rows."""

    def __init__(self, shared: SharedTables, id_: str, saved: SavedRow | None = None) -> None:
        super().__init__()
        self._shared, self._id, self._saved = shared, id_, saved

    @property
    def saved(self) -> SavedRow:
        """The rows, cached until they change."""
        if self._saved is None:
            self._saved = self._shared.read(self._id)
        return self._saved

    @property
    def _batch(self) -> Batch:
        self._saved = None
        return self._shared.batch

    def write(self, line: bytes) -> None:
        entry, batch = decode_line(line), self._batch
        batch.lines.append((self._id, entry.n, line))
        if isinstance(entry.event, RoundOpened):
            batch.round_from[self._id] = entry.n
        self.last_line = line

    def close(self) -> None:
        """Does nothing, as there are no open files."""

    def put_seats(self, saved: SavedTable) -> None:
        self._batch.seats[self._id] = encode(saved), bool(saved.members), saved.unused_since

    def put_seed(self, note: bytes) -> None:
        self._batch.seeds[self._id] = note

    def put_revealed(self, shoe: bytes) -> None:
        self._batch.revealed.append((self._id, shoe))

    def last_round(self) -> list[bytes]:
        return self.saved.lines

    def last_seats(self) -> bytes | None:
        return self.saved.seats

    def last_seed(self) -> bytes:
        return self.saved.seed
