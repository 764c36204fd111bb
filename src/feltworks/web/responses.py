"""HTTP responses: pages, cached documents, the OpenAPI document, and errors."""

import copy
import gzip
import hashlib
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import msgspec
from jinja2 import Environment
from litestar import HttpMethod, MediaType, Request, Response, Router, route
from litestar.datastructures import CacheControlHeader
from litestar.exceptions import HTTPException
from litestar.file_system import BaseLocalFileSystem
from litestar.openapi.plugins import OpenAPIRenderPlugin
from litestar.static_files import create_static_files_router
from litestar.types import ExceptionHandlersMap, FileInfo, PathType

from feltworks.errors import BadAmount, BadOption, FeltError, LoginRefused, NotPermitted, StorageTrouble
from feltworks.web.house.office import NotLoggedIn, NotSigned, TooManyLogins
from feltworks.web.tables.rooms import NoSuchTable, TableMoved
from feltworks.web.training.practice import NoChair
from feltworks.web.visitors import Connection, charge_unknown_path
from feltworks.web.workers import Closing, TooLarge, TooLong

Document = dict[str, Any]
YEAR: Final = 365 * 24 * 3600
NOT_MODIFIED, BAD_INPUT, NOT_FOUND, NO_SUCH_METHOD, FAULT = 304, 400, 404, 405, 500
_MEDIA_TYPES: Final = {"json": "application/json", "csv": "text/csv", "html": "text/html", "pdf": "application/pdf"}
IS_COMPRESSED: Final = "is_compressed"  # a handler's option: do not compress its responses again
STATIC: Final = Path(str(files("feltworks.web"))) / "static"
_WITH_PARTS: Final = ("lab", "house", "rules", "protection", "trainer", "help", "chair")  # pages with subpages
PAGES: Final = [
    *("/", "/table/{rest:path}", "/rounds"),
    *(path for name in _WITH_PARTS for path in (f"/{name}", f"/{name}/{{rest:path}}")),
]
_STATUS: Final[dict[type[FeltError], int]] = {
    NotLoggedIn: 401,
    LoginRefused: 401,
    NotPermitted: 403,
    NotSigned: 403,
    NoSuchTable: 404,
    NoChair: 404,
    StorageTrouble: 503,
    TableMoved: 503,
    TooManyLogins: 503,
    Closing: 503,
    TooLarge: 503,
    TooLong: 503,
}

# Pages.


@route(
    PAGES,
    http_method=[HttpMethod.GET, HttpMethod.HEAD],  # HEAD is for clients that need only the headers
    media_type=MediaType.HTML,
    sync_to_thread=False,
    include_in_schema=False,
    cache_control=CacheControlHeader(no_cache=True),
)
def page() -> str:
    """Serve the same document for every page; its script shows the page of the address."""
    return (STATIC / "index.html").read_text(encoding="utf-8")


class AssetFiles(BaseLocalFileSystem):
    """Reads assets from disk; a file name that the system does not accept counts as not found."""

    async def info(self, path: PathType, **more: Any) -> FileInfo:
        try:
            return await super().info(path, **more)
        except (OSError, ValueError) as error:  # too long, or with a NUL in it
            raise FileNotFoundError(path) from error


def assets() -> Router:
    """Serve the built assets, which browsers may cache forever, as their names contain a hash of the content."""
    forever = CacheControlHeader(max_age=YEAR, immutable=True, public=True)
    return create_static_files_router(
        path="/assets",
        directories=[STATIC / "assets"],
        file_system=AssetFiles(),
        cache_control=forever,
        include_in_schema=False,
    )


# Documents.


def file_response(content: str | bytes, media_type: str, name: str, *, is_shown: bool = False) -> Response[Any]:
    """A file that the browser saves under a name, or shows if it has none."""
    headers = {"content-disposition": f'{"inline" if is_shown else "attachment"}; filename="{name}"'}
    return Response(content, media_type=media_type, headers=headers)


class CachedDocument:
    """A constant JSON document, encoded and compressed once, with its ETag."""

    def __init__(self, document: object) -> None:
        self.plain: Final = msgspec.json.encode(document)
        self.compressed: Final = gzip.compress(self.plain, mtime=0)
        self.tag: Final = f'"{hashlib.sha256(self.plain).hexdigest()[:32]}"'

    def respond(self, request: Connection) -> Response[Any]:
        """The document, or status 304 if the client has it already."""
        headers = {"etag": self.tag, "cache-control": "no-cache", "vary": "Accept-Encoding"}
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(None, status_code=NOT_MODIFIED, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"] = "gzip"
            return Response(self.compressed, media_type=MediaType.JSON, headers=headers)
        return Response(self.plain, media_type=MediaType.JSON, headers=headers)


class DocumentCache:
    """The cached documents by their path, each made at its first request."""

    def __init__(self) -> None:
        self._by_path: dict[str, CachedDocument] = {}

    def respond(self, request: Connection, make: Callable[[], object]) -> Response[Any]:
        """Respond with the document that `make` returns, which is called once for each path."""
        path = request.scope["path"]
        if path not in self._by_path:
            self._by_path[path] = CachedDocument(make())
        return self._by_path[path].respond(request)


# The OpenAPI document with recorded examples, and its HTML page.


class Example(msgspec.Struct, frozen=True, omit_defaults=True):
    """One recorded request and its response; `who` is the user of the house, empty for a guest."""

    method: str
    path: str  # with parameters in braces, as in the document
    status: int
    answer: Any
    who: str = ""
    named: dict[str, str] = {}  # the values of these parameters
    query: dict[str, Any] = {}
    body: dict[str, Any] | None = None
    media: str = "application/json"


@cache
def load_examples() -> tuple[Example, ...]:
    """The recorded examples in their order, as later requests build on earlier ones."""
    text = files("feltworks.web").joinpath("examples.json").read_bytes()
    return tuple(msgspec.json.decode(text, type=list[Example]))


def complete(schema: Document) -> Document:
    """A copy of the document with the errors that every operation may return, and with recorded examples."""
    document = copy.deepcopy(schema)
    (error,), components = msgspec.json.schema_components([ErrorDocument], ref_template="#/components/schemas/{name}")
    document.setdefault("components", {}).setdefault("schemas", {}).update(components)
    refusal = {"content": {"application/json": {"schema": error}}}
    for operation in (operation for path in document["paths"].values() for operation in path.values()):
        operation["responses"].pop(str(BAD_INPUT), None)  # Litestar's error body, which is not used here
        operation["responses"]["4XX"] = {"description": "The request was refused.", **refusal}
        operation["responses"].setdefault("503", {"description": "It cannot be answered now.", **refusal})
        _add_formats(operation)
    for example in load_examples():
        operation = document["paths"].get(example.path, {}).get(example.method.lower())
        if operation is not None:
            _add_example(example, operation)
    return document


def _add_formats(operation: Document) -> None:
    """Describe the response in each format that the parameter `format` allows."""
    formats = [each["schema"]["enum"] for each in operation.get("parameters", ()) if each["name"] == "format"]
    for name in (name for names in formats for name in names):
        content = operation["responses"]["200"].setdefault("content", {})
        content.setdefault(_MEDIA_TYPES[name], {"schema": {"type": "string"}})


def _add_example(example: Example, operation: Document) -> None:
    values = {**example.named, **example.query}
    for parameter in operation.get("parameters", ()):
        if parameter["name"] in values:
            parameter["example"] = values[parameter["name"]]
    if example.body is not None:
        for content in operation["requestBody"]["content"].values():
            content["example"] = example.body
    response = operation["responses"][str(example.status)]
    is_json = example.media == "application/json"
    content = next(iter(response.get("content", {}).values()), {}) if is_json else {}
    response.setdefault("content", {})[example.media] = {**content, "example": example.answer}


class InterfacePage(OpenAPIRenderPlugin):
    """The OpenAPI document as an HTML page, rendered at the first request."""

    def __init__(self) -> None:
        super().__init__(path="/interface")
        self._page = b""

    def render(self, request: Request[Any, Any, Any], openapi_schema: Document) -> bytes:
        self._page = self._page or interface_html(complete(openapi_schema)).encode()
        return self._page


def interface_html(described: Document) -> str:
    """An HTML page of every operation with its parameters and examples; it loads no script."""
    template = files("feltworks.web").joinpath("interface_page.html").read_text(encoding="utf-8")
    environment = Environment(autoescape=True, finalize=_example_text)
    return environment.from_string(template).render(described)


def _example_text(value: object) -> object:
    """A JSON document with indents; any other value as it is."""
    if isinstance(value, dict | list):
        return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
    return value.strip() if isinstance(value, str) else value


# Errors: a sentence, the kind of error, and the field that caused it.


class ErrorDocument(msgspec.Struct, frozen=True):
    """The body of every response with an error status."""

    error: str
    kind: str
    rule: str | None = None
    field: str | None = None
    extra: Any = msgspec.UNSET


def house_error(_: Connection, error: FeltError) -> Response[ErrorDocument]:
    """The response to an error of the house's pages, with the field named as in the request."""
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
    sentence, field = _request_faults(error)
    document = ErrorDocument(sentence, type(error).__name__, field=field, extra=error.extra)
    response = _error_response(document, error.status_code)
    response.headers.update(error.headers or {})
    return response


def _request_faults(error: HTTPException) -> tuple[str, str | None]:
    """A sentence on what is wrong with a request, and the first wrong field if it is known."""
    faults = error.extra if isinstance(error.extra, list) else []
    by_field = {fault["key"]: fault["message"] for fault in faults if isinstance(fault, dict) and "key" in fault}
    if not by_field:
        return "there is nothing at this address" if error.status_code == NOT_FOUND else str(error.detail), None
    words = "; ".join(_fault_words(key, message) for key, message in by_field.items())
    return f"the request cannot be used: {words}", next(iter(by_field))


def _fault_words(key: str, message: str) -> str:
    """What is wrong with a field; Litestar calls the body `data`, and for an empty body gives only this name."""
    name = "the body" if key == "data" else key
    return f"{name} is missing" if message == repr(key) else f"{name}: {message[:1].lower()}{message[1:]}"


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
