"""Health: the checks behind `/healthz` and `/readyz`, and the metrics of `/metrics`."""

import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from litestar import Response, get
from litestar.datastructures import State
from litestar.openapi.datastructures import ResponseSpec
from msgspec import Struct
from prometheus_client import REGISTRY, CollectorRegistry, Metric, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from sqlalchemy import text

import feltworks
from feltworks.errors import BadOption, FeltError, StorageTrouble
from feltworks.private_files import open_private
from feltworks.web.data_folder import Notices, sentence_of
from feltworks.web.house.office import Office
from feltworks.web.tables.rooms import Rooms
from feltworks.web.workers import Workers

UNAVAILABLE: Final = 503
LEAST_FREE: Final = 64 << 20  # bytes, enough to finish every round and close the books
FRESH_SECONDS: Final = 1.0  # how long the result of a check is cached
_PROBE: Final = "probe"


class Check(Struct, frozen=True):
    """One thing that the server needs, and what is wrong with it; empty if nothing is."""

    name: str
    trouble: str = ""


class HealthDocument(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """`ok`, or `failing` with a sentence for each trouble."""

    status: str
    version: str
    troubles: dict[str, str] = {}


class ReadyDocument(Struct, frozen=True, kw_only=True):
    """`ready` or `not ready`, every check with its trouble or an empty text, and what was set aside."""

    status: str
    version: str
    checks: dict[str, str]
    notices: int


class Health:
    """Runs the checks of one server."""

    def __init__(self, data: Path | None, rooms: Rooms, office: Office, workers: Workers) -> None:
        self._data, self._rooms, self._office, self._workers = data, rooms, office, workers
        self._lock = threading.Lock()
        self._latest: dict[str, tuple[float, Check]] = {}

    @property
    def notices(self) -> Notices:
        return self._rooms.notices

    def liveness(self) -> list[Check]:
        """Check what play needs: a disk that can be written to, and tables that are not stalled."""
        return [self._fresh("disk", self._check_disk), Check("tables", self._check_tables())]

    def readiness(self) -> list[Check]:
        """Check what all requests need: play, free disk space, the books and worker processes."""
        return [
            *self.liveness(),
            Check("space", self._check_space()),
            self._fresh("books", self._check_books),
            Check("workers", "the server is stopping" if self._workers.is_closed else ""),
        ]

    def _fresh(self, name: str, check: Callable[[], str]) -> Check:
        """Run an expensive check at most once a second; other callers get the cached result."""
        with self._lock:
            made_at, latest = self._latest.get(name, (0.0, Check(name)))
            if not made_at or time.monotonic() - made_at > FRESH_SECONDS:
                latest = Check(name, check())
                self._latest[name] = time.monotonic(), latest
            return latest

    def _check_disk(self) -> str:
        """Write a line in the folder of tables and sync it to disk."""
        if self._data is None:
            return ""
        probe = self._data / _PROBE
        try:
            with open(probe, "wb", opener=open_private) as file:
                file.write(b"ok\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            return f"the data folder cannot be written: {sentence_of(error)}"
        finally:
            with suppress(OSError):
                probe.unlink(missing_ok=True)
        return ""

    def _check_tables(self) -> str:
        stalled = sum(room.is_stalled for room in tuple(self._rooms.by_id.values()))
        return f"{stalled} tables wait for the disk in the middle of a round" if stalled else ""

    def _check_space(self) -> str:
        if self._data is None:
            return ""
        try:
            free = shutil.disk_usage(self._data).free
        except OSError as error:
            return f"the data folder cannot be found: {sentence_of(error)}"
        return "" if free >= LEAST_FREE else f"{free >> 20} MB are free; {LEAST_FREE >> 20} MB are needed"

    def _check_books(self) -> str:
        try:
            with self._office.database.snapshot() as connection:
                connection.execute(text("SELECT 1"))
        except (FeltError, StorageTrouble, OSError) as error:
            return sentence_of(error)
        return ""


@get("/healthz", responses={UNAVAILABLE: ResponseSpec(HealthDocument)}, sync_to_thread=True)
def healthz(state: State) -> Response[HealthDocument]:
    """Answers 200 while players can play: the disk takes what a table writes, and no table waits for it."""
    health: Health = state.health
    troubles = {check.name: check.trouble for check in health.liveness() if check.trouble}
    status = "failing" if troubles else "ok"
    document = HealthDocument(status=status, version=feltworks.__version__, troubles=troubles)
    return Response(document, status_code=UNAVAILABLE if troubles else 200)


@get("/readyz", responses={UNAVAILABLE: ResponseSpec(ReadyDocument)}, sync_to_thread=True)
def readyz(state: State) -> Response[ReadyDocument]:
    """Answers 200 when all that a visitor may ask for is there, books and worker processes included."""
    health: Health = state.health
    checks = {check.name: check.trouble for check in health.readiness()}
    is_ready = not any(checks.values())
    document = ReadyDocument(
        status="ready" if is_ready else "not ready",
        version=feltworks.__version__,
        checks=checks,
        notices=len(health.notices.all()),
    )
    return Response(document, status_code=200 if is_ready else UNAVAILABLE)


# Metrics.


class ServerFigures:
    """The metrics of tables and books; Litestar adds those of requests."""

    def __init__(self, health: Health, rooms: Rooms, office: Office) -> None:
        self._health, self._rooms, self._office = health, rooms, office

    def collect(self) -> Iterator[Metric]:
        """The present metrics; called in the thread of Prometheus' client."""
        yield from REGISTRY.collect()
        rooms = tuple(self._rooms.by_id.values())
        clients = sum(len(clients) for clients in tuple(self._rooms.clients.values()))
        gauges = {
            "felt_tables": ("Open tables.", len(rooms)),
            "felt_tables_running": ("Tables in a round.", sum(room.table.is_running for room in rooms)),
            "felt_tables_stalled": ("Tables that wait for the disk.", sum(room.is_stalled for room in rooms)),
            "felt_players": ("Players who sit.", sum(len(room.members) for room in rooms)),
            "felt_sockets": ("Open tabs at tables.", clients),
            "felt_logins": ("Users of the house who are logged in.", self._office.logins.count),
            "felt_notices": ("Things that could not be opened.", len(self._health.notices.all())),
        }
        for name, (words, value) in gauges.items():
            yield GaugeMetricFamily(name, words, value)
        yield CounterMetricFamily("felt_rounds", "Rounds since the start.", self._rooms.rounds_dealt)
        checks = GaugeMetricFamily("felt_check", "1 while a check of /readyz holds.", labels=["name"])
        for check in self._health.readiness():
            checks.add_metric([check.name], 0.0 if check.trouble else 1.0)
        yield checks


def parse_address(option: str, written: str) -> tuple[str, int]:
    """The host and port of an address such as 127.0.0.1:9108.

    >>> parse_address("--metrics", "[::1]:9108")
    ('::1', 9108)
    """
    host, colon, port = written.rpartition(":")
    if not colon or not host or not port.isdecimal() or not 0 <= int(port) < 1 << 16:
        raise BadOption(option, written, "a host and a port, such as 127.0.0.1:9108")
    return host.strip("[]"), int(port)


@contextmanager
def metrics_server(state: State, address: tuple[str, int] | None) -> Iterator[int | None]:
    """Serve `/metrics` at its own address in a thread; yields the port, or None without an address."""
    if address is None:
        yield None
        return
    registry = CollectorRegistry()
    registry.register(ServerFigures(state.health, state.rooms, state.office))
    host, port = address
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as error:
        raise FeltError(f"the metrics cannot be served at {host}:{port}: {sentence_of(error)}") from None
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
