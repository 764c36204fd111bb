"""The page that describes the HTTP interface to people: plain HTML that runs and loads nothing."""

from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import msgspec
from jinja2 import Environment, StrictUndefined
from litestar import Request
from litestar.openapi.plugins import OpenAPIRenderPlugin

from feltworks.web.examples import with_examples

Described = dict[str, Any]


class InterfacePage(OpenAPIRenderPlugin):
    """The OpenAPI document to look at, with its examples; made once."""

    def __init__(self) -> None:
        super().__init__(path="/interface")
        self._page = b""

    def render(self, request: Request[Any, Any, Any], openapi_schema: Described) -> bytes:
        self._page = self._page or interface_html(with_examples(openapi_schema)).encode()
        return self._page


def interface_html(described: Described) -> str:
    """Every operation of an OpenAPI document with its parameters and examples."""
    template = files("feltworks.web").joinpath("interface_page.html").read_text(encoding="utf-8")
    environment = Environment(autoescape=True, undefined=StrictUndefined)
    return environment.from_string(template).render(
        title=described["info"]["title"],
        version=described["info"]["version"],
        operations=list(_operations(described)),
    )


def _operations(described: Described) -> Iterator[Described]:
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            yield {
                "id": operation.get("operationId", f"{method}{path}"),
                "method": method.upper(),
                "path": path,
                "description": operation.get("description", ""),
                "parameters": [_parameter(each) for each in operation.get("parameters", ())],
                "examples": list(_examples(operation)),
            }


def _parameter(parameter: Described) -> Described:
    return {"required": False, "example": "", **parameter}


def _examples(operation: Described) -> Iterator[tuple[str, str]]:
    """What is sent and what comes back, in the words of the recorded day."""
    for content in operation.get("requestBody", {}).get("content", {}).values():
        if "example" in content:
            yield "takes, for example", _text(content["example"])
    for status, answer in operation["responses"].items():
        for content in answer.get("content", {}).values():
            if "example" in content:
                yield f"answers {status}, for example", _text(content["example"])


def _text(example: object) -> str:
    if isinstance(example, str):
        return example.strip()
    return msgspec.json.format(msgspec.json.encode(example), indent=2).decode()
