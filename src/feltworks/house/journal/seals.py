"""Seals noted outside the database: those of closed periods, and the last seal of every book.

They lie beside the key, out of reach of somebody who can write only the database, so verification notices when
postings are cut off the end of a book.
"""

import fcntl
import os
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Final

from msgspec import Struct

from feltworks.errors import BadOption, FeltError, StorageTrouble
from feltworks.house.journal.key import key_file
from feltworks.private_files import open_private

_SHORTEST: Final = 16  # digits of a seal
_LINE: Final = 256  # bytes of one line; a book with too long a name is not noted


class NotedSeal(Struct, frozen=True):
    """A seal noted outside the database: beside the key, on a printed report, in a letter, in a safe."""

    book: str
    number: int
    seal: str

    def __str__(self) -> str:
        return f"{self.book}:{self.number}:{self.seal}"


def parse_seal(text: str) -> NotedSeal:
    """Read BOOK:N:SEAL.

    >>> parse_seal("house tables:12:00ff00ff00ff00ff").number
    12
    """
    name, number, seal = ("::" + text).rsplit(":", 2)
    if not (name[2:] and number.isdecimal() and len(seal) >= _SHORTEST and set(seal) <= set("0123456789abcdefABCDEF")):
        raise BadOption("expect", text, f"BOOK:N:SEAL, with {_SHORTEST} or more digits of the seal")
    return NotedSeal(name[2:], int(number), seal.lower())


def _seals_file(books: str) -> Path:
    return key_file(books).with_suffix(".seals")


def note_seal(books: str, seal: NotedSeal) -> None:
    """Note the seal of a closed period beside the key."""
    path = _seals_file(books)
    try:
        with open(path, "a", encoding="utf-8", opener=open_private) as file:
            file.write(f"{seal}\n")
    except OSError as trouble:
        raise StorageTrouble(
            f"what was closed is closed, but its seal cannot be noted in {path} ({trouble.strerror}); note it "
            f"yourself, for `felt house verify --expect {seal}`"
        ) from None


def noted_seals(books: str) -> list[str]:
    """The seals of closed periods beside the key of these books, as BOOK:N:SEAL, the oldest first."""
    return _read_lines(_seals_file(books))


def _read_lines(path: Path) -> list[str]:
    """The lines of a file; it is read until two reads agree, as a line may be half written."""
    try:
        while (content := path.read_text(encoding="utf-8")) != path.read_text(encoding="utf-8"):
            pass
        return [line.rstrip() for line in content.splitlines()]
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as trouble:
        raise StorageTrouble(f"the seals in {path} cannot be read: {trouble}") from None


class _Line(Struct, frozen=True):
    """A line of the file: where it begins, and which posting it names."""

    place: int
    number: int
    seal: str


class LastSeals:
    """The last seal of every book that this process posted to, in a file that only this process writes.

    A line is BOOK:N:SEAL. A process takes over the file of one that has ended; a restored copy of the books in another
    place has files of its own. A posting that follows the one on a line replaces the line. If that one is no longer
    in its book, the line stays and a new line begins, so that later postings do not erase the proof of the loss.
    """

    def __init__(self, books: str, place: str, is_stored: Callable[[NotedSeal], bool]) -> None:
        self._stem = f"{key_file(books).stem}.{sha256(place.encode()).hexdigest()[:16]}"
        self._folder, self._is_stored = key_file(books).parent, is_stored
        self._lock, self._file, self._size = Lock(), -1, 0
        self._lines: dict[str, _Line] = {}  # the last line of each book

    def note(self, book: str, number: int, seal: bytes, follows: bytes) -> None:
        """Note a stored posting; `follows` is the seal of the posting before it.

        A folder that cannot be written does not prevent posting.
        """
        sealed = seal.hex()
        text = f"{book}:{number}:{sealed}".encode().ljust(_LINE - 1) + b"\n"
        if len(text) > _LINE or not book.isprintable():
            return
        with suppress(OSError), self._lock:
            if self._file < 0:
                self._take_file()
            line = self._lines.get(book)
            if line is not None and line.seal != follows.hex():  # another writer or thread posted between
                if not self._finds(book, line):
                    line = None
                elif number <= line.number:
                    return
            place = self._size if line is None else line.place
            os.pwrite(self._file, text, place)
            self._size = max(self._size, place + _LINE)
            self._lines[book] = _Line(place, number, sealed)

    def all(self) -> list[str]:
        """The lines of every process, as BOOK:N:SEAL."""
        return [line for path in sorted(self._folder.glob(f"{self._stem}*.heads")) for line in _read_lines(path)]

    def close(self) -> None:
        """Leave the file to the next process."""
        with self._lock:
            if self._file >= 0:
                os.close(self._file)
                self._file = -1

    def _take_file(self) -> None:
        """Take the first file that no running process uses; its lock ends with this process."""
        for number in count():
            path = self._folder / f"{self._stem}{f'.{number}' if number else ''}.heads"
            file = open_private(str(path), os.O_RDWR | os.O_CREAT)
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as trouble:
                os.close(file)
                if not isinstance(trouble, BlockingIOError):
                    raise  # the folder does not support locks
        self._file, self._lines = file, {}
        content = os.pread(file, os.fstat(file).st_size, 0)
        self._size = len(content) - len(content) % _LINE
        for place in range(0, self._size, _LINE):
            with suppress(BadOption, UnicodeDecodeError):
                noted = parse_seal(content[place : place + _LINE].decode().rstrip())
                self._lines[noted.book] = _Line(place, noted.number, noted.seal)

    def _finds(self, book: str, line: _Line) -> bool:
        try:
            return self._is_stored(NotedSeal(book, line.number, line.seal))
        except FeltError:
            return False  # an additional line does no harm
