"""How the application listens: one process, and nothing in it that would make a thousand players wait."""

import gc
import resource
import socket
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Final

import uvicorn
from litestar import Litestar

MOST_BYTES_A_MESSAGE: Final = 1 << 16
YOUNG_OBJECTS: Final = 50_000
SWITCH_SECONDS: Final = 0.0005
MANY_FILES: Final = 1 << 16
LEAVING_SECONDS: Final = 3  # for requests under way when the server is told to stop
NOT_STARTED: Final = 3  # the exit status of uvicorn itself


def listen(app: Litestar, host: str, port: int, *, proxies: Sequence[str] = ()) -> None:
    """Serve until told to stop; `proxies` are believed when they say for whom they ask, and how."""
    spare_the_tables()
    allow_many_files()
    app.on_startup.append(app.state.coach.prepare)
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        log_level="warning",
        proxy_headers=bool(proxies),
        forwarded_allow_ips=list(proxies),
        ws_max_size=MOST_BYTES_A_MESSAGE,
        timeout_graceful_shutdown=LEAVING_SECONDS,
        ws_per_message_deflate=False,  # packing a view of some kilobytes costs more than drawing it up
    )
    server = Server(config)
    with suppress(KeyboardInterrupt):
        server.run()
    if not server.started:
        sys.exit(NOT_STARTED)


class Server(uvicorn.Server):
    """Ends long work first of all, so that those who wait for it are told so."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop serving."""
        app = self.config.app
        assert isinstance(app, Litestar)
        for worker in (app.state.workers, app.state.bench, app.state.coach):
            await worker.close()
        await super().shutdown(sockets)


def spare_the_tables() -> None:
    """Neither looking for garbage nor work in a thread holds play up for long."""
    gc.collect()
    gc.freeze()  # what is there at the beginning stays to the end
    gc.set_threshold(YOUNG_OBJECTS, 20, 100)
    sys.setswitchinterval(SWITCH_SECONDS)


def allow_many_files() -> None:
    """Lift the usual limit of 1,024 open files: every player is an open connection."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = MANY_FILES if hard == resource.RLIM_INFINITY else min(hard, MANY_FILES)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
