"""The web application: its routes, its shared state and the middleware of every response."""

import secrets
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from litestar import Litestar, Response, Router, get
from litestar.config.compression import CompressionConfig
from litestar.config.csrf import CSRFConfig
from litestar.datastructures import State
from litestar.middleware.session.client_side import CookieBackendConfig
from litestar.openapi import OpenAPIConfig
from litestar.plugins.prometheus import PrometheusConfig, PrometheusController
from litestar.types import ControllerRouterHandler, Middleware

import feltworks
from feltworks.dealing.shoes import source_for
from feltworks.errors import FeltError
from feltworks.web import visitors
from feltworks.web.connections import HostMiddleware, PublicAddress, SecurityHeaders, refuse_cross_origin
from feltworks.web.data_folder import KEY_BYTES, Notices, session_key
from feltworks.web.health import Health, healthz, readyz
from feltworks.web.house import (
    accounting,
    approvals,
    floor,
    jackpots,
    journals,
    people,
)
from feltworks.web.house.office import DEPENDENCIES, Office, SharedLogins
from feltworks.web.lab import jobs
from feltworks.web.lab import router as lab
from feltworks.web.lab.jobs import WorkQueue
from feltworks.web.responses import (
    EXCEPTION_HANDLERS,
    IS_COMPRESSED,
    STATIC,
    DocumentCache,
    InterfacePage,
    assets,
    complete,
    house_error,
    page,
)
from feltworks.web.tables import router as tables
from feltworks.web.tables.clock import Times
from feltworks.web.tables.figures import Coach, EdgeFinder
from feltworks.web.tables.room import Sources
from feltworks.web.tables.rooms import Rooms
from feltworks.web.training import router as training
from feltworks.web.visitors import USUAL, Allowances, BudgetMiddleware, Budgets, Connection
from feltworks.web.workers import Workers

if TYPE_CHECKING:
    from feltworks.web.tables.shared import SharedTables

LOCAL: Final = PublicAddress()


class MetricsController(PrometheusController):
    """Serves the metrics in Prometheus' text format."""

    include_in_schema = False


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
    """Create the application. Tables are saved in the folder `data` or in the database `shared`; `source` deals."""
    secret, state = _open_state(data, database, shared, source, times)
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
        on_shutdown=_shutdown(state),
        middleware=_middleware(state, secret),
        guards=[refuse_cross_origin],
        before_send=[SecurityHeaders(address, STATIC / "index.html")],
        csrf_config=CSRFConfig(secret=secret.hex(), cookie_samesite="lax"),
        compression_config=CompressionConfig(backend="gzip", gzip_compress_level=6, exclude_opt_key=IS_COMPRESSED),
        exception_handlers=EXCEPTION_HANDLERS,
        logging_config=None,  # uvicorn logs; cookies and bodies are never logged
        request_max_body_size=64 * 1024,
        openapi_config=_openapi_config(),
    )


def _open_state(
    data: Path | None, database: str, shared: "SharedTables | None", source: Sources, times: Times
) -> tuple[bytes, State]:
    """The key that encrypts session cookies, and the shared state, with tables in the folder or in the database."""
    notices = Notices()
    if shared is None:
        secret = session_key(data, notices) if data else secrets.token_bytes(KEY_BYTES)
        state = _shared_state(data, database, Rooms(data, source, notices, times=times))
        state.relay = None
        return secret, state
    from feltworks.web.tables.processes import Relay, SharedRooms  # needs the PostgreSQL extra

    rooms = SharedRooms(shared, tables.describe, source=source, notices=notices, times=times)
    state = _shared_state(data, database, rooms)
    state.relay = Relay(rooms)
    state.office.logins = SharedLogins(state.office)
    return shared.session_key(), state


def _shutdown(state: State) -> list[Callable[[], object]]:
    pools = state.edge_finder, state.coach, state.workers, state.simulations
    return [state.rooms.close, *(pool.close for pool in pools), state.office.close]


def _middleware(state: State, secret: bytes) -> list[Middleware]:
    """The middleware, outermost first: requests for other processes are relayed before a session is read."""
    return [
        HostMiddleware(state.address),
        *([state.relay.middleware] if state.relay else []),
        CookieBackendConfig(secret=secret, httponly=True, samesite="lax").middleware,
        BudgetMiddleware(state.budgets),
        PrometheusConfig(app_name="feltworks", prefix="felt", group_path=True).middleware,
    ]


def _openapi_config() -> OpenAPIConfig:
    return OpenAPIConfig(
        "Feltworks",
        feltworks.__version__,
        path="/openapi",
        use_handler_docstrings=True,
        render_plugins=[InterfacePage()],
    )


def _open_books(state: State, database: str) -> None:
    """Open the books. If those of the data folder are damaged, play goes on; a named database must open."""
    try:
        state.office.open()
    except FeltError as error:
        if database:
            raise
        state.notices.add("books", error, "the house's pages are closed until they can be opened")


def _shared_state(data: Path | None, database: str, rooms: Rooms) -> State:
    """The state that handlers share: the tables, the books and the worker processes."""
    books = database or (f"sqlite:///{data / 'house.sqlite'}" if data else "sqlite://")
    office = Office(books)
    rooms.check_guest = office.check_guest
    return State(
        {
            "notices": rooms.notices,
            "rooms": rooms,
            "books": books,
            "work_queue": WorkQueue(),
            "workers": Workers(jobs.QUESTIONS_AT_ONCE, of_address=jobs.QUESTIONS_OF_ADDRESS),
            "coach": Coach(),
            "simulations": Workers(jobs.SIMULATIONS_AT_ONCE, of_address=jobs.SIMULATIONS_OF_ADDRESS),
            "edge_finder": EdgeFinder(),
            "office": office,
            "practices": training.Practices(),
            "documents": DocumentCache(),
        }
    )


def _handlers(*, shows_metrics: bool) -> list[ControllerRouterHandler]:
    """All routes: the pages only if they have been built, the metrics only on a server that is not public."""
    routes: list[ControllerRouterHandler] = [
        visitors.me,
        visitors.rename,
        *tables.HANDLERS,
        lab.router,
        _house_router(),
        training.chair,
        training.trainer,
        healthz,
        readyz,
        openapi_document,
        *([MetricsController] if shows_metrics else []),
    ]
    return [*routes, page, assets()] if STATIC.is_dir() else routes


def _house_router() -> Router:
    """The routes of the house's pages, for users who are logged in."""
    return Router(
        "/api/house",
        route_handlers=[
            *people.HANDLERS,
            *floor.HANDLERS,
            *approvals.HANDLERS,
            *accounting.HANDLERS,
            *jackpots.HANDLERS,
            *journals.HANDLERS,
        ],
        dependencies=DEPENDENCIES,
        exception_handlers={FeltError: house_error},
        tags=["house"],
    )


@get("/openapi.json", sync_to_thread=False, include_in_schema=False, opt={IS_COMPRESSED: True})
def openapi_document(request: Connection, state: State) -> Response[dict[str, Any]]:
    """The OpenAPI document of the HTTP interface, with an example of each operation."""
    documents: DocumentCache = state.documents
    return documents.respond(request, lambda: complete(request.app.openapi_schema.to_schema()))
