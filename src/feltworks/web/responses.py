"""Pages, documents and errors as HTTP responses."""

import gzip
import hashlib
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, TypeVar

import msgspec
from litestar import MediaType, Response, Router, get
from litestar.datastructures import CacheControlHeader
from litestar.exceptions import HTTPException
from litestar.file_system import BaseLocalFileSystem
from litestar.static_files import create_static_files_router
from litestar.types import ExceptionHandlersMap, FileInfo, PathType

from feltworks.errors import BadAmount, BadOption, FeltError, LoginRefused, NotPermitted, StorageTrouble
from feltworks.web.house.office import NotLoggedIn, NotSigned, TooManyLogins
from feltworks.web.tables.rooms import NoSuchTable
from feltworks.web.training.practice import NoChair
from feltworks.web.visitors import Connection, charge_unknown_path
from feltworks.web.workers import Closing, TooLarge, TooLong

D = TypeVar("D", bound=msgspec.Struct)
YEAR: Final = 365 * 24 * 3600
NOT_MODIFIED, BAD_INPUT, NOT_FOUND, NO_SUCH_METHOD, FAULT = 304, 400, 404, 405, 500
IS_COMPRESSED: Final = "is_compressed"  # marks a handler whose responses must not be compressed again
STATIC: Final = Path(str(files("feltworks.web"))) / "static"
PAGES: Final = [
    "/",
    "/table/{rest:path}",
    "/lab",
    "/lab/{rest:path}",
    "/house",
    "/house/{rest:path}",
    "/rules",
    "/rules/{rest:path}",
    "/protection",
    "/protection/{rest:path}",
    "/trainer",
    "/trainer/{rest:path}",
    "/rounds",
    "/help",
    "/help/{rest:path}",
    "/chair",
    "/chair/{rest:path}",
]
_STATUS: Final[dict[type[FeltError], int]] = {
    NotLoggedIn: 401,
    LoginRefused: 401,
    NotPermitted: 403,
    NotSigned: 403,
    NoSuchTable: 404,
    NoChair: 404,
    StorageTrouble: 503,
    TooManyLogins: 503,
    Closing: 503,
    TooLarge: 503,
    TooLong: 503,
}

# Pages.


@get(
    PAGES,
    media_type=MediaType.HTML,
    sync_to_thread=False,
    include_in_schema=False,
    cache_control=CacheControlHeader(no_cache=True),
)
def page() -> str:
    """Serve the same document for every page; its script shows the page of the address."""
    return (STATIC / "index.html").read_text(encoding="utf-8")


class AssetFiles(BaseLocalFileSystem):
    """The disk; a file name that the system does not accept counts as not found."""

    async def info(self, path: PathType, **more: Any) -> FileInfo:
        try:
            return await super().info(path, **more)
        except (OSError, ValueError) as error:  # too long, or with a NUL in it
            raise FileNotFoundError(path) from error


def assets() -> Router:
    """Serve the built assets, which browsers may cache for good: their names are hashes of their contents."""
    forever = CacheControlHeader(max_age=YEAR, immutable=True, public=True)
    return create_static_files_router(
        path="/assets",
        directories=[STATIC / "assets"],
        file_system=AssetFiles(),
        cache_control=forever,
        include_in_schema=False,
    )


# Documents.


def document_of(kind: type[D], *records: object, **fields: object) -> D:
    """A document of these fields; each other one is read from the first record that has it, or is null."""
    for name in kind.__struct_fields__:
        if name not in fields:
            record = next((record for record in records if hasattr(record, name)), None)
            fields[name] = getattr(record, name, None)
    return msgspec.convert(fields, kind, from_attributes=True)


class CachedDocument:
    """A JSON document that stays the same: encoded and compressed once, with its ETag."""

    def __init__(self, document: object) -> None:
        self.plain: Final = msgspec.json.encode(document)
        self.compressed: Final = gzip.compress(self.plain, mtime=0)
        self.tag: Final = f'"{hashlib.sha256(self.plain).hexdigest()[:32]}"'

    def respond(self, request: Connection) -> Response[Any]:
        """The document, or 304 where the client has it already."""
        headers = {"etag": self.tag, "cache-control": "no-cache", "vary": "Accept-Encoding"}
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(None, status_code=NOT_MODIFIED, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            return Response(self.compressed, media_type=MediaType.JSON, headers=headers)
        return Response(self.plain, media_type=MediaType.JSON, headers=headers)


class DocumentCache:
    """The cached documents of a server by their path, each made at its first request."""

    def __init__(self) -> None:
        self._by_path: dict[str, CachedDocument] = {}

    def respond(self, request: Connection, make: Callable[[], object]) -> Response[Any]:
        """Respond with the document that `make` returns; it is called once for each path."""
        path = request.scope["path"]
        if path not in self._by_path:
            self._by_path[path] = CachedDocument(make())
        return self._by_path[path].respond(request)


# Errors: one sentence, the kind of error, and the field that caused it.


class ErrorDocument(msgspec.Struct, frozen=True):
    """The body of every response with an error status."""

    error: str
    kind: str
    rule: str | None = None
    field: str | None = None
    extra: object = msgspec.UNSET


def house_error(_: Connection, error: FeltError) -> Response[ErrorDocument]:
    """An error of the house's pages, whose fields are named as in the request."""
    field = error.option if isinstance(error, BadOption) else None
    if isinstance(error, BadAmount):
        field = error.what
    return _felt_response(error, field)


def _felt_error(_: Connection, error: FeltError) -> Response[ErrorDocument]:
    field = f"options.{error.option}" if isinstance(error, BadOption) else getattr(error, "field", None)
    return _felt_response(error, field)


def _felt_response(error: FeltError, field: str | None) -> Response[ErrorDocument]:
    status = next((code for kind, code in _STATUS.items() if isinstance(error, kind)), BAD_INPUT)
    document = ErrorDocument(str(error), type(error).__name__, getattr(error, "rule", None), field)
    return _error_response(document, status)


def _http_error(request: Connection, error: HTTPException) -> Response[Any]:
    if error.status_code in (NOT_FOUND, NO_SUCH_METHOD):
        try:
            charge_unknown_path(request)
        except HTTPException as refusal:
            error = refusal
    is_page = request.method == "GET" and "text/html" in request.headers.get("accept", "")
    is_page &= not request.url.path.startswith(("/api/", "/assets/"))
    if error.status_code == NOT_FOUND and is_page and (STATIC / "index.html").is_file():
        return Response(page.fn(), status_code=NOT_FOUND, media_type=MediaType.HTML)  # shows "no such page"
    document = ErrorDocument(str(error.detail), type(error).__name__, extra=error.extra)
    response = _error_response(document, error.status_code)
    response.headers.update(error.headers or {})
    return response


def _too_deep(_: Connection, error: RecursionError) -> Response[ErrorDocument]:
    document = ErrorDocument("The request body is nested too deeply.", type(error).__name__)
    return _error_response(document, BAD_INPUT)


def _fault(_: Connection, error: Exception) -> Response[ErrorDocument]:
    document = ErrorDocument("Internal server error; nothing was changed.", type(error).__name__)
    return _error_response(document, FAULT)


def _error_response(document: ErrorDocument, status: int) -> Response[Any]:
    return Response(document, status_code=status, media_type=MediaType.JSON)


EXCEPTION_HANDLERS: Final[ExceptionHandlersMap] = {
    FeltError: _felt_error,
    HTTPException: _http_error,
    RecursionError: _too_deep,
    Exception: _fault,
}
