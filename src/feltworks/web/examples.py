"""Examples of every request and its answer: a day at the house, recorded, in the OpenAPI document."""

import copy
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

Described = dict[str, Any]


class Asked(Struct, frozen=True, omit_defaults=True):
    """One request as somebody of the house made it (nobody: a guest), and what it was answered."""

    method: str
    path: str  # as the document writes it, with names in braces
    status: int
    answer: Any
    who: str = ""
    named: dict[str, str] = {}  # what stands in the braces
    query: dict[str, Any] = {}
    body: dict[str, Any] | None = None
    media: str = "application/json"


@cache
def recorded() -> tuple[Asked, ...]:
    """The day in its order: later requests build on earlier ones."""
    text = files("feltworks.web").joinpath("examples.json").read_bytes()
    return tuple(msgspec.json.decode(text, type=list[Asked]))


def with_examples(schema: Described) -> Described:
    """The document with an example of each operation's parameters, body and answer."""
    described = copy.deepcopy(schema)
    for asked in recorded():
        operation = described["paths"].get(asked.path, {}).get(asked.method.lower())
        if operation is not None:
            _put(asked, operation)
    return described


def _put(asked: Asked, operation: Described) -> None:
    for parameter in operation.get("parameters", ()):
        known = {**asked.named, **asked.query}
        if parameter["name"] in known:
            parameter["example"] = known[parameter["name"]]
    if asked.body is not None:
        for content in operation["requestBody"]["content"].values():
            content["example"] = asked.body
    answer = operation["responses"][str(asked.status)]
    described: Described = next(iter(answer.get("content", {}).values()), {})
    held = {} if asked.media != "application/json" else described
    answer["content"] = {asked.media: {**held, "example": asked.answer}}
