"""The record of a table: one event a line, numbered, each line carrying the hash of the one before it."""

import hashlib
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from feltworks.errors import LogError
from feltworks.table.events import Event, Opened

BEGINNING: Final = "0" * 64  # what the first line of all carries
Sink = Callable[[bytes], object]

_encode = msgspec.json.Encoder().encode
_sha256 = hashlib.sha256


class Entry(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """One line of a log."""

    n: int
    prev: str
    event: Event


_decode = msgspec.json.Decoder(Entry).decode


class Log:
    """Writes events. A sink gets every line at once; without one, lines are made when they are wanted.

    `lines` holds the round in progress, or the last one.
    """

    def __init__(self, sink: Sink | None = None, *, after: bytes | None = None) -> None:
        self._sink = sink
        self._lines: list[bytes] = []
        self._pending: list[Event] = []
        self._number = 0
        self._head = BEGINNING
        if after is not None:
            self._number = decode_line(after, 1).n
            self._head = _sha256(after).hexdigest()

    @property
    def lines(self) -> list[bytes]:
        self._make_lines()
        return self._lines

    def begin_round(self) -> None:
        """Let go of the last round's lines; numbers and hashes run on."""
        self._make_lines()
        self._lines = []

    def write(self, event: Event) -> None:
        """Append an event. Nothing happens at the table before its line has gone to the sink."""
        if self._sink is None:
            self._pending.append(event)
            return
        line = _encode(Entry(self._number + 1, self._head, event))
        self._sink(line)
        self._append(line)

    def _append(self, line: bytes) -> None:
        self._lines.append(line)
        self._number += 1
        self._head = _sha256(line).hexdigest()

    def _make_lines(self) -> None:
        # One loop for a whole round is several times cheaper than line by line between the rules' steps.
        number, head, add = self._number, self._head, self._lines.append
        for event in self._pending:
            number += 1
            line = _encode(Entry(number, head, event))
            head = _sha256(line).hexdigest()
            add(line)
        self._number, self._head = number, head
        self._pending.clear()


class LogFile:
    """A sink that appends each line to a file and flushes it; `fsync` waits until the disk has it."""

    def __init__(self, path: Path, *, fsync: bool = False) -> None:
        self._file = path.open("ab", buffering=0)
        self._fsync = fsync

    def __call__(self, line: bytes) -> None:
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


def written_lines(path: Path) -> list[bytes]:
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
    found: list[Entry] = []
    head = ""
    for number, line in enumerate(lines, 1):
        entry = decode_line(line, number)
        if found and (entry.n != found[-1].n + 1 or entry.prev != head):
            trouble = "a line was changed, lost or moved"
            raise LogError(f"line {number} of the log does not follow line {number - 1}: {trouble}")
        found.append(entry)
        head = _sha256(line).hexdigest()
    if not found or not isinstance(found[0].event, Opened):
        raise LogError("line 1 of the log has to open a round")
    return found


def rounds(lines: Iterable[bytes]) -> list[list[bytes]]:
    """A table's log, checked and divided into its rounds."""
    kept = list(lines)
    divided: list[list[bytes]] = []
    for entry, line in zip(entries(kept), kept, strict=True):
        if isinstance(entry.event, Opened):
            divided.append([])
        divided[-1].append(line)
    return divided
