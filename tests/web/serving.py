"""A real server on loopback, in this process, so that a test may lay the cards it is dealt."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import uvicorn
from litestar import Litestar

from feltworks.dealing.shoes import CardSource, source_for
from feltworks.rules.terms import Terms
from feltworks.web.app import create_app
from feltworks.web.tables.room import Sources
from tests.table.stacked import StackedDeck

COACH_SECONDS = 20.0  # a busy machine is not what a test is about


def free_port() -> int:
    """A port that nobody listens on at the moment."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        return int(free.getsockname()[1])


async def _wait_for_coach(app: Litestar) -> None:
    await app.state.coach.prepare()


@contextmanager
def served(data: Path, source: Sources = source_for, *, coached: bool = False, **settings: Any) -> Iterator[str]:
    """A server on a free port: its address; `coached`: the coach is there and takes its time."""
    listening = socket.create_server(("127.0.0.1", 0))
    app = create_app(data, source=source, **settings)
    if coached:
        app.state.coach.seconds = COACH_SECONDS
        app.on_startup.append(partial(_wait_for_coach, app))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="websockets-sansio", proxy_headers=False))
    running = threading.Thread(target=server.run, args=([listening],), daemon=True)
    running.start()
    while not server.started:
        assert running.is_alive()
        time.sleep(0.005)  # the other thread needs this one's turn
    try:
        yield f"127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        running.join(timeout=20)
        listening.close()


class Stacking:
    """Deals what a test laid to the next table that opens, and shuffles for all others."""

    def __init__(self) -> None:
        self.laid = ""

    def __call__(self, terms: Terms) -> CardSource:
        laid, self.laid = self.laid, ""
        return StackedDeck(laid) if laid else source_for(terms)
