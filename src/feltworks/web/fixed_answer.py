"""Answers that do not change while the server runs: made once, and not sent to whoever has them."""

import gzip
import hashlib
from collections.abc import Callable
from typing import Any, Final

import msgspec
from litestar import Request, Response
from litestar.enums import MediaType

NOT_MODIFIED: Final = 304
PACKED: Final = "is_packed"  # the mark of a handler whose answers are not to be packed again


class FixedAnswer:
    """One JSON document with its tag, as it goes over the wire."""

    def __init__(self, document: object) -> None:
        self.plain: Final = msgspec.json.encode(document)
        self.packed: Final = gzip.compress(self.plain, mtime=0)
        self.tag: Final = f'"{hashlib.sha256(self.plain).hexdigest()[:32]}"'

    def respond(self, request: Request[Any, Any, Any]) -> Response[Any]:
        """The document, or nothing where the client has it already."""
        headers = {"etag": self.tag, "cache-control": "no-cache", "vary": "Accept-Encoding"}
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(None, status_code=NOT_MODIFIED, headers=headers)
        if "gzip" in request.headers.get("accept-encoding", ""):
            packed = headers | {"content-encoding": "gzip"}
            return Response(self.packed, media_type=MediaType.JSON, headers=packed)
        return Response(self.plain, media_type=MediaType.JSON, headers=headers)


class FixedAnswers:
    """The fixed answers of a server by their path, each made when it is first asked for."""

    def __init__(self) -> None:
        self._by_path: dict[str, FixedAnswer] = {}

    def respond(self, request: Request[Any, Any, Any], make: Callable[[], object]) -> Response[Any]:
        """Answer a request by what `make` makes, now or before."""
        path = request.scope["path"]
        if path not in self._by_path:
            self._by_path[path] = FixedAnswer(make())
        return self._by_path[path].respond(request)
