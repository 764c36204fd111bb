"""The log of a table: one numbered event per line; each round is sealed and chained to the last one.

On disk the seed of the shoe is in a file beside it, to resume interrupted rounds.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from io import FileIO
from itertools import chain
from pathlib import Path
from typing import Final, Self

import msgspec
from msgspec import Struct

from feltworks.dealing.shoes import Commitment
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


_BEGINNING: Final = b'{"n":'  # the start of every line
_BLOCK: Final = 1 << 16  # the size of the blocks read from the end of a log


class InterruptedRound(Struct, frozen=True):
    """A round without an end: its lines, its opening event, and the seed of its cards."""

    lines: list[bytes]
    opened: RoundOpened
    secret: str

    @classmethod
    def of(cls, path: Path, lines: list[bytes]) -> "InterruptedRound":
        """The last round of a log, with the seed stored beside it."""
        vault = _vault_of(path)
        try:
            note = vault.read_bytes()
        except OSError:
            note = b""
        return cls.with_note(lines, note, vault.name)

    @classmethod
    def with_note(cls, lines: list[bytes], note: bytes, name: str) -> "InterruptedRound":
        """The round with the seed of a note; refuses a note on another shoe."""
        opened = opening_of(lines)
        return cls(lines, opened, _secret(note, opened.commitment, name))


class TableStorage:
    """Writes a table's log to a file, and keeps the seed beside it until the table is closed normally."""

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        self._file = LogFile(path)
        self._drop_partial_line()

    def __call__(self, line: bytes) -> None:
        try:
            self._file(line)
        except OSError as trouble:
            reason = trouble.strerror or str(trouble)
            raise LogError(f"the log {self.path.name} cannot be written: {reason.lower()}") from None

    def vault(self, commitment: Commitment, secret: str) -> None:
        """Store the seed before the first card, readable by the owner alone and never in the log."""
        note = json.dumps({"digest": commitment.digest, "seed": secret})
        with open(_vault_of(self.path), "w", encoding="utf-8", opener=open_private) as file:
            file.write(note)

    def close(self) -> None:
        """Close the file; the seed stays beside it."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close()
        if kind is None:  # closed normally: nothing to resume, so the seed is removed
            _vault_of(self.path).unlink(missing_ok=True)

    def _drop_partial_line(self) -> None:
        """Remove an incomplete last line, which an interruption left."""
        size = self.path.stat().st_size
        rest = next(lines_from_end(self.path), b"") if size else b""  # the text after the last line end
        if rest:
            with self.path.open("rb+") as file:
                file.truncate(size - len(rest))


def _vault_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.seed")


class LogEnd(Struct, frozen=True):
    """The end of a log between two rounds: its last line, and the number of its last round."""

    last_line: bytes | None = None
    rounds: int = 0


def find_end(path: Path) -> LogEnd:
    """The end of a log, where its next round begins; refuses other kinds of file, and changes nothing."""
    log_rounds = _read_rounds(path) if path.exists() else []
    if not log_rounds:
        return LogEnd()
    if not is_over(log_rounds[-1]):
        raise LogError(f"{path.name} ends within a round; take it up with --resume, or name another log")
    return LogEnd(log_rounds[-1][-1], opening_of(log_rounds[-1]).round)


def find_interrupted(path: Path) -> InterruptedRound:
    """The interrupted round of a log."""
    log_rounds = _read_rounds(path)
    if not log_rounds:
        raise LogError(f"{path.name} holds no round; play with --log to write one")
    if is_over(log_rounds[-1]):
        raise LogError(f"the last round of {path.name} is over; play on with --log instead of --resume")
    return InterruptedRound.of(path, log_rounds[-1])


def lines_from_end(path: Path) -> Iterator[bytes]:
    """The lines of a file from the last to the first, block by block: a long log is not read whole.

    The first one yielded is the text after the last line end, empty in a complete file.
    """
    with path.open("rb") as file:
        place, rest = file.seek(0, os.SEEK_END), b""
        while place:
            begins = max(0, place - _BLOCK)
            file.seek(begins)
            first, *whole = (file.read(place - begins) + rest).split(b"\n")
            yield from reversed(whole)
            place, rest = begins, first
        yield rest


def last_round(path: Path) -> list[bytes]:
    """The lines of the last round of a log, read from its end."""
    try:
        backwards = lines_from_end(path)
        next(backwards, b"")  # drops an incomplete last line
        lines: list[bytes] = []
        for line in backwards:
            lines.append(line)
            if isinstance(decode_line(line).event, RoundOpened):
                return lines[::-1]
    except OSError as trouble:
        raise LogError(f"the log {path.name} cannot be read: {trouble.strerror}") from None
    return []


def older_log(path: Path) -> Path:
    """The file with the rounds before those of a log; a table that is open for long keeps none before these."""
    return path.with_name(f"{path.name}.1")


def check_log(path: Path) -> int:
    """Check every number and seal of a log and of its older file; returns the number of rounds.

    A long log is read line by line, so this takes little memory. The last round may be unfinished.
    """
    older = older_log(path)
    paths = [older, path] if older.exists() else [path]
    last, count = b"", 0
    for lines in _rounds_of(paths):
        last, count = _check_round(lines, last, count, is_first=len(paths) == 1 and not count), count + 1
    return count


def _check_round(lines: list[bytes], last: bytes, count: int, *, is_first: bool) -> bytes:
    """Check a round, and that it continues from the last line of the previous one; returns its own last line."""
    try:
        opening = entries(lines)[0]
        before = decode_line(last).n if last else 0
    except LogError as trouble:
        raise LogError(f"round {count + 1} of the log: {trouble}") from None
    is_due = (before + 1, seal_of(last + b"\n") if last else BEGINNING) == (opening.n, opening.seal)
    if (last or is_first) and not is_due:
        raise LogError(f"round {count + 1} of the log does not follow the one before: a line was changed")
    return lines[-1]


def _rounds_of(paths: list[Path]) -> Iterator[list[bytes]]:
    """The rounds of these files in order."""
    lines: list[bytes] = []
    for line in chain.from_iterable(map(_complete_lines, paths)):
        if lines and isinstance(decode_line(line).event, RoundOpened):
            yield lines
            lines = []
        lines.append(line)
    if lines:
        yield lines


def _complete_lines(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        for line in file:
            if line.endswith(b"\n"):
                yield line[:-1]


def _secret(note: bytes, commitment: Commitment, name: str) -> str:
    try:
        saved = json.loads(note)
        if saved["digest"] == commitment.digest:
            return str(saved["seed"])
    except (ValueError, KeyError, TypeError):
        pass
    raise LogError(f"{name} does not hold the seed of the interrupted round, so it cannot be dealt on")


def _read_rounds(path: Path) -> list[list[bytes]]:
    lines = read_lines(path)
    if not lines and path.stat().st_size and not path.read_bytes().startswith(_BEGINNING):
        raise LogError(f"{path.name} is not the log of a table; name another file")
    return rounds(lines) if lines else []


def is_over(lines: list[bytes]) -> bool:
    """Whether a round, given by its lines, has ended."""
    return isinstance(decode_line(lines[-1], len(lines)).event, RoundClosed | RoundVoided)


def opening_of(lines: list[bytes]) -> RoundOpened:
    """The event that opens a round, given its lines."""
    event = decode_line(lines[0], 1).event
    assert isinstance(event, RoundOpened)
    return event
