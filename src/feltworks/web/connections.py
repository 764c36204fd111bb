"""Connections: those that send slowly or come in numbers are closed, and some are passed on to another process.

Uvicorn limits how long a connection idles between two requests, but neither how long a request takes to
arrive nor how many connections one address holds.
"""

import asyncio
import hashlib
import re
import resource
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from http.client import HTTPConnection, HTTPException
from typing import TYPE_CHECKING, Any, Final

from litestar.enums import ScopeType
from litestar.exceptions import ServiceUnavailableException
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:  # it needs the extra for PostgreSQL
    from feltworks.web.tables.shared_rooms import SharedRooms

Address = tuple[str, int]
PATIENCE: Final = 30.0  # seconds for an answer of another process
CSRF_COOKIE: Final = "csrftoken"  # stays the same as long as a browser has a session
_TABLE: Final = re.compile(r"/api/tables/([^/]+)/?")
_PRACTICE: Final = "/api/chair"
RELAYED: Final = b"x-felt-relayed"  # marks what another process has passed on
_OWN_HEADERS: Final = (b"connection", b"transfer-encoding", b"content-length")  # of one connection
Headers = Iterable[tuple[bytes, bytes]]
REQUEST_SECONDS: Final = 20.0  # for the headers and the body of one request to arrive
SHARE: Final = 2  # one address holds at most this part of the files the process may open


# Passing on what another process has to answer.


class Relay:
    """Knows which process answers a request."""

    def __init__(self, rooms: "SharedRooms") -> None:
        self._rooms = rooms

    def target(self, path: str, headers: Headers) -> Address | None:
        """The process that has to answer, if it is not this one."""
        if match := _TABLE.match(path):
            is_relayed = any(name == RELAYED for name, _ in headers)  # the other process has looked just now
            return self._rooms.place(match[1], is_cached=not is_relayed)
        if path.startswith(_PRACTICE) and (visitor := _visitor(headers)):
            number = process_for(visitor, self._rooms.processes)
            return None if number in (0, self._rooms.shared.process) else self._rooms.processes[number]
        return None

    def forget(self) -> None:
        """Look all tables up anew: a process that had some of them does not answer."""
        self._rooms.forget_places()


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
    address = str(client[0] if client else "unknown").encode("latin-1")
    return [*headers, (b"x-forwarded-for", address), (RELAYED, b"1")]


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


async def join(transport: asyncio.Transport, request: bytes, target: Address, relay: Relay) -> None:
    """Join a client's connection with one to another process, from its request on."""
    loop = asyncio.get_running_loop()
    transport.pause_reading()
    try:
        there, _ = await loop.create_connection(lambda: Pipe(transport), *target)
    except OSError:
        relay.forget()
        transport.abort()  # the other process has ended; the client connects again
        return
    transport.set_protocol(Pipe(there))
    there.write(request)
    if transport.is_closing():
        there.close()
    else:
        transport.resume_reading()


# Limits.


class ConnectionLimits:
    """How many connections each address holds, and how many it may."""

    def __init__(self, most: int, *, exempt: Collection[str] = ()) -> None:
        self._most, self._exempt = most, frozenset(exempt)
        self._by_address: Counter[str] = Counter()

    def take(self, address: str) -> bool:
        """Count a new connection; whether the address may have it."""
        if address in self._exempt:  # a trusted proxy brings everybody's connections
            return True
        if self._by_address[address] >= self._most:
            return False
        self._by_address[address] += 1
        return True

    def give_back(self, address: str) -> None:
        """Count a connection that has ended."""
        if address in self._exempt:
            return
        self._by_address[address] -= 1
        if not self._by_address[address]:
            del self._by_address[address]


def usual_limits(proxies: Collection[str]) -> ConnectionLimits:
    """An address may hold half of the files that this process may open, a trusted proxy all of them."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return ConnectionLimits(max(1, soft // SHARE), exempt=proxies)


class LimitedProtocol(H11Protocol):
    """Closes a connection whose address has too many, or whose request does not arrive in time."""

    limits: ConnectionLimits
    seconds: float
    relay: Relay | None
    _address: str | None = None
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        peer = transport.get_extra_info("peername")
        address = str(peer[0]) if peer else "unknown"
        super().connection_made(transport)
        if not self.limits.take(address):
            transport.abort()
            return
        self._address = address
        self._await_request()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._address is None:
            return
        if self._is_arriving:
            self._await_request()
        elif self._deadline:
            self._deadline.cancel()
            self._deadline = None

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._end()  # a socket is counted by the budgets; this protocol does not learn of its end
        target = self.relay.target(self.scope["path"], self.headers) if self.relay else None
        if self.relay is None or target is None:
            super().handle_websocket_upgrade(event)
        else:
            self._pass_on(event, target, self.relay)

    def _pass_on(self, event: Any, target: Address, relay: Relay) -> None:
        self.connections.discard(self)
        lines = [b"%s: %s\r\n" % header for header in forwarded(self.headers, self.client)]
        request = b"".join([event.method, b" ", event.target, b" HTTP/1.1\r\n", *lines, b"\r\n"])
        self.tasks.add(joining := self.loop.create_task(join(self.transport, request, target, relay)))
        joining.add_done_callback(self.tasks.discard)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end()
        super().connection_lost(exc)

    def _end(self) -> None:
        if self._deadline:
            self._deadline.cancel()
        if self._address is not None:
            self.limits.give_back(self._address)
        self._address = None

    @property
    def _is_arriving(self) -> bool:
        """Whether a request has begun and is not here completely."""
        cycle = self.cycle
        if cycle is None or cycle.response_complete:
            return bool(self.conn.trailing_data[0]) or cycle is None
        return bool(cycle.more_body)

    def _await_request(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(self.seconds, self.transport.abort)


def protocol(
    limits: ConnectionLimits, seconds: float = REQUEST_SECONDS, relay: Relay | None = None
) -> type[asyncio.Protocol]:
    """Uvicorn's HTTP protocol with these limits; `relay` knows the sockets that belong to another process."""
    return type("OurProtocol", (LimitedProtocol,), {"limits": limits, "seconds": seconds, "relay": relay})
