"""Guests: visitors without an account, known by a sealed session and a name."""

import re
import secrets
from typing import Annotated, Any

from litestar import Request, get, put
from litestar.connection import ASGIConnection
from litestar.params import JSONBody
from msgspec import Meta, Struct

from feltworks.errors import FeltError
from feltworks.web.tables.room import Guest

_NAME = re.compile(r"[^\W_][\w .'’-]{0,19}")


class Me(Struct, frozen=True):
    """The visitor's name, and the roles of a user who is logged in."""

    name: str
    guest: bool
    roles: list[str]


class Rename(Struct, frozen=True, forbid_unknown_fields=True):
    """A new name for the visitor."""

    name: Annotated[str, Meta(max_length=40)]


def guest_of(connection: ASGIConnection[Any, Any, Any, Any]) -> Guest:
    """The guest behind a connection; one without a session may only watch."""
    session = connection.session if isinstance(connection.session, dict) else {}
    return Guest(str(session.get("id", "")), str(session.get("name", "Guest")))


def ensure_session(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """The visitor's session; the first request starts one."""
    session = request.session
    if "id" not in session:
        number = secrets.randbelow(900) + 100
        request.set_session({"id": secrets.token_hex(16), "name": f"Guest {number}"})
    return dict(request.session)


@get("/api/me")
async def me(request: Request[Any, Any, Any]) -> Me:
    """The visitor's own name and roles."""
    return _me(request)


@put("/api/me")
async def rename(request: Request[Any, Any, Any], data: JSONBody[Rename]) -> Me:
    """Change the visitor's name; it is used at tables joined from now on."""
    name = " ".join(data.name.split())
    if not _NAME.fullmatch(name):
        raise FeltError("a name has 1 to 20 letters, digits or spaces and starts with a letter or a digit")
    request.set_session({**ensure_session(request), "name": name})
    return _me(request)


def _me(request: Request[Any, Any, Any]) -> Me:
    session = ensure_session(request)
    return Me(session["name"], "user" not in session, list(session.get("roles", [])))
