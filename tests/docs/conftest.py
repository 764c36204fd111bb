"""What the tests of pages share: one `felt` that has started already."""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs import felt_server

PATIENCE = 60  # seconds until it listens, on a busy machine


@pytest.fixture(scope="session")
def warm_felt() -> Iterator[str]:
    """Where it listens; the path of a socket has to be short."""
    with tempfile.TemporaryDirectory(prefix="felt-") as folder:
        socket = Path(folder) / "socket"
        command = [sys.executable, felt_server.__file__, str(socket)]
        environment = {**os.environ, "PYTHONUTF8": "1"}
        with subprocess.Popen(command, stdin=subprocess.DEVNULL, env=environment) as server:
            until = time.monotonic() + PATIENCE
            while not socket.exists() and server.poll() is None and time.monotonic() < until:
                time.sleep(0.05)
            yield str(socket)
            server.terminate()
