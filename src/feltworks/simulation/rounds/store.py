"""Compiled tables on disk, so that a game is compiled once: under the fingerprint of all that made them."""

import hashlib
import io
import os
import pickle
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

from feltworks.analysis.cache import answers_folder, cache_key
from feltworks.rules.game import Game
from feltworks.simulation.plan import Plan

MOST_BYTES: Final = 256_000_000  # of all tables together; those unused longest go first
WORTH_KEEPING_SECONDS: Final = 0.3
_GAME: Final = "the game"  # stands for it: a game is loaded, never read from a file
T = TypeVar("T")


def load_or_make(plan: Plan, make: Callable[[], T]) -> T:
    """What was made for this plan before, or what `make` makes now; that is kept if it took long."""
    folder, game = _folder(), plan.table
    key = cache_key("tables", game, plan.seats, plan.strategy, plan.meters) if folder else None
    if folder is None or key is None:
        return make()
    path = folder / f"{key}.tables"
    if (known := _read(path, key, game)) is not None:
        return known  # type: ignore[no-any-return]  # only what `make` made stands under its key
    began = time.perf_counter()
    made = make()
    if time.perf_counter() - began >= WORTH_KEEPING_SECONDS:
        with suppress(OSError):  # a full or locked disk: the tables are there all the same
            _write(path, key, made)
    return made


def _folder() -> Path | None:
    answers = answers_folder()
    return None if answers is None else answers.with_name("tables")


def _seal(key: str, tables: bytes) -> bytes:
    """What proves that a file is whole and stands under its own key."""
    return hashlib.sha256(key.encode() + tables).hexdigest().encode()


class _Writer(pickle.Pickler):
    def persistent_id(self, value: Any) -> str | None:
        return _GAME if isinstance(value, Game) else None


class _Reader(pickle.Unpickler):
    def __init__(self, tables: bytes, game: Game[Any]) -> None:
        super().__init__(io.BytesIO(tables))
        self._game = game

    def persistent_load(self, _name: Any) -> Game[Any]:
        return self._game


def _read(path: Path, key: str, game: Game[Any]) -> Any | None:
    """The tables in a file; a damaged one counts as none and is dropped."""
    with suppress(OSError):
        seal, _, tables = path.read_bytes().partition(b"\n")
        if seal == _seal(key, tables):
            os.utime(path)  # used just now: the last to be dropped
            return _Reader(tables, game).load()
        path.unlink()
    return None


def _write(path: Path, key: str, made: object) -> None:
    """Write a file beside its place and move it there whole; then drop what has gone unused longest."""
    written = io.BytesIO()
    _Writer(written, pickle.HIGHEST_PROTOCOL).dump(made)
    tables = written.getvalue()
    if len(tables) > MOST_BYTES // 4:
        return
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    number, under_way = tempfile.mkstemp(dir=path.parent, suffix=".part")
    try:
        with open(number, "wb") as file:
            file.write(_seal(key, tables) + b"\n" + tables)
        os.replace(under_way, path)
    except BaseException:  # an interruption too leaves nothing half written
        Path(under_way).unlink(missing_ok=True)
        raise
    room = MOST_BYTES
    for used in sorted(path.parent.glob("*.tables"), key=lambda each: -each.stat().st_mtime):
        room -= used.stat().st_size
        if room < 0:
            used.unlink(missing_ok=True)
