"""All open tables of the house, and who is told when something happens at one of them."""

import asyncio
import secrets
import shutil
from collections import deque
from pathlib import Path
from typing import Final

from msgspec import Raw

from feltworks import catalog
from feltworks.dealing.shoes import source_for
from feltworks.errors import FeltError, LogError, StorageTrouble
from feltworks.rules.pay_table import meters_of
from feltworks.web import wire
from feltworks.web.data_folder import clear_unfinished, make_table, read_order, table_paths
from feltworks.web.happened import events_seen, happened
from feltworks.web.looking import Shown
from feltworks.web.notices import Notices, sentence_of
from feltworks.web.order import NewTable
from feltworks.web.room import Guest, Room, Sources
from feltworks.web.seen import personal, public

MOST_TABLES: Final = 1000
MOST_WAITING: Final = 64  # messages a slow client may lag behind; after that only the newest state counts


class NoSuchTable(FeltError):
    """An address at which no table stands."""


class Client:
    """One open tab at one table: what it still has to be sent."""

    def __init__(self, guest: Guest) -> None:
        self.guest: Final = guest
        self.outbox: deque[bytes] = deque()
        self._last = -1

    def send(self, message: bytes) -> None:
        """Queue a message; a state holds everything, so a client far behind needs only the last one."""
        if len(self.outbox) > MOST_WAITING:
            self.outbox.clear()
        self.outbox.append(message)
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
        self, data: Path | None = None, source: Sources = source_for, notices: Notices | None = None
    ) -> None:
        self._data = data
        self._source = source
        self.notices: Final = Notices() if notices is None else notices
        self.by_id: dict[str, Room] = {}
        self.clients: dict[str, list[Client]] = {}
        self._numbers: dict[str, int] = {}
        self._untold: dict[str, Room] = {}  # where something happened, in that order

    def open(self, new: NewTable) -> Room:
        """Open a table, if the rules of the house allow it."""
        if len(self.by_id) >= MOST_TABLES:
            raise FeltError(f"the house has {MOST_TABLES} tables open; none can be added now")
        room = Room(secrets.token_hex(5), new, tell=self.tell, source=self._source)
        if self._data:
            _keep(room, self._data)
        self._add(room)
        return room

    def restore(self) -> None:
        """Open every kept table again as it was left; one that cannot be opened stays where it is."""
        if self._data is None:
            return
        clear_unfinished(self._data)
        for folder in self._table_paths(self._data):
            try:
                self._add(self._reopen(folder))
            except Exception as trouble:  # whatever is wrong with one table, the others open
                self.notices.add(_subject(folder.name), trouble, "the table is set aside as it is")

    def _table_paths(self, data: Path) -> list[Path]:
        try:
            return table_paths(data)
        except OSError as trouble:
            self.notices.add("tables", trouble, "no kept table is open")
            return []

    def _reopen(self, folder: Path) -> Room:
        return Room(folder.name, read_order(folder), folder=folder, tell=self.tell, source=self._source)

    def open_one_of_each(self) -> None:
        """A public table of every game, so that a newcomer finds a seat; a game that refuses is left out."""
        open_ = {room.new.game for room in self.by_id.values() if not room.new.private}
        for name, fault in catalog.broken_books().items():
            self.notices.add(f"rulebook {name}", fault, "it is left out")
        for game in catalog.games():
            if game not in open_:
                try:
                    self.open(_inviting(game))
                except Exception as trouble:  # whatever is wrong with one game, the others open
                    self.notices.add(f"game {game}", trouble, "no table of it is open")

    def close(self) -> None:
        """The server stops; every table can be restored."""
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

    def join(self, room: Room, client: Client) -> None:
        """A tab opens at a table."""
        self.clients[room.id].append(client)
        player = room.player_of(client.guest)
        if player:
            room.present[player] = room.present.get(player, 0) + 1
            room.watch()
        self.tell(room)

    def part(self, room: Room, client: Client) -> None:
        """A tab closes."""
        self.clients[room.id].remove(client)
        player = room.player_of(client.guest)
        if player and room.present.get(player):
            room.present[player] -= 1
        self.tell(room)

    def arrived(self, room: Room, guest: Guest) -> None:
        """A guest took a seat: all their tabs here now belong to it."""
        player = room.player_of(guest)
        if player:
            tabs = [client for client in self.clients[room.id] if client.guest.session == guest.session]
            room.present[player] = len(tabs)

    def tell(self, room: Room) -> None:
        """Show every client how the table stands, as soon as all actions that have come in are answered.

        One table at a time: where much happens at once, what happened at a table meanwhile is told together.
        """
        if not self._untold:
            asyncio.get_running_loop().call_soon(self._tell_next)
        self._untold[room.id] = room

    def _tell_next(self) -> None:
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
        room.keep_in(make_table(data, room.id, room.new))
    except (OSError, LogError) as trouble:
        shutil.rmtree(folder, ignore_errors=True)
        raise StorageTrouble(f"the table cannot be kept: {sentence_of(trouble)}") from None


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
