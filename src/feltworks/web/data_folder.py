"""The data folder of a server: its lock, the folders of its tables, and the key of its sessions."""

import fcntl
import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec

from feltworks.errors import FeltError, LogError
from feltworks.private_files import make_private_folder, open_private, restrict
from feltworks.web.notices import LOG, Notices, sentence_of
from feltworks.web.order import KeptOrder

KEY_BYTES: Final = 32
_KEY: Final = "session.key"
_ORDER: Final = "order.json"


class FolderInUse(FeltError):
    """A data folder that another server holds."""

    def __init__(self, data: Path) -> None:
        super().__init__(
            f"{data} is in use by another server; stop that one or name another folder with --data"
        )


@contextmanager
def hold(data: Path) -> Iterator[None]:
    """Hold the folder for this process alone. The lock is on the folder itself and dies with its process."""
    _make_folder(data)
    handle = os.open(data, os.O_RDONLY | os.O_DIRECTORY)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise FolderInUse(data) from None
        except OSError as trouble:  # some network file systems have no locks
            LOG.warning("%s cannot be locked (%s); let no other server use it", data, sentence_of(trouble))
        yield
    finally:
        os.close(handle)


def _make_folder(data: Path) -> None:
    """Make the folder for the owner alone; one that holds other things and no key yet stays as it is."""
    if (data / _KEY).exists() or not data.exists() or not any(data.iterdir()):
        make_private_folder(data)


# Tables.


def table_paths(data: Path) -> list[Path]:
    """Everything in the folder of tables, whether it is a table or not."""
    tables = data / "tables"
    return sorted(tables.iterdir()) if tables.is_dir() else []


def make_table(data: Path, id_: str, order: KeptOrder) -> Path:
    """Make a table's folder whole: under another name first, so that a crash leaves no half of one."""
    beside, folder = _unfinished(data) / id_, data / "tables" / id_
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


def move_to_closed(data: Path, id_: str, note: Mapping[str, object]) -> None:
    """Move the folder of a table to those that are closed for good, with a note of why and when."""
    folder, closed = data / "tables" / id_, data / "closed"
    with open(folder / "closed.json", "wb", opener=open_private) as opened:
        opened.write(msgspec.json.encode(note))
    make_private_folder(closed)
    folder.rename(closed / id_)


def prepare(data: Path) -> None:
    """Close the folders of tables to others, and remove what a crash left half made: nobody has sat there."""
    for name in ("tables", "closed", "opening"):
        with suppress(OSError):
            restrict(data / name)
    for folder in _unfinished(data).glob("*"):
        shutil.rmtree(folder, ignore_errors=True)


def _unfinished(data: Path) -> Path:
    return data / "opening"


def read_order(folder: Path) -> KeptOrder:
    """What the table in this folder was opened with."""
    if not folder.is_dir():
        raise LogError(f"{folder.name} is not the folder of a table")
    try:
        return KeptOrder.read((folder / _ORDER).read_bytes())
    except ValueError as trouble:  # of msgspec, and of text that is not UTF-8
        raise LogError(f"its file {_ORDER} is damaged: {trouble}") from None


# The session key.


def session_key(data: Path, notices: Notices | None = None) -> bytes:
    """What sessions are sealed with, readable for the owner alone; a damaged key is replaced."""
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
    except OSError as trouble:
        notices.add("session.key", trouble, "sessions end when the server stops")
        return secrets.token_bytes(KEY_BYTES)


def _set_key_aside(path: Path, notices: Notices) -> None:
    damaged = path.with_name("session.key.damaged")
    with suppress(OSError):
        path.replace(damaged)
    says = f"the key of the sessions has to have {KEY_BYTES} bytes; the file is kept as {damaged.name}"
    notices.add("session.key", FeltError(says), "a new key was made, so visitors begin new sessions")


def _make_key(path: Path) -> bytes:
    """Written under another name first: a full disk leaves no short key."""
    key, beside = secrets.token_bytes(KEY_BYTES), path.with_suffix(".part")
    beside.unlink(missing_ok=True)
    with open(beside, "xb", opener=open_private) as file:
        file.write(key)
    beside.replace(path)
    return key
