"""A table's log on disk, with the seed of the shoe beside it, so that an interrupted round can be resumed."""

import json
from pathlib import Path
from typing import Final, Self

from msgspec import Struct

from feltworks.dealing.shoes import Commitment
from feltworks.errors import LogError
from feltworks.private_files import open_private
from feltworks.table.events import RoundClosed, RoundOpened, RoundVoided
from feltworks.table.log import LogFile, decode_line, read_lines, rounds

_BEGINNING: Final = b'{"n":'  # the start of every line


class InterruptedRound(Struct, frozen=True):
    """A round without an end: its lines, its opening event, and the seed of its cards."""

    lines: list[bytes]
    opened: RoundOpened
    secret: str

    @classmethod
    def of(cls, path: Path, lines: list[bytes]) -> "InterruptedRound":
        """The last round of a log, with the seed stored beside it."""
        opened = opening_of(lines)
        return cls(lines, opened, _secret(path, opened.commitment))


class TableStorage:
    """Writes a table's log to a file, and stores the seed beside it until the table is closed normally."""

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
        """Remove a last line without its end, which an interruption left behind."""
        with self.path.open("rb+") as file:
            text = file.read()
            file.truncate(text.rfind(b"\n") + 1)


def _vault_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.seed")


class LogEnd(Struct, frozen=True):
    """The end of a log between two rounds: its last line, and the number of its last round."""

    last_line: bytes | None = None
    rounds: int = 0


def find_end(path: Path) -> LogEnd:
    """The end of a log, where its next round begins; refuses another kind of file, and changes nothing."""
    log_rounds = _read_rounds(path) if path.exists() else []
    if not log_rounds:
        return LogEnd()
    if not _is_over(log_rounds[-1]):
        raise LogError(f"{path.name} ends within a round; take it up with --resume, or name another log")
    return LogEnd(log_rounds[-1][-1], opening_of(log_rounds[-1]).round)


def find_interrupted(path: Path) -> InterruptedRound:
    """The round in which a log was interrupted."""
    log_rounds = _read_rounds(path)
    if not log_rounds:
        raise LogError(f"{path.name} holds no round; play with --log to write one")
    if _is_over(log_rounds[-1]):
        raise LogError(f"the last round of {path.name} is over; play on with --log instead of --resume")
    return InterruptedRound.of(path, log_rounds[-1])


def last_round(path: Path) -> list[bytes]:
    """The lines of the last round of a log, read from its end."""
    lines: list[bytes] = []
    for line in reversed(read_lines(path)):
        lines.append(line)
        if isinstance(decode_line(line, 0).event, RoundOpened):
            return lines[::-1]
    return []


def _secret(path: Path, commitment: Commitment) -> str:
    vault = _vault_of(path)
    try:
        note = json.loads(vault.read_text(encoding="utf-8"))
        if note["digest"] == commitment.digest:
            return str(note["seed"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    raise LogError(f"{vault.name} does not hold the seed of the interrupted round, so it cannot be dealt on")


def _read_rounds(path: Path) -> list[list[bytes]]:
    lines = read_lines(path)
    if not lines and path.stat().st_size and not path.read_bytes().startswith(_BEGINNING):
        raise LogError(f"{path.name} is not the log of a table; name another file")
    return rounds(lines) if lines else []


def _is_over(lines: list[bytes]) -> bool:
    return isinstance(decode_line(lines[-1], len(lines)).event, RoundClosed | RoundVoided)


def opening_of(lines: list[bytes]) -> RoundOpened:
    """The event that opens a round, given its lines."""
    event = decode_line(lines[0], 1).event
    assert isinstance(event, RoundOpened)
    return event
