"""The record of a table: one event a line, numbered, every round sealed and bound to the one before it."""

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

BEGINNING: Final = "0" * 64  # the seal on the first line of all
Sink = Callable[[bytes], object]


class Entry(Struct, frozen=True, gc=False, omit_defaults=True, forbid_unknown_fields=True):
    """One line of a log.

    The line that opens a round is sealed with the hash of the line before it, the one that ends it with that
    of all lines of the round before it.
    """

    n: int
    event: Event
    seal: str = ""


_encoder = msgspec.json.Encoder()
_decode = msgspec.json.Decoder(Entry).decode


def seal_of(text: bytes | bytearray) -> str:
    """The SHA-256 of lines as they stand in a file, each with its end."""
    return hashlib.sha256(text).hexdigest()


class Log:
    """Writes events. A sink gets every line at once; without one, lines are made when they are wanted.

    `lines` holds the round in progress, or the last one.
    """

    def __init__(self, sink: Sink | None = None, *, after: bytes | None = None) -> None:
        self._sink = sink
        self._text = bytearray()  # the lines of the round, each with its end
        self._pending: list[Event] = []
        self._number = 0 if after is None else decode_line(after, 1).n
        self._head = BEGINNING if after is None else seal_of(after + b"\n")  # of the line before a new round

    @property
    def lines(self) -> list[bytes]:
        self._make_lines()
        return bytes(self._text).splitlines()

    def begin_round(self, opened: RoundOpened) -> None:
        """Write the opening line, and let go of the last round's lines; numbers and seals run on."""
        self._text = bytearray(self._written(opened, self._head))

    def write(self, event: Event) -> None:
        """Append an event. Nothing happens at the table before its line has gone to the sink."""
        if self._sink is None:
            self._pending.append(event)
        else:
            self._text += self._written(event)

    def end_round(self, ending: Ending) -> None:
        """Append the last event of a round, and seal it."""
        self._make_lines()
        last = self._written(ending, seal_of(self._text))
        self._text += last
        self._head = seal_of(last)

    def _written(self, event: Event, seal: str = "") -> bytes:
        """The event's line with its end, once the sink has it."""
        line = _encoder.encode_lines([Entry(self._number + 1, event, seal)])  # a tuple leaks: msgspec 0.22
        if self._sink is not None:
            self._sink(line[:-1])
        self._number += 1
        return line

    def _make_lines(self) -> None:
        # All at once is several times cheaper than line by line between the rules' steps.
        numbered = [Entry(number, event) for number, event in enumerate(self._pending, self._number + 1)]
        self._text += _encoder.encode_lines(numbered)
        self._number += len(numbered)
        self._pending.clear()


class LogFile:
    """A sink that appends each line to a file and flushes it; `fsync` waits until the disk has it.

    Closed, it holds no file handle; the next line opens it again.
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
            self._file.truncate(end)  # nothing half written: the next line must not be glued to this one
            raise

    def close(self) -> None:
        self._file.close()


def read_lines(path: Path) -> list[bytes]:
    """The whole lines of a log file. A line is written with its end, so a tail without one never happened."""
    try:
        return path.read_bytes().split(b"\n")[:-1]
    except OSError as trouble:
        raise LogError(f"the log {path.name} cannot be read: {trouble.strerror}") from None


def decode_line(line: bytes, number: int) -> Entry:
    """Read one line; `number` is its place, for the sentence if it is damaged."""
    try:
        return _decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as trouble:
        raise LogError(f"line {number} of the log is damaged: {trouble}") from None


def entries(lines: Iterable[bytes]) -> list[Entry]:
    """Read a log, or part of one from the opening of a round on, and check that nothing is missing."""
    kept = list(lines)
    if not kept or not isinstance(decode_line(kept[0], 1).event, RoundOpened):
        raise LogError("line 1 of the log has to open a round")
    found: list[Entry] = []
    opening = 0  # where the round in question begins
    for place, line in enumerate(kept):
        found.append(decode_line(line, place + 1))
        if isinstance(found[-1].event, RoundOpened):
            opening = place
        _check_place(kept, found, opening)
    return found


def _check_place(kept: list[bytes], found: list[Entry], opening: int) -> None:
    """Refuse the last entry found where its number or its seal does not fit the lines before it."""
    place, entry = len(found) - 1, found[-1]
    if place and (entry.n != found[-2].n + 1 or entry.seal != _due_seal(kept, entry, place, opening)):
        between = f"lines {opening + 1} to {place}" if isinstance(entry.event, Ending) else f"line {place}"
        trouble = "a line was changed, lost or moved"
        raise LogError(f"line {place + 1} of the log does not follow {between}: {trouble}")


def _due_seal(kept: list[bytes], entry: Entry, place: int, opening: int) -> str:
    if isinstance(entry.event, RoundOpened):
        return seal_of(_text(kept[place - 1 : place]))
    return seal_of(_text(kept[opening:place])) if isinstance(entry.event, RoundClosed | RoundVoided) else ""


def _text(lines: Iterable[bytes]) -> bytes:
    return b"".join([line + b"\n" for line in lines])


def rounds(lines: Iterable[bytes]) -> list[list[bytes]]:
    """A table's log, checked and divided into its rounds."""
    kept = list(lines)
    divided: list[list[bytes]] = []
    for entry, line in zip(entries(kept), kept, strict=True):
        if isinstance(entry.event, RoundOpened):
            divided.append([])
        divided[-1].append(line)
    return divided
