"""Runs the application in one process, or in several that share a listening socket and are restarted."""

import asyncio
import gc
import logging
import os
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from multiprocessing.context import ForkProcess
from typing import Final

import uvicorn
from litestar import Litestar
from litestar.datastructures import State
from msgspec import Struct
from msgspec.structs import replace

from feltworks.errors import BadOption, FeltError
from feltworks.extras import require
from feltworks.web.connections import protocol, usual_limits
from feltworks.web.data_folder import LOG, sentence_of
from feltworks.web.doctor import report_damage
from feltworks.web.health import metrics_server

MOST_BYTES_A_MESSAGE: Final = 1 << 16
YOUNG_OBJECTS: Final = 50_000
SWITCH_SECONDS: Final = 0.0005
MANY_FILES: Final = 1 << 16
SHUTDOWN_SECONDS: Final = 3  # for open requests when the server stops
PREPARE_SECONDS: Final = 6.0  # before the coach starts by itself: after a restart players reconnect first
NOT_STARTED: Final = 3  # the same exit status as uvicorn's
STOP_SECONDS: Final = 10.0
REFUSED: Final = (2, 3)  # exit statuses of a process that could not start serving
RESTART_SECONDS: Final = 0.5  # the shortest time between two starts of one process
_BACKLOG: Final = 2048
_SIGNALS: Final = {signal.SIGTERM, signal.SIGINT, signal.SIGCHLD}


class Site(Struct, frozen=True):
    """What is served at which address; forwarding headers from `proxies` are trusted."""

    make_app: Callable[..., Litestar]
    host: str
    port: int
    proxies: Sequence[str] = ()
    metrics_at: tuple[str, int] | None = None

    def serve(self, app: Litestar, sockets: list[socket.socket] | None = None, alive: int | None = None) -> None:
        """Serve until a signal arrives.

        One of several processes gets its listening `sockets`, and stops when the pipe `alive` closes.
        """
        tune_interpreter()
        allow_many_files()
        server = Server(self.config(app))
        app.on_startup.append(partial(_prepare_coach, app.state))
        app.on_startup.append(partial(_start_checking_logs, app.state))
        if alive is not None:
            app.on_startup.append(partial(_stop_with, server, alive))
        with suppress(KeyboardInterrupt), metrics_server(app.state, self.metrics_at):
            server.run(sockets)
        if not server.started:
            sys.exit(NOT_STARTED)

    def config(self, app: Litestar) -> uvicorn.Config:
        """The settings of uvicorn."""
        logging.getLogger("uvicorn.error").addFilter(without_traceback)
        return uvicorn.Config(
            app,
            http=protocol(usual_limits(self.proxies), relay=app.state.relay),
            host=self.host,
            port=self.port,
            log_level="warning",
            proxy_headers=bool(self.proxies),
            forwarded_allow_ips=list(self.proxies),
            ws_max_size=MOST_BYTES_A_MESSAGE,
            timeout_graceful_shutdown=SHUTDOWN_SECONDS,
            ws_per_message_deflate=False,  # compressing a view costs more than making it
        )


def without_traceback(record: logging.LogRecord) -> bool:
    """Log a message that is not UTF-8 without a traceback: the fault is the client's, and it may send many."""
    if record.getMessage().startswith("Invalid UTF-8"):
        record.exc_info = None
    return True


async def _stop_with(server: uvicorn.Server, alive: int) -> None:
    """Stop the server when the pipe closes; the supervisor holds its other end open."""

    def stop() -> None:
        asyncio.get_running_loop().remove_reader(alive)
        server.should_exit = True

    asyncio.get_running_loop().add_reader(alive, stop)


async def _prepare_coach(state: State) -> None:
    """Start the coach's process some seconds after this one, once players have reconnected."""
    asyncio.get_running_loop().call_later(PREPARE_SECONDS, state.coach.prepare)


async def _start_checking_logs(state: State) -> None:
    """Check the logs of all tables in the background."""
    if state.rooms.data is not None:
        checking = report_damage(state.rooms.data, state.notices, state.workers)
        state.checking_logs = asyncio.create_task(checking)


class Server(uvicorn.Server):
    """Stops long work first at shutdown, so that waiting clients get an error response."""

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop serving."""
        app = self.config.app
        assert isinstance(app, Litestar)
        for worker in (app.state.workers, app.state.simulations, app.state.coach):
            await worker.close()
        await super().shutdown(sockets)


def tune_interpreter() -> None:
    """Make garbage collections and thread switches shorter, so that neither delays play."""
    gc.collect()
    gc.freeze()  # objects made at start-up live as long as the process and need no collection
    gc.set_threshold(YOUNG_OBJECTS, 20, 100)
    sys.setswitchinterval(SWITCH_SECONDS)


def allow_many_files() -> None:
    """Raise the usual limit of 1,024 open files: every player holds a connection."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    allowed = MANY_FILES if hard == resource.RLIM_INFINITY else min(hard, MANY_FILES)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))


# Several processes.


def listen(host: str, port: int) -> socket.socket:
    """Open a listening socket."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as error:
        reason = sentence_of(error).partition(" (")[0]
        raise FeltError(f"the server cannot listen at {host}:{port}: {reason}") from None


def check_database(database: str) -> None:
    """Check that several processes can use the database, and create its tables before they start."""
    if not database.startswith(("postgresql:", "postgres:", "postgresql+psycopg:")):
        raise BadOption("--database", database or "SQLite", "postgresql://USER@HOST/NAME together with --workers")
    require("postgresql")
    from feltworks.web.tables.shared import SharedTables

    SharedTables(database).close()


class Supervisor:
    """Forks the server processes from one that has imported everything, so that a new one serves at once.

    They share the listening socket. Each also listens at the host `relay`, where the others send requests for it.
    """

    def __init__(self, site: Site, database: str, relay: str, count: int) -> None:
        self._site, self._database, self._relay = site, database, relay
        self._listener = listen(site.host, site.port)
        self._alive, self._end = os.pipe()  # when this process ends the pipe closes, and the others end too
        self._preload()
        signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
        self._began: dict[int, float] = {}
        self._processes = [self._start(number) for number in range(count)]

    @property
    def port(self) -> int:
        """The port that all processes listen on."""
        return int(self._listener.getsockname()[1])

    def watch(self) -> int:
        """Restart processes that end until a signal arrives, or until one cannot start; returns the exit status."""
        try:
            return self._watch()
        finally:
            _stop(self._processes)
            os.close(self._end)

    def _start(self, number: int) -> ForkProcess:
        self._began[number] = time.monotonic()
        process = get_context("fork").Process(target=self._serve, args=[number])
        process.start()
        return process

    def _serve(self, number: int) -> None:
        os.close(self._end)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)
        try:
            self._serve_part(number)
        except FeltError as error:
            LOG.error("felt: %s", error)
            sys.exit(REFUSED[0])

    def _serve_part(self, number: int) -> None:
        from feltworks.web.tables.shared import SharedTables  # needs the PostgreSQL extra

        here, metrics_at = listen(self._relay, 0), self._site.metrics_at
        shared = SharedTables(self._database)
        app = self._site.make_app(None, shared=shared)
        app.on_startup.insert(0, partial(shared.register, (self._relay, here.getsockname()[1])))
        if metrics_at and metrics_at[1]:
            metrics_at = metrics_at[0], metrics_at[1] + number
        site = replace(self._site, proxies=[*self._site.proxies, self._relay], metrics_at=metrics_at)
        site.serve(app, [self._listener, here], self._alive)

    def _watch(self) -> int:
        first = {process.pid for process in self._processes}
        while True:
            arrived = signal.sigtimedwait(_SIGNALS, RESTART_SECONDS)
            if arrived and arrived.si_signo != signal.SIGCHLD:
                return 0
            for number, process in enumerate(self._processes):
                status = process.exitcode
                if status in REFUSED and process.pid in first:  # the options or the database are wrong
                    return status
                if status is not None and time.monotonic() - self._began[number] >= RESTART_SECONDS:
                    LOG.warning("a server process ended with status %s; another one starts", status)
                    self._processes[number] = self._start(number)

    def _preload(self) -> None:
        """Import and create what every process needs; forked processes share this memory until they write to it."""
        from feltworks import catalog
        from feltworks.house.storage.migration import open_database
        from feltworks.web.tables import processes  # noqa: F401

        open_database(self._database).close()  # migrates the database once, before the processes use it
        self._site.config(self._site.make_app()).load()
        for game in catalog.games():
            with suppress(Exception):  # each process reports broken games itself
                catalog.game(game)
        gc.collect()
        gc.freeze()


def _stop(processes: Sequence[ForkProcess]) -> None:
    for process in processes:
        process.terminate()
    latest = time.monotonic() + STOP_SECONDS
    for process in processes:
        process.join(max(0.0, latest - time.monotonic()))
        process.kill()
        process.join()
