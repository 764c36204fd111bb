"""The page that describes the HTTP interface: complete, and plain HTML."""

import re
from collections.abc import Iterator

import httpx
import pytest

from feltworks.web.responses import interface_html
from tests.web.serving import served


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("described")) as found:
        yield found


@pytest.mark.parametrize("path", ["/openapi", "/openapi/", "/openapi/nothing"])
def test_the_page_of_the_interface_loads_nothing_from_elsewhere(address: str, path: str) -> None:
    html = httpx.get(f"http://{address}{path}").text
    assert re.findall(r"""(?:src|href)\s*=\s*["']?\s*(?:https?:)?//""", html) == []
    assert "<script" not in html
    assert "@import" not in html


def test_the_page_of_the_interface_shows_every_operation_with_its_example(address: str) -> None:
    html = httpx.get(f"http://{address}/openapi").text
    described = httpx.get(f"http://{address}/openapi.json").json()
    for path, operations in described["paths"].items():
        assert f">{path}<" in html
        for operation in operations.values():
            assert operation.get("description", "").split("&")[0].split("'")[0] in html
    assert "lucky-monkey" in html


def test_what_is_described_is_shown_and_not_run() -> None:
    odd = "<script>alert(1)</script>"
    answers = {"200": {"content": {"application/json": {"example": {"name": odd}}}}}
    paths = {"/odd": {"get": {"description": odd, "responses": answers}}}
    html = interface_html({"info": {"title": odd, "version": "1"}, "paths": paths})
    assert "<script" not in html
    assert html.count("&lt;script&gt;") == 4
