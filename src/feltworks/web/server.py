"""How the application listens: one process, the names it answers to, and the headers that browsers obey."""

import asyncio
import base64
import gc
import hashlib
import re
import resource
import socket
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import uvicorn
from litestar import Litestar
from litestar.datastructures import Headers, MutableScopeHeaders, State
from litestar.enums import ScopeType
from litestar.exceptions import ClientException
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Message, Receive, Scope, Send
from msgspec import Struct

from feltworks.errors import BadOption
from feltworks.web.connections import protocol, usual_limits
from feltworks.web.health import metrics_server
from feltworks.web.installation import report_damage

MOST_BYTES_A_MESSAGE: Final = 1 << 16
YOUNG_OBJECTS: Final = 50_000
SWITCH_SECONDS: Final = 0.0005
MANY_FILES: Final = 1 << 16
SHUTDOWN_SECONDS: Final = 3  # for requests under way when the server stops
NOT_STARTED: Final = 3  # the exit status of uvicorn itself


def serve(
    app: Litestar,
    host: str,
    port: int,
    *,
    proxies: Sequence[str] = (),
    metrics_at: tuple[str, int] | None = None,
    sockets: list[socket.socket] | None = None,
    alive: int | None = None,
) -> None:
    """Serve until a signal arrives; the forwarding headers of `proxies` are trusted.

    One process of several gets its listening `sockets`, and stops when the pipe `alive` closes.
    """
    tune_interpreter()
    allow_many_files()
    app.on_startup.append(app.state.coach.prepare)
    app.on_startup.append(partial(_start_checking_logs, app.state))
    config = uvicorn.Config(
        app,
        http=protocol(usual_limits(proxies), relay=app.state.relay),
        host=host,
        port=port,
        log_level="warning",
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        ws_max_size=MOST_BYTES_A_MESSAGE,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        ws_per_message_deflate=False,  # compressing a view of some kilobytes costs more than making it
    )
    server = Server(config)
    if alive is not None:
        app.on_startup.append(partial(_stop_with, server, alive))
    with suppress(KeyboardInterrupt), metrics_server(app.state, metrics_at):
        server.run(sockets)
    if not server.started:
        sys.exit(NOT_STARTED)


async def _stop_with(server: uvicorn.Server, alive: int) -> None:
    """Stop the server when a pipe closes, which the process that watches over it holds open."""

    def stop() -> None:
        asyncio.get_running_loop().remove_reader(alive)
        server.should_exit = True

    asyncio.get_running_loop().add_reader(alive, stop)


async def _start_checking_logs(state: State) -> None:
    """Check the logs of all tables while the server is up already."""
    if state.rooms.data is not None:
        checking = report_damage(state.rooms.data, state.notices, state.workers)
        state.checking_logs = asyncio.create_task(checking)


class Server(uvicorn.Server):
    """Stops long work before anything else, so that waiting clients get an error instead of silence."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop serving."""
        app = self.config.app
        assert isinstance(app, Litestar)
        for worker in (app.state.workers, app.state.simulations, app.state.coach):
            await worker.close()
        await super().shutdown(sockets)


def tune_interpreter() -> None:
    """Shorten garbage collections and thread switches, so that neither delays play."""
    gc.collect()
    gc.freeze()  # objects made at start-up live as long as the process
    gc.set_threshold(YOUNG_OBJECTS, 20, 100)
    sys.setswitchinterval(SWITCH_SECONDS)


def allow_many_files() -> None:
    """Raise the usual limit of 1,024 open files: every player holds a connection."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = MANY_FILES if hard == resource.RLIM_INFINITY else min(hard, MANY_FILES)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
EVERYWHERE: Final = ("0.0.0.0", "::", "")  # the ways to say "every interface"


class PublicAddress(Struct, frozen=True):
    """The host names a browser may use, and the public origin where a proxy stands in front."""

    names: frozenset[str] = frozenset(LOOPBACK)
    any_number: bool = False  # accept every numeric address: the server listens on all interfaces
    origin: str = ""  # such as https://cards.example

    @property
    def is_secure(self) -> bool:
        """Whether browsers come over TLS only."""
        return self.origin.startswith("https://")

    def has_name(self, host: str) -> bool:
        """Whether a Host header names this server.

        Another site may point its own name at this machine (DNS rebinding) and read the responses, so an
        unknown name is refused; a numeric address cannot be rebound.
        """
        name = name_of(host)
        return name in self.names or (self.any_number and _is_number(name))


def public_address(listens_on: str = "127.0.0.1", public_url: str = "", names: Iterable[str] = ()) -> PublicAddress:
    """The addresses of a server by the interface it listens on, its public URL and its further names."""
    origin = _origin(public_url) if public_url else ""
    is_everywhere = listens_on in EVERYWHERE
    own = [socket.gethostname(), socket.getfqdn()] if is_everywhere else [listens_on]
    known = [*LOOPBACK, *own, *names, *([urlsplit(origin).netloc] if origin else [])]
    return PublicAddress(frozenset(filter(None, map(name_of, known))), is_everywhere, origin)


def name_of(host: str) -> str:
    """The name in a Host header, without its port; empty where there is none."""
    is_bare_ipv6 = host.count(":") > 1 and not host.startswith("[")
    with suppress(ValueError):
        return (urlsplit(f"//[{host}]" if is_bare_ipv6 else f"//{host}").hostname or "").rstrip(".")
    return ""


class HostMiddleware(ASGIMiddleware):
    """Refuses requests and sockets whose Host header names another server."""

    scopes = (ScopeType.HTTP, ScopeType.WEBSOCKET)

    def __init__(self, address: PublicAddress) -> None:
        self._address = address

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        host = Headers.from_scope(scope).get("host")
        if host is not None and not self._address.has_name(host):
            raise ClientException("Unknown host name; allow it with felt serve --allow-host or --public-url")
        await next_app(scope, receive, send)


def _origin(url: str) -> str:
    """Scheme, name and port of a URL; refuses a malformed one."""
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
HSTS: Final = f"max-age={365 * 24 * 3600}"  # browsers come over TLS only, for a year from each visit
_INLINE_SCRIPT: Final = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_POLICY: Final = (
    "default-src 'self'",
    "script-src 'self'{scripts}",
    "style-src 'self' 'unsafe-inline'",  # papers embed their styles, the felt has inline ones
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
    """The policy: scripts come from this server only, and the page's inline script is allowed by its hash."""
    html = page.read_text(encoding="utf-8") if page.is_file() else ""
    hashes = "".join(f" 'sha256-{_sha256(script)}'" for script in _INLINE_SCRIPT.findall(html))
    return "; ".join(_POLICY).format(scripts=hashes)


def _sha256(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


def _secure(name: bytes, value: bytes) -> tuple[bytes, bytes]:
    """The header; a cookie gets the Secure attribute, so that it travels over TLS only."""
    is_open_cookie = name.lower() == b"set-cookie" and b"; secure" not in value.lower()
    return name, value + b"; Secure" if is_open_cookie else value
