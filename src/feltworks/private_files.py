"""Files and folders that only their owner may read: books, logs, seats and keys."""

import os
import stat
from pathlib import Path
from typing import Final

FILE: Final = 0o600
FOLDER: Final = 0o700
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def open_private(path: str, flags: int) -> int:
    """An opener for `open`: makes the file, new or existing, readable by its owner alone."""
    number = os.open(path, flags, FILE)
    restrict(Path(path))
    return number


def make_private_folder(path: Path) -> None:
    """Make a folder and its missing parents for the owner alone; an existing folder is restricted."""
    if not path.parent.exists():
        make_private_folder(path.parent)
    path.mkdir(mode=FOLDER, exist_ok=True)
    restrict(path)


def restrict(path: Path) -> None:
    """Remove the rights of others on a file or folder, if it exists and is ours.

    Devices, and shared folders with the sticky bit, are left unchanged.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        return
    is_ours = status.st_uid == os.geteuid() and not status.st_mode & stat.S_ISVTX
    is_ordinary = stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode)
    if is_ours and is_ordinary and status.st_mode & _OTHERS:
        path.chmod(stat.S_IMODE(status.st_mode) & ~_OTHERS)
