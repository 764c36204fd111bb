"""Files and folders that only their owner may read: books, logs, seats and keys."""

import os
import stat
from pathlib import Path
from typing import Final

FILE: Final = 0o600
FOLDER: Final = 0o700
_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


def open_private(path: str, flags: int) -> int:
    """An opener for `open`: a new file is its owner's alone, and an old one becomes so."""
    number = os.open(path, flags, FILE)
    restrict(Path(path))
    return number


def make_private_folder(path: Path) -> None:
    """Make a folder, with those above it that are missing, for the owner alone; an old one becomes so."""
    if not path.parent.exists():
        make_private_folder(path.parent)
    path.mkdir(mode=FOLDER, exist_ok=True)
    restrict(path)


def restrict(path: Path) -> None:
    """Take from others what they may do with a file or folder, where there is one and it is ours.

    Devices, and folders in which everybody may write their own files, are left as they are.
    """
    try:
        found = path.stat()
    except FileNotFoundError:
        return
    ours = found.st_uid == os.geteuid() and not found.st_mode & stat.S_ISVTX
    ordinary = stat.S_ISREG(found.st_mode) or stat.S_ISDIR(found.st_mode)
    if ours and ordinary and found.st_mode & _OTHERS:
        path.chmod(stat.S_IMODE(found.st_mode) & ~_OTHERS)
