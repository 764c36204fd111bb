"""The application: what is served where, and what every answer has in common."""

import secrets
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from litestar import Litestar, Request, get
from litestar.config.compression import CompressionConfig
from litestar.config.csrf import CSRFConfig
from litestar.connection import ASGIConnection
from litestar.datastructures import MutableScopeHeaders, State
from litestar.enums import ScopeType
from litestar.exceptions import PermissionDeniedException
from litestar.handlers import BaseRouteHandler
from litestar.middleware.session.client_side import CookieBackendConfig
from litestar.openapi import OpenAPIConfig
from litestar.plugins.prometheus import PrometheusConfig, PrometheusController
from litestar.types import Message, Scope

import feltworks
from feltworks.dealing.shoes import source_for
from feltworks.private_files import make_private_folder, open_private
from feltworks.web import guests, laboratory, live, lobby
from feltworks.web.chair.router import Chairs
from feltworks.web.chair.router import router as chair
from feltworks.web.coach import Coach
from feltworks.web.desk import AT_ONCE, Desk
from feltworks.web.edges import Edging
from feltworks.web.examples import Pages, with_examples
from feltworks.web.house.office import Office
from feltworks.web.house.router import router as house
from feltworks.web.pages import STATIC, assets, page
from feltworks.web.refusing import REFUSALS
from feltworks.web.room import Sources
from feltworks.web.rooms import Rooms
from feltworks.web.simulating import Bench
from feltworks.web.workers import Workers

SECRET_BYTES = 32
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
}


def create_app(data: Path | None = None, database: str = "", *, source: Sources = source_for) -> Litestar:
    """The whole application; `data` is the folder in which tables survive a restart, `source` deals."""
    secret = _secret(data)
    state = _rooms_and_books(data, database, source)
    return Litestar(
        route_handlers=_handlers(),
        state=state,
        on_startup=[state.rooms.restore, state.rooms.open_one_of_each, state.office.open],
        on_shutdown=[
            state.rooms.close,
            state.edging.close,
            state.coach.close,
            state.workers.close,
            state.bench.close,
            state.office.close,
        ],
        middleware=[
            CookieBackendConfig(secret=secret, httponly=True, samesite="lax").middleware,
            PrometheusConfig(app_name="feltworks", prefix="felt", group_path=True).middleware,
        ],
        guards=[own_origin],
        before_send=[_with_headers],
        csrf_config=CSRFConfig(secret=secret.hex(), cookie_samesite="lax"),
        compression_config=CompressionConfig(backend="gzip", gzip_compress_level=6),
        exception_handlers=REFUSALS,
        logging_config=None,  # uvicorn logs; cookies and bodies enter no log
        request_max_body_size=64 * 1024,
        openapi_config=OpenAPIConfig(
            "Feltworks",
            feltworks.__version__,
            path="/openapi",
            use_handler_docstrings=True,
            render_plugins=[Pages()],
        ),
    )


def _rooms_and_books(data: Path | None, database: str, source: Sources) -> State:
    """What the handlers share: the tables, the books, and those who compute beside them."""
    books = database or (f"sqlite:///{data / 'house.sqlite'}" if data else "sqlite://")
    return State(
        {
            "rooms": Rooms(data, source),
            "books": books,
            "desk": Desk(),
            "workers": Workers(AT_ONCE),
            "coach": Coach(),
            "bench": Bench(),
            "edging": Edging(),
            "office": Office(books),
            "chairs": Chairs(),
        }
    )


def _handlers() -> list[Any]:
    """What is served; the pages where they are built."""
    interface: list[Any] = [
        guests.me,
        guests.rename,
        lobby.games,
        lobby.tables,
        lobby.open_table,
        lobby.one_table,
        lobby.proof,
        live.live,
        laboratory.router,
        house,
        chair,
        healthz,
        described,
        PrometheusController,
    ]
    return [*interface, page, assets()] if STATIC.is_dir() else interface


async def own_origin(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """A WebSocket carries no token: only pages from here may open one with a visitor's cookies."""
    origin = connection.headers.get("origin")
    is_foreign = origin is not None and urlsplit(origin).netloc != connection.headers.get("host")
    if connection.scope["type"] == ScopeType.WEBSOCKET and is_foreign:
        raise PermissionDeniedException("a page from elsewhere opens no connection to a table here")


async def _with_headers(message: Message, _: Scope) -> None:
    """Every answer, whoever gives it, tells browsers to neither guess nor frame it."""
    if message["type"] == "http.response.start":
        MutableScopeHeaders.from_message(message).update(HEADERS)


def _secret(data: Path | None) -> bytes:
    """What sessions are sealed with: kept beside the tables, readable for the owner alone."""
    if data is None:
        return secrets.token_bytes(SECRET_BYTES)
    path = data / "session.key"
    if path.exists() or not data.exists() or not any(data.iterdir()):
        make_private_folder(data)  # a folder that holds other things stays as it is
    if not path.exists():
        with open(path, "wb", opener=open_private) as file:
            file.write(secrets.token_bytes(SECRET_BYTES))
    with open(path, "rb", opener=open_private) as file:
        return file.read()


@get("/healthz", sync_to_thread=False)
def healthz() -> dict[str, str]:
    """Answers when the application can serve."""
    return {"status": "ok", "version": feltworks.__version__}


@get("/openapi.json", sync_to_thread=False, include_in_schema=False)
def described(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """What the HTTP interface takes and answers, with an example of each."""
    return with_examples(request.app.openapi_schema.to_schema())
