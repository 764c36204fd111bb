"""The tables of one process among several: it opens those that it owns, and says where the others are."""

import asyncio
import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import psycopg

from feltworks import catalog
from feltworks.errors import FeltError, LogError
from feltworks.web.connections import Address
from feltworks.web.data_folder import sentence_of
from feltworks.web.tables.order import NewTable, SavedOrder
from feltworks.web.tables.room import Room
from feltworks.web.tables.rooms import MOST_TABLES, NoSuchTable, Rooms
from feltworks.web.tables.shared import Duties, SharedTables, TableRows

MOVED: Final = 1012, "the table goes on in another process; connect again"
MOST_HANDED_OVER: Final = 8  # tables in one second, so that their players do not all connect at once
CLOSING_SECONDS: Final = 5.0
_LOOK_SECONDS: Final = 0.1
_ID: Final = re.compile("[0-9a-f]{10}")
Describe = Callable[[Room], bytes]


class SharedRooms(Rooms):
    """The open tables that this process owns. A table is opened by the first visit, wherever it arrives."""

    def __init__(self, shared: SharedTables, describe: Describe, **settings: Any) -> None:
        super().__init__(None, **settings)
        self.shared: Final = shared
        self._describe = describe
        self._descriptions: dict[str, bytes] = {}
        self._sweep: asyncio.Task[None] | None = None
        self.processes: dict[int, Address] = {}
        self._places: dict[str, Address] = {}  # of other processes' tables, for a second

    def open(self, new: NewTable, *, is_standing: bool = False) -> Room:
        """Save a new table; the process that its first visitor reaches will own it."""
        if self.shared.count() >= MOST_TABLES:
            raise FeltError(f"{MOST_TABLES} tables are open; no further one can be opened now")
        order = SavedOrder(new, is_standing)
        room = self._room(secrets.token_hex(5), order)
        room.save_in(self.shared.create(room.id, order))
        self.shared.batch.descriptions[room.id] = self._describe(room)
        self.shared.flush()
        return room

    def restore(self) -> None:
        """Tables are opened when they are visited, or once their owner has died."""
        self.processes = self.shared.processes()

    def open_one_of_each(self) -> None:
        self._report_broken_books()
        self.shared.open_standing(catalog.games(), self._open_standing)

    def place(self, id_: str, *, is_cached: bool = False) -> Address | None:
        """Where a table is open, if that is another process; one without an owner is opened here.

        With `is_cached` it is where the table was a moment ago: many players may come back at once.
        """
        if id_ in self.by_id or not _ID.fullmatch(id_):
            return None
        if is_cached and id_ in self._places:
            return self._places[id_]
        place = self.shared.locate(id_)
        if place is True:
            self._take(id_)
        if not isinstance(place, tuple):
            return None
        self._places[id_] = place
        return place

    def forget_places(self) -> None:
        """Ask the database again where tables are."""
        self._places.clear()

    def find(self, id_: str) -> Room:
        if self.place(id_) is not None:
            raise NoSuchTable("this table has just moved to another process; try again")
        if id_ not in self.by_id and _ID.fullmatch(id_) and self.shared.trouble_of(id_):
            raise NoSuchTable("this table could not be opened; ask the house")
        return super().find(id_)

    def _take(self, id_: str) -> None:
        """Open a table that this process owns; one that cannot be opened is set aside."""
        try:
            rows = TableRows(self.shared, id_)
            self._add(self._room(id_, rows.saved.order, rows))
            if trouble := self.by_id[id_].trouble:
                self.notices.add(f"a round at table {id_}", LogError(trouble), "play goes on")
        except Exception as error:  # a fault of one table must not close the others
            self.notices.add(f"table {id_}", error, "the table is set aside as it is")
            self.shared.set_aside(id_, sentence_of(error))

    async def confirm(self) -> None:
        await self.shared.confirm()

    def descriptions(self) -> list[bytes]:
        return self.shared.descriptions()

    def tidy(self) -> None:
        """Also take up the tables of processes that died, every second."""
        super().tidy()
        if self._sweep is None or self._sweep.done():
            self._sweep = asyncio.get_running_loop().create_task(self._fulfil_duties())

    async def _fulfil_duties(self) -> None:
        self._describe_changes()
        duties = await self.shared.duties(self.by_id, self._clock() - self._times.unused)
        self.processes = self.shared.processes()
        self.forget_places()
        for id_ in duties.to_open:
            self.place(id_)  # asks once more: it may have been closed meanwhile
            await asyncio.sleep(0)  # players of other tables go on
        for id_, because in duties.to_close.items():
            if id_ in self.by_id:
                self.shut(self.by_id[id_], because)
        self._hand_over(duties)
        await self.shared.confirm()

    async def prune(self) -> None:
        with suppress(psycopg.Error):  # tried again in an hour
            await asyncio.to_thread(self.shared.prune, self._clock())

    def _describe_changes(self) -> None:
        """Write the descriptions that changed, for the lobby of every process."""
        for room in self.by_id.values():
            text = self._describe(room)
            if self._descriptions.get(room.id) != text:
                self._descriptions[room.id] = self.shared.batch.descriptions[room.id] = text

    def _hand_over(self, duties: Duties) -> None:
        """Give tables between two rounds to a process that has fewer."""
        idle = [room for room in self.by_id.values() if not room.table.is_running]
        idle.sort(key=lambda room: len(self.clients[room.id]))
        for room in idle[: min(duties.surplus, MOST_HANDED_OVER)]:
            room.save()
            room.close()
            self.shared.hand_over(room.id, duties.heir)
            self._remove(room, MOVED)

    def _remove(self, room: Room, farewell: tuple[int, str]) -> None:
        super()._remove(room, farewell)
        self._descriptions.pop(room.id, None)

    def _archive(self, room: Room, note: dict[str, object]) -> None:
        self.shared.archive(room.id, note)

    async def close_table(self, id_: str, because: str) -> int | None:
        """Close a table, or have its owner do so."""
        if self.place(id_) is None:
            return await super().close_table(id_, because)
        self.shared.request_closing(id_, because)
        for _ in range(round(CLOSING_SECONDS / _LOOK_SECONDS)):
            if note := self.shared.closing_note(id_):
                voided: int | None = note["voided"]
                return voided
            await asyncio.sleep(_LOOK_SECONDS)
        raise FeltError("the process that has this table open does not answer; try again")

    def close(self) -> None:
        """Save everything and give the tables to the other processes."""
        if self._sweep:
            self._sweep.cancel()
        super().close()
        self.shared.leave()
