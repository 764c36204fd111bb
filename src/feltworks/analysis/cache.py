"""Caches answers and compiled tables on disk, so that long work is done once.

The key holds everything that an entry depends on, so no entry is ever stale. Entries are written atomically.
"""

import hashlib
import io
import json
import os
import pickle
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from enum import Enum
from fractions import Fraction
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, TypeVar

from msgspec import Struct

import feltworks
from feltworks.cards import Card
from feltworks.errors import RulebookError
from feltworks.fingerprint import PACKAGE, digest, rulebook_parts, rules_files, source_text
from feltworks.rules.game import Game

CACHE = "FELT_CACHE"  # the folder of cached answers; "off" disables the cache
WORTH_KEEPING_SECONDS = 0.3
MOST_BYTES = 64_000_000  # of all answers together
MOST_TABLE_BYTES = 256_000_000
_FRACTION = "exact fraction"
_GAME: Final = "the game"
_ABANDONED_SECONDS = 3600.0  # a temporary file older than this was left by a process that died

Document = Any  # what JSON can hold, and fractions
T = TypeVar("T")


def load_or_compute(key: Callable[[], str | None], work: Callable[[], Document]) -> Document:
    """The answer cached under this key, or the result of the work, which is cached if it took long.

    The key is computed before the work and again after it: the answer is cached only if both are equal,
    and never without a key. Either way the document is returned as it would be read from disk.
    """
    folder = answers_folder()
    store = Store(folder, "json", MOST_BYTES, MOST_BYTES // 8) if folder else None
    return _load_or_make(store, key, lambda: _decode(_encode(work())), _encode, _decode)


def load_or_compile(game: Game, question: Sequence[object], work: Callable[[], T]) -> T:
    """The compiled tables cached for a game and a question, or the result of the work, cached if it took long."""
    folder = answers_folder()
    store = Store(folder.with_name("tables"), "tables", MOST_TABLE_BYTES, MOST_TABLE_BYTES // 4) if folder else None
    read: Callable[[bytes], T] = partial(_unpickle, game)
    return _load_or_make(store, lambda: cache_key("tables", game, *question), work, _pickle, read)


def _load_or_make(
    store: "Store | None",
    key: Callable[[], str | None],
    work: Callable[[], T],
    encode: Callable[[T], bytes],
    decode: Callable[[bytes], T],
) -> T:
    wanted = key() if store else None
    if store is None or wanted is None:
        return work()
    if (known := store.load(wanted)) is not None:
        return decode(known)
    began = time.perf_counter()
    made = work()
    if time.perf_counter() - began >= WORTH_KEEPING_SECONDS and key() == wanted:
        store.save(wanted, encode(made))
    return made


def answers_folder() -> Path | None:
    """The folder of cached answers: `FELT_CACHE`, else the user's cache folder; None if it is off."""
    chosen = os.environ.get(CACHE, "")
    if chosen == "off":
        return None
    if chosen:
        return Path(chosen) / "answers"
    with suppress(RuntimeError):  # a user without a home
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "feltworks" / "answers"
    return None


def _encode(document: Document) -> bytes:
    return json.dumps(document, default=_encode_fraction, separators=(",", ":")).encode()


def _encode_fraction(value: object) -> dict[str, str]:
    if isinstance(value, Fraction):
        return {_FRACTION: str(value)}
    raise TypeError(f"{type(value).__qualname__} does not belong in a document")


def _decode(text: bytes) -> Document:
    return json.loads(text, object_hook=_decode_fraction)


def _decode_fraction(fields: dict[str, Any]) -> object:
    return Fraction(fields[_FRACTION]) if fields.keys() == {_FRACTION} else fields


class _TableWriter(pickle.Pickler):
    """Leaves the game out of its pickled tables; the reader puts the loaded game in its place."""

    def persistent_id(self, value: Any) -> str | None:
        return _GAME if isinstance(value, Game) else None


class _TableReader(pickle.Unpickler):
    def __init__(self, content: bytes, game: Game) -> None:
        super().__init__(io.BytesIO(content))
        self._game = game

    def persistent_load(self, _name: Any) -> Game:
        return self._game


def _pickle(tables: object) -> bytes:
    content = io.BytesIO()
    _TableWriter(content, pickle.HIGHEST_PROTOCOL).dump(tables)
    return content.getvalue()


def _unpickle(game: Game, content: bytes) -> Any:
    """Read tables from an entry that `Store.load` has checked, so they were compiled for this key."""
    return _TableReader(content, game).load()


class Store(Struct, frozen=True):
    """A folder of entries with checksums, written atomically; drops the least recently used ones."""

    folder: Path
    suffix: str
    most_bytes: int  # of all entries together
    largest: int  # bytes of one entry; larger ones are not stored

    def load(self, key: str) -> bytes | None:
        """The entry under a key, or None; a damaged entry is dropped."""
        path = self._path(key)
        with suppress(OSError):
            seal, _, content = path.read_bytes().partition(b"\n")
            if seal == _seal(key, content):
                os.utime(path)  # mark as most recently used
                return content
            path.unlink()
        return None

    def save(self, key: str, content: bytes) -> None:
        """Writes an entry, then drops old ones; on a full or locked disk nothing is stored."""
        if len(content) <= self.largest:
            with suppress(OSError):
                self._write(key, content)
                self._evict_oldest()

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.{self.suffix}"

    def _write(self, key: str, content: bytes) -> None:
        """Writes a temporary file and moves it into place."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        number, under_way = tempfile.mkstemp(dir=self.folder, suffix=".part")
        try:
            with open(number, "wb") as file:
                file.write(_seal(key, content) + b"\n" + content)
            os.replace(under_way, self._path(key))
        except BaseException:  # leave nothing half written, not even on an interrupt
            Path(under_way).unlink(missing_ok=True)
            raise

    def _evict_oldest(self) -> None:
        entries = []
        for entry in os.scandir(self.folder):
            with suppress(FileNotFoundError):  # another process has dropped it already
                entries.append((entry.stat().st_mtime, entry.stat().st_size, Path(entry.path)))
        room = self.most_bytes
        for used, size, path in sorted(entries, reverse=True):
            room -= size
            abandoned = path.suffix == ".part" and used < time.time() - _ABANDONED_SECONDS
            if abandoned or (room < 0 and path.suffix == f".{self.suffix}"):
                path.unlink(missing_ok=True)


def _seal(key: str, content: bytes) -> bytes:
    """The checksum that proves that an entry is whole and stored under its own key."""
    return hashlib.sha256(key.encode() + content).hexdigest().encode()


_BEGAN = time.time()
_DOUBT_SECONDS = 2.0  # a file changed this shortly before this module loaded may differ from the loaded code


def cache_key(*question: object) -> str | None:
    """The key of the answer to a question; None where a source may have changed since it was loaded.

    It covers the question, the rulebook and the pays as loaded, the table's options, every source file of
    Feltworks and of a designer's own rules, the version, Python and the installed packages.
    """
    if not _are_unchanged(_package_files()):
        return None
    try:
        parts = _key_parts(question)
    except (RulebookError, TypeError, OverflowError):
        return None
    return digest([feltworks.__version__, sys.version, _installed_packages(), _package_sources(), parts])


def _are_unchanged(files: Iterable[Path]) -> bool:
    """Whether no file has changed since it was loaded, so that the running code equals the code on disk."""
    changed = [max(stat.st_ctime, stat.st_mtime) for stat in (path.stat() for path in files)]
    return bool(changed) and max(changed) < _BEGAN - _DOUBT_SECONDS


def _package_files() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


@cache
def _package_sources() -> str:
    return digest([[path.relative_to(PACKAGE).as_posix(), source_text(path)] for path in _package_files()])


@cache
def _installed_packages() -> list[str]:
    """Every installed package with its version."""
    folders = [Path(entry) for entry in sys.path if Path(entry).is_dir()]
    return sorted({path.name for folder in folders for path in folder.glob("*.dist-info")})


def _key_parts(value: object) -> object:
    """Convert a value to JSON parts; different values have different parts."""
    if value is None or (isinstance(value, bool | int | str) and not isinstance(value, Enum)):
        return value
    if isinstance(value, Game):
        return ["game", _table_parts(value)]
    if isinstance(value, Struct):
        fields = [[key, _key_parts(getattr(value, key))] for key in value.__struct_fields__]
        return [type(value).__qualname__, fields]
    if isinstance(value, Mapping):
        return ["mapping", [[_key_parts(key), _key_parts(each)] for key, each in value.items()]]
    if isinstance(value, Set):
        return ["set", sorted(digest(_key_parts(each)) for each in value)]
    if isinstance(value, Sequence):
        return ["sequence", [_key_parts(each) for each in value]]
    if isinstance(value, Card | Fraction | float | Enum):
        return [type(value).__qualname__, repr(value)]
    raise TypeError(f"{type(value).__qualname__} cannot be written into a key")


def _table_parts(game: Game) -> object:
    """The key parts of a game at a table: rulebook, own rules, choices, judges and pays."""
    terms = game.terms
    own = rules_files(game, own_only=True)
    if own and not _are_unchanged(own):
        raise RulebookError(terms.rulebook.file, "game", "its rules have been changed while they were in use")
    judges = [[kind.__module__, kind.__qualname__] for kind in map(type, (game, *game.wagers.values()))]
    chosen = [_key_parts(each) for each in (terms.options, terms.pay_tables, terms.limit, terms.offers, game.pays)]
    return [rulebook_parts(terms.rulebook), [source_text(path) for path in own], judges, chosen]
