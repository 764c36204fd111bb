"""Connections that send slowly or come in numbers: each is closed, so that others find a place.

Uvicorn limits how long a connection idles between two requests, but neither how long a request takes to
arrive nor how many connections one address holds.
"""

import asyncio
import resource
from collections import Counter
from collections.abc import Collection
from typing import Any, Final

from uvicorn.protocols.http.h11_impl import H11Protocol

from feltworks.web.relay import Relay, forwarded, join

REQUEST_SECONDS: Final = 20.0  # for the headers and the body of one request to arrive
SHARE: Final = 2  # one address holds at most this part of the files the process may open


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


def protocol(
    limits: ConnectionLimits, seconds: float = REQUEST_SECONDS, relay: Relay | None = None
) -> type[asyncio.Protocol]:
    """Uvicorn's HTTP protocol with these limits; `relay` knows the sockets that belong to another process."""

    class LimitedProtocol(H11Protocol):
        """Closes a connection whose address has too many, or whose request does not arrive in time."""

        _address: str | None = None
        _deadline: asyncio.TimerHandle | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
            peer = transport.get_extra_info("peername")
            address = str(peer[0]) if peer else "unknown"
            super().connection_made(transport)
            if not limits.take(address):
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
            target = relay.target(self.scope["path"], self.headers) if relay else None
            if target is None:
                super().handle_websocket_upgrade(event)
                return
            self.connections.discard(self)
            lines = [b"%s: %s\r\n" % header for header in forwarded(self.headers, self.client)]
            request = b"".join([event.method, b" ", event.target, b" HTTP/1.1\r\n", *lines, b"\r\n"])
            self.tasks.add(joining := self.loop.create_task(join(self.transport, request, target)))
            joining.add_done_callback(self.tasks.discard)

        def connection_lost(self, exc: Exception | None) -> None:
            self._end()
            super().connection_lost(exc)

        def _end(self) -> None:
            if self._deadline:
                self._deadline.cancel()
            if self._address is not None:
                limits.give_back(self._address)
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
                self._deadline = self.loop.call_later(seconds, self._time_is_up)

        def _time_is_up(self) -> None:
            self.transport.abort()

    return LimitedProtocol
