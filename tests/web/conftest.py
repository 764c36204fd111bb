"""The application as visitors meet it: a real server on loopback, kept in a folder of its own."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import uvicorn

from feltworks.web.app import create_app
from tests.web.player import Visitor


@contextmanager
def served(data: Path) -> Iterator[str]:
    """A server on a free port of this machine; yields its address."""
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(create_app(data), log_level="error", ws="websockets-sansio"))
    running = threading.Thread(target=server.run, args=([listening],), daemon=True)
    running.start()
    while not server.started:
        assert running.is_alive()
    try:
        yield f"127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        running.join(timeout=20)
        listening.close()


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    with served(tmp_path) as found:
        yield found


@pytest.fixture
def visitor(address: str) -> Iterator[Callable[[str], Visitor]]:
    met: list[Visitor] = []

    def arrives(name: str) -> Visitor:
        met.append(Visitor(address, name))
        return met[-1]

    yield arrives
    for each in met:
        each.close()
