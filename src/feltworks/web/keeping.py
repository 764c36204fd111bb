"""What is kept of an open table: who sits with what, beside the log and the seed of the round in progress."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from feltworks.dealing.shoes import Commitment
from feltworks.errors import LogError
from feltworks.money import Cents
from feltworks.table.house import House
from feltworks.table.keeping import Interrupted, Keeping, last_round
from feltworks.table.log import decode_line
from feltworks.web.fair_deal import Spent
from feltworks.web.session import Session

if TYPE_CHECKING:
    from feltworks.web.room import Room


MOST_BYTES = 1 << 20
SEED_BYTES = 512  # more than a note of a seed has
ONLY_OWNER = 0o600


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

    There stand the seeds of shoes that a restart ended: of all others the log tells the seed.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._seats = folder / "seats"
        self._written = self._seats.open("ab", buffering=0)
        self._keeping = Keeping(folder / "log")
        seed = os.open(folder / "log.seed", os.O_WRONLY | os.O_CREAT, ONLY_OWNER)
        self._seed = os.fdopen(seed, "wb", buffering=0)
        self._revealed = folder / "revealed"
        self.last_line: bytes | None = None

    def write(self, line: bytes) -> None:
        """Append an event to the log."""
        self._keeping(line)
        self.last_line = line

    def close(self) -> None:
        """Let go of the log; the seed stays, since a round may have to go on."""
        self._keeping.close()
        self._written.close()
        self._seed.close()

    def vault(self, commitment: Commitment, secret: str) -> None:
        """Note the seed of the shoe in use, readable for the owner alone.

        It is written over the last one: a file cut to nothing first would have the deal wait for the disk.
        """
        noted = _encode({"digest": commitment.digest, "seed": secret})
        os.pwrite(self._seed.fileno(), noted.ljust(SEED_BYTES), 0)

    def keep(self, room: "Room") -> None:
        """Write down who sits with what; a line without its end never happened."""
        members = [_member(room, session, name) for session, name in room.members.items()]
        kept = Kept(room.table.rounds, room.table.house, members, room.unused_since)
        if self._written.tell() > MOST_BYTES:
            self._begin_anew()
        self._written.write(_encode(kept) + b"\n")

    def _begin_anew(self) -> None:
        """Keep the last line alone, once the others have grown too long."""
        last = self._seats.read_bytes().split(b"\n")[-2]
        beside = self._seats.with_suffix(".part")
        beside.write_bytes(last + b"\n")
        self._written.close()
        os.replace(beside, self._seats)
        self._written = self._seats.open("ab", buffering=0)

    def kept(self) -> Kept | None:
        """The table as it was last kept, if it ever was."""
        whole = self._seats.read_bytes().split(b"\n")[:-1]
        return _decoder.decode(whole[-1]) if whole else None

    def interrupted(self, kept: Kept) -> Interrupted | None:
        """The round begun after the table was last kept, if there is one."""
        found = last_round(self._keeping.path)
        self.last_line = found[-1] if found else None
        if not found:
            return None
        try:
            interrupted = Interrupted.of(self._keeping.path, found)
        except LogError:
            return None
        return interrupted if interrupted.opened.round > kept.round else None

    def spent(self) -> Spent | None:
        """The shoe of the last round, which is over; a seed the log does not tell is put down beside it."""
        found = last_round(self._keeping.path)
        if not found:
            return None
        try:
            over = Interrupted.of(self._keeping.path, found)
        except LogError:
            return None
        shoe = Spent(over.opened.commitment, over.secret)
        if getattr(decode_line(found[-1], 0).event, "reveal", None) is None:
            self._put_down(_encode(shoe) + b"\n")
        return shoe

    def _put_down(self, line: bytes) -> None:
        """Add a line to the revealed seeds, unless it stands there since an earlier restart."""
        with self._revealed.open("ab+") as opened:
            opened.seek(0)
            if line not in opened.readlines():
                opened.write(line)


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
