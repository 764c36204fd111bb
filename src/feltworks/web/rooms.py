"""All open tables of the house, and who is told when something happens at one of them."""

import asyncio
import secrets
import shutil
import time
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Raw

from feltworks import catalog
from feltworks.dealing.shoes import source_for
from feltworks.errors import FeltError, LogError, StorageTrouble
from feltworks.rules.pay_table import meters_of
from feltworks.web import wire
from feltworks.web.countdown import Times
from feltworks.web.data_folder import make_table, move_to_closed, prepare, read_order, table_paths
from feltworks.web.happened import events_seen, happened
from feltworks.web.looking import Shown
from feltworks.web.notices import Notices, sentence_of
from feltworks.web.order import KeptOrder, NewTable
from feltworks.web.room import Guest, Room, Sources
from feltworks.web.seen import personal, public

MOST_TABLES: Final = 1000
TIDY_SECONDS: Final = 1.0
MOST_WAITING: Final = 64  # messages a slow client may lag behind; after that only the newest state counts


class NoSuchTable(FeltError):
    """An address at which no table stands."""


class Client:
    """One open tab at one table: what it still has to be sent."""

    def __init__(self, guest: Guest) -> None:
        self.guest: Final = guest
        self.outbox: deque[bytes] = deque()
        self.is_dismissed = False  # the table was closed
        self._last = -1

    def send(self, message: bytes) -> None:
        """Queue a message; a state holds everything, so a client far behind needs only the last one."""
        if len(self.outbox) > MOST_WAITING:
            self.outbox.clear()
        self.outbox.append(message)
        self.wake()

    def dismiss(self) -> None:
        """The table was closed: nothing more is sent."""
        self.is_dismissed = True
        self.wake()

    def takes(self, action: wire.Asked) -> wire.Asked:
        """An action of this tab, whose numbers rise: one sent twice counts once."""
        if action.id <= self._last:
            raise wire.BadMessage(f"the id is to be above {self._last}; an action is not carried out twice")
        self._last = action.id
        return action

    def wake(self) -> None:
        """Called when there is something to send; the connection puts its own way of waking up here."""


class Rooms:
    """The tables by their address, kept in a folder so that a restart finds them again."""

    def __init__(
        self,
        data: Path | None = None,
        source: Sources = source_for,
        notices: Notices | None = None,
        *,
        times: Times = Times(),  # noqa: B008 (it is never written to)
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._data = data
        self._source = source
        self._times, self._clock = times, clock
        self._next_tidying: asyncio.TimerHandle | None = None
        self.notices: Final = Notices() if notices is None else notices
        self.by_id: dict[str, Room] = {}
        self.clients: dict[str, list[Client]] = {}
        self._numbers: dict[str, int] = {}
        self._untold: dict[str, Room] = {}  # where something happened, in that order

    def open(self, new: NewTable, *, is_standing: bool = False) -> Room:
        """Open a table, if the rules of the house allow it; a standing one stays though nobody uses it."""
        if len(self.by_id) >= MOST_TABLES:
            raise FeltError(f"the house has {MOST_TABLES} tables open; none can be added now")
        room = self._room(secrets.token_hex(5), KeptOrder(new, is_standing))
        if self._data:
            _keep(room, self._data)
        self._add(room)
        return room

    def restore(self) -> None:
        """Open every kept table again as it was left; one that cannot be opened stays where it is."""
        if self._data is None:
            return
        prepare(self._data)
        for folder in self._table_paths(self._data):
            try:
                self._add(self._room(folder.name, read_order(folder), folder))
            except Exception as trouble:  # whatever is wrong with one table, the others open
                self.notices.add(_subject(folder.name), trouble, "the table is set aside as it is")

    def _table_paths(self, data: Path) -> list[Path]:
        try:
            return table_paths(data)
        except OSError as trouble:
            self.notices.add("tables", trouble, "no kept table is open")
            return []

    def _room(self, id_: str, order: KeptOrder, folder: Path | None = None) -> Room:
        return Room(
            id_,
            order.new,
            folder=folder,
            tell=self.tell,
            source=self._source,
            times=self._times,
            clock=self._clock,
            is_standing=order.is_standing,
        )

    def open_one_of_each(self) -> None:
        """A public table of every game, so that a newcomer finds a seat; a game that refuses is left out."""
        open_ = {room.new.game for room in self.by_id.values() if room.is_standing}
        for name, fault in catalog.broken_books().items():
            self.notices.add(f"rulebook {name}", fault, "it is left out")
        for game in catalog.games():
            if game not in open_:
                try:
                    self.open(_inviting(game), is_standing=True)
                except Exception as trouble:  # whatever is wrong with one game, the others open
                    self.notices.add(f"game {game}", trouble, "no table of it is open")

    def close(self) -> None:
        """The server stops; every table can be restored."""
        if self._next_tidying:
            self._next_tidying.cancel()
        for room in self.by_id.values():
            room.close()

    def find(self, id_: str) -> Room:
        """The table at an address."""
        if _subject(id_) in self.notices:
            raise NoSuchTable("this table could not be opened when the server started; ask the house")
        if id_ not in self.by_id:
            raise NoSuchTable("there is no table at this address; the lobby lists those that are open")
        return self.by_id[id_]

    def _add(self, room: Room) -> None:
        self.by_id[room.id] = room
        self.clients[room.id], self._numbers[room.id] = [], 0

    async def keep_tidy(self) -> None:
        """Look at every table now and then, until the server stops."""
        self._tidy_again()

    def _tidy_again(self) -> None:
        loop = asyncio.get_running_loop()
        self._next_tidying = loop.call_later(TIDY_SECONDS, self._tidy_again)
        self.tidy()

    def tidy(self) -> None:
        """Free the seats that nobody comes back to, and close the tables that nobody uses."""
        for room in tuple(self.by_id.values()):
            with suppress(FeltError, OSError):  # a table that cannot be written stays as it is, for now
                self._tidy(room)

    def _tidy(self, room: Room) -> None:
        if room.release_seats():
            room.keep()
            self.tell(room)
        if self._is_unused(room):
            self.shut(room, "nobody used the table")

    def _is_unused(self, room: Room) -> bool:
        if room.is_standing or room.unused_since is None:
            return False
        limit = self._times.unused_private if room.new.private else self._times.unused
        return self._clock() - room.unused_since >= limit

    def shut(self, room: Room, because: str) -> None:
        """Close a table for good: a round in progress is void, everybody is sent away, the log is kept."""
        if room.table.is_running:
            room.table.void(because)
        room.close()
        if self._data:
            _move(room, self._data, {"because": because, "at": self._clock()})
        del self.by_id[room.id], self._numbers[room.id]
        self._untold.pop(room.id, None)
        for client in self.clients.pop(room.id):
            client.dismiss()

    def join(self, room: Room, client: Client) -> None:
        """A tab opens at a table."""
        self.clients[room.id].append(client)
        room.unused_since = None
        player = room.player_of(client.guest)
        if player:
            room.count_tabs(player, room.present.get(player, 0) + 1)
        self.tell(room)

    def part(self, room: Room, client: Client) -> None:
        """A tab closes."""
        if client.is_dismissed:
            return
        self.clients[room.id].remove(client)
        player = room.player_of(client.guest)
        if player and room.present.get(player):
            room.count_tabs(player, room.present[player] - 1)
        if not self.clients[room.id]:
            room.unused_since = self._clock()
        room.keep()
        self.tell(room)

    def arrived(self, room: Room, guest: Guest) -> None:
        """A guest took a seat: all their tabs here now belong to it."""
        player = room.player_of(guest)
        if player:
            tabs = [client for client in self.clients[room.id] if client.guest.session == guest.session]
            room.count_tabs(player, len(tabs))

    def tell(self, room: Room) -> None:
        """Show every client how the table stands, as soon as all actions that have come in are answered.

        One table at a time: where much happens at once, what happened at a table meanwhile is told together.
        """
        if room.id not in self.by_id:
            return
        if not self._untold:
            asyncio.get_running_loop().call_soon(self._tell_next)
        self._untold[room.id] = room

    def _tell_next(self) -> None:
        if not self._untold:
            return
        room = self._untold.pop(next(iter(self._untold)))
        if self._untold:
            asyncio.get_running_loop().call_soon(self._tell_next)
        self._tell(room, self.clients[room.id])

    def _tell(self, room: Room, clients: list[Client]) -> None:
        """What happened and how the table stands, to each client through its own eyes."""
        number = self._numbers[room.id] = self._numbers[room.id] + 1
        events, room.fresh = happened(room, room.fresh) if clients else [], []
        everybody = public(room) if clients else None
        told: dict[str | None, bytes] = {}
        for client in clients:
            assert everybody is not None
            player = room.player_of(client.guest)
            if player not in told:
                view = personal(room, everybody, player) if player else everybody.shown
                told[player] = _state(number, view, events_seen(room, events, player))
            client.send(told[player])


def _keep(room: Room, data: Path) -> None:
    """Keep a new table on disk whole, or leave nothing of it there."""
    folder = data / "tables" / room.id
    try:
        room.keep_in(make_table(data, room.id, KeptOrder(room.new, room.is_standing)))
    except (OSError, LogError) as trouble:
        shutil.rmtree(folder, ignore_errors=True)
        raise StorageTrouble(f"the table cannot be kept: {sentence_of(trouble)}") from None


def _move(room: Room, data: Path, note: Mapping[str, object]) -> None:
    """Move a closed table out of the way of the next start."""
    try:
        move_to_closed(data, room.id, note)
    except OSError as trouble:
        raise StorageTrouble(f"the table cannot be closed: {sentence_of(trouble)}") from None


def _subject(id_: str) -> str:
    """What a notice about a table is filed under."""
    return f"table {id_}"


def _inviting(game: str) -> NewTable:
    """A table for everybody; of more wagers than it may offer the one with a jackpot is among them."""
    book = catalog.rulebook(game)
    if not book.most_wagers:
        return NewTable(game)
    members = list(book.option["offers"].members or ())
    pays = catalog.game(game, options={"offers": members[: book.most_wagers]}).pays
    ordered = sorted(members[1:], key=lambda name: not meters_of(pays[name].values()))
    chosen = {members[0], *ordered[: book.most_wagers - 1]}
    return NewTable(game, options={"offers": [name for name in members if name in chosen]})


def _state(number: int, view: Shown, seen: list[Raw]) -> bytes:
    """How the table stands, and what led to it."""
    return wire.written({"type": "state", "n": number, "view": view, "events": seen})
