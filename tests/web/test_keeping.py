"""What a server leaves on disk: books that are whole in one file."""

import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from feltworks.house.storage.migrating import opened
from tests.house.floor import hire


@contextmanager
def serving(data: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """`felt serve` in a process of its own; it is gone afterwards whatever happens."""
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        port = free.getsockname()[1]
    felt = Path(sys.executable).with_name("felt")
    command = [felt, "serve", "--port", str(port), "--data", data]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, umask=0o022)
    try:
        wait_for(f"http://127.0.0.1:{port}/healthz", server)
        yield server, f"127.0.0.1:{port}"
    finally:
        server.kill()
        server.wait(timeout=30)


def wait_for(url: str, server: subprocess.Popen[bytes]) -> None:
    latest = time.monotonic() + 60
    while time.monotonic() < latest:
        assert server.poll() is None
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    raise AssertionError("the server did not answer")


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_stopped_leaves_its_books_whole_in_one_file(tmp_path: Path, sent: int) -> None:
    data = tmp_path / "data"
    with serving(data) as (server, _):
        elsewhere = opened(str(data / "house.sqlite"))  # somebody who looks on and keeps the log in use
        hire(elsewhere)
        server.send_signal(sent)
        server.wait(timeout=30)
        shutil.copy(data / "house.sqlite", tmp_path / "copy.sqlite")
        elsewhere.close()
    with closing(sqlite3.connect(tmp_path / "copy.sqlite")) as copy:
        assert copy.execute("SELECT count(*) FROM person WHERE name = 'admin'").fetchone() == (1,)
    assert not list(data.glob("house.sqlite-*"))
