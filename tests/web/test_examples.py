"""The examples of the HTTP interface: one for every operation, and true of the server as it is now."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from argon2 import PasswordHasher

from feltworks.house import users
from feltworks.web.app import create_app
from feltworks.web.responses import Example, complete, load_examples
from tests.web.day import Day, lose_newer_books
from tests.web.serving import served
from tests.web.staff import hire

DRAWN = {"wagers", "tokes", "parts"}  # what the players of a practice table wager is drawn anew
LATER = {"id", "task", "table"}  # names that a server makes up anew
REPORT = "/api/lab/protection/{game}"  # takes a quarter of a minute; tests/protection/test_report.py holds its document


@pytest.fixture
def address(tmp_path: Path, own_keys: Path) -> Iterator[str]:  # noqa: ARG001 (it loses seals)
    quick = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(users, "default_hasher", lambda: quick)
        hire(tmp_path)
        with served(tmp_path) as found:
            yield found


def test_every_operation_shows_a_request_and_its_answer() -> None:
    paths = complete(create_app().openapi_schema.to_schema())["paths"]
    for path, method, operation in [(at, *each) for at in paths for each in paths[at].items()]:
        answers = [answer for status, answer in operation["responses"].items() if status in ("200", "201")]
        told = [content for answer in answers for content in answer["content"].values()]
        asked = operation.get("requestBody", {}).get("content", {}).values()
        needed = [each for each in operation.get("parameters", ()) if each.get("required")]
        assert any("example" in each for each in told), (method, path)  # in one of its formats
        assert all("example" in each for each in (*asked, *needed)), (method, path)


def test_every_recorded_request_is_answered_alike_today(address: str, tmp_path: Path) -> None:
    renamed: dict[Any, Any] = {}
    with ExitStack() as stack:
        day = Day(address, stack)
        for asked in load_examples():
            if asked.path == REPORT:
                continue
            now = _renamed(asked, renamed)
            if asked.path.endswith("/proof"):
                day.deals(now.named["table"])
            if asked.path.endswith("/restoration"):
                lose_newer_books(tmp_path)
            answer = day.asks(now.method, now.path.format(**now.named), now.who, now.query, now.body)
            assert answer.status_code == asked.status, (now, answer.text)
            told = answer.json() if asked.media == "application/json" else answer.text
            assert _is_like(asked.answer, told), (asked.path, asked.answer, told)
            renamed.update(_names(asked.answer, told))
        served_document = day.asks("GET", "/openapi.json", "", {}, None).json()
    assert served_document["paths"]["/api/tables"]["post"]["responses"]["201"]["content"]["application/json"][
        "example"
    ].keys() == {"id"}


def _renamed(asked: Example, renamed: dict[Any, Any]) -> Example:
    """The request with the names that this server gave instead of the recorded ones."""
    named = {key: renamed.get(value, value) for key, value in asked.named.items()}
    body = asked.body and {
        key: renamed.get(value, value) if key in LATER else value for key, value in asked.body.items()
    }
    return Example(asked.method, asked.path, asked.status, None, asked.who, named, asked.query, body)


def _names(told: Any, now: Any) -> Iterator[tuple[Any, Any]]:
    for one, other in zip(told, now, strict=False) if isinstance(told, list) else [(told, now)]:
        if isinstance(one, dict) and isinstance(one.get("id"), str | int):
            yield one["id"], other["id"]


def _is_like(told: Any, now: Any) -> bool:
    """Whether an answer holds all that its example shows, each of the same kind."""
    if told is None or now is None:
        return True  # not known yet, or not any more
    if isinstance(told, dict):
        held = told.keys() - DRAWN
        return isinstance(now, dict) and all(key in now and _is_like(told[key], now[key]) for key in held)
    if isinstance(told, list):
        return isinstance(now, list) and all(_is_like(*pair) for pair in zip(told, now, strict=False))
    numbers = (int, float)
    return type(told) is type(now) or (isinstance(told, numbers) and isinstance(now, numbers))
