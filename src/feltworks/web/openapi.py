"""The OpenAPI document with recorded examples, and the page that shows it to people."""

import copy
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from jinja2 import Environment, StrictUndefined
from litestar import Request
from litestar.openapi.plugins import OpenAPIRenderPlugin
from msgspec import Struct

Document = dict[str, Any]


class Example(Struct, frozen=True, omit_defaults=True):
    """One recorded request and its response; `who` is the user of the house, empty for a guest."""

    method: str
    path: str  # as the document writes it, with names in braces
    status: int
    answer: Any
    who: str = ""
    named: dict[str, str] = {}  # the values for the braces
    query: dict[str, Any] = {}
    body: dict[str, Any] | None = None
    media: str = "application/json"


@cache
def load_examples() -> tuple[Example, ...]:
    """The recorded examples in their order: later requests build on earlier ones."""
    text = files("feltworks.web").joinpath("examples.json").read_bytes()
    return tuple(msgspec.json.decode(text, type=list[Example]))


def add_examples(schema: Document) -> Document:
    """A copy of the document with an example of each operation's parameters, body and response."""
    document = copy.deepcopy(schema)
    for example in load_examples():
        operation = document["paths"].get(example.path, {}).get(example.method.lower())
        if operation is not None:
            _add_example(example, operation)
    return document


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
    response["content"] = {example.media: {**content, "example": example.answer}}


class InterfacePage(OpenAPIRenderPlugin):
    """The OpenAPI document as an HTML page, rendered at the first request."""

    def __init__(self) -> None:
        super().__init__(path="/interface")
        self._page = b""

    def render(self, request: Request[Any, Any, Any], openapi_schema: Document) -> bytes:
        self._page = self._page or interface_html(add_examples(openapi_schema)).encode()
        return self._page


def interface_html(described: Document) -> str:
    """An HTML page of every operation with its parameters and examples; it loads no script."""
    template = files("feltworks.web").joinpath("interface_page.html").read_text(encoding="utf-8")
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    return environment.from_string(template).render(
        title=described["info"]["title"],
        version=described["info"]["version"],
        operations=list(_operations(described)),
    )


def _operations(described: Document) -> Iterator[Document]:
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            yield {
                "id": operation.get("operationId", f"{method}{path}"),
                "method": method.upper(),
                "path": path,
                "description": operation.get("description", ""),
                "parameters": [_parameter(parameter) for parameter in operation.get("parameters", ())],
                "examples": list(_example_texts(operation)),
            }


def _parameter(parameter: Document) -> Document:
    return {"required": False, "example": "", **parameter}


def _example_texts(operation: Document) -> Iterator[tuple[str, str]]:
    """The recorded request body and response of an operation, each with a caption."""
    for content in operation.get("requestBody", {}).get("content", {}).values():
        if "example" in content:
            yield "takes, for example", _example_text(content["example"])
    for status, answer in operation["responses"].items():
        for content in answer.get("content", {}).values():
            if "example" in content:
                yield f"answers {status}, for example", _example_text(content["example"])


def _example_text(example: object) -> str:
    if isinstance(example, str):
        return example.strip()
    return msgspec.json.format(msgspec.json.encode(example), indent=2).decode()
