"""Half-open requests and crowds from one address: closed in time, while everybody else is served."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest
import uvicorn
from websockets.sync.client import connect

from feltworks.errors import BadOption
from feltworks.web.app import create_app
from feltworks.web.connections import ConnectionLimits, check_proxies, protocol

PATIENCE = 20.0
SHORT = 0.3  # seconds for a request to arrive


@contextmanager
def limited(data: Path, most: int, seconds: float) -> Iterator[tuple[str, int]]:
    """A server with these limits on connections: where it listens."""
    listening = socket.create_server(("127.0.0.1", 0))
    limits = protocol(ConnectionLimits(most), seconds)
    server = uvicorn.Server(uvicorn.Config(create_app(data), http=limits, log_level="error"))
    running = threading.Thread(target=server.run, args=([listening],), daemon=True)
    running.start()
    while not server.started:
        assert running.is_alive()
        time.sleep(0.005)
    try:
        yield listening.getsockname()
    finally:
        server.should_exit = True
        running.join(timeout=PATIENCE)
        listening.close()


def is_closed(connection: socket.socket) -> bool:
    """Whether the server closes the connection before our patience ends."""
    connection.settimeout(PATIENCE)
    try:
        while connection.recv(65536):
            pass
        return True
    except ConnectionResetError:
        return True


def test_a_request_that_does_not_arrive_in_time_is_cut_off(tmp_path: Path) -> None:
    beginnings = [
        b"",
        b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n",
        b"PUT /api/me HTTP/1.1\r\nhost: localhost\r\nx-csrftoken: @\r\ncookie: csrftoken=@\r\n"
        b"content-length: 9\r\n\r\n{",
    ]
    with limited(tmp_path, 50, SHORT) as place:
        token = httpx.get(f"http://{place[0]}:{place[1]}/api/me").cookies["csrftoken"].encode()
        for beginning in beginnings:
            with socket.create_connection(place) as slow:
                slow.sendall(beginning.replace(b"@", token))
                assert is_closed(slow), beginning


def test_a_second_request_on_a_connection_has_to_arrive_too(tmp_path: Path) -> None:
    whole = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n"
    with limited(tmp_path, 50, SHORT) as place, socket.create_connection(place) as slow:
        slow.sendall(whole)
        assert slow.recv(65536).startswith(b"HTTP/1.1 200")
        slow.sendall(whole[:20])
        assert is_closed(slow)


def test_a_socket_is_no_slow_request(tmp_path: Path) -> None:
    with limited(tmp_path, 50, SHORT) as (host, port):
        table = httpx.get(f"http://{host}:{port}/api/tables").json()[0]["id"]
        with connect(f"ws://{host}:{port}/api/tables/{table}/live", proxy=None) as tab:
            assert tab.recv(timeout=PATIENCE)
            time.sleep(2 * SHORT)
            tab.ping().wait(PATIENCE)


def test_an_address_holds_so_many_connections_and_finds_a_place_again(tmp_path: Path) -> None:
    with limited(tmp_path, 3, PATIENCE) as place:
        with ExitStack() as stack:
            for _ in range(3):
                stack.enter_context(socket.create_connection(place))
            time.sleep(0.1)
            with socket.create_connection(place) as beyond:
                assert is_closed(beyond)
        host, port = place
        transport = httpx.HTTPTransport(retries=3)
        with httpx.Client(transport=transport, base_url=f"http://{host}:{port}") as http:
            assert http.get("/healthz").status_code == 200


def test_a_trusted_proxy_brings_as_many_as_come() -> None:
    limits = ConnectionLimits(1, exempt=["10.0.0.1"])
    assert [limits.take("10.0.0.1") for _ in range(3)] == [True, True, True]
    assert [limits.take("192.0.2.7"), limits.take("192.0.2.7")] == [True, False]
    limits.give_back("10.0.0.1")
    limits.give_back("192.0.2.7")
    assert limits.take("192.0.2.7")


@pytest.mark.parametrize(
    ("proxy", "host"),
    [("10.0.0.0/8", "10.1.2.3"), ("2001:db8::5", "2001:db8::5"), ("2001:db8::/32", "2001:db8:7::1")],
)
def test_a_proxy_may_be_a_network_and_of_ipv6(proxy: str, host: str) -> None:
    limits = ConnectionLimits(1, exempt=check_proxies([proxy]))
    assert [limits.take(host) for _ in range(3)] == [True, True, True]
    assert [limits.take("2001:db9::1"), limits.take("2001:db9::2")] == [True, False]  # one network is one client


@pytest.mark.parametrize("text", ["nonsense", "*", "10.0.0.1:80", "10.0.0.1/8", ""])
def test_what_is_no_address_of_a_proxy_is_refused(text: str) -> None:
    with pytest.raises(BadOption, match=r"--proxy cannot be .* such as 127\.0\.0\.1"):
        check_proxies([text])
