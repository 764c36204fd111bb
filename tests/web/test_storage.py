"""What a server leaves on disk: books that are whole in one file, and nothing that others may read."""

import os
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

from feltworks.house.storage.migration import open_database
from tests.house.floor import hire
from tests.web.player import Visitor
from tests.web.serving import served


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


def open_to_others(folder: Path) -> list[str]:
    """Whatever below a folder, itself included, somebody else than its owner may use."""
    found = [folder, *folder.rglob("*")]
    return [str(path.relative_to(folder)) for path in found if path.stat().st_mode & 0o077]


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_stopped_leaves_its_books_whole_in_one_file(tmp_path: Path, sent: int) -> None:
    data = tmp_path / "data"
    with serving(data) as (server, _):
        elsewhere = open_database(str(data / "house.sqlite"))  # somebody who looks on and keeps the log in use
        hire(elsewhere)
        server.send_signal(sent)
        server.wait(timeout=30)
        shutil.copy(data / "house.sqlite", tmp_path / "copy.sqlite")
        elsewhere.close()
    with closing(sqlite3.connect(tmp_path / "copy.sqlite")) as copy:
        assert copy.execute("SELECT count(*) FROM person WHERE name = 'admin'").fetchone() == (1,)
    assert not list(data.glob("house.sqlite-*"))


def test_nobody_else_may_read_what_a_server_writes(tmp_path: Path) -> None:
    data = tmp_path / "data"
    with serving(data) as (server, address):
        visitor = Visitor(address, "Ann")
        visitor.close()
        assert (data / "house.sqlite").exists()
        assert list(data.glob("tables/*/seats"))
        assert open_to_others(data) == []
        server.terminate()
        server.wait(timeout=30)
    assert open_to_others(data) == []


def test_what_others_could_read_is_tightened_by_the_next_start(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        with served(tmp_path):
            pass
        for path in [tmp_path, *tmp_path.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)
        for name in ("house.sqlite-wal", "house.sqlite-shm"):
            (tmp_path / name).touch(mode=0o644)
        with served(tmp_path):
            assert open_to_others(tmp_path) == []
    finally:
        os.umask(before)


def test_a_folder_that_holds_other_things_stays_as_it_is(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (tmp_path / "recipes").write_text("eggs")
    (tmp_path / "recipes").chmod(0o644)
    with served(tmp_path):
        assert open_to_others(tmp_path) == [".", "recipes"]
