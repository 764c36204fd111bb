"""Files that nobody finds half written: they come to their place whole, or what lay there stays."""

import os
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, written: bytes) -> None:
    """Put the file in its place when all of it is on the disk."""
    if _is_device(path):
        path.write_bytes(written)
        return
    try:
        with _beside(path).open("wb") as file:
            file.write(written)
            file.flush()
            os.fsync(file.fileno())
        _beside(path).replace(path.resolve())
    except OSError as trouble:
        with suppress(OSError):
            _beside(path).unlink()
        raise _about(path, trouble) from None


def check_writable(path: Path) -> None:
    """Refuse, before any work, a file that could not be written after it."""
    if _is_device(path):
        return
    try:
        _beside(path).touch()
        _beside(path).unlink()
    except OSError as trouble:
        raise _about(path, trouble) from None


def _is_device(path: Path) -> bool:
    """A terminal, a pipe, /dev/null: written to, never replaced."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _beside(path: Path) -> Path:
    whole = path.resolve()
    return whole.with_name(whole.name + ".part")


def _about(path: Path, trouble: OSError) -> OSError:
    return OSError(trouble.errno, trouble.strerror, str(path))
