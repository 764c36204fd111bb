"""Connections: accepted host names and origins, security headers, and limits for each client address.

Uvicorn closes idle connections, but limits neither how long a request takes to arrive nor how many
connections one address holds.
"""

import asyncio
import base64
import hashlib
import re
import resource
import socket
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import IPv6Address, IPv6Network, ip_address, ip_network
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection
from litestar.datastructures import Headers, MutableScopeHeaders
from litestar.enums import ScopeType
from litestar.exceptions import ClientException, PermissionDeniedException
from litestar.handlers import BaseRouteHandler
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from msgspec import Struct
from uvicorn.protocols.http.h11_impl import H11Protocol

from feltworks.errors import BadOption

if TYPE_CHECKING:  # needs the PostgreSQL extra
    from feltworks.web.tables.processes import Relay

REQUEST_SECONDS: Final = 20.0  # for the headers and the body of one request to arrive
SHARE: Final = 2  # one address may hold 1/SHARE of the files that the process may open
LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
EVERYWHERE: Final = ("0.0.0.0", "::", "")  # the addresses that mean every interface


class PublicAddress(Struct, frozen=True):
    """The host names that browsers may use, and the public origin if the server is behind a proxy."""

    names: frozenset[str] = frozenset(LOOPBACK)
    any_number: bool = False  # accept every numeric address: the server listens on all interfaces
    origin: str = ""  # such as https://cards.example

    @property
    def is_secure(self) -> bool:
        """Whether browsers connect over TLS only."""
        return self.origin.startswith("https://")

    def has_name(self, host: str) -> bool:
        """Whether a Host header names this server.

        Another site may point its own name at this machine (DNS rebinding) and read the responses, so an
        unknown name is refused; a numeric address cannot be rebound.
        """
        name = name_of(host)
        return name in self.names or (self.any_number and _is_number(name))


def public_address(listens_on: str = "127.0.0.1", public_url: str = "", names: Iterable[str] = ()) -> PublicAddress:
    """The public address from the interface that the server listens on, its public URL and further names."""
    origin = public_origin(public_url) if public_url else ""
    is_everywhere = listens_on in EVERYWHERE
    own = [socket.gethostname(), socket.getfqdn()] if is_everywhere else [listens_on]
    known = [*LOOPBACK, *own, *names, *([urlsplit(origin).netloc] if origin else [])]
    return PublicAddress(frozenset(filter(None, map(name_of, known))), is_everywhere, origin)


def name_of(host: str) -> str:
    """The name in a Host header without its port; empty if there is none."""
    is_bare_ipv6 = host.count(":") > 1 and not host.startswith("[")
    with suppress(ValueError):
        return (urlsplit(f"//[{host}]" if is_bare_ipv6 else f"//{host}").hostname or "").rstrip(".")
    return ""


class HostMiddleware(ASGIMiddleware):
    """Refuses requests and WebSockets whose Host header names another server."""

    scopes = (ScopeType.HTTP, ScopeType.WEBSOCKET)

    def __init__(self, address: PublicAddress) -> None:
        self._address = address

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        host = Headers.from_scope(scope).get("host")
        if host is not None and not self._address.has_name(host):
            raise ClientException("Unknown host name; allow it with felt serve --allow-host or --public-url")
        await next_app(scope, receive, send)


async def refuse_cross_origin(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Refuse WebSockets from other sites: browsers send the visitor's cookies with them, but no CSRF token."""
    origin = connection.headers.get("origin")
    public: PublicAddress = connection.app.state.address
    is_public = bool(origin) and origin == public.origin
    is_ours = origin is None or is_public or urlsplit(origin).netloc == connection.headers.get("host")
    if connection.scope["type"] == ScopeType.WEBSOCKET and not is_ours:
        raise PermissionDeniedException("Cross-origin connection refused")


def public_origin(url: str) -> str:
    """The scheme, name and port of a URL; a malformed one is refused."""
    with suppress(ValueError):
        parts = urlsplit(url)
        if parts.scheme in ("http", "https") and parts.hostname and not parts.path.strip("/"):
            return f"{parts.scheme}://{parts.netloc}"
    raise BadOption("--public-url", url, "an address without a path, such as https://cards.example")


def _is_number(name: str) -> bool:
    with suppress(ValueError):
        return bool(ip_address(name))
    return False


HEADERS: Final = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
}
HSTS: Final = f"max-age={365 * 24 * 3600}"  # browsers use TLS only for a year after each visit
_INLINE_SCRIPT: Final = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_POLICY: Final = (
    "default-src 'self'",
    "script-src 'self'{scripts}",
    "style-src 'self' 'unsafe-inline'",  # papers and the felt have inline styles
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
)


class SecurityHeaders:
    """Adds the security headers to every response."""

    def __init__(self, address: PublicAddress, page: Path) -> None:
        self._is_secure = address.is_secure
        self._headers = {**HEADERS, "content-security-policy": content_security_policy(page)}

    async def __call__(self, message: Message, scope: Scope) -> None:
        if message["type"] != "http.response.start":
            return
        MutableScopeHeaders.from_message(message).update(self._headers)
        if self._is_secure or scope.get("scheme") == "https":
            MutableScopeHeaders.from_message(message)["strict-transport-security"] = HSTS
            message["headers"] = [_secure(name, value) for name, value in message["headers"]]


def content_security_policy(page: Path) -> str:
    """The policy: scripts only from this server; the page's inline script is allowed by its hash."""
    html = page.read_text(encoding="utf-8") if page.is_file() else ""
    hashes = "".join(f" 'sha256-{_sha256(script)}'" for script in _INLINE_SCRIPT.findall(html))
    return "; ".join(_POLICY).format(scripts=hashes)


def _sha256(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _secure(name: bytes, value: bytes) -> tuple[bytes, bytes]:
    """The header; a cookie gets the Secure attribute, so that browsers send it over TLS only."""
    is_open_cookie = name.lower() == b"set-cookie" and b"; secure" not in value.lower()
    return name, value + b"; Secure" if is_open_cookie else value


# Limits.


def client_address(host: str) -> str:
    """The address that limits count by; an IPv6 network is one client, which may use any address in it.

    >>> [client_address(host) for host in ("192.0.2.7", "2001:db8::7:1", "::ffff:192.0.2.7", "::1")]
    ['192.0.2.7', '2001:db8::/64', '192.0.2.7', '::1']
    """
    with suppress(ValueError):
        address = ip_address(host)
        if isinstance(address, IPv6Address) and not address.is_loopback:
            return str(address.ipv4_mapped or IPv6Network((address, 64), strict=False))
    return host


def check_proxies(written: Iterable[str], option: str = "--proxy") -> list[str]:
    """The addresses or networks of trusted proxies; anything else would match no client and is refused."""
    for text in (proxies := list(written)):
        try:
            ip_network(text)
        except ValueError:
            wanted = "an address such as 127.0.0.1, or a network such as 10.0.0.0/8"
            raise BadOption(option, text, wanted) from None
    return proxies


class Places:
    """Limits how many places each client may hold at the same time."""

    def __init__(self, most: int) -> None:
        self.most: Final = most
        self._taken: Counter[str] = Counter()

    def take(self, client: str) -> bool:
        """Take a place for a client if one is free; returns whether it was."""
        if self._taken[client] >= self.most:
            return False
        self._taken[client] += 1
        return True

    def give_back(self, client: str) -> None:
        """Release a client's place."""
        self._taken[client] -= 1
        if not self._taken[client]:
            del self._taken[client]


class ConnectionLimits(Places):
    """Limits how many connections each client address may hold."""

    def __init__(self, most: int, *, exempt: Iterable[str] = ()) -> None:
        super().__init__(most)
        self._exempt = [ip_network(text) for text in exempt]

    def take(self, client: str) -> bool:
        return self._is_exempt(client) or super().take(client_address(client))

    def give_back(self, client: str) -> None:
        if not self._is_exempt(client):
            super().give_back(client_address(client))

    def _is_exempt(self, host: str) -> bool:
        """Whether a host is a trusted proxy, whose connections belong to many clients."""
        with suppress(ValueError):
            address = ip_address(host)
            return any(address in network for network in self._exempt)
        return False


def usual_limits(proxies: Iterable[str]) -> ConnectionLimits:
    """The default limits: half of the files that this process may open; trusted proxies have no limit."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return ConnectionLimits(max(1, soft // SHARE), exempt=proxies)


class LimitedProtocol(H11Protocol):
    """Closes connections beyond the limit of their address and those whose request does not arrive in time."""

    limits: ConnectionLimits
    seconds: float
    relay: "Relay | None"
    _host: str | None = None
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        peer = transport.get_extra_info("peername")
        host = str(peer[0]) if peer else "unknown"
        super().connection_made(transport)
        if not self.limits.take(host):
            transport.abort()
            return
        self._host = host
        self._await_request()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._host is None:
            return
        if self._is_arriving:
            self._await_request()
        elif self._deadline:
            self._deadline.cancel()
            self._deadline = None

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._end()  # budgets count WebSockets, as this protocol does not learn when one closes
        target = self.relay.target(self.scope["path"], self.headers) if self.relay else None
        if self.relay is None or target is None:
            super().handle_websocket_upgrade(event)
        else:
            self._pass_on(event, target, self.relay)

    def _pass_on(self, event: Any, target: tuple[str, int], relay: "Relay") -> None:
        self.connections.discard(self)
        request = b"%s %s HTTP/1.1\r\n" % (event.method, event.target)
        self.tasks.add(joining := self.loop.create_task(relay.join(self, request, target)))
        joining.add_done_callback(self.tasks.discard)

    def connection_lost(self, exc: Exception | None) -> None:
        self._end()
        super().connection_lost(exc)

    def _end(self) -> None:
        if self._deadline:
            self._deadline.cancel()
        if self._host is not None:
            self.limits.give_back(self._host)
        self._host = None

    @property
    def _is_arriving(self) -> bool:
        """Whether a request has begun to arrive and is not complete."""
        cycle = self.cycle
        if cycle is None or cycle.response_complete:
            return bool(self.conn.trailing_data[0]) or cycle is None
        return bool(cycle.more_body)

    def _await_request(self) -> None:
        if self._deadline is None:
            self._deadline = self.loop.call_later(self.seconds, self.transport.abort)


def protocol(
    limits: ConnectionLimits, seconds: float = REQUEST_SECONDS, relay: "Relay | None" = None
) -> type[asyncio.Protocol]:
    """Uvicorn's HTTP protocol with these limits; `relay` finds the process that a WebSocket belongs to."""
    return type("OurProtocol", (LimitedProtocol,), {"limits": limits, "seconds": seconds, "relay": relay})
