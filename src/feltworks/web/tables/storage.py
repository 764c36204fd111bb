"""Saves a table's seats, log and seed, and restores the table after a restart."""

import os
from abc import ABC, abstractmethod
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from feltworks.dealing.shoes import Commitment
from feltworks.errors import LogError
from feltworks.money import Cents
from feltworks.private_files import FILE, open_private, restrict
from feltworks.table.log import (
    InterruptedRound,
    Log,
    LogFile,
    TableStorage,
    decode_line,
    entries,
    is_over,
    last_round,
    older_log,
    opening_of,
    voiding_line,
)
from feltworks.table.replay import replay, resume
from feltworks.table.seating import House
from feltworks.table.table import Table
from feltworks.web.tables.figures import PlayerResults, UsedShoe

if TYPE_CHECKING:
    from feltworks.web.tables.room import Room


MOST_BYTES = 1 << 20
MOST_LOG_BYTES = 16 << 20  # then a new log begins; only one older log is kept
LOST_SEED = "the file with the seed of its cards is damaged"
SEED_BYTES = 512  # more than a seed's note needs


class SpotWagers(Struct, frozen=True):
    """The wagers on a spot before the deal."""

    wagers: dict[str, Cents]
    tokes: dict[str, Cents] = {}


class Member(Struct, frozen=True):
    """A seated player: the browser session, the name, the spots, the stack and the wagers before the deal."""

    session: str
    name: str
    spots: tuple[int, ...]
    stack: Cents
    down: dict[int, SpotWagers]
    results: PlayerResults
    away_since: float | None = None  # in seconds since 1970; None while a page was open


class SavedTable(Struct, frozen=True):
    """A table between two rounds."""

    round: int
    house: House
    members: list[Member]
    unused_since: float | None = None


encode = msgspec.json.Encoder().encode
_decoder: msgspec.json.Decoder[SavedTable] = msgspec.json.Decoder(SavedTable)


class TableStore(ABC):
    """Where a table is saved: its log, the seed of the round, the seats and stacks, and revealed seeds.

    The seats are saved between rounds. Revealed seeds are only those of shoes that a restart ended; the log
    has all others.
    """

    def __init__(self) -> None:
        self.last_line: bytes | None = None
        self._to_reveal: bytes | None = None  # a seed not written yet, for example on a full disk

    @abstractmethod
    def write(self, line: bytes) -> None:
        """Append an event to the log."""

    @abstractmethod
    def last_round(self) -> list[bytes]:
        """The log's lines of the last round."""

    @abstractmethod
    def put_seats(self, saved: SavedTable) -> None:
        """Save the seats and stacks."""

    @abstractmethod
    def last_seats(self) -> bytes | None:
        """The seats and stacks as last saved, if they ever were."""

    @abstractmethod
    def put_seed(self, note: bytes) -> None:
        """Save the seed of the shoe in use."""

    @abstractmethod
    def last_seed(self) -> bytes:
        """The note of the seed last saved; empty if there is none."""

    @abstractmethod
    def put_revealed(self, shoe: bytes) -> None:
        """Add a revealed seed, unless it was added after an earlier restart."""

    @abstractmethod
    def close(self) -> None:
        """Close open files; the seed stays, as the round may have to be resumed."""

    def take_unsynced(self) -> list[Path]:
        """Return the files written since the last call, which still have to be synced."""
        return []

    def save_seed(self, commitment: Commitment, secret: str) -> None:
        """Save the seed of the shoe in use before its first card."""
        try:
            self._reveal()
            self.put_seed(encode({"digest": commitment.digest, "seed": secret}))
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise LogError(f"the seed of the round cannot be written: {reason}") from None

    def save(self, room: "Room") -> None:
        """Save the seats and stacks."""
        members = [_member(room, session, name) for session, name in room.members.items()]
        saved = SavedTable(room.table.rounds, room.table.house, members, room.unused_since)
        self.close()
        self.put_seats(saved)

    def load(self) -> SavedTable | None:
        """Read the table as last saved, if it ever was; raises LogError if log and seats do not match."""
        seats, lines = self.last_seats(), self.last_round()
        if lines:
            entries(lines)  # checks the seals of the last round
        rounds = opening_of(lines).round if lines else 0
        if seats is None:
            if lines:
                raise LogError("its file seats is empty, though its log has rounds")
            return None
        try:
            saved = _decoder.decode(seats)
        except ValueError as error:  # msgspec's errors, and text that is not UTF-8
            raise LogError(f"its file seats is damaged: {error}") from None
        if rounds < saved.round:
            raise LogError(f"its log ends before round {saved.round}, which was played")
        return saved

    def unsaved_round(self, saved: SavedTable) -> list[bytes]:
        """The lines of a round that began after the seats were last saved; empty if there is none."""
        lines = self.last_round()
        self.last_line = lines[-1] if lines else None
        return lines if lines and opening_of(lines).round > saved.round else []

    def interrupted_round(self, lines: list[bytes]) -> InterruptedRound | None:
        """A round with its saved seed; None if the seed is lost."""
        try:
            return InterruptedRound.with_note(lines, self.last_seed(), "log.seed")
        except LogError:
            return None

    def running_round(self) -> InterruptedRound:
        """The running round as far as it is saved."""
        return InterruptedRound.with_note(self.last_round(), self.last_seed(), "log.seed")

    def void_round(self, lines: list[bytes], reason: str) -> None:
        """Log that an unfinished round is void."""
        self.write(voiding_line(lines, reason))
        self.close()

    def last_shoe(self) -> UsedShoe | None:
        """The shoe of the last, finished round; if the log does not reveal its seed, reveal it now."""
        lines = self.last_round()
        last = self.interrupted_round(lines) if lines else None
        if last is None:
            return None
        shoe = UsedShoe(last.opened.commitment, last.secret)
        if getattr(decode_line(lines[-1]).event, "reveal", None) is None:
            self._to_reveal = encode(shoe)
            with suppress(OSError):  # the table opens nevertheless; the next deal retries
                self._reveal()
        return shoe

    def _reveal(self) -> None:
        if self._to_reveal is not None:
            self.put_revealed(self._to_reveal)
        self._to_reveal = None


class TableFolder(TableStore):
    """The folder of one table: `log`, the older `log.1`, `log.seed`, `seats` and `revealed`.

    Only the log of a running round is held open, so that a thousand idle tables need no file handle.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__()
        restrict(folder)
        for path in folder.iterdir():
            restrict(path)
        self._seats = folder / "seats"
        self._log = folder / "log"
        self._storage = TableStorage(self._log)
        self._storage.close()
        self._seed = folder / "log.seed"
        self._revealed = folder / "revealed"
        self._unsynced: set[Path] = set()

    def write(self, line: bytes) -> None:
        self._storage(line)
        self._unsynced.add(self._log)
        self.last_line = line

    def close(self) -> None:
        self._storage.close()

    def take_unsynced(self) -> list[Path]:
        unsynced, self._unsynced = list(self._unsynced), set()
        return unsynced

    def last_round(self) -> list[bytes]:
        older = older_log(self._log)
        return last_round(self._log) or (last_round(older) if older.exists() else [])

    def last_seed(self) -> bytes:
        try:
            return self._seed.read_bytes()
        except OSError:
            return b""

    def put_seed(self, note: bytes) -> None:
        """Overwrite the last seed in place, since truncating the file would make the deal wait for the disk."""
        self._unsynced.add(self._seed)
        handle = open_private(str(self._seed), os.O_WRONLY | os.O_CREAT)
        try:
            os.pwrite(handle, note.ljust(SEED_BYTES), 0)
        finally:
            os.close(handle)

    def put_seats(self, saved: SavedTable) -> None:
        """Append a line; a line without a line end is ignored when the file is read."""
        self._limit_log()
        file = LogFile(self._seats)
        try:
            file(encode(saved))
            self._unsynced.add(self._seats)
        finally:
            file.close()
        if self._seats.stat().st_size > MOST_BYTES:
            with suppress(OSError):  # with a full disk the file stays long
                self._shorten()

    def _limit_log(self) -> None:
        """Between two rounds, replace a long log by a new one that continues its numbers and seals."""
        if self._log.stat().st_size > MOST_LOG_BYTES:
            self._storage.close()
            self._log.replace(older_log(self._log))
            self._log.touch(FILE)
            self._unsynced.add(older_log(self._log))

    def _shorten(self) -> None:
        """Keep only the last line of `seats`."""
        last = self._seats.read_bytes().split(b"\n")[-2]
        part = self._seats.with_suffix(".part")
        with open(part, "wb", opener=open_private) as file:
            file.write(last + b"\n")
        os.replace(part, self._seats)

    def last_seats(self) -> bytes | None:
        saves = self._seats.read_bytes().split(b"\n")[:-1] if self._seats.exists() else []
        return saves[-1] if saves else None

    def put_revealed(self, shoe: bytes) -> None:
        line = shoe + b"\n"
        with open(self._revealed, "ab+", opener=open_private) as file:
            file.seek(0)
            if line not in file.readlines():
                file.write(line)


def sync_files(paths: Iterable[Path]) -> None:
    """Sync these files to disk; a file that was moved meanwhile is skipped."""
    for path in paths:
        with suppress(OSError):
            handle = os.open(path, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)


def _member(room: "Room", session: str, name: str) -> Member:
    player, wagers = room.table.seating.players[name], room.table.seating.down
    down = {
        spot: SpotWagers(dict(wagers[spot].wagers), dict(wagers[spot].tokes)) for spot in player.spots if spot in wagers
    }
    results = room.results.get(name) or PlayerResults()
    return Member(session, name, player.spots, player.stack, down, results, room.away_since.get(name))


# Restoring a table after a restart.


def restore_table(room: "Room", store: TableStore, saved: SavedTable) -> Table:
    """Restore the table with its players, between two rounds or in a round."""
    room.members = {member.session: member.name for member in saved.members}
    room.results = {member.name: member.results for member in saved.members}
    _restore_absences(room, saved)
    lines = store.unsaved_round(saved)
    if not lines:
        return _seat_members(room, store, saved)
    if interrupted := store.interrupted_round(lines):
        return _resume_round(room, store, interrupted)
    return _close_round(room, store, saved, lines)


def reload_round(room: "Room", store: TableStore) -> Table:
    """Rebuild the running round from the log; what was not logged did not happen."""
    return _resume_round(room, store, store.running_round())


def _restore_absences(room: "Room", saved: SavedTable) -> None:
    """Mark all players as away: absences that had begun continue, all others begin now."""
    now, times = room.clock(), room.times
    room.away_since = {m.name: times.since(m.away_since, now, times.away) for m in saved.members}
    unused = times.unused_private if room.new.private else times.unused
    room.unused_since = times.since(saved.unused_since, now, unused)


def _resume_round(room: "Room", store: TableStore, interrupted: InterruptedRound) -> Table:
    """Restore the table in a running round, or at the end of one after which the seats were not saved."""
    table = resume(
        interrupted.lines,
        room.source(room.game.terms),
        interrupted.secret,
        game=room.game,
        limits=room.posted_limits,
        sink=room.record,
        vault=store.save_seed,
    )
    for line in table.log.lines:
        room.take_in(decode_line(line).event)
    if not table.is_running:
        table.log = Log(room.record, after=store.last_line)
    return table


def _close_round(room: "Room", store: TableStore, saved: SavedTable, lines: list[bytes]) -> Table:
    """Restore the table after a round whose seed is lost: as logged if it is over, else void with wagers returned."""
    number = opening_of(lines).round
    if is_over(lines):
        finished = replay(lines, room.game).table
        house, stacks = finished.house, {name: p.stack for name, p in finished.seating.players.items()}
    else:
        store.void_round(lines, LOST_SEED)
        room.trouble = f"round {number} is void, and every wager was returned: {LOST_SEED}"
        house, stacks = saved.house, {member.name: _money(member) for member in saved.members}
    members = [
        msgspec.structs.replace(member, stack=stacks.get(member.name, _money(member)), down={})
        for member in saved.members
    ]
    closed = SavedTable(number, house, members, saved.unused_since)
    return _seat_members(room, store, closed)


def _money(member: Member) -> Cents:
    """A player's stack plus the wagers on the player's spots."""
    down = member.down.values()
    return member.stack + sum(sum((*seat.wagers.values(), *seat.tokes.values())) for seat in down)


def _seat_members(room: "Room", store: TableStore, saved: SavedTable) -> Table:
    """Restore the table between two rounds, with every player in the same seat with the same money."""
    table = room.set_up(saved.house, Log(room.record, after=store.last_line))
    table.rounds = saved.round
    if shoe := store.last_shoe():
        room.fair_deal.abandon(shoe)
    for member in saved.members:
        table.sit(member.name, *member.spots, stack=_money(member))
        for spot, seat in member.down.items():
            table.wager(member.name, spot, seat.wagers, seat.tokes)
    return table
