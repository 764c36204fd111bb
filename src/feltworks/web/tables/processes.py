"""One of several processes: the tables that it has open, and the relay of requests for those of others."""

import asyncio
import hashlib
import re
import secrets
import socket
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from typing import Any, Final, cast

import psycopg
from litestar.enums import ScopeType
from litestar.exceptions import ServiceUnavailableException
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from feltworks import catalog
from feltworks.errors import FeltError, LogError
from feltworks.web.data_folder import ClosingNote, sentence_of
from feltworks.web.tables.order import NewTable, SavedOrder
from feltworks.web.tables.room import Room
from feltworks.web.tables.rooms import MOST_TABLES, MOVED, Farewell, NoSuchTable, Rooms, TableMoved
from feltworks.web.tables.shared import Address, Duties, SavedRow, SharedTables, TableRows

MOST_HANDED_OVER: Final = 25  # tables a second, so that few players reconnect at once and none waits for long
CLOSING_SECONDS: Final = 5.0
_LOOK_SECONDS: Final = 0.1
_ID: Final = re.compile("[0-9a-f]{10}")
Describe = Callable[[Room], bytes]
Headers = Iterable[tuple[bytes, bytes]]
PATIENCE: Final = 30.0  # seconds to wait for another process's response
CSRF_COOKIE: Final = "csrftoken"  # constant while a browser has a session
_TABLE: Final = re.compile(r"/api/tables/([^/]+)/?")
_PRACTICE: Final = "/api/chair"
JOIN_SECONDS: Final = 2.0  # to connect to another process, whose machine may have vanished
_KEEP_ALIVE: Final = {  # as for the database: two seconds of silence, then three probes
    socket.TCP_KEEPIDLE: 2,
    socket.TCP_KEEPINTVL: 1,
    socket.TCP_KEEPCNT: 3,
    socket.TCP_USER_TIMEOUT: 5000,  # milliseconds, if data was sent
}
RELAYED: Final = b"x-felt-relayed"  # marks a request that another process has relayed
_OWN_HEADERS: Final = (b"connection", b"transfer-encoding", b"content-length")  # apply to a single connection


class SharedRooms(Rooms):
    """The open tables that this process owns; the process that receives a table's first visit opens it."""

    def __init__(self, shared: SharedTables, describe: Describe, **settings: Any) -> None:
        super().__init__(None, **settings)
        self.shared: Final = shared
        self._describe = describe
        self._descriptions: dict[str, bytes] = {}
        self._sweep: asyncio.Task[None] | None = None
        self.processes: dict[int, Address] = {}
        self._places: dict[str, Address] = {}  # of tables in other processes, cached for a second

    def open(self, new: NewTable, *, is_standing: bool = False) -> Room:
        """Save a new table; the process that receives its first visit will own it."""
        if self.shared.count() >= MOST_TABLES:
            raise FeltError(f"{MOST_TABLES} tables are open; no further one can be opened now")
        order = SavedOrder(new, is_standing)
        room = self._room(secrets.token_hex(5), order)
        room.save_in(self.shared.create(room.id, order))
        self.shared.batch.descriptions[room.id] = self._describe(room)
        self.shared.flush()
        return room

    def restore(self) -> None:
        """Does nothing: tables are opened when they are visited, or when their owner has died."""
        self.processes = self.shared.processes()

    def open_one_of_each(self) -> None:
        self._report_broken_books()
        self.shared.open_standing(catalog.games(), self._open_standing)

    def place(self, id_: str, *, is_cached: bool = False) -> Address | None:
        """The address of the process that has a table open, None if it is this one; opens a table without an owner.

        `is_cached` allows an address that is up to a second old, as many players may reconnect at once.
        """
        if id_ in self.by_id or not _ID.fullmatch(id_):
            return None
        if is_cached and id_ in self._places:
            return self._places[id_]
        place = self._locate(id_)
        if isinstance(place, SavedRow):
            self._take(id_, place)
        if not isinstance(place, tuple):
            return None
        self._places[id_] = place
        return place

    def _locate(self, id_: str) -> Address | SavedRow | None:
        try:
            return self.shared.locate(id_)
        except (ValueError, LogError) as error:  # the order is damaged
            self._set_aside(id_, error)
            return None

    def forget_places(self) -> None:
        """Clear the cached addresses of tables."""
        self._places.clear()

    def find(self, id_: str) -> Room:
        if self.place(id_) is not None:
            raise TableMoved
        if id_ not in self.by_id and _ID.fullmatch(id_) and self.shared.trouble_of(id_):
            raise NoSuchTable("this table could not be opened; ask the house")
        return super().find(id_)

    def _take(self, id_: str, saved: SavedRow) -> None:
        """Open a table that this process owns; if that fails, set it aside."""
        try:
            self._add(self._room(id_, saved.order, TableRows(self.shared, id_, saved)))
            if trouble := self.by_id[id_].trouble:
                self.notices.add(f"a round at table {id_}", LogError(trouble), "play goes on")
        except Exception as error:  # one table's fault must not close the others
            self._set_aside(id_, error)

    def _set_aside(self, id_: str, error: Exception) -> None:
        self.notices.add(f"table {id_}", error, "the table is set aside as it is")
        self.shared.set_aside(id_, sentence_of(error))

    async def confirm(self) -> None:
        await self.shared.confirm()

    def descriptions(self) -> list[bytes]:
        return self.shared.descriptions()

    def tidy(self) -> None:
        """Tidy this process's tables, and take over those of processes that died."""
        super().tidy()
        if self._sweep is None or self._sweep.done():
            self._sweep = asyncio.get_running_loop().create_task(self._fulfil_duties())

    async def _fulfil_duties(self) -> None:
        self._describe_changes()
        duties = await self.shared.duties(self.by_id, self._clock() - self._times.unused)
        self.processes = self.shared.processes()
        self.forget_places()
        for id_ in duties.to_open:
            self.place(id_)  # looks it up again, as it may have been closed meanwhile
            await asyncio.sleep(0)  # lets other tables run
        for id_, because in duties.to_close.items():
            if id_ in self.by_id:
                self.shut(self.by_id[id_], because)
        self._hand_over(duties)
        await self.shared.confirm()

    async def prune(self) -> None:
        with suppress(psycopg.Error):  # retried in an hour
            await asyncio.to_thread(self.shared.prune, self._clock())

    def _describe_changes(self) -> None:
        """Write the descriptions that have changed, which every process lists in its lobby."""
        for room in self.by_id.values():
            text = self._describe(room)
            if self._descriptions.get(room.id) != text:
                self._descriptions[room.id] = self.shared.batch.descriptions[room.id] = text

    def _hand_over(self, duties: Duties) -> None:
        """Give tables without a running round to a process that has fewer tables."""
        idle = [room for room in self.by_id.values() if not room.table.is_running]
        idle.sort(key=lambda room: len(self.clients[room.id]))
        given = idle[: min(duties.surplus, MOST_HANDED_OVER)]
        for room in given:
            room.save()
            room.close()
        if given:
            self.shared.hand_over([room.id for room in given], duties.receiver)
        for room in given:
            self._remove(room, MOVED)

    def _remove(self, room: Room, farewell: Farewell) -> None:
        super()._remove(room, farewell)
        self._descriptions.pop(room.id, None)

    def _archive(self, room: Room, note: ClosingNote) -> None:
        self.shared.archive(room.id, note)

    async def close_table(self, id_: str, because: str) -> int | None:
        """Close a table, or ask its owner to close it."""
        if self.place(id_) is None:
            return await super().close_table(id_, because)
        self.shared.request_closing(id_, because)
        for _ in range(round(CLOSING_SECONDS / _LOOK_SECONDS)):
            if note := self.shared.closing_note(id_):
                return note.voided
            await asyncio.sleep(_LOOK_SECONDS)
        raise FeltError("the process that has this table open does not answer; try again")

    def close(self) -> None:
        """Save everything and leave the tables to the other processes."""
        if self._sweep:
            self._sweep.cancel()
        super().close()
        self.shared.leave()


# Relaying requests to other processes.


class Relay:
    """Finds the process that must answer a request, and relays the request to it."""

    def __init__(self, rooms: SharedRooms) -> None:
        self._rooms = rooms
        self.middleware = RelayMiddleware(self)

    def target(self, path: str, headers: Headers) -> Address | None:
        """The address of the process that must answer; None if it is this one."""
        if match := _TABLE.match(path):
            is_relayed = any(name == RELAYED for name, _ in headers)  # the other process has just looked it up
            return self._rooms.place(match[1], is_cached=not is_relayed)
        if path.startswith(_PRACTICE) and (visitor := _visitor(headers)):
            number = process_for(visitor, self._rooms.processes)
            return None if number in (0, self._rooms.shared.process) else self._rooms.processes[number]
        return None

    def forget(self) -> None:
        """Clear the cached addresses, after a process did not answer."""
        self._rooms.forget_places()

    async def join(self, protocol: H11Protocol, request: bytes, target: Address) -> None:
        """Connect a client to another process: send its request there, then copy bytes both ways."""
        loop, transport = asyncio.get_running_loop(), protocol.transport
        lines = [b"%s: %s\r\n" % header for header in _forwarding_headers(protocol.headers, protocol.client)]
        transport.pause_reading()
        try:
            async with asyncio.timeout(JOIN_SECONDS):
                there, _ = await loop.create_connection(lambda: Pipe(transport), *target)
        except OSError:  # or a timeout: the process or its machine is down; the client will reconnect
            self.forget()
            transport.abort()
            return
        keep_alive(there)
        transport.set_protocol(Pipe(there))
        there.write(b"".join([request, *lines, b"\r\n"]))
        if transport.is_closing():
            there.close()
        else:
            transport.resume_reading()


def keep_alive(transport: asyncio.BaseTransport) -> None:
    """Make the system close a connection about five seconds after the other machine has vanished."""
    connection = transport.get_extra_info("socket")
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for option, value in _KEEP_ALIVE.items():
        connection.setsockopt(socket.IPPROTO_TCP, option, value)


def process_for(visitor: str, processes: Mapping[int, Address]) -> int:
    """The process that has a visitor's practice table; all processes agree, and few visitors move when one ends.

    >>> process_for("ann", {})
    0
    """
    return max(processes, key=lambda number: hashlib.sha256(f"{visitor} {number}".encode()).digest(), default=0)


def _visitor(headers: Headers) -> str:
    cookies = b"; ".join(value for name, value in headers if name == b"cookie").decode("latin-1")
    return next((part.partition("=")[2] for part in cookies.split("; ") if part.startswith(f"{CSRF_COOKIE}=")), "")


class RelayMiddleware(ASGIMiddleware):
    """Relays HTTP requests to other processes; WebSockets are connected before they reach the middleware."""

    scopes = (ScopeType.HTTP,)

    def __init__(self, relay: Relay) -> None:
        self._relay = relay

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        target = self._relay.target(scope["path"], scope["headers"])
        if target is None:
            await next_app(scope, receive, send)
            return
        body = await _body(receive)
        try:
            status, headers, content = await asyncio.to_thread(_fetch, target, cast(HTTPScope, scope), body)
        except (OSError, HTTPException):
            self._relay.forget()
            raise ServiceUnavailableException("the process that has this has just ended; try again") from None
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": content, "more_body": False})


async def _body(receive: Receive) -> bytes:
    body = b""
    while (message := await receive())["type"] == "http.request":
        body += message["body"]
        if not message["more_body"]:
            break
    return body


def _fetch(target: Address, scope: HTTPScope, body: bytes) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    connection = HTTPConnection(*target, timeout=PATIENCE)
    path = b"?".join(part for part in (scope["raw_path"], scope["query_string"]) if part)
    try:
        connection.putrequest(scope["method"], path.decode("latin-1"), skip_host=True, skip_accept_encoding=True)
        for name, value in _forwarding_headers(scope["headers"], scope.get("client")):
            if name not in _OWN_HEADERS:
                connection.putheader(name.decode("latin-1"), value)
        connection.putheader("content-length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in answer.getheaders()]
        return answer.status, [header for header in headers if header[0] not in _OWN_HEADERS[:2]], answer.read()
    finally:
        connection.close()


def _forwarding_headers(headers: Headers, client: tuple[str, int] | None) -> list[tuple[bytes, bytes]]:
    """The headers with the client's address as the last one, where the next process reads it."""
    address = str(client[0] if client else "unknown").encode("latin-1")
    return [*headers, (b"x-forwarded-for", address), (RELAYED, b"1")]


class Pipe(asyncio.Protocol):
    """Copies the bytes of one connection to another, no faster than that one accepts them."""

    def __init__(self, other: asyncio.Transport) -> None:
        self._other = other

    def data_received(self, data: bytes) -> None:
        self._other.write(data)

    def eof_received(self) -> bool:
        self._other.close()
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self._other.close()

    def pause_writing(self) -> None:
        if not self._other.is_closing():
            self._other.pause_reading()

    def resume_writing(self) -> None:
        if not self._other.is_closing():
            self._other.resume_reading()
