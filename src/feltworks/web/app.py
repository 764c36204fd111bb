"""The application: what is served where, and what every answer has in common."""

import secrets
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from litestar import Litestar, Request, Response, get
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

import feltworks
from feltworks.dealing.shoes import source_for
from feltworks.errors import FeltError
from feltworks.web import guests, laboratory, live, lobby
from feltworks.web.budget import USUAL, Allowances, BudgetMiddleware, Budgets
from feltworks.web.chair.router import Chairs
from feltworks.web.chair.router import router as chair
from feltworks.web.coach import Coach
from feltworks.web.countdown import Times
from feltworks.web.data_folder import KEY_BYTES, session_key
from feltworks.web.desk import AT_ONCE, Desk
from feltworks.web.edges import Edging
from feltworks.web.examples import with_examples
from feltworks.web.fixed_answer import PACKED, FixedAnswers
from feltworks.web.house.office import Office
from feltworks.web.house.router import router as house
from feltworks.web.interface_page import InterfacePage
from feltworks.web.notices import Notices
from feltworks.web.pages import STATIC, assets, page
from feltworks.web.public_address import HostMiddleware, PublicAddress
from feltworks.web.refusing import REFUSALS
from feltworks.web.room import Sources
from feltworks.web.rooms import Rooms
from feltworks.web.security_headers import SecurityHeaders
from feltworks.web.simulating import Bench
from feltworks.web.workers import Workers

LOCAL = PublicAddress()


def create_app(
    data: Path | None = None,
    database: str = "",
    *,
    source: Sources = source_for,
    times: Times = Times(),  # noqa: B008 (it is never written to)
    allowed: Allowances = USUAL,
    address: PublicAddress = LOCAL,
) -> Litestar:
    """The whole application; `data` is the folder in which tables survive a restart, `source` deals."""
    notices = Notices()
    secret = session_key(data, notices) if data else secrets.token_bytes(KEY_BYTES)
    state = _rooms_and_books(data, database, Rooms(data, source, notices, times=times))
    state.budgets = Budgets(allowed)
    state.address = address
    return Litestar(
        route_handlers=_handlers(),
        state=state,
        on_startup=[
            state.rooms.restore,
            state.rooms.open_one_of_each,
            state.rooms.keep_tidy,
            partial(_open_books, state, database),
        ],
        on_shutdown=[
            state.rooms.close,
            state.edging.close,
            state.coach.close,
            state.workers.close,
            state.bench.close,
            state.office.close,
        ],
        middleware=[
            HostMiddleware(address),
            CookieBackendConfig(secret=secret, httponly=True, samesite="lax").middleware,
            BudgetMiddleware(state.budgets),
            PrometheusConfig(app_name="feltworks", prefix="felt", group_path=True).middleware,
        ],
        guards=[own_origin],
        before_send=[SecurityHeaders(address, STATIC / "index.html")],
        csrf_config=CSRFConfig(secret=secret.hex(), cookie_samesite="lax"),
        compression_config=CompressionConfig(backend="gzip", gzip_compress_level=6, exclude_opt_key=PACKED),
        exception_handlers=REFUSALS,
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


def _open_books(state: State, database: str) -> None:
    """Damaged books of the data folder leave the tables open; a database that was named has to be there."""
    try:
        state.office.open()
    except FeltError as trouble:
        if database:
            raise
        state.notices.add("books", trouble, "the house's pages are closed until they can be opened")


def _rooms_and_books(data: Path | None, database: str, rooms: Rooms) -> State:
    """What the handlers share: the tables, the books, and those who compute beside them."""
    books = database or (f"sqlite:///{data / 'house.sqlite'}" if data else "sqlite://")
    return State(
        {
            "notices": rooms.notices,
            "rooms": rooms,
            "books": books,
            "desk": Desk(),
            "workers": Workers(AT_ONCE),
            "coach": Coach(),
            "bench": Bench(),
            "edging": Edging(),
            "office": Office(books),
            "chairs": Chairs(),
            "fixed_answers": FixedAnswers(),
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
    public: PublicAddress = connection.app.state.address
    is_public = bool(origin) and origin == public.origin
    is_ours = origin is None or is_public or urlsplit(origin).netloc == connection.headers.get("host")
    if connection.scope["type"] == ScopeType.WEBSOCKET and not is_ours:
        raise PermissionDeniedException("a page from elsewhere opens no connection to a table here")


@get("/healthz", sync_to_thread=False)
def healthz() -> dict[str, str]:
    """Answers when the application can serve."""
    return {"status": "ok", "version": feltworks.__version__}


@get("/openapi.json", sync_to_thread=False, include_in_schema=False, opt={PACKED: True})
def described(request: Request[Any, Any, Any], state: State) -> Response[dict[str, Any]]:
    """What the HTTP interface takes and answers, with an example of each."""
    answers: FixedAnswers = state.fixed_answers
    return answers.respond(request, lambda: with_examples(request.app.openapi_schema.to_schema()))
