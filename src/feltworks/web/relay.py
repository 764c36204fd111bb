"""Passes a request to the process that has what it asks for: a table it has open, or a trainee's practice."""

import asyncio
import hashlib
import re
from collections.abc import Iterable, Mapping
from http.client import HTTPConnection, HTTPException
from typing import TYPE_CHECKING, Any, Final

from litestar.enums import ScopeType
from litestar.exceptions import ServiceUnavailableException
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

if TYPE_CHECKING:  # it needs the extra for PostgreSQL
    from feltworks.web.tables.shared_rooms import SharedRooms

Address = tuple[str, int]
PATIENCE: Final = 30.0  # seconds for an answer of another process
CSRF_COOKIE: Final = "csrftoken"  # stays the same as long as a browser has a session
_TABLE: Final = re.compile(r"/api/tables/([^/]+)/?")
_PRACTICE: Final = "/api/chair"
_OWN_HEADERS: Final = (b"connection", b"transfer-encoding", b"content-length")  # of one connection
Headers = Iterable[tuple[bytes, bytes]]


class Relay:
    """Knows which process answers a request."""

    def __init__(self, rooms: "SharedRooms") -> None:
        self._rooms = rooms

    def target(self, path: str, headers: Headers) -> Address | None:
        """The process that has to answer, if it is not this one."""
        if match := _TABLE.match(path):
            return self._rooms.place(match[1])
        if path.startswith(_PRACTICE) and (visitor := _visitor(headers)):
            number = process_for(visitor, self._rooms.processes)
            return None if number in (0, self._rooms.shared.process) else self._rooms.processes[number]
        return None


def process_for(visitor: str, processes: Mapping[int, Address]) -> int:
    """The process that has a visitor's practice: the same in every process, and few change when one ends.

    >>> process_for("ann", {})
    0
    """
    return max(processes, key=lambda number: hashlib.sha256(f"{visitor} {number}".encode()).digest(), default=0)


def _visitor(headers: Headers) -> str:
    cookies = b"; ".join(value for name, value in headers if name == b"cookie").decode("latin-1")
    return next((part.partition("=")[2] for part in cookies.split("; ") if part.startswith(f"{CSRF_COOKIE}=")), "")


class RelayMiddleware(ASGIMiddleware):
    """Passes an HTTP request on and returns the answer; sockets are joined before they get here."""

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
            status, headers, content = await asyncio.to_thread(_fetch, target, scope, body)
        except (OSError, HTTPException):
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


def _fetch(target: Address, scope: Any, body: bytes) -> tuple[int, list[tuple[bytes, bytes]], bytes]:
    connection = HTTPConnection(*target, timeout=PATIENCE)
    path = b"?".join(part for part in (scope["raw_path"], scope["query_string"]) if part)
    try:
        connection.putrequest(scope["method"], path.decode("latin-1"), skip_host=True, skip_accept_encoding=True)
        for name, value in forwarded(scope["headers"], scope.get("client")):
            if name not in _OWN_HEADERS:
                connection.putheader(name.decode("latin-1"), value)
        connection.putheader("content-length", str(len(body)))
        connection.endheaders(body)
        answer = connection.getresponse()
        headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in answer.getheaders()]
        return answer.status, [header for header in headers if header[0] not in _OWN_HEADERS[:2]], answer.read()
    finally:
        connection.close()


def forwarded(headers: Headers, client: Any) -> list[tuple[bytes, bytes]]:
    """The headers with the client's address at the end, where the next process looks for it."""
    return [*headers, (b"x-forwarded-for", str(client[0] if client else "unknown").encode("latin-1"))]


class Pipe(asyncio.Protocol):
    """One end of a joined socket: what arrives is written to the other end, no faster than that takes it."""

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


async def join(transport: asyncio.Transport, request: bytes, target: Address) -> None:
    """Join a client's connection with one to another process, from its request on."""
    loop = asyncio.get_running_loop()
    transport.pause_reading()
    try:
        there, _ = await loop.create_connection(lambda: Pipe(transport), *target)
    except OSError:
        transport.abort()  # the other process has ended; the client connects again
        return
    transport.set_protocol(Pipe(there))
    there.write(request)
    if transport.is_closing():
        there.close()
    else:
        transport.resume_reading()
