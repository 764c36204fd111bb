"""Under which names the server answers, how its cookies travel, and what its pages may load."""

import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from websockets import Origin
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from feltworks.errors import BadOption
from feltworks.web.connections import content_security_policy, public_address
from tests.web.serving import free_port, served

FOREIGN = [
    "elsewhere.example",
    "elsewhere.example:8000",
    "127.0.0.1.elsewhere.example",
    "10.0.0.1",
    "[",
    "",
]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("named")) as found:
        yield found


@pytest.mark.parametrize("host", FOREIGN)
@pytest.mark.parametrize("path", ["/api/me", "/api/tables", "/", "/openapi", "/healthz"])
def test_a_request_meant_for_another_server_is_refused(address: str, host: str, path: str) -> None:
    answer = httpx.get(f"http://{address}{path}", headers={"host": host})
    assert answer.status_code == 400
    assert "set-cookie" not in answer.headers
    assert "--allow-host" in answer.json()["error"]


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:9", "127.0.0.1:8000", "[::1]:8000", "localhost."])
def test_the_names_of_this_machine_are_known(address: str, host: str) -> None:
    assert httpx.get(f"http://{address}/api/me", headers={"host": host}).status_code == 200


def test_a_socket_under_a_foreign_name_is_refused_even_from_its_own_page(address: str) -> None:
    table = httpx.get(f"http://{address}/api/tables").json()[0]["id"]
    port = address.partition(":")[2]
    url = f"ws://elsewhere.example:{port}/api/tables/{table}/live"
    own_page = Origin(f"http://elsewhere.example:{port}")
    with socket.create_connection(("127.0.0.1", int(port))) as line, pytest.raises(InvalidStatus):
        connect(url, sock=line, origin=own_page, proxy=None)


def test_a_public_url_and_further_names_are_known() -> None:
    found = public_address("127.0.0.1", "https://Cards.example:8443/", ["table.example"])
    assert (found.origin, found.is_secure) == ("https://Cards.example:8443", True)
    known = ["cards.example:8443", "cards.example", "table.example:80", "localhost:8000"]
    assert all(map(found.has_name, known))
    assert not found.has_name("elsewhere.example")


def test_a_server_that_listens_everywhere_is_reached_by_any_number() -> None:
    everywhere, one = public_address("0.0.0.0"), public_address("192.0.2.7")
    assert [each.has_name("192.0.2.7:8000") for each in (everywhere, one)] == [True, True]
    assert [each.has_name("[2001:db8::1]:8000") for each in (everywhere, one)] == [True, False]
    assert not everywhere.has_name("elsewhere.example")


@pytest.mark.parametrize("url", ["cards.example", "ftp://cards.example", "https://", "https://a.example/a", "http://["])
def test_what_is_no_public_address_is_refused(url: str) -> None:
    with pytest.raises(BadOption, match=r"https://cards\.example"):
        public_address(public_url=url)


def cookies(address: str, **headers: str) -> list[str]:
    given = httpx.get(f"http://{address}/api/me", headers=headers).headers.get_list("set-cookie")
    assert {each.partition("=")[0] for each in given} == {"session", "csrftoken"}
    return given


def test_cookies_stay_on_tls_where_the_public_address_is_on_it(tmp_path: Path) -> None:
    secure = public_address(public_url="https://cards.example")
    with served(tmp_path, address=secure) as address:
        assert all("; secure" in each.lower() for each in cookies(address, host="cards.example"))
        for path in ("/api/me", "/no/such/page"):
            answer = httpx.get(f"http://{address}{path}", headers={"host": "cards.example"})
            assert answer.headers["strict-transport-security"] == "max-age=31536000"


def test_without_tls_cookies_work_as_they_are(address: str) -> None:
    assert not any("secure" in each.lower() for each in cookies(address))
    assert "strict-transport-security" not in httpx.get(f"http://{address}/api/me").headers
    claimed = {"x-forwarded-proto": "https", "x-forwarded-for": "192.0.2.7"}  # by anybody
    assert not any("secure" in each.lower() for each in cookies(address, **claimed))


@pytest.mark.parametrize(("options", "secure"), [(["--proxy", "127.0.0.1"], True), ([], False)])
def test_felt_serve_believes_the_proxy_it_is_told_of(tmp_path: Path, options: list[str], secure: bool) -> None:
    port = free_port()
    felt = Path(sys.executable).with_name("felt")
    place = ["--port", str(port), "--data", str(tmp_path), "--allow-host", "cards.example"]
    server = subprocess.Popen([felt, "serve", *place, *options], stdout=subprocess.DEVNULL)
    try:
        _await_health(port)
        given = cookies(f"127.0.0.1:{port}", **{"x-forwarded-proto": "https", "host": "cards.example"})
        assert [("; secure" in each.lower()) for each in given] == [secure, secure]
    finally:
        server.terminate()
        server.wait(timeout=30)


def _await_health(port: int) -> None:
    transport = httpx.HTTPTransport(retries=8)  # waits longer every time
    with httpx.Client(transport=transport, timeout=60) as http:
        assert http.get(f"http://127.0.0.1:{port}/healthz").status_code == 200


def test_a_socket_from_the_public_address_is_our_own(tmp_path: Path) -> None:
    behind = public_address(public_url="https://cards.example")
    with served(tmp_path, address=behind) as address:
        table = httpx.get(f"http://{address}/api/tables").json()[0]["id"]
        url = f"ws://{address}/api/tables/{table}/live"
        with connect(url, additional_headers={"Origin": "https://cards.example"}, proxy=None) as tab:
            assert tab.recv(timeout=20)


@pytest.mark.parametrize("path", ["/", "/no/such/page", "/api/games", "/openapi", "/api/nothing", "/metrics"])
def test_a_policy_stands_on_every_answer(address: str, path: str) -> None:
    answer = httpx.get(f"http://{address}{path}", headers={"accept": "text/html"})
    policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'self'"
    assert "unsafe" not in policy["script-src"]
    assert "http" not in policy["script-src"]
    assert policy["object-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"


def test_the_headers_of_a_page_are_there_without_the_page(address: str) -> None:
    answer, page = httpx.head(f"http://{address}/"), httpx.get(f"http://{address}/")
    assert (answer.status_code, answer.content) == (200, b"")
    assert answer.headers["content-security-policy"] == page.headers["content-security-policy"]


def test_the_inline_script_of_the_page_is_known_by_its_hash(tmp_path: Path) -> None:
    page = tmp_path / "index.html"
    page.write_text("<script>alert(1)</script><script src='/x.js'></script>", encoding="utf-8")
    known = "'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='"  # of alert(1), as browsers work it out
    assert f"script-src 'self' {known};" in content_security_policy(page)
    assert "script-src 'self';" in content_security_policy(tmp_path / "nothing")
