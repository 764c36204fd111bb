"""The log of a table: one numbered event per line; each round is sealed and chained to the last one."""

import hashlib
import os
from collections.abc import Callable, Iterable
from io import FileIO
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from feltworks.errors import LogError
from feltworks.private_files import open_private
from feltworks.table.events import Ending, Event, RoundClosed, RoundOpened, RoundVoided

BEGINNING: Final = "0" * 64  # the seal on the first line of a log
Sink = Callable[[bytes], object]


class Entry(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """One line of a log.

    The opening line of a round has the hash of the line before it as its seal, the ending line the hash
    of all lines of the round before it.
    """

    n: int
    event: Event
    seal: str = ""


_encoder = msgspec.json.Encoder()
_decode = msgspec.json.Decoder(Entry).decode


def seal_of(text: bytes | bytearray) -> str:
    """The SHA-256 of lines as stored in a file, line ends included."""
    return hashlib.sha256(text).hexdigest()


class Log:
    """Writes events. A sink gets each line immediately; without one, lines are encoded only when read.

    `lines` holds the round in progress, or the last one.
    """

    def __init__(self, sink: Sink | None = None, *, after: bytes | None = None) -> None:
        self._sink = sink
        self._text = bytearray()  # the lines of the round, with line ends
        self._pending: list[Event] = []
        self._number = 0 if after is None else decode_line(after, 1).n
        self._head = BEGINNING if after is None else seal_of(after + b"\n")  # of the line before the next round

    @property
    def lines(self) -> list[bytes]:
        self._make_lines()
        return bytes(self._text).splitlines()

    def begin_round(self, opened: RoundOpened) -> None:
        """Write the opening line and drop the lines of the last round; numbers and seals continue."""
        self._text = bytearray(self._write_line(opened, self._head))

    def write(self, event: Event) -> None:
        """Append an event; the table acts on it only after the sink has its line."""
        if self._sink is None:
            self._pending.append(event)
        else:
            self._text += self._write_line(event)

    def end_round(self, ending: Ending) -> None:
        """Append the last event of a round, and seal it."""
        self._make_lines()
        last = self._write_line(ending, seal_of(self._text))
        self._text += last
        self._head = seal_of(last)

    def _write_line(self, event: Event, seal: str = "") -> bytes:
        """Encode an event, pass its line to the sink, and return it with its line end."""
        line = _encoder.encode_lines([Entry(self._number + 1, event, seal)])  # a tuple leaks: msgspec 0.22
        if self._sink is not None:
            self._sink(line[:-1])
        self._number += 1
        return line

    def _make_lines(self) -> None:
        # Encoding all lines at once is several times faster than one by one.
        numbered = [Entry(number, event) for number, event in enumerate(self._pending, self._number + 1)]
        self._text += _encoder.encode_lines(numbered)
        self._number += len(numbered)
        self._pending.clear()


class LogFile:
    """A sink that appends each line to a file and flushes it; `fsync` waits until the disk has it.

    A closed file has no handle; the next line opens it again.
    """

    def __init__(self, path: Path, *, fsync: bool = False) -> None:
        self._path: Final = path
        self._file = self._open()
        self._fsync = fsync

    def _open(self) -> FileIO:
        return FileIO(self._path, "a", opener=open_private)

    def __call__(self, line: bytes) -> None:
        if self._file.closed:
            self._file = self._open()
        end = self._file.seek(0, os.SEEK_END)
        whole = line + b"\n"
        try:
            if self._file.write(whole) < len(whole):
                raise OSError("the disk took only part of a line")
            if self._fsync:
                os.fsync(self._file.fileno())
        except OSError:
            self._file.truncate(end)  # remove a partial line, so that the next one starts on its own
            raise

    def close(self) -> None:
        self._file.close()


def voiding_line(lines: list[bytes], reason: str) -> bytes:
    """The line that voids an unfinished round, for a round that cannot be continued."""
    entry = Entry(decode_line(lines[-1], len(lines)).n + 1, RoundVoided(reason), seal_of(_text(lines)))
    return _encoder.encode(entry)


def read_lines(path: Path) -> list[bytes]:
    """The complete lines of a log file; a last line without a line end is incomplete and ignored."""
    try:
        return path.read_bytes().split(b"\n")[:-1]
    except OSError as trouble:
        raise LogError(f"the log {path.name} cannot be read: {trouble.strerror}") from None


def decode_line(line: bytes, number: int = 0) -> Entry:
    """Read one line; `number` is its line number, if known, for the error message."""
    try:
        return _decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as trouble:
        which = f"line {number}" if number else "a line"
        raise LogError(f"{which} of the log is damaged: {trouble}") from None


def entries(lines: Iterable[bytes]) -> list[Entry]:
    """Read a log, or its part from the opening of a round on, and check that no line is missing."""
    lines_read = list(lines)
    if not lines_read or not isinstance(decode_line(lines_read[0], 1).event, RoundOpened):
        raise LogError("line 1 of the log has to open a round")
    log: list[Entry] = []
    opening = 0  # the index of the current round's opening
    for place, line in enumerate(lines_read):
        log.append(decode_line(line, place + 1))
        if isinstance(log[-1].event, RoundOpened):
            opening = place
        _check_place(lines_read, log, opening)
    return log


def _check_place(lines_read: list[bytes], log: list[Entry], opening: int) -> None:
    """Refuse the last entry if its number or seal does not match the lines before it."""
    place, entry = len(log) - 1, log[-1]
    if place and (entry.n != log[-2].n + 1 or entry.seal != _due_seal(lines_read, entry, place, opening)):
        between = f"lines {opening + 1} to {place}" if isinstance(entry.event, Ending) else f"line {place}"
        trouble = "a line was changed, lost or moved"
        raise LogError(f"line {place + 1} of the log does not follow {between}: {trouble}")


def _due_seal(lines_read: list[bytes], entry: Entry, place: int, opening: int) -> str:
    if isinstance(entry.event, RoundOpened):
        return seal_of(_text(lines_read[place - 1 : place]))
    return seal_of(_text(lines_read[opening:place])) if isinstance(entry.event, RoundClosed | RoundVoided) else ""


def _text(lines: Iterable[bytes]) -> bytes:
    return b"".join([line + b"\n" for line in lines])


def rounds(lines: Iterable[bytes]) -> list[list[bytes]]:
    """Check the log of a table and divide it into rounds."""
    lines_read = list(lines)
    divided: list[list[bytes]] = []
    for entry, line in zip(entries(lines_read), lines_read, strict=True):
        if isinstance(entry.event, RoundOpened):
            divided.append([])
        divided[-1].append(line)
    return divided
