"""The server's data folder: its lock, its table folders, its session key, and notices of damage."""

import fcntl
import logging
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from feltworks.errors import FeltError, LogError, brief
from feltworks.private_files import make_private_folder, open_private, restrict
from feltworks.web.tables.order import SavedOrder

LOG: Final = logging.getLogger("feltworks")
KEY_BYTES: Final = 32
KEEP_SECONDS: Final = 90 * 86400.0  # how long a closed table and its log are kept
MOST_CLOSED_BYTES: Final = 10 << 30  # for all closed tables; the oldest are deleted first
_KEY: Final = "session.key"
_ORDER: Final = "order.json"


class Notice(Struct, frozen=True):
    """A table, game or file that the server could not open, and why."""

    about: str
    says: str


class Notices:
    """The notices since the server started, one for each subject."""

    def __init__(self) -> None:
        self._by_subject: dict[str, Notice] = {}

    def add(self, about: str, error: Exception, consequence: str) -> None:
        """Log a notice and keep it for the staff's page."""
        notice = Notice(about, f"{sentence_of(error)}; {consequence}")
        self._by_subject[about] = notice
        LOG.warning("%s: %s", notice.about, notice.says)

    def all(self) -> list[Notice]:
        return list(self._by_subject.values())

    def __contains__(self, about: str) -> bool:
        return about in self._by_subject


def sentence_of(error: Exception) -> str:
    """The error as one line of text."""
    if isinstance(error, FeltError):
        text = str(error)
    elif isinstance(error, OSError) and error.strerror:
        name = str(error.filename or "").rpartition("/")[2]
        text = f"{name}: {error.strerror.lower()}" if name else error.strerror.lower()
    else:
        text = f"{type(error).__name__}: {brief(str(error))}"
    return " ".join(text.split())


class FolderInUse(FeltError):
    """Another server holds the data folder."""

    def __init__(self, data: Path) -> None:
        super().__init__(f"{data} is in use by another server; stop that one or name another folder with --data")


@contextmanager
def hold(data: Path) -> Iterator[None]:
    """Lock the folder for this process; the lock ends with the process."""
    _make_folder(data)
    handle = os.open(data, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FolderInUse(data) from None
        except OSError as error:  # some network file systems have no locks
            LOG.warning("%s cannot be locked (%s); use it with one server only", data, sentence_of(error))
        yield
    finally:
        os.close(handle)


def _make_folder(data: Path) -> None:
    """Make the folder readable for its owner only; a folder that holds other things keeps its mode."""
    if (data / _KEY).exists() or not data.exists() or not any(data.iterdir()):
        make_private_folder(data)


# Tables.


def table_paths(data: Path) -> list[Path]:
    """All paths in the folder of tables, including those that are not tables."""
    tables = data / "tables"
    return sorted(tables.iterdir()) if tables.is_dir() else []


def make_table(data: Path, id_: str, order: SavedOrder) -> Path:
    """Make a table's folder under a temporary name and rename it, so that a crash leaves no incomplete folder."""
    beside, folder = _temporary_folder(data) / id_, data / "tables" / id_
    try:
        make_private_folder(beside)
        with open(beside / _ORDER, "wb", opener=open_private) as opened:
            opened.write(msgspec.json.encode(order))
        make_private_folder(folder.parent)
        beside.rename(folder)
    except OSError:
        shutil.rmtree(beside, ignore_errors=True)
        raise
    return folder


class ClosingNote(Struct, frozen=True):
    """Why and when a table was closed, and the number of the round that this made void, if one was running."""

    because: str
    at: float
    voided: int | None = None


def archive_table(data: Path, id_: str, note: ClosingNote) -> None:
    """Move a table's folder to the closed tables and add the note."""
    folder, closed = data / "tables" / id_, data / "closed"
    with open(folder / "closed.json", "wb", opener=open_private) as opened:
        opened.write(msgspec.json.encode(note))
    make_private_folder(closed)
    folder.rename(closed / id_)


def prune_closed(data: Path, now: float) -> None:
    """Delete closed tables that are too old, and then the oldest until the others fit the limit."""
    closed, size = data / "closed", 0
    folders = closed.iterdir() if closed.is_dir() else []
    for folder in sorted(folders, key=lambda path: path.stat().st_mtime, reverse=True):
        size += sum(path.stat().st_size for path in folder.rglob("*"))
        if size > MOST_CLOSED_BYTES or now - folder.stat().st_mtime > KEEP_SECONDS:
            shutil.rmtree(folder, ignore_errors=True)


def prepare(data: Path) -> None:
    """Restrict the folders to their owner and remove incomplete tables, where nobody has played yet."""
    for name in ("tables", "closed", "opening"):
        with suppress(OSError):
            restrict(data / name)
    for folder in _temporary_folder(data).glob("*"):
        shutil.rmtree(folder, ignore_errors=True)


def _temporary_folder(data: Path) -> Path:
    return data / "opening"


def read_order(folder: Path) -> SavedOrder:
    """Read the order with which the table in this folder was opened."""
    if not folder.is_dir():
        raise LogError(f"{folder.name} is not the folder of a table")
    try:
        return SavedOrder.read((folder / _ORDER).read_bytes())
    except ValueError as error:  # msgspec's errors, and text that is not UTF-8
        raise LogError(f"its file {_ORDER} is damaged: {error}") from None


# The session key.


def session_key(data: Path, notices: Notices | None = None) -> bytes:
    """The key that encrypts session cookies, readable for its owner only; a damaged key is replaced."""
    notices = Notices() if notices is None else notices
    path = data / _KEY
    try:
        _make_folder(data)
        if path.exists():
            restrict(path)
            if path.is_file() and len(key := path.read_bytes()) == KEY_BYTES:
                return key
            _set_key_aside(path, notices)
        return _make_key(path)
    except OSError as error:
        notices.add("session.key", error, "sessions end when the server stops")
        return secrets.token_bytes(KEY_BYTES)


def _set_key_aside(path: Path, notices: Notices) -> None:
    damaged = path.with_name("session.key.damaged")
    with suppress(OSError):
        path.replace(damaged)
    sentence = f"the session key must have {KEY_BYTES} bytes; the file is kept as {damaged.name}"
    notices.add("session.key", FeltError(sentence), "a new key was made, so visitors begin new sessions")


def _make_key(path: Path) -> bytes:
    """Write a new key under a temporary name and rename it, so that a full disk leaves no short key."""
    key, beside = secrets.token_bytes(KEY_BYTES), path.with_suffix(".part")
    beside.unlink(missing_ok=True)
    with open(beside, "xb", opener=open_private) as file:
        file.write(key)
    beside.replace(path)
    return key
