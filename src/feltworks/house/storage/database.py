"""Opens a database by its URL, runs transactions on it, and translates its errors into sentences.

Statements of the hot path are compiled once by SQLAlchemy and run by the driver within its transaction: SQLAlchemy's
own way of running a statement costs more than the statement itself.
"""

import os
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from sqlite3 import OperationalError, connect
from threading import Lock
from time import monotonic, sleep
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import (
    ARRAY,
    Column,
    ColumnElement,
    Connection,
    Engine,
    NullPool,
    Select,
    Table,
    Text,
    any_,
    create_engine,
    event,
    literal,
)
from sqlalchemy.engine import URL, Dialect, make_url
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.exc import ArgumentError, DisconnectionError, SQLAlchemyError
from sqlalchemy.sql.compiler import SQLCompiler

from feltworks.errors import PostingRefused, StorageTrouble
from feltworks.extras import require
from feltworks.house.journal.seals import LastSeals
from feltworks.private_files import open_private, restrict

Row = Sequence[Any]
FEW = 10  # up to so many rows INSERT is faster than COPY, which cannot be pipelined


class PreparedSelect:
    """A SELECT whose constants are placeholders for values given later, in the order of the statement."""

    def __init__(self, statement: Select[Any]) -> None:
        self._statement = statement
        self._compiled: dict[str, tuple[str, list[str] | None]] = {}

    def first(self, connection: Connection, *values: object) -> Row | None:
        row: Row | None = self.send(connection, *values).fetchone()
        return row

    def all(self, connection: Connection, *values: object) -> Sequence[Row]:
        rows: Sequence[Row] = self.send(connection, *values).fetchall()
        return rows

    def send(self, connection: Connection, *values: object) -> DBAPICursor:
        """Run the statement; its rows are fetched from the cursor."""
        cursor = connection.connection.cursor()
        cursor.execute(*self._compile(connection.dialect, values))
        return cursor

    def _compile(self, dialect: Dialect, values: Sequence[object]) -> tuple[str, Any]:
        if dialect.name not in self._compiled:
            compiled = self._statement.compile(dialect=dialect)
            assert isinstance(compiled, SQLCompiler)
            names = None if compiled.positional else list(compiled.bind_names.values())
            self._compiled[dialect.name] = str(compiled), names
        text, names = self._compiled[dialect.name]
        return text, tuple(values) if names is None else dict(zip(names, values, strict=True))


Read = tuple[PreparedSelect, *tuple[object, ...]]  # a selection and its values


def fetch_many(connection: Connection, *selects: Read) -> list[Sequence[Row]]:
    """Run several selections one after the other; on a server in one round trip."""
    with pipeline(connection):
        cursors = [statement.send(connection, *values) for statement, *values in selects]
    return [cursor.fetchall() for cursor in cursors]


@contextmanager
def pipeline(connection: Connection, *, commit: bool = False) -> Iterator[None]:
    """Send statements to a server in one round trip, with the end of the transaction if `commit` is set.

    The server runs them one by one; it skips those after the first error, which is raised at the end.
    """
    if connection.dialect.name == "sqlite":
        yield
        return
    driver: Any = connection.connection.driver_connection
    with driver.pipeline():
        yield
        if commit:
            driver.commit()


class Insert:
    """Inserts rows with all columns in order, in one statement, so that triggers run once."""

    def __init__(self, table: Table) -> None:
        columns = ", ".join(column.name for column in table.columns)
        self._width = len(table.columns)
        self._insert = f"INSERT INTO {table.name} ({columns}) VALUES"
        self._copy = f"COPY {table.name} ({columns}) FROM STDIN"
        self.of_one_row = f"{self._insert} {self._row('?')}"  # in the form for SQLite's driver

    def all(self, connection: Connection, rows: Sequence[tuple[object, ...]]) -> None:
        cursor: Any = connection.connection.cursor()
        if connection.dialect.name == "sqlite":
            cursor.executemany(self.of_one_row, rows)
        elif len(rows) <= FEW:
            cursor.execute(f"{self._insert} {', '.join([self._row('%s')] * len(rows))}", sum(rows, ()))
        else:
            with cursor.copy(self._copy) as copy:
                for row in rows:
                    copy.write_row(row)

    def _row(self, mark: str) -> str:
        return f"({', '.join([mark] * self._width)})"


def is_among(connection: Connection, column: Column[str], values: Sequence[str]) -> ColumnElement[bool]:
    """The condition that the column holds one of many values.

    PostgreSQL gets them as one array: its cached plan for hundreds of parameters would scan the table.
    """
    if connection.dialect.name == "sqlite":
        return column.in_(values)
    return column == any_(literal(list(values), ARRAY(Text)))


_LONGEST_WAIT: Final = 30_000  # milliseconds for another writer to finish
_SHORT_WAIT: Final = 0.01  # seconds
_SOON: Final = 1.0  # seconds to wait for others when the books are closed
_SURELY_ALIVE: Final = 1.0  # seconds since the last use of a connection
# New keys touch pages all over the index of a long book. A larger cache and fewer checkpoints save a sixth
# of the CPU time at a million postings.
_LONG_BOOKS: Final = ("cache_size = -16000", "wal_autocheckpoint = 8000")
_READING: Final = {"reading": True}
# A long session keeps plans for foreign keys made while the tables were small, so sequential scans are off. Their
# penalty, where no index fits, would make the server compile each statement, so compilation is off too.
_SESSION: Final = "-c enable_seqscan=off -c jit=off"
_MAKING: Final = Lock()
Write = tuple[str, Sequence[Sequence[object]]]  # a statement and its rows
ENDS: Final = "ends"  # where a connection keeps the last posting that its transaction adds to each book
_OURS: Final = "felt: "  # the prefix of messages from our own triggers


class Database:
    """The books' database: SQLite unless the URL says PostgreSQL.

    >>> Database("sqlite://").is_sqlite
    True
    """

    def __init__(self, url: str, *, read_only: bool = False) -> None:
        self.url, self.read_only = _parse_url(url), read_only
        self.file = _file(self.url)  # the file of SQLite books; None for a server and for books in memory
        self.engine = _read_only_engine(self.url) if read_only and self.file else _engine(self.url)
        self.is_sqlite = self.engine.dialect.name == "sqlite"
        self.last_seals: LastSeals | None = None
        self._free: deque[Any] = deque()  # idle connections for single statements

    @property
    def place(self) -> str:
        """Where the books are: the path of the file, or the URL without user and password."""
        return os.path.abspath(self.file) if self.file else str(self.url.set(username=None, password=None))

    @property
    def is_in_memory(self) -> bool:
        """Whether the books are lost when the process ends."""
        return self.is_sqlite and self.file is None

    @property
    def exists(self) -> bool:
        """Whether the SQLite file exists; always true of a server and of books in memory."""
        return self.file is None or self.file.exists()

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """A transaction that writes: everything is stored on disk, or nothing."""
        with self._translate_errors(), self.engine.begin() as connection:
            connection.info.pop(ENDS, None)
            yield connection
            ends = connection.info.pop(ENDS, {})
        if self.last_seals is not None:
            for book, end in ends.items():
                self.last_seals.note(book, *end)

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """A read-only transaction that sees one state of the books and blocks nobody."""
        with self._translate_errors(), self.engine.connect().execution_options(**_READING) as connection:
            if not self.is_sqlite:
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                yield connection

    def call(self, statement: str, values: Sequence[object]) -> Any:
        """Run one statement on a server, as a transaction in one round trip; returns its first value.

        None if it failed: nothing was stored, or the connection broke before the answer came.
        """
        driver = self._free.pop() if self._free else self._connect_for_calls()
        try:
            (value,) = driver.execute(statement, values).fetchone()
        except self.engine.dialect.loaded_dbapi.Error:
            value = None
        if not driver.closed:
            self._free.append(driver)
        return value

    def _connect_for_calls(self) -> Any:
        """A connection outside the pool, as the pool's checks take a tenth of the time of a posting."""
        pooled = self.engine.raw_connection()
        driver: Any = pooled.driver_connection
        pooled.detach()
        if not self.is_sqlite:  # SQLite connections already begin transactions only by statements
            driver.autocommit = True
        return driver

    def attempt(self, condition: str, values: Sequence[object], *writes: Write) -> bool | None:
        """Write rows to a SQLite file in one transaction of its driver, if a selection finds something.

        False if it finds nothing, None if a row was refused; nothing is stored in either case.
        """
        driver = self._free.pop() if self._free else self._connect_for_calls()
        try:
            driver.execute("BEGIN IMMEDIATE")
            if holds := driver.execute(condition, values).fetchone() is not None:
                for statement, rows in writes:
                    driver.executemany(statement, rows)
            driver.execute("COMMIT")
        except self.engine.dialect.loaded_dbapi.Error:
            driver.rollback()
            return None
        finally:
            self._free.append(driver)
        return holds

    @contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """Turn a database error into one sentence."""
        try:
            yield
        except (SQLAlchemyError, self.engine.dialect.loaded_dbapi.Error) as trouble:
            message = str(getattr(trouble, "orig", None) or trouble).partition("\n")[0]
            if message.startswith(_OURS):
                raise PostingRefused(f"{message.removeprefix(_OURS)} (house rule of the journal)") from trouble
            raise StorageTrouble(f"the database refused: {message}") from trouble

    def close(self) -> None:
        """Close the connections; afterwards a SQLite file is complete without its write-ahead log."""
        while self._free:
            self._free.pop().close()
        if self.last_seals is not None:
            self.last_seals.close()
        self.engine.dispose()  # the last connection removes the write-ahead log
        if self.file is not None and not self.read_only:
            _checkpoint(self.file)


def _checkpoint(file: Path) -> None:
    """Move the write-ahead log into the file, unless a reader still needs an older state."""
    if not file.with_name(f"{file.name}-wal").exists():
        return
    with suppress(OperationalError), closing(connect(file, timeout=_SOON)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _file(url: URL) -> Path | None:
    path = url.database if url.get_backend_name() == "sqlite" else None
    return Path(path) if path and path != ":memory:" and not path.startswith("file:") else None


def _parse_url(url: str) -> URL:
    """Parse a URL, or the path of a SQLite file."""
    try:
        parsed = make_url(url if "://" in url else f"sqlite:///{url}")
    except ArgumentError:
        raise StorageTrouble(_url_error("the given URL")) from None
    backend = parsed.get_backend_name()
    if backend in ("postgresql", "postgres"):
        return parsed.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise StorageTrouble(_url_error(f"{backend} URLs"))
    return parsed


def _url_error(what: str) -> str:
    return f"{what} cannot be used; give a SQLite file, sqlite:///FILE or postgresql://USER@HOST/NAME"


def _engine(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        return _server_engine(url)
    file = _file(url)
    if file is not None and not file.absolute().parent.is_dir():
        raise StorageTrouble(f"there is no folder for {url.database}; make it first")
    engine = create_engine(url)
    if file is not None:
        event.listen(engine, "do_connect", lambda *_: _make_private(file))
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _server_engine(url: URL) -> Engine:
    require("postgresql")
    engine = create_engine(url, connect_args={"options": _SESSION})
    event.listen(engine, "checkin", _note_checkin)
    event.listen(engine, "checkout", _check_alive)
    return engine


def _read_only_engine(url: URL) -> Engine:
    """An engine for reading only; a file that this user cannot change is read without locks."""
    file = _file(url)
    assert file is not None
    if not file.is_file():
        raise StorageTrouble(f"there are no books at {file}")
    can_change = os.access(file, os.W_OK) and os.access(file.absolute().parent, os.W_OK)
    has_log = file.with_name(f"{file.name}-wal").exists()
    query = "mode=ro" if can_change or has_log else "immutable=1"
    address = f"file:{quote(str(file.absolute()))}?{query}"
    engine = create_engine("sqlite://", creator=lambda: connect(address, uri=True), poolclass=NullPool)
    event.listen(engine, "connect", _set_up_reading)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_reading(connection: Any, _: object) -> None:
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout = {_LONGEST_WAIT}")


def _make_private(file: Path) -> None:
    """Make the books readable by their owner alone; SQLite gives its other files the same mode.

    An existing file is not opened here: closing it would release every lock that this process holds on it.
    """
    with _MAKING:
        if not file.exists():
            os.close(open_private(str(file), os.O_WRONLY | os.O_CREAT))
    for suffix in ("", "-wal", "-shm", "-journal"):
        restrict(file.with_name(f"{file.name}{suffix}"))


def _note_checkin(_: object, record: Any) -> None:
    record.info["left"] = monotonic()


def _check_alive(connection: Any, record: Any, _: object) -> None:
    """Check that an idle connection still has its server; a check at every posting would take a tenth longer."""
    checked_in = record.info.get("left")
    if checked_in is None or monotonic() - checked_in < _SURELY_ALIVE:
        return
    try:
        connection.execute("SELECT 1")
        connection.rollback()
    except connection.OperationalError as trouble:
        raise DisconnectionError from trouble  # makes the pool reconnect


def _set_up_sqlite(connection: Any, _: object) -> None:
    # By default the driver begins transactions late and loses updates between reading and writing.
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout = {_LONGEST_WAIT}")
    _write_ahead(connection)
    for setting in ("synchronous = FULL", "foreign_keys = ON", "recursive_triggers = ON", *_LONG_BOOKS):
        connection.execute(f"PRAGMA {setting}")


def _write_ahead(connection: Any) -> None:
    """Switch to a write-ahead log; retries, as SQLite refuses all but one of several processes at once."""
    latest = monotonic() + _LONGEST_WAIT / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except OperationalError as trouble:
            if "locked" not in str(trouble) or monotonic() > latest:
                raise
            sleep(_SHORT_WAIT)


def _begin_sqlite(connection: Connection) -> None:
    reads = connection.get_execution_options().get("reading")
    connection.exec_driver_sql("BEGIN" if reads else "BEGIN IMMEDIATE")
