"""One database by its URL: how it is opened, how a transaction locks, and what its troubles are called."""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from sqlite3 import OperationalError, connect
from threading import Lock
from time import monotonic, sleep
from typing import Any, Final

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DisconnectionError, SQLAlchemyError

from feltworks.errors import PostingRefused, StorageTrouble
from feltworks.extras import require
from feltworks.private_files import open_private, restrict

_LONGEST_WAIT: Final = 30_000  # milliseconds for another writer to finish
_SHORT_WAIT: Final = 0.01  # seconds
_SOON: Final = 1.0  # seconds that closing the books waits for others
_SURELY_ALIVE: Final = 1.0  # seconds since a connection was used last
# A batch of new keys touches pages all over a long book's index: it is read from memory, and not every batch
# is copied from the log into the file at once. At a million postings this saves a sixth of the CPU time.
_LONG_BOOKS: Final = ("cache_size = -16000", "wal_autocheckpoint = 8000")
_READING: Final = {"reading": True}
# Foreign keys are checked by a plan made while the tables are small, which a long session keeps.
_BY_KEYS: Final = "-c enable_seqscan=off"
_MAKING: Final = Lock()
_OURS: Final = "felt: "  # with these words our own triggers begin


class Database:
    """The books' database: SQLite unless the URL says PostgreSQL.

    >>> Database("sqlite://").is_sqlite
    True
    """

    def __init__(self, url: str) -> None:
        self.url = _understood(url)
        self.engine = _engine(self.url)

    @property
    def is_sqlite(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    @property
    def file(self) -> Path | None:
        """The file of SQLite books; a server and books in memory have none."""
        return _file(self.url)

    @property
    def exists(self) -> bool:
        """Whether there is something to open; a server is asked when it is spoken to."""
        return self.file is None or self.file.exists()

    @contextmanager
    def transaction(self) -> Iterator[Connection]:
        """One transaction that writes: all of it is kept, safely on disk, or nothing."""
        with self._told(), self.engine.begin() as connection:
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[Connection]:
        """One transaction that reads a single state of the books and holds up nobody."""
        with self._told(), self.engine.connect().execution_options(**_READING) as connection:
            if not self.is_sqlite:
                connection = connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                yield connection

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Say in one sentence what the database refused or why it cannot be used."""
        try:
            yield
        except (SQLAlchemyError, self.engine.dialect.loaded_dbapi.Error) as trouble:
            said = str(getattr(trouble, "orig", None) or trouble).partition("\n")[0]
            if said.startswith(_OURS):
                raise PostingRefused(said.removeprefix(_OURS)) from trouble
            raise StorageTrouble(f"the database refused: {said}") from trouble

    def close(self) -> None:
        """Let go of the books; a SQLite file is whole by itself then, also where others have it open."""
        self.engine.dispose()  # the last connection of all leaves no write-ahead log
        if self.file is not None:
            _checkpoint(self.file)


def _checkpoint(file: Path) -> None:
    """Move what stands in the write-ahead log into the file, unless somebody reads an older state of it."""
    if not file.with_name(f"{file.name}-wal").exists():
        return
    with suppress(OperationalError), closing(connect(file, timeout=_SOON)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _file(url: URL) -> Path | None:
    path = url.database if url.get_backend_name() == "sqlite" else None
    return Path(path) if path and path != ":memory:" and not path.startswith("file:") else None


def _understood(url: str) -> URL:
    """A URL, or the path of a SQLite file."""
    try:
        parsed = make_url(url if "://" in url else f"sqlite:///{url}")
    except ArgumentError:
        raise StorageTrouble(_allowed("the given URL")) from None
    named = parsed.get_backend_name()
    if named in ("postgresql", "postgres"):
        return parsed.set(drivername="postgresql+psycopg")
    if named != "sqlite":
        raise StorageTrouble(_allowed(f"{named} URLs"))
    return parsed


def _allowed(what: str) -> str:
    return f"{what} cannot be used; give a SQLite file, sqlite:///FILE or postgresql://USER@HOST/NAME"


def _engine(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        require("postgresql")
        engine = create_engine(url, connect_args={"options": _BY_KEYS})
        event.listen(engine, "checkin", _left)
        event.listen(engine, "checkout", _taken_up)
        return engine
    file = _file(url)
    if file is not None and not file.absolute().parent.is_dir():
        raise StorageTrouble(f"there is no folder for {url.database}; make it first")
    engine = create_engine(url)
    if file is not None:
        event.listen(engine, "do_connect", lambda *_: _make_private(file))
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _make_private(file: Path) -> None:
    """Leave the books to their owner; SQLite gives the files it makes beside them the same mode.

    A file that exists is not opened here: closing it would take from SQLite every lock that this process has.
    """
    with _MAKING:
        if not file.exists():
            os.close(open_private(str(file), os.O_WRONLY | os.O_CREAT))
    for suffix in ("", "-wal", "-shm", "-journal"):
        restrict(file.with_name(f"{file.name}{suffix}"))


def _left(_: object, record: Any) -> None:
    record.info["left"] = monotonic()


def _taken_up(connection: Any, record: Any, _: object) -> None:
    """An idle connection may have lost its server; to ask at every posting would cost a tenth of it."""
    left = record.info.get("left")
    if left is None or monotonic() - left < _SURELY_ALIVE:
        return
    try:
        connection.execute("SELECT 1")
        connection.rollback()
    except connection.OperationalError as trouble:
        raise DisconnectionError from trouble  # which makes the pool connect anew


def _set_up_sqlite(connection: Any, _: object) -> None:
    # Left to itself the driver begins transactions late and loses updates between reading and writing.
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout = {_LONGEST_WAIT}")
    _write_ahead(connection)
    for setting in ("synchronous = FULL", "foreign_keys = ON", "recursive_triggers = ON", *_LONG_BOOKS):
        connection.execute(f"PRAGMA {setting}")


def _write_ahead(connection: Any) -> None:
    """Of several who switch a new file at once SQLite refuses all but one, however long they would wait."""
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
