"""Writes what the browser's side takes from Python: the schema of its messages, and the shape of the table.

`make types` runs it and then openapi-typescript, which makes src/wire/wire.d.ts of the schema.
"""

import re
from pathlib import Path
from textwrap import fill
from typing import Any

import msgspec

from feltworks import catalog
from feltworks.reports.layout.design import layout_of
from feltworks.reports.layout.geometry import frames, stage
from feltworks.web.app import create_app
from feltworks.web.lab import jobs
from feltworks.web.tables import messages

ROOT = Path(__file__).parents[1]
SCHEMA = ROOT / "build" / "wire.json"
STAGE = ROOT / "frontend" / "src" / "draw" / "stage.json"
LAYOUTS = ROOT / "frontend" / "tests" / "layouts.json"
SOCKET_MESSAGES = {
    "TableAction": messages.TableAction,
    "ServerMessage": messages.ServerMessage,
    "TableEvent": messages.TableEvent,
    "SimulatorAction": jobs.Start | jobs.Stop,
    "SimulatorMessage": jobs.SimulatorMessage,
}


def wire_schema() -> bytes:
    """The records of the OpenAPI document together with the WebSockets' messages."""
    document = create_app().openapi_schema.to_schema()
    schemas = document["components"]["schemas"]
    document["paths"] = {}  # the browser needs the records only
    unions, components = msgspec.json.schema_components(
        SOCKET_MESSAGES.values(), ref_template="#/components/schemas/{name}"
    )
    for name, schema in {**components, **dict(zip(SOCKET_MESSAGES, unions, strict=True))}.items():
        schemas.setdefault(name, schema)
    document["components"]["schemas"] = _needed(schemas)
    return _json(document)


def _needed(schemas: dict[str, Any]) -> dict[str, Any]:
    """The schemas that the browser's own types name, and those within them; their titles only repeat the names."""
    named = "".join(path.read_text() for path in (ROOT / "frontend" / "src" / "wire").glob("*.ts"))
    waiting, needed = re.findall(r'Schemas\["(\w+)"\]', named), dict[str, Any]()
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed[name] = {key: value for key, value in schemas[name].items() if key != "title"}
            if "description" in needed[name]:
                needed[name]["description"] = fill(needed[name]["description"], 96)
            waiting += re.findall(r'"#/components/schemas/(\w+)"', msgspec.json.encode(schemas[name]).decode())
    return needed


def stage_json() -> bytes:
    """The table's size and outlines."""
    return _json(stage())


def layouts_json() -> bytes:
    """Real layouts to test the drawing with: every game at seven seats, and the seats of other tables."""
    games = {name: layout_of(catalog.game(name), 7) for name in catalog.games()}
    return _json({"games": games, "seats": {str(count): frames(count) for count in (1, 2, 3, 5, 6, 7, 9)}})


def _json(document: object) -> bytes:
    return msgspec.json.format(msgspec.json.encode(document, order="sorted"), indent=2) + b"\n"


if __name__ == "__main__":
    SCHEMA.parent.mkdir(exist_ok=True)
    SCHEMA.write_bytes(wire_schema())
    STAGE.write_bytes(stage_json())
    LAYOUTS.write_bytes(layouts_json())
