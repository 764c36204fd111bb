"""The open tables, and the clients that are sent every change of a table."""

import asyncio
import secrets
import shutil
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from feltworks import catalog
from feltworks.dealing.shoes import source_for
from feltworks.errors import FeltError, LogError, StorageTrouble
from feltworks.web.data_folder import (
    ClosingNote,
    Notices,
    archive_table,
    make_table,
    prepare,
    prune_closed,
    read_order,
    sentence_of,
    table_paths,
)
from feltworks.web.tables import messages
from feltworks.web.tables.clock import Times
from feltworks.web.tables.order import NewTable, SavedOrder, usual_order
from feltworks.web.tables.room import Guest, Room, Sources
from feltworks.web.tables.storage import TableFolder, TableStore, sync_files
from feltworks.web.tables.table_view import event_messages, events_for, player_view, public_view

MOST_TABLES: Final = 1000
TIDY_SECONDS: Final = 1.0
PRUNE_SECONDS: Final = 3600.0  # between two deletions of old tables
Farewell = tuple[int, str]  # why a client is disconnected: a close code and a sentence
CLOSED: Final = 4404, "the table was closed"
MOVED: Final = 1012, "the table goes on in another process; connect again"
MOST_WAITING: Final = 64  # messages queued for a slow client; then older ones are dropped


class NoSuchTable(FeltError):
    """No table has this address."""

    farewell: Farewell = 4404, "no such table"


class TableMoved(FeltError):
    """Another process has just opened the table; the browser must connect again."""

    farewell: Farewell = MOVED

    def __init__(self) -> None:
        super().__init__("this table has just moved to another process; try again")


class Client:
    """An open tab at a table, with its queue of messages."""

    def __init__(self, guest: Guest) -> None:
        self.guest: Final = guest
        self.outbox: deque[bytes] = deque()
        self.farewell: Farewell | None = None  # set when the client is to be disconnected
        self._last = -1
        self._state: bytes | None = None  # the newest in the outbox

    def send(self, message: bytes, *, is_state: bool = False) -> None:
        """Queue a message; if the queue is too long, drop all but the newest state, which is complete."""
        if len(self.outbox) > MOST_WAITING:
            waiting = [state for state in self.outbox if state is self._state and not is_state]
            self.outbox.clear()
            self.outbox.extend(waiting)
        if is_state:
            self._state = message
        self.outbox.append(message)
        self.wake()

    def take(self) -> list[bytes]:
        """Empty the queue and return its messages."""
        queued, self._state = list(self.outbox), None
        self.outbox.clear()
        return queued

    def dismiss(self, farewell: Farewell) -> None:
        """Disconnect the client after all its messages have been sent."""
        self.farewell = farewell
        self.wake()

    def check_id(self, action: messages.TableAction) -> None:
        """Refuse an action whose id is not above the last one, so that none is carried out twice."""
        if action.id <= self._last:
            raise messages.BadMessage(f"the id must be above {self._last}; no action is carried out twice")
        self._last = action.id

    def wake(self) -> None:
        """Signal that there is something to send; the connection replaces this method."""


class Rooms:
    """The open tables by their id, saved in a folder and restored after a restart."""

    def __init__(
        self,
        data: Path | None = None,
        source: Sources = source_for,
        notices: Notices | None = None,
        *,
        times: Times = Times(),  # noqa: B008 (it is never written to)
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.data: Final = data
        self._source = source
        self._times, self._clock = times, clock
        self._next_tidying: asyncio.TimerHandle | None = None
        self._pruning: asyncio.Task[None] | None = None
        self._pruned_at = -PRUNE_SECONDS
        self.notices: Final = Notices() if notices is None else notices
        self.by_id: dict[str, Room] = {}
        self.clients: dict[str, list[Client]] = {}
        self._numbers: dict[str, int] = {}
        self._rounds_of_closed = 0
        self._syncing: asyncio.Future[None] | None = None
        self.check_guest: Callable[[str], None] = lambda _: None  # raises if a guest may not be seated
        self._changed: dict[str, Room] = {}  # tables whose state is to be sent, in order

    def open(self, new: NewTable, *, is_standing: bool = False) -> Room:
        """Open a table if the rules of the house allow it; a standing one stays open without visitors."""
        if len(self.by_id) >= MOST_TABLES:
            raise FeltError(f"{MOST_TABLES} tables are open; no further one can be opened now")
        room = self._room(secrets.token_hex(5), SavedOrder(new, is_standing))
        if self.data:
            _save(room, self.data)
        self._add(room)
        return room

    def restore(self) -> None:
        """Open every saved table; if one cannot be opened, its folder stays as it is."""
        if self.data is None:
            return
        prepare(self.data)
        for folder in self._table_paths(self.data):
            try:
                self._add(self._room(folder.name, read_order(folder), TableFolder(folder)))
                if trouble := self.by_id[folder.name].trouble:
                    self.notices.add(f"a round at table {folder.name}", LogError(trouble), "play goes on")
            except Exception as error:  # one table's fault must not close the others
                self.notices.add(_subject(folder.name), error, "the table is set aside as it is")

    def _table_paths(self, data: Path) -> list[Path]:
        try:
            return table_paths(data)
        except OSError as error:
            self.notices.add("tables", error, "no saved table is open")
            return []

    def _room(self, id_: str, order: SavedOrder, store: TableStore | None = None) -> Room:
        return Room(
            id_,
            order.new,
            store=store,
            notify=self.notify,
            source=self._source,
            times=self._times,
            clock=self._clock,
            is_standing=order.is_standing,
        )

    def open_one_of_each(self) -> None:
        """Open a public table of every game, so that new visitors find a seat."""
        open_ = {room.new.game for room in self.by_id.values() if room.is_standing}
        self._report_broken_books()
        for game in catalog.games():
            if game not in open_:
                self._open_standing(game)

    def _report_broken_books(self) -> None:
        for name, fault in catalog.broken_books().items():
            self.notices.add(f"rulebook {name}", fault, "it is left out")

    def _open_standing(self, game: str) -> None:
        try:
            self.open(usual_order(game), is_standing=True)
        except Exception as error:  # one game's fault must not close the others
            self.notices.add(f"game {game}", error, "no table of it is open")

    def close(self) -> None:
        """Close all tables when the server stops; they can be restored."""
        if self._next_tidying:
            self._next_tidying.cancel()
        for room in self.by_id.values():
            room.close()
        sync_files(self.take_unsynced())

    def find(self, id_: str) -> Room:
        """The table with this id."""
        if _subject(id_) in self.notices:
            raise NoSuchTable("this table could not be opened when the server started; ask the house")
        if id_ not in self.by_id:
            raise NoSuchTable("there is no table at this address; the lobby lists the open ones")
        return self.by_id[id_]

    def _add(self, room: Room) -> None:
        self.by_id[room.id] = room
        self.clients[room.id], self._numbers[room.id] = [], 0

    async def keep_tidy(self) -> None:
        """Tidy all tables at intervals, until the server stops."""
        self._tidy_again()

    def _tidy_again(self) -> None:
        loop = asyncio.get_running_loop()
        self._next_tidying = loop.call_later(TIDY_SECONDS, self._tidy_again)
        self.tidy()
        if self._syncing is None or self._syncing.done():
            self._syncing = loop.run_in_executor(None, sync_files, self.take_unsynced())
        if loop.time() - self._pruned_at >= PRUNE_SECONDS:
            self._pruned_at = loop.time()
            self._pruning = loop.create_task(self.prune())

    async def prune(self) -> None:
        """Delete closed tables that are too old or take too much space."""
        if self.data:
            with suppress(OSError):  # retried in an hour
                await asyncio.to_thread(prune_closed, self.data, self._clock())

    def take_unsynced(self) -> list[Path]:
        """The files of all tables written since the last call; they are synced within a second or two."""
        return [path for room in self.by_id.values() for path in room.take_unsynced()]

    def tidy(self) -> None:
        """Free the seats of absent players, and close tables that nobody uses."""
        for room in tuple(self.by_id.values()):
            with suppress(FeltError, OSError):  # a table that cannot be saved is retried later
                self._tidy(room)

    def _tidy(self, room: Room) -> None:
        if room.is_stalled:
            room.recover()
            self.notify(room)
        if room.turns.release_seats():
            room.save()
            self.notify(room)
        if self._is_unused(room):
            self.shut(room, "nobody used the table")

    def _is_unused(self, room: Room) -> bool:
        if room.is_standing or room.unused_since is None:
            return False
        limit = self._times.unused_private if room.new.private else self._times.unused
        return self._clock() - room.unused_since >= limit

    def shut(self, room: Room, because: str) -> int | None:
        """Close a table for good and keep its log; returns the number of a running round, which is void."""
        voided = room.table.rounds if room.table.is_running else None
        if room.table.is_running:
            room.table.void(because)
        room.close()
        self._archive(room, ClosingNote(because, self._clock(), voided))
        self._remove(room, CLOSED)
        return voided

    async def close_table(self, id_: str, because: str) -> int | None:
        """Close a table by its id; see `shut`."""
        return self.shut(self.find(id_), because)

    def _archive(self, room: Room, note: ClosingNote) -> None:
        """Archive a closed table, so that the next start does not open it."""
        try:
            if self.data:
                archive_table(self.data, room.id, note)
        except OSError as error:
            raise StorageTrouble(f"the table cannot be closed: {sentence_of(error)}") from None

    def _remove(self, room: Room, farewell: Farewell) -> None:
        """Remove a table and disconnect its clients."""
        del self.by_id[room.id], self._numbers[room.id]
        self._changed.pop(room.id, None)
        self._rounds_of_closed += room.rounds_dealt
        for client in self.clients.pop(room.id):
            client.dismiss(farewell)

    async def confirm(self) -> None:
        """Wait until all changes so far are saved; files need no wait."""

    def descriptions(self) -> list[bytes] | None:
        """The descriptions of all open tables if several processes share them, else None."""
        return None

    @property
    def rounds_dealt(self) -> int:
        """The rounds at all tables since the server started."""
        return self._rounds_of_closed + sum(room.rounds_dealt for room in tuple(self.by_id.values()))

    def join(self, room: Room, client: Client) -> None:
        """Add a tab that was opened at a table."""
        self.clients[room.id].append(client)
        room.unused_since = None
        player = room.player_of(client.guest)
        if player:
            room.count_tabs(player, room.present.get(player, 0) + 1)
            room.turns.watch_wagers()  # wagers may have been restored
        self.notify(room)

    def part(self, room: Room, client: Client) -> None:
        """Remove a tab that was closed."""
        if client.farewell:
            return
        self.clients[room.id].remove(client)
        player = room.player_of(client.guest)
        if player and room.present.get(player):
            room.count_tabs(player, room.present[player] - 1)
        if not self.clients[room.id]:
            room.unused_since = self._clock()
        room.save()
        self.notify(room)

    def count_tabs(self, room: Room, guest: Guest) -> None:
        """Count the open tabs of a guest who has just sat down."""
        player = room.player_of(guest)
        if player:
            tabs = [client for client in self.clients[room.id] if client.guest.session == guest.session]
            room.count_tabs(player, len(tabs))

    def notify(self, room: Room) -> None:
        """Schedule sending a table's state to its clients, after all actions that have arrived are carried out.

        Tables take turns; under load, several changes of one table are sent together.
        """
        if self.by_id.get(room.id) is not room:  # closed, or replaced after another process had it
            return
        if not self._changed:
            asyncio.get_running_loop().call_soon(self._send_next)
        self._changed[room.id] = room

    def _send_next(self) -> None:
        if not self._changed:
            return
        room = self._changed.pop(next(iter(self._changed)))
        if self._changed:
            asyncio.get_running_loop().call_soon(self._send_next)
        self._send_state(room, self.clients[room.id])

    def _send_state(self, room: Room, clients: list[Client]) -> None:
        """Send each client its view of the table, encoded once for each player."""
        number = self._numbers[room.id] = self._numbers[room.id] + 1
        events, room.fresh = event_messages(room, room.fresh) if clients else [], []
        public = public_view(room) if clients else None
        encoded: dict[str | None, bytes] = {}
        for client in clients:
            assert public is not None
            player = room.player_of(client.guest)
            if player not in encoded:
                view = player_view(room, public, player) if player else public.view
                state = messages.StateMessage(number, view, events_for(room, events, player))
                encoded[player] = messages.encode_message(state)
            client.send(encoded[player], is_state=True)


def _save(room: Room, data: Path) -> None:
    """Save a new table; if that fails, leave nothing of it on disk."""
    folder = data / "tables" / room.id
    try:
        room.save_in(TableFolder(make_table(data, room.id, SavedOrder(room.new, room.is_standing))))
    except (OSError, LogError) as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise StorageTrouble(f"the table cannot be saved: {sentence_of(error)}") from None


def _subject(id_: str) -> str:
    """The subject of a notice about a table."""
    return f"table {id_}"
