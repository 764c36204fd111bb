"""What is kept of an open table: who sits with what, beside the log and the seed of the round in progress."""

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from feltworks.dealing.shoes import Commitment
from feltworks.errors import LogError
from feltworks.money import Cents
from feltworks.private_files import open_private, restrict
from feltworks.table.log import LogFile, decode_line
from feltworks.table.seating import House
from feltworks.table.storage import InterruptedRound, TableStorage, last_round, opening_of
from feltworks.web.fair_deal import Spent
from feltworks.web.session import Session

if TYPE_CHECKING:
    from feltworks.web.room import Room


MOST_BYTES = 1 << 20
SEED_BYTES = 512  # more than a note of a seed has


class Down(Struct, frozen=True):
    """The wagers lying on a spot before the deal."""

    wagers: dict[str, Cents]
    tokes: dict[str, Cents] = {}


class Member(Struct, frozen=True):
    """Somebody who sits: the browser session, the name, the spots, the stack and the wagers down."""

    session: str
    name: str
    spots: tuple[int, ...]
    stack: Cents
    down: dict[int, Down]
    results: Session
    away_since: float | None = None  # in seconds since 1970; None while a page was open


class Kept(Struct, frozen=True):
    """A table between two rounds."""

    round: int
    house: House
    members: list[Member]
    unused_since: float | None = None


_encode = msgspec.json.Encoder().encode
_decoder: msgspec.json.Decoder[Kept] = msgspec.json.Decoder(Kept)


class RoomKeeping:
    """One folder a table: `log`, `log.seed`, `seats`, whose last line is the last pause, and `revealed`.

    There stand the seeds of shoes that a restart ended: of all others the log tells the seed. The log is held
    open during a round, and nothing between rounds: a thousand idle tables need no file handle.
    """

    def __init__(self, folder: Path) -> None:
        restrict(folder)
        for path in folder.iterdir():
            restrict(path)
        self._seats = folder / "seats"
        self._keeping = TableStorage(folder / "log")
        self._keeping.close()
        self._seed = folder / "log.seed"
        self._revealed = folder / "revealed"
        self._to_reveal: bytes | None = None  # a seed that a full disk did not take yet
        self.last_line: bytes | None = None

    def write(self, line: bytes) -> None:
        """Append an event to the log."""
        self._keeping(line)
        self.last_line = line

    def close(self) -> None:
        """Let go of the log; the seed stays, since a round may have to go on."""
        self._keeping.close()

    def vault(self, commitment: Commitment, secret: str) -> None:
        """Note the seed of the shoe in use, readable for the owner alone.

        It is written over the last one: a file cut to nothing first would have the deal wait for the disk.
        """
        noted = _encode({"digest": commitment.digest, "seed": secret})
        try:
            self._reveal()
            handle = open_private(str(self._seed), os.O_WRONLY | os.O_CREAT)
            try:
                os.pwrite(handle, noted.ljust(SEED_BYTES), 0)
            finally:
                os.close(handle)
        except OSError as trouble:
            said = (trouble.strerror or str(trouble)).lower()
            raise LogError(f"the seed of the round cannot be written: {said}") from None

    def keep(self, room: "Room") -> None:
        """Write down who sits with what; a line without its end never happened."""
        members = [_member(room, session, name) for session, name in room.members.items()]
        kept = Kept(room.table.rounds, room.table.house, members, room.unused_since)
        self._keeping.close()
        seats = LogFile(self._seats)
        try:
            seats(_encode(kept))
        finally:
            seats.close()
        if self._seats.stat().st_size > MOST_BYTES:
            with suppress(OSError):  # on a full disk the file stays long
                self._begin_anew()

    def _begin_anew(self) -> None:
        """Keep the last line alone, once the others have grown too long."""
        last = self._seats.read_bytes().split(b"\n")[-2]
        beside = self._seats.with_suffix(".part")
        with open(beside, "wb", opener=open_private) as opened:
            opened.write(last + b"\n")
        os.replace(beside, self._seats)

    def kept(self) -> Kept | None:
        """The table as it was last kept, if it ever was; refuses seats and a log that do not fit together."""
        whole = self._seats.read_bytes().split(b"\n")[:-1] if self._seats.exists() else []
        lines = last_round(self._keeping.path)
        rounds = opening_of(lines).round if lines else 0
        if not whole:
            if lines:
                raise LogError("its file seats is empty, though its log has rounds")
            return None
        try:
            kept = _decoder.decode(whole[-1])
        except ValueError as trouble:  # of msgspec, and of text that is not UTF-8
            raise LogError(f"its file seats is damaged: {trouble}") from None
        if rounds < kept.round:
            raise LogError(f"its log ends before round {kept.round}, which was played")
        return kept

    def interrupted(self, kept: Kept) -> InterruptedRound | None:
        """The round begun after the table was last kept, if there is one."""
        found = last_round(self._keeping.path)
        self.last_line = found[-1] if found else None
        if not found:
            return None
        try:
            interrupted = InterruptedRound.of(self._keeping.path, found)
        except LogError:
            return None
        return interrupted if interrupted.opened.round > kept.round else None

    def spent(self) -> Spent | None:
        """The shoe of the last round, which is over; a seed the log does not tell is put down beside it."""
        found = last_round(self._keeping.path)
        if not found:
            return None
        try:
            over = InterruptedRound.of(self._keeping.path, found)
        except LogError:
            return None
        shoe = Spent(over.opened.commitment, over.secret)
        if getattr(decode_line(found[-1], 0).event, "reveal", None) is None:
            self._to_reveal = _encode(shoe) + b"\n"
            with suppress(OSError):  # the table opens all the same; the next deal waits for the disk
                self._reveal()
        return shoe

    def _reveal(self) -> None:
        """Add the seed to be revealed to its file, unless it stands there since an earlier restart."""
        if self._to_reveal is None:
            return
        with open(self._revealed, "ab+", opener=open_private) as opened:
            opened.seek(0)
            if self._to_reveal not in opened.readlines():
                opened.write(self._to_reveal)
        self._to_reveal = None


def _member(room: "Room", session: str, name: str) -> Member:
    player: Any = room.table.seating.players[name]
    lying = room.table.seating.down
    down = {
        spot: Down(dict(lying[spot].wagers), dict(lying[spot].tokes))
        for spot in player.spots
        if spot in lying
    }
    results = room.sessions.get(name) or Session()
    return Member(session, name, player.spots, player.stack, down, results, room.away_since.get(name))
