"""The application: what is served where, and what every answer has in common."""

import secrets
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from litestar import Litestar, MediaType, Request, Response, Router, get
from litestar.config.compression import CompressionConfig
from litestar.config.csrf import CSRFConfig
from litestar.connection import ASGIConnection
from litestar.datastructures import CacheControlHeader, MutableScopeHeaders, State
from litestar.enums import ScopeType
from litestar.exceptions import HTTPException, PermissionDeniedException
from litestar.handlers import BaseRouteHandler
from litestar.middleware.session.client_side import CookieBackendConfig
from litestar.openapi import OpenAPIConfig
from litestar.plugins.prometheus import PrometheusConfig, PrometheusController
from litestar.static_files import create_static_files_router
from litestar.types import Message, Scope

import feltworks
from feltworks.dealing.shoes import source_for
from feltworks.errors import BadOption, FeltError
from feltworks.web import guests, laboratory, live, lobby
from feltworks.web.chair.router import Chairs
from feltworks.web.chair.router import router as chair
from feltworks.web.desk import Desk
from feltworks.web.edges import Edging
from feltworks.web.house.office import Office
from feltworks.web.house.router import router as house
from feltworks.web.room import Sources
from feltworks.web.rooms import NoSuchTable, Rooms
from feltworks.web.simulating import Bench

SECRET_BYTES = 32
BAD_INPUT, NOT_FOUND, FAULT = 400, 404, 500
YEAR = 365 * 24 * 3600
HEADERS = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
}
STATIC = Path(str(files("feltworks.web"))) / "static"
PAGES = [
    "/",
    "/table/{rest:path}",
    "/lab",
    "/lab/{rest:path}",
    "/house",
    "/house/{rest:path}",
    "/rules",
    "/rules/{rest:path}",
    "/chair",
    "/chair/{rest:path}",
]


def create_app(data: Path | None = None, database: str = "", *, source: Sources = source_for) -> Litestar:
    """The whole application; `data` is the folder in which tables survive a restart, `source` deals."""
    books = database or (f"sqlite:///{data / 'house.sqlite'}" if data else "sqlite://")
    secret = _secret(data)
    rooms = Rooms(data, source)
    office = Office(books)
    edging = Edging()
    metrics = PrometheusConfig(app_name="feltworks", prefix="felt", group_path=True)
    handlers: list[Any] = [
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
    if STATIC.is_dir():
        handlers += [page, _assets()]
    return Litestar(
        route_handlers=handlers,
        state=State(
            {
                "rooms": rooms,
                "books": books,
                "desk": Desk(),
                "bench": Bench(),
                "edging": edging,
                "office": office,
                "chairs": Chairs(),
            }
        ),
        on_startup=[rooms.restore, rooms.open_one_of_each, office.open],
        on_shutdown=[rooms.close, edging.close, office.close],
        middleware=[
            CookieBackendConfig(secret=secret, httponly=True, samesite="lax").middleware,
            metrics.middleware,
        ],
        guards=[own_origin],
        before_send=[_with_headers],
        csrf_config=CSRFConfig(secret=secret.hex(), cookie_samesite="lax"),
        compression_config=CompressionConfig(backend="gzip", gzip_compress_level=6),
        exception_handlers={
            FeltError: _refused,
            HTTPException: _http,
            RecursionError: _too_deep,
            Exception: _fault,
        },
        logging_config=None,  # uvicorn logs; cookies and bodies enter no log
        request_max_body_size=64 * 1024,
        openapi_config=OpenAPIConfig(
            "Feltworks", feltworks.__version__, path="/openapi", use_handler_docstrings=True
        ),
    )


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


def _assets() -> Router:
    """What is named after its own contents may be kept for ever."""
    forever = CacheControlHeader(max_age=YEAR, immutable=True, public=True)
    return create_static_files_router(
        path="/assets", directories=[STATIC / "assets"], cache_control=forever, include_in_schema=False
    )


def _secret(data: Path | None) -> bytes:
    """What sessions are sealed with: kept beside the tables, readable for the owner alone."""
    if data is None:
        return secrets.token_bytes(SECRET_BYTES)
    data.mkdir(parents=True, exist_ok=True)
    path = data / "session.key"
    if not path.exists():
        path.touch(mode=0o600)
        path.write_bytes(secrets.token_bytes(SECRET_BYTES))
    return path.read_bytes()


@get("/healthz", sync_to_thread=False)
def healthz() -> dict[str, str]:
    """Answers when the application can serve."""
    return {"status": "ok", "version": feltworks.__version__}


@get("/openapi.json", sync_to_thread=False, include_in_schema=False)
def described(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """What the HTTP interface takes and answers."""
    return request.app.openapi_schema.to_schema()


@get(
    PAGES,
    media_type=MediaType.HTML,
    sync_to_thread=False,
    include_in_schema=False,
    cache_control=CacheControlHeader(no_cache=True),
)
def page() -> str:
    """Every page is the same document; the browser side knows which one is meant."""
    return (STATIC / "index.html").read_text(encoding="utf-8")


def _refused(_: Request[Any, Any, Any], trouble: FeltError) -> Response[dict[str, Any]]:
    status = NOT_FOUND if isinstance(trouble, NoSuchTable) else BAD_INPUT
    more = {"rule": getattr(trouble, "rule", None), "field": getattr(trouble, "field", None)}
    if isinstance(trouble, BadOption):
        more["field"] = f"options.{trouble.option}"
    return _said(str(trouble), type(trouble).__name__, status, **more)


def _http(request: Request[Any, Any, Any], trouble: HTTPException) -> Response[Any]:
    is_page = request.method == "GET" and "text/html" in request.headers.get("accept", "")
    is_page &= not request.url.path.startswith(("/api/", "/assets/"))
    if trouble.status_code == NOT_FOUND and is_page and (STATIC / "index.html").is_file():
        return Response(page.fn(), status_code=NOT_FOUND, media_type=MediaType.HTML)  # it says so in words
    return _said(str(trouble.detail), type(trouble).__name__, trouble.status_code, extra=trouble.extra)


def _too_deep(_: Request[Any, Any, Any], trouble: RecursionError) -> Response[dict[str, Any]]:
    return _said("what was sent is nested too deeply to be read", type(trouble).__name__, BAD_INPUT)


def _fault(_: Request[Any, Any, Any], trouble: Exception) -> Response[dict[str, Any]]:
    return _said("a fault of the server's own; nothing was changed", type(trouble).__name__, FAULT)


def _said(error: str, kind: str, status: int, **more: object) -> Response[dict[str, Any]]:
    return Response({"error": error, "kind": kind, **more}, status_code=status, media_type=MediaType.JSON)
