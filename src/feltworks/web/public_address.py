"""At which addresses browsers reach the server: under which names, and whether over TLS."""

import socket
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from litestar.datastructures import Headers
from litestar.enums import ScopeType
from litestar.exceptions import ClientException
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send
from msgspec import Struct

from feltworks.errors import BadOption

LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")
EVERYWHERE: Final = ("0.0.0.0", "::", "")  # to be recognised, not to be listened on


class PublicAddress(Struct, frozen=True):
    """The names a browser may use, and the address that the outside knows, where there is another one."""

    names: frozenset[str] = frozenset(LOOPBACK)
    any_number: bool = False  # of a server that listens everywhere: whichever numeric address it has
    origin: str = ""  # as https://cards.example

    @property
    def is_secure(self) -> bool:
        """Whether browsers come over TLS only."""
        return self.origin.startswith("https://")

    def has_name(self, host: str) -> bool:
        """Whether a Host header means this server.

        Another site may point its own name at this machine (DNS rebinding) and read what is answered, so an
        unknown name is refused; a numeric address cannot be pointed anywhere.
        """
        name = name_of(host)
        return name in self.names or (self.any_number and _is_number(name))


def public_address(
    listens_on: str = "127.0.0.1", public_url: str = "", names: Iterable[str] = ()
) -> PublicAddress:
    """The addresses of a server that listens there, is reached at a URL, and has further names."""
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
    """Refuses requests and sockets that were meant for a server of another name."""

    scopes = (ScopeType.HTTP, ScopeType.WEBSOCKET)

    def __init__(self, address: PublicAddress) -> None:
        self._address = address

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        host = Headers.from_scope(scope).get("host")
        if host is not None and not self._address.has_name(host):
            raise ClientException(
                "this server is not known by that name; felt serve takes it with --allow-host or --public-url"
            )
        await next_app(scope, receive, send)


def _origin(url: str) -> str:
    """Scheme, name and port of a URL; refuses what is none."""
    with suppress(ValueError):
        parts = urlsplit(url)
        if parts.scheme in ("http", "https") and parts.hostname and not parts.path.strip("/"):
            return f"{parts.scheme}://{parts.netloc}"
    raise BadOption("--public-url", url, "an address without a path, such as https://cards.example")


def _is_number(name: str) -> bool:
    with suppress(ValueError):
        return bool(ip_address(name))
    return False
