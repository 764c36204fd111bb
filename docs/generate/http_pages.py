"""The HTTP interface as a page: paths from the application's OpenAPI document, WebSockets from its routes."""

import inspect
import logging
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import msgspec
from litestar import Litestar
from litestar.routes import HTTPRoute, WebSocketRoute
from markdown_text import NOTE, code, page, section, table

from feltworks.web.app import create_app
from feltworks.web.lab import jobs
from feltworks.web.responses import load_examples
from feltworks.web.tables import messages

Schema = dict[str, Any]
INTRODUCTION = """
`felt serve` answers these paths; `/openapi.json` describes them for programs. Amounts are cents. A refused
request gets status 400 and `{"error", "kind"}`; the error is one sentence that says what is allowed. The
session is a cookie; a request that changes something sends the value of the cookie `csrftoken` in the header
`x-csrftoken`. Too many requests get status 429, with the seconds to wait in the header `retry-after`. Too
many messages over a socket are refused with the kind `TooFast`; a socket that keeps sending is
disconnected.
""".strip()
PARTS = {
    "tables": "Games, tables and guests",
    "lab": "The laboratory",
    "house": "The house",
    "chair": "The dealer's chair",
}
METRICS = "/metrics"  # Litestar's own
_METHODS = ("get", "put", "post", "patch", "delete")


def http_pages() -> dict[str, str]:
    """The pages by their place in the site: one a part of the interface, and one for all records."""
    app = _application()
    schema: Schema = msgspec.json.decode(msgspec.json.encode(app.openapi_schema.to_schema()))
    paths = list(_paths(schema, _words(app)))
    parts = {
        name: page(f"# {title}", NOTE, *(text for path, text in paths if _part(path) == name))
        for name, title in PARTS.items()
    }
    sockets = page("# WebSockets", NOTE, *_sockets(app))
    records = page("# Records", NOTE, *_records(schema))
    made = {"index": _index(), **parts, "websockets": sockets, "records": records}
    return {f"reference/http/{name}.md": text for name, text in made.items()}


def _index() -> str:
    titles = {**PARTS, "websockets": "WebSockets", "records": "Records"}
    rows = [[f"[{title}]({name}.md)"] for name, title in titles.items()]
    return page("# HTTP interface", INTRODUCTION, table(["page"], rows), NOTE)


def _part(path: str) -> str:
    """Which page a path stands on, by its beginning."""
    first = path.removeprefix("/api/").partition("/")[0]
    return first if first in PARTS else "tables"


def _application() -> Litestar:
    loggers = {name: logging.getLogger(name).level for name in ("", "mkdocs")}
    app = create_app()
    for name, level in loggers.items():
        logging.getLogger(name).setLevel(level)
    return app


def _words(app: Litestar) -> dict[tuple[str, str], str]:
    """What the functions behind the paths say of themselves."""
    return {
        (route.path_format, method.lower()): inspect.getdoc(getattr(handler.fn, "func", handler.fn)) or ""
        for route in app.routes
        if isinstance(route, HTTPRoute) and route.path_format != METRICS
        for handler in route.route_handlers
        for method in handler.http_methods
    }


def _paths(schema: Schema, words: dict[tuple[str, str], str]) -> Iterator[tuple[str, str]]:
    for path, operations in schema["paths"].items():
        for method in _METHODS:
            if method in operations:
                operation = operations[method]
                said = words.get((path, method), "Counts and times of requests, for Prometheus.")
                asked = table(["parameter", "in", "takes"], _parameters(operation))
                heading = f"{method.upper()} {path}"
                yield path, section(heading, said, _moved(operation), asked, _example(path, method))


def _example(path: str, method: str) -> str:
    """The last such request of the recorded day, and what it was answered."""
    alike = [asked for asked in load_examples() if (asked.path, asked.method.lower()) == (path, method)]
    if not alike:
        return ""
    asked = alike[-1]
    query = f"?{urlencode(asked.query, doseq=True)}" if asked.query else ""
    body = [] if asked.body is None else [_json(asked.body)]
    answer = _json(asked.answer) if asked.media == "application/json" else str(asked.answer).strip()
    told = [f"{asked.method} {asked.path.format(**asked.named)}{query}", *body, "", str(asked.status), answer]
    return "\n".join(["For example (long lists are cut short):", "", "```text", *told, "```"])


def _json(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def _moved(operation: Schema) -> str:
    """What goes in and what comes out, where it is a record."""
    taken = _contents(operation.get("requestBody", {}))
    answers = operation.get("responses", {})
    given = [kind for status in ("200", "201") for kind in _contents(answers.get(status, {})) if "](" in kind]
    said = [f"{verb} {', '.join(kinds)}." for verb, kinds in (("Takes", taken), ("Answers", given)) if kinds]
    return " ".join(said)


def _contents(message: Schema) -> list[str]:
    return [_kind(each["schema"]) for each in message.get("content", {}).values() if "schema" in each]


def _parameters(operation: Schema) -> Iterator[list[str]]:
    for each in operation.get("parameters", []):
        required = "" if each.get("required") else ", optional"
        yield [code(each["name"]), each["in"], _kind(each["schema"]) + required]


def _kind(schema: Schema) -> str:
    """A schema in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](records.md#{name.lower()})"
    if "oneOf" in schema:
        kinds = [_kind(each) for each in schema["oneOf"] if each.get("type") != "null"]
        return " or ".join(kinds)
    if "enum" in schema:
        return " or ".join(code(value) for value in schema["enum"] if value is not None)
    kind = schema.get("type", "anything")
    if kind == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    return f"{kind}{_bounds(schema)}"


def _bounds(schema: Schema) -> str:
    said = {"minimum": "from", "maximum": "to", "maxLength": "length up to", "maxItems": "at most"}
    found = [f"{words} {schema[key]:.0f}" for key, words in said.items() if key in schema]
    return f" ({', '.join(found)})" if found else ""


def _records(schema: Schema) -> Iterator[str]:
    for name, record in schema.get("components", {}).get("schemas", {}).items():
        rows = [
            [code(key), _kind(kind), "yes" if key in record.get("required", []) else ""]
            for key, kind in record.get("properties", {}).items()
        ]
        yield f"## {name}"
        yield table(["key", "holds", "required"], rows)


def _sockets(app: Litestar) -> Iterator[str]:
    for route in app.routes:
        if isinstance(route, WebSocketRoute):
            yield f"## {route.path_format}"
            yield inspect.getdoc(route.route_handler.fn) or ""
    yield "## What a table's WebSocket takes"
    yield f"JSON of at most {messages.MOST_BYTES} bytes with `type` and `id`; the answer has the same id."
    yield table(["type", "with", ""], _messages(messages.Action))
    yield "## What the simulator's WebSocket takes"
    yield table(["type", "with", ""], _messages(jobs.SimulatorAction))


def _messages(base: type[msgspec.Struct]) -> Iterator[list[str]]:
    for kind in base.__subclasses__():
        if kind.__struct_fields__ == base.__struct_fields__ and not kind.__struct_config__.tag:
            continue
        names = [field for field in kind.__struct_fields__ if field != "id"]
        yield [code(kind.__struct_config__.tag), ", ".join(map(code, names)), inspect.getdoc(kind) or ""]
