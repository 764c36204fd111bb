"""Saves a run to a file: its plan, its seed and the counts so far.

Files are replaced atomically, so that an interruption never leaves half of one.
"""

import os
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from feltworks import __version__
from feltworks.errors import FeltError, LogError
from feltworks.simulation.plan import Plan, plan_fingerprint
from feltworks.simulation.rounds.kernel import BATCH
from feltworks.simulation.tally import Cell, Tally


class Checkpoint(Struct, frozen=True, forbid_unknown_fields=True):
    """The first batches of a run, all whole, so that a resumed run gives the tally of one that never stopped."""

    plan: Plan
    seed: int
    batches: int
    counted: int  # rounds
    cells: tuple[tuple[Cell, int], ...]
    sums: tuple[int, ...]
    products: tuple[int, ...]
    rounds: int | None  # requested
    until: float | None
    version: str
    fingerprint: str

    @property
    def tally(self) -> Tally:
        """The tally of the batches counted."""
        return Tally(self.counted, dict(self.cells), self.sums, self.products)


def save_checkpoint(
    path: Path,
    plan: Plan,
    seed: int,
    *,
    batches: int,
    tally: Tally,
    rounds: int | None,
    until: float | None,
) -> None:
    """Writes the file, whole or not at all."""
    counts = tally.rounds, tuple(tally.cells.items()), tally.sums, tally.products
    signature = __version__, plan_fingerprint(plan)
    checkpoint = Checkpoint(plan, seed, batches, *counts, rounds, until, *signature)
    replace_file(path, msgspec.json.encode(checkpoint))


def load_checkpoint(path: Path) -> Checkpoint:
    """Reads a run to resume; refuses one that was begun with other code or other rules."""
    try:
        checkpoint = msgspec.json.decode(path.read_bytes(), type=Checkpoint)
    except msgspec.MsgspecError as trouble:
        raise LogError(f"{path} is no checkpoint of a simulation: {str(trouble).lower()}") from None
    if checkpoint.fingerprint != plan_fingerprint(checkpoint.plan):
        raise FeltError(
            f"{path} was begun by feltworks {checkpoint.version} with other sources or rules;"
            " resume it with those, or start the run again"
        )
    if checkpoint.batches < 0 or checkpoint.counted != checkpoint.batches * BATCH:
        raise LogError(f"{path} is no checkpoint of a simulation: it has other rounds than its batches")
    return checkpoint


def replace_file(path: Path, written: bytes) -> None:
    """Writes a temporary file beside the path and moves it there once all of it is on the disk."""
    if _is_device(path):
        path.write_bytes(written)
        return
    try:
        with _part_file(path).open("wb") as file:
            file.write(written)
            file.flush()
            os.fsync(file.fileno())
        _part_file(path).replace(path.resolve())
    except OSError as trouble:
        with suppress(OSError):
            _part_file(path).unlink()
        raise _error_about(path, trouble) from None


def check_writable(path: Path) -> None:
    """Refuses a file that cannot be written, before the work whose result goes there."""
    if _is_device(path):
        return
    try:
        _part_file(path).touch()
        _part_file(path).unlink()
    except OSError as trouble:
        raise _error_about(path, trouble) from None


def _is_device(path: Path) -> bool:
    """Whether the path is a terminal, a pipe or /dev/null, which are written to and never replaced."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _part_file(path: Path) -> Path:
    whole = path.resolve()
    return whole.with_name(whole.name + ".part")


def _error_about(path: Path, trouble: OSError) -> OSError:
    return OSError(trouble.errno, trouble.strerror, str(path))
