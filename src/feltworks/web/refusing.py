"""What is refused, and how it is answered: one sentence, its kind, and what it is about."""

from typing import Any

from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException

from feltworks.errors import BadOption, FeltError, StorageTrouble
from feltworks.web.pages import STATIC, page
from feltworks.web.rooms import NoSuchTable
from feltworks.web.workers import Closing

BAD_INPUT, NOT_FOUND, FAULT, UNAVAILABLE = 400, 404, 500, 503
_STATUS: dict[type[FeltError], int] = {
    NoSuchTable: NOT_FOUND,
    StorageTrouble: UNAVAILABLE,
    Closing: UNAVAILABLE,
}


def _refused(_: Request[Any, Any, Any], trouble: FeltError) -> Response[dict[str, Any]]:
    status = next((code for kind, code in _STATUS.items() if isinstance(trouble, kind)), BAD_INPUT)
    more = {"rule": getattr(trouble, "rule", None), "field": getattr(trouble, "field", None)}
    if isinstance(trouble, BadOption):
        more["field"] = f"options.{trouble.option}"
    return _said(str(trouble), type(trouble).__name__, status, **more)


def _http(request: Request[Any, Any, Any], trouble: HTTPException) -> Response[Any]:
    is_page = request.method == "GET" and "text/html" in request.headers.get("accept", "")
    is_page &= not request.url.path.startswith(("/api/", "/assets/"))
    if trouble.status_code == NOT_FOUND and is_page and (STATIC / "index.html").is_file():
        return Response(page.fn(), status_code=NOT_FOUND, media_type=MediaType.HTML)  # it says so in words
    answer = _said(str(trouble.detail), type(trouble).__name__, trouble.status_code, extra=trouble.extra)
    answer.headers.update(trouble.headers or {})
    return answer


def _too_deep(_: Request[Any, Any, Any], trouble: RecursionError) -> Response[dict[str, Any]]:
    return _said("what was sent is nested too deeply to be read", type(trouble).__name__, BAD_INPUT)


def _fault(_: Request[Any, Any, Any], trouble: Exception) -> Response[dict[str, Any]]:
    return _said("a fault of the server's own; nothing was changed", type(trouble).__name__, FAULT)


def _said(error: str, kind: str, status: int, **more: object) -> Response[dict[str, Any]]:
    return Response({"error": error, "kind": kind, **more}, status_code=status, media_type=MediaType.JSON)


REFUSALS: Any = {
    FeltError: _refused,
    HTTPException: _http,
    RecursionError: _too_deep,
    Exception: _fault,
}
