"""The record on disk: an append-only log, the seed of the shoe beside it, and a round to go on with."""

import json
from pathlib import Path
from typing import Final, Self

from msgspec import Struct

from feltworks.dealing.shoes import Commitment
from feltworks.errors import LogError
from feltworks.private_files import open_private
from feltworks.table.events import RoundClosed, RoundOpened, RoundVoided
from feltworks.table.log import LogFile, decode_line, read_lines, rounds

_BEGINNING: Final = b'{"n":'  # of every line, whole or torn


class InterruptedRound(Struct, frozen=True):
    """A round whose end is missing: its lines, how it was opened, and the seed that deals its cards."""

    lines: list[bytes]
    opened: RoundOpened
    secret: str

    @classmethod
    def of(cls, path: Path, lines: list[bytes]) -> "InterruptedRound":
        """The last round of a log, with the seed kept beside it."""
        opened = opening_of(lines)
        return cls(lines, opened, _secret(path, opened.commitment))


class TableStorage:
    """Writes a table's log to a file, and keeps the seed beside it until the table is left in good order."""

    def __init__(self, path: Path) -> None:
        self.path: Final = path
        self._file = LogFile(path)
        self._drop_torn_tail()

    def __call__(self, line: bytes) -> None:
        try:
            self._file(line)
        except OSError as trouble:
            said = trouble.strerror or str(trouble)
            raise LogError(f"the log {self.path.name} cannot be written: {said.lower()}") from None

    def vault(self, commitment: Commitment, secret: str) -> None:
        """Note the seed before the first card, readable for the owner alone: never in the log itself."""
        noted = json.dumps({"digest": commitment.digest, "seed": secret})
        with open(_vault_of(self.path), "w", encoding="utf-8", opener=open_private) as opened:
            opened.write(noted)

    def close(self) -> None:
        """Let go of the file; the seed stays beside it."""
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close()
        if kind is None:  # left in good order: nothing is to be taken up, and the seed is not needed
            _vault_of(self.path).unlink(missing_ok=True)

    def _drop_torn_tail(self) -> None:
        """A line is written with its end; what an interruption left without one never happened."""
        with self.path.open("rb+") as opened:
            text = opened.read()
            opened.truncate(text.rfind(b"\n") + 1)


def _vault_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.seed")


class LogEnd(Struct, frozen=True):
    """Where a log stops between two rounds: its last line, and the number of its last round."""

    last_line: bytes | None = None
    rounds: int = 0


def find_end(path: Path) -> LogEnd:
    """Where the next round of a log begins; refuses a file that is something else, and touches nothing."""
    kept = _kept_rounds(path) if path.exists() else []
    if not kept:
        return LogEnd()
    if not _is_over(kept[-1]):
        raise LogError(f"{path.name} ends within a round; take it up with --resume, or name another log")
    return LogEnd(kept[-1][-1], opening_of(kept[-1]).round)


def find_interrupted(path: Path) -> InterruptedRound:
    """The round that a log breaks off in."""
    kept = _kept_rounds(path)
    if not kept:
        raise LogError(f"{path.name} holds no round; play with --log to write one")
    if _is_over(kept[-1]):
        raise LogError(f"the last round of {path.name} is over; play on with --log instead of --resume")
    return InterruptedRound.of(path, kept[-1])


def last_round(path: Path) -> list[bytes]:
    """The lines of the last round of a log, over or not, without reading all rounds before it."""
    lines: list[bytes] = []
    for line in reversed(read_lines(path)):
        lines.append(line)
        if isinstance(decode_line(line, 0).event, RoundOpened):
            return lines[::-1]
    return []


def _secret(path: Path, commitment: Commitment) -> str:
    vault = _vault_of(path)
    try:
        noted = json.loads(vault.read_text(encoding="utf-8"))
        if noted["digest"] == commitment.digest:
            return str(noted["seed"])
    except (OSError, ValueError, KeyError, TypeError):
        pass
    raise LogError(f"{vault.name} does not hold the seed of the interrupted round, so it cannot be dealt on")


def _kept_rounds(path: Path) -> list[list[bytes]]:
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
