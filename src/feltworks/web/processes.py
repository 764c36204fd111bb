"""Several server processes on one machine: they share a listening socket, and one that ends is replaced."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from litestar import Litestar
from msgspec import Struct

from feltworks.errors import BadOption, FeltError
from feltworks.extras import require
from feltworks.web.data_folder import LOG, sentence_of
from feltworks.web.server import serve

STOP_SECONDS: Final = 10.0
REFUSED: Final = (2, 3)  # exit statuses of a process that could not start serving
RESTART_SECONDS: Final = 1.0  # the least time between two starts of one process
_BACKLOG: Final = 2048
_PART: Final = "FELT_PART"
_COMMAND: Final = "from feltworks.cli.main import run; run()"
_SIGNALS: Final = {signal.SIGTERM, signal.SIGINT, signal.SIGCHLD}


def listen(host: str, port: int) -> socket.socket:
    """A listening socket, or a sentence that says why there is none."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as error:
        raise FeltError(f"the server cannot listen at {host}:{port}: {sentence_of(error)}") from None


def check_database(database: str) -> None:
    """Several processes need a database that all of them reach; its tables are made once, before they start."""
    if not database.startswith(("postgresql:", "postgres:", "postgresql+psycopg:")):
        raise BadOption("--database", database or "SQLite", "postgresql://USER@HOST/NAME together with --workers")
    require("postgresql")
    from feltworks.web.tables.shared import SharedTables

    SharedTables(database).close()


class Part(Struct, frozen=True):
    """What one of several processes is given: its number, the listening socket, and a pipe that closes at the end."""

    number: int
    listener: int
    alive: int

    def serve(
        self,
        make_app: Callable[..., Litestar],
        database: str,
        relay: str,
        *,
        proxies: Sequence[str],
        metrics_at: tuple[str, int] | None,
    ) -> None:
        """Serve until a signal arrives or the process that started this one ends."""
        from feltworks.web.tables.shared import SharedTables  # it needs the extra for PostgreSQL

        here = listen(relay, 0)
        shared = SharedTables(database)
        shared.register((relay, here.getsockname()[1]))
        if metrics_at and metrics_at[1]:
            metrics_at = metrics_at[0], metrics_at[1] + self.number
        sockets = [socket.socket(fileno=self.listener), here]
        app = make_app(None, shared=shared)
        serve(app, relay, 0, proxies=[*proxies, relay], metrics_at=metrics_at, sockets=sockets, alive=self.alive)


def own_part() -> Part | None:
    """The part of this process, if another one has started it as one of several."""
    given = os.environ.get(_PART)
    if given is None:
        return None
    signal.pthread_sigmask(signal.SIG_UNBLOCK, _SIGNALS)  # they were blocked in the process that started this one
    return Part(*map(int, given.split(",")))


class Worker:
    """One server process, and when it was started."""

    def __init__(self, number: int, listener: socket.socket, alive: int) -> None:
        self._handles = listener.fileno(), alive
        self._part = f"{number},{listener.fileno()},{alive}"
        self.start()

    def start(self) -> None:
        self.began = time.monotonic()
        command = [sys.executable, "-c", _COMMAND, *sys.argv[1:]]
        self.process = subprocess.Popen(command, pass_fds=self._handles, env={**os.environ, _PART: self._part})


def supervise(listener: socket.socket, count: int) -> int:
    """Run so many processes until a signal arrives; the exit status. A first start that fails ends all."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _SIGNALS)
    alive, end = os.pipe()  # the processes end when this one does: the pipe closes
    workers = [Worker(number, listener, alive) for number in range(count)]
    try:
        return _watch(workers)
    finally:
        _stop([worker.process for worker in workers])
        os.close(end)


def _watch(workers: Sequence[Worker]) -> int:
    first = [worker.process.pid for worker in workers]
    while True:
        arrived = signal.sigtimedwait(_SIGNALS, RESTART_SECONDS)
        if arrived and arrived.si_signo != signal.SIGCHLD:
            return 0
        for worker in workers:
            status = worker.process.poll()
            if status is None:
                continue
            if status in REFUSED and worker.process.pid in first:  # its options or its database are wrong
                return status
            if time.monotonic() - worker.began >= RESTART_SECONDS:
                LOG.warning("a server process ended with status %s; another one starts", status)
                worker.start()


def _stop(processes: Sequence[subprocess.Popen[bytes]]) -> None:
    for process in processes:
        process.terminate()
    latest = time.monotonic() + STOP_SECONDS
    for process in processes:
        with suppress(subprocess.TimeoutExpired):
            process.wait(max(0.0, latest - time.monotonic()))
        process.kill()
        process.wait()
