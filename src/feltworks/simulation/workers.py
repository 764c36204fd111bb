"""Who counts: threads of this process, processes of this machine, or the workers of a Dask cluster.

Work is numbered. Its answers are added up in the order of their numbers, so that a result never depends on
which worker was first or broke down.
"""

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from contextlib import closing
from typing import Any, Generic, Protocol, Self, TypeVar

from msgspec import Struct

from feltworks.errors import BadOption, FeltError
from feltworks.simulation.plan import code_fingerprint

_CONNECT_SECONDS = 3
_JOIN_SECONDS = 10  # that a scheduler's first worker may take to register
_LOOK_EVERY = 0.25  # seconds
_MOST_BREAKS = 5
R = TypeVar("R")
Progress = Callable[[int, int], None]  # pieces done, of how many


def machine_workers() -> int:
    """How many workers this machine has work for."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class WorkerPool(ABC):
    """An executor, how many work in it, and whether it can be had again when it breaks."""

    executor: Executor
    size: int

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def trouble(self) -> str:
        """Why nothing more can be expected of it; empty while all is well."""
        return ""

    @abstractmethod
    def renew(self) -> None:
        """Replace a broken executor; what it had in hand is handed out again."""

    def close(self) -> None:
        """Let everybody go home."""
        self.executor.shutdown(wait=True, cancel_futures=True)


class Threads(WorkerPool):
    """Threads: kernels run without the interpreter's lock, so they need nothing more."""

    def __init__(self, workers: int) -> None:
        self.size = workers
        self.executor = ThreadPoolExecutor(workers, "felt-simulate")

    def renew(self) -> None:
        self.executor = ThreadPoolExecutor(self.size, "felt-simulate")


class Processes(WorkerPool):
    """Processes of this machine, which start anew where one of them is killed."""

    def __init__(self, workers: int) -> None:
        self.size = workers
        self.renew()

    def renew(self) -> None:
        spawned = multiprocessing.get_context("spawn")
        self.executor = ProcessPoolExecutor(self.size, spawned, _follow_parent)


def _follow_parent() -> None:
    """Ctrl-C reaches every process of a terminal, and the first one alone decides what it means.

    When that one is gone, killed or terminated, nobody is there to count for.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


class Cluster(WorkerPool):
    """The workers of a Dask cluster, which hands out again what a lost worker had in hand."""

    def __init__(self, address: str, progress: Callable[[str], None] = lambda _: None) -> None:
        self.address = address
        self._client = _connect(address)
        _await_workers(self._client, address, progress)
        _check_workers(self._client, address)
        self.size = sum(self._client.nthreads().values())
        self.executor = self._client.get_executor(pure=False, retries=3)

    @property
    def trouble(self) -> str:
        if self._client.status == "running" and self._client.scheduler is not None:
            return ""
        return f"the cluster at {self.address} has gone away"

    def renew(self) -> None:
        raise FeltError(f"the cluster at {self.address} has given up")

    def close(self) -> None:
        self._client.close(timeout=_CONNECT_SECONDS)


def _connect(address: str) -> Any:
    import distributed

    for name in logging.root.manager.loggerDict:
        if name.startswith(("distributed", "tornado")):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what went wrong is said in one sentence
    if not asyncio.run(_is_scheduler(address)):
        wanted = "the address of a running Dask scheduler, such as tcp://10.0.0.5:8786"
        raise BadOption("--cluster", address, wanted)
    connect: Any = distributed.Client  # which is annotated in part only
    return connect(address, timeout=_CONNECT_SECONDS, set_as_default=False)


async def _is_scheduler(address: str) -> bool:
    """Ask who answers there: a client that finds nobody, or somebody else, takes long to give up."""
    from distributed import core

    ask: Any = core
    try:
        async with asyncio.timeout(_CONNECT_SECONDS):
            comm = await ask.connect(address, timeout=_CONNECT_SECONDS)
            who = await ask.send_recv(comm, op="identity", reply=True)
            comm.abort()
            return str(who["type"]) == "Scheduler"
    except Exception:  # whatever answers there, in whatever way, is no scheduler
        return False


def _await_workers(client: Any, address: str, progress: Callable[[str], None]) -> None:
    """Workers that were started with their scheduler register a little later."""
    if client.nthreads():
        return
    progress(f"no worker of the cluster at {address} is there yet: waiting up to {_JOIN_SECONDS} seconds")
    try:
        client.wait_for_workers(1, timeout=_JOIN_SECONDS)
    except TimeoutError:
        client.close()
        raise BadOption("--cluster", address, "a scheduler that has workers") from None


def _check_workers(client: Any, address: str) -> None:
    """All workers have to count by the same rules as this machine would."""
    theirs = client.run(code_fingerprint)
    others = [worker for worker, found in theirs.items() if found != code_fingerprint()]
    if others:
        client.close()
        raise BadOption("--cluster", address, f"workers with this version of feltworks, unlike {others[0]}")


class OrderedWork(Generic[R]):
    """The pieces from a first one on, to a last one or without end; `work` has to travel to the pool.

    Iterating gives, at every look, the answers that have come in their order: often none.
    """

    def __init__(
        self, pool: WorkerPool, work: Callable[[int], R], pieces: range | None, first: int = 0
    ) -> None:
        self._crew, self._work, self._pieces, self._next = pool, work, pieces, first
        self._pending: dict[Future[R], int] = {}
        self._answered: dict[int, R] = {}
        self._breaks = 0

    def __iter__(self) -> Generator[list[R], None, None]:
        try:
            while self._is_wanted(self._next):
                self._hand_out()
                self._collect()
                yield self._in_order()
        finally:
            for future in self._pending:
                future.cancel()

    def _is_wanted(self, piece: int) -> bool:
        return self._pieces is None or piece in self._pieces

    def _hand_out(self) -> None:
        """Keep everybody busy, and no more: what waits to be taken stays small."""
        taken = {*self._pending.values(), *self._answered}
        piece = self._next
        while len(taken) < 2 * self._crew.size + 2 and self._is_wanted(piece):
            if piece not in taken:
                taken.add(piece)
                self._pending[self._crew.executor.submit(self._work, piece)] = piece
            piece += 1

    def _collect(self) -> None:
        done, _ = wait(self._pending, timeout=_LOOK_EVERY, return_when=FIRST_COMPLETED)
        if not done and self._crew.trouble:
            raise FeltError(self._crew.trouble)
        for future in done:
            piece = self._pending.pop(future)
            try:
                self._answered[piece] = future.result()
            except (BrokenExecutor, CancelledError, OSError):
                self._replace()
                return

    def _replace(self) -> None:
        """A worker was killed and took its pool along: everything not answered is handed out again."""
        self._breaks += 1
        if self._crew.trouble or self._breaks > _MOST_BREAKS:
            raise FeltError(self._crew.trouble or "the workers break down again and again")
        self._pending.clear()
        self._crew.renew()

    def _in_order(self) -> list[R]:
        found = []
        while self._next in self._answered:
            found.append(self._answered.pop(self._next))
            self._next += 1
        return found


class Addable(Protocol):
    """What can be added up."""

    def __add__(self, other: Self, /) -> Self: ...


W = TypeVar("W", bound=Addable)


class WorkResult(Struct, Generic[W], frozen=True):
    """What a pool came to; None where it was stopped before anything was done."""

    total: W | None
    seconds: float
    compile_seconds: float
    interrupted: bool = False


def add_up(
    pool: WorkerPool,
    work: Callable[[int], W],
    pieces: range,
    progress: Progress | None,
    warm: Callable[[], object],
) -> WorkResult[W]:
    """All pieces, added up in their order, after what has to be compiled is compiled."""
    compiling = _seconds(warm)
    begun, done, interrupted = time.perf_counter(), 0, False
    total: W | None = None
    try:
        with closing(iter(OrderedWork(pool, work, pieces))) as looks:
            for answers in looks:
                for answer in answers:
                    total = answer if total is None else total + answer
                done += len(answers)
                if progress is not None:
                    progress(done, len(pieces))
    except KeyboardInterrupt:
        interrupted = True
    return WorkResult(total, time.perf_counter() - begun, compiling, interrupted)


def _seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun
