"""The application: what is served where, and what every response has in common."""

import secrets
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

from litestar import Litestar, Response, Router, get
from litestar.config.compression import CompressionConfig
from litestar.config.csrf import CSRFConfig
from litestar.connection import ASGIConnection
from litestar.datastructures import State
from litestar.enums import ScopeType
from litestar.exceptions import PermissionDeniedException
from litestar.handlers import BaseRouteHandler
from litestar.middleware.session.client_side import CookieBackendConfig
from litestar.openapi import OpenAPIConfig
from litestar.plugins.prometheus import PrometheusConfig, PrometheusController
from litestar.types import ControllerRouterHandler

import feltworks
from feltworks.dealing.shoes import source_for
from feltworks.errors import FeltError
from feltworks.web import visitors
from feltworks.web.data_folder import KEY_BYTES, Notices, session_key
from feltworks.web.health import Health, healthz, readyz
from feltworks.web.house import (
    accounting,
    approvals,
    closings,
    demo,
    floor,
    jackpots,
    journals,
    people,
    register,
)
from feltworks.web.house.office import DEPENDENCIES, Office, SharedLogins
from feltworks.web.lab import router as lab
from feltworks.web.lab.queue import AT_ONCE, WorkQueue
from feltworks.web.lab.simulation import SimulationPool
from feltworks.web.openapi import InterfacePage, add_examples
from feltworks.web.relay import Relay, RelayMiddleware
from feltworks.web.responses import (
    EXCEPTION_HANDLERS,
    IS_COMPRESSED,
    STATIC,
    DocumentCache,
    assets,
    house_error,
    page,
)
from feltworks.web.server import HostMiddleware, PublicAddress, SecurityHeaders
from feltworks.web.tables import live, lobby
from feltworks.web.tables.clock import Times
from feltworks.web.tables.figures import Coach, EdgeFinder
from feltworks.web.tables.room import Sources
from feltworks.web.tables.rooms import Rooms
from feltworks.web.training import drills
from feltworks.web.training import router as training
from feltworks.web.visitors import USUAL, Allowances, BudgetMiddleware, Budgets, Connection
from feltworks.web.workers import Workers

if TYPE_CHECKING:
    from feltworks.web.tables.shared import SharedTables
    from feltworks.web.tables.shared_rooms import SharedRooms

LOCAL: Final = PublicAddress()


def create_app(
    data: Path | None = None,
    database: str = "",
    *,
    source: Sources = source_for,
    times: Times = Times(),  # noqa: B008 (it is never written to)
    allowed: Allowances = USUAL,
    address: PublicAddress = LOCAL,
    shows_metrics: bool = True,
    shared: "SharedTables | None" = None,
    is_demo: bool = False,
) -> Litestar:
    """The whole application; tables survive a restart in the folder `data` or in `shared`, `source` deals."""
    notices = Notices()
    if shared is None:
        secret = session_key(data, notices) if data else secrets.token_bytes(KEY_BYTES)
        state = _shared_state(data, database, Rooms(data, source, notices, times=times))
        state.relay = None
    else:
        secret = shared.session_key()
        rooms = _shared_rooms(shared, source=source, notices=notices, times=times)
        state = _shared_state(data, database, rooms)
        state.relay = Relay(rooms)
        state.office.logins = SharedLogins(state.office)
    state.budgets = Budgets(allowed)
    state.address = address
    state.is_demo = is_demo
    state.health = Health(data, state.rooms, state.office, state.workers)
    return Litestar(
        route_handlers=_handlers(shows_metrics=shows_metrics and not address.origin),
        state=state,
        on_startup=[
            state.rooms.restore,
            state.rooms.open_one_of_each,
            state.rooms.keep_tidy,
            partial(_open_books, state, database),
        ],
        on_shutdown=[
            state.rooms.close,
            state.edge_finder.close,
            state.coach.close,
            state.workers.close,
            state.simulations.close,
            state.office.close,
        ],
        middleware=[
            HostMiddleware(address),
            *([RelayMiddleware(state.relay)] if state.relay else []),
            CookieBackendConfig(secret=secret, httponly=True, samesite="lax").middleware,
            BudgetMiddleware(state.budgets),
            PrometheusConfig(app_name="feltworks", prefix="felt", group_path=True).middleware,
        ],
        guards=[refuse_cross_origin],
        before_send=[SecurityHeaders(address, STATIC / "index.html")],
        csrf_config=CSRFConfig(secret=secret.hex(), cookie_samesite="lax"),
        compression_config=CompressionConfig(backend="gzip", gzip_compress_level=6, exclude_opt_key=IS_COMPRESSED),
        exception_handlers=EXCEPTION_HANDLERS,
        logging_config=None,  # uvicorn logs; cookies and bodies enter no log
        request_max_body_size=64 * 1024,
        openapi_config=OpenAPIConfig(
            "Feltworks",
            feltworks.__version__,
            path="/openapi",
            use_handler_docstrings=True,
            render_plugins=[InterfacePage()],
        ),
    )


def _shared_rooms(shared: "SharedTables", **settings: Any) -> "SharedRooms":
    from feltworks.web.tables.shared_rooms import SharedRooms  # it needs the extra for PostgreSQL

    return SharedRooms(shared, lobby.describe, **settings)


def _open_books(state: State, database: str) -> None:
    """Open the books. Damaged books of the data folder leave the tables open; a named database must open."""
    try:
        state.office.open()
    except FeltError as error:
        if database:
            raise
        state.notices.add("books", error, "the house's pages are closed until they can be opened")


def _shared_state(data: Path | None, database: str, rooms: Rooms) -> State:
    """What the handlers share: the tables, the books, and the worker processes."""
    books = database or (f"sqlite:///{data / 'house.sqlite'}" if data else "sqlite://")
    office = Office(books)
    rooms.check_guest = office.check_guest
    return State(
        {
            "notices": rooms.notices,
            "rooms": rooms,
            "books": books,
            "work_queue": WorkQueue(),
            "workers": Workers(AT_ONCE),
            "coach": Coach(),
            "simulations": SimulationPool(),
            "edge_finder": EdgeFinder(),
            "office": office,
            "practices": training.Practices(),
            "documents": DocumentCache(),
        }
    )


def _handlers(*, shows_metrics: bool) -> list[ControllerRouterHandler]:
    """All routes; the pages only where they have been built, the metrics only where no public has access."""
    routes: list[ControllerRouterHandler] = [
        visitors.me,
        visitors.rename,
        lobby.games,
        lobby.tables,
        lobby.open_table,
        lobby.one_table,
        lobby.proof,
        live.live,
        lab.router,
        _house_router(),
        training.router,
        drills.router,
        healthz,
        readyz,
        openapi_document,
        *([PrometheusController] if shows_metrics else []),
    ]
    return [*routes, page, assets()] if STATIC.is_dir() else routes


def _house_router() -> Router:
    """The house's pages, each for whoever is logged in."""
    return Router(
        "/api/house",
        route_handlers=[
            *people.HANDLERS,
            *demo.HANDLERS,
            *floor.HANDLERS,
            *approvals.HANDLERS,
            *accounting.HANDLERS,
            *closings.HANDLERS,
            *register.HANDLERS,
            *jackpots.HANDLERS,
            *journals.HANDLERS,
        ],
        dependencies=DEPENDENCIES,
        exception_handlers={FeltError: house_error},
        tags=["house"],
    )


async def refuse_cross_origin(connection: ASGIConnection[Any, Any, Any, Any], _: BaseRouteHandler) -> None:
    """Refuse WebSockets of other sites: they would carry a visitor's cookies, and no CSRF token."""
    origin = connection.headers.get("origin")
    public: PublicAddress = connection.app.state.address
    is_public = bool(origin) and origin == public.origin
    is_ours = origin is None or is_public or urlsplit(origin).netloc == connection.headers.get("host")
    if connection.scope["type"] == ScopeType.WEBSOCKET and not is_ours:
        raise PermissionDeniedException("Cross-origin connection refused")


@get("/openapi.json", sync_to_thread=False, include_in_schema=False, opt={IS_COMPRESSED: True})
def openapi_document(request: Connection, state: State) -> Response[dict[str, Any]]:
    """The OpenAPI document of the HTTP interface, with an example of each operation."""
    documents: DocumentCache = state.documents
    return documents.respond(request, lambda: add_examples(request.app.openapi_schema.to_schema()))
