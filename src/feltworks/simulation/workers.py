"""Worker pools: threads of this process, processes of this machine, or a Dask cluster.

Pieces of work are numbered and their answers are added up in that order, so that a result does not depend on
the speed or the failure of workers.
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
from feltworks.extras import require
from feltworks.simulation.plan import code_fingerprint

_CONNECT_SECONDS = 3
_JOIN_SECONDS = 10  # to wait for a scheduler's first worker to register
_LOOK_EVERY = 0.25  # seconds
_MOST_BREAKS = 5
R = TypeVar("R")
Progress = Callable[[int, int], None]  # the pieces done and all pieces


def machine_workers() -> int:
    """Returns the default number of workers: one for each core that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class WorkerPool(ABC):
    """An executor and the number of its workers; some kinds can be renewed when they break."""

    executor: Executor
    size: int

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def trouble(self) -> str:
        """Why no more answers can come; empty while the pool works."""
        return ""

    @abstractmethod
    def renew(self) -> None:
        """Replaces a broken executor; its unanswered work is submitted again."""

    def close(self) -> None:
        """Stops the workers; work that has not begun is dropped."""
        self.executor.shutdown(wait=True, cancel_futures=True)


class Threads(WorkerPool):
    """Threads of this process, which run in parallel because kernels release the interpreter's lock."""

    def __init__(self, workers: int) -> None:
        self.size = workers
        self.executor = ThreadPoolExecutor(workers, "felt-simulate")

    def renew(self) -> None:
        self.executor = ThreadPoolExecutor(self.size, "felt-simulate")


class Processes(WorkerPool):
    """Processes of this machine; all are started again when one is killed."""

    def __init__(self, workers: int) -> None:
        self.size = workers
        self.renew()

    def renew(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.executor = ProcessPoolExecutor(self.size, context, _follow_parent)


def _follow_parent() -> None:
    """Makes a worker ignore Ctrl-C and end together with its parent process.

    Ctrl-C reaches every process of a terminal, and a worker whose parent has ended would never stop by itself.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


class Cluster(WorkerPool):
    """The workers of a Dask cluster; its scheduler reassigns the work of a lost worker."""

    def __init__(self, address: str, announce: Callable[[str], None] = lambda _: None) -> None:
        self.address = address
        self._client = _connect(address)
        _await_workers(self._client, address, announce)
        _check_workers(self._client, address)
        self.size = sum(self._client.nthreads().values())
        self.executor = self._client.get_executor(pure=False, retries=3)

    @property
    def trouble(self) -> str:
        if self._client.status == "running" and self._client.scheduler is not None:
            return ""
        return f"the cluster at {self.address} has gone away"

    def renew(self) -> None:
        raise FeltError(f"the cluster at {self.address} takes no more work")

    def close(self) -> None:
        self._client.close(timeout=_CONNECT_SECONDS)


def _connect(address: str) -> Any:
    require("cluster")
    import distributed

    for name in logging.root.manager.loggerDict:
        if name.startswith(("distributed", "tornado")):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # Feltworks reports a failure in one sentence
    if not asyncio.run(_is_scheduler(address)):
        wanted = "the address of a running Dask scheduler, such as tcp://10.0.0.5:8786"
        raise BadOption("--cluster", address, wanted)
    connect: Any = distributed.Client  # only partly annotated
    return connect(address, timeout=_CONNECT_SECONDS, set_as_default=False)


async def _is_scheduler(address: str) -> bool:
    """Whether a Dask scheduler answers at the address; checked first, as a client would wait long for one."""
    from distributed import core

    rpc: Any = core
    try:
        async with asyncio.timeout(_CONNECT_SECONDS):
            comm = await rpc.connect(address, timeout=_CONNECT_SECONDS)
            identity = await rpc.send_recv(comm, op="identity", reply=True)
            comm.abort()
            return str(identity["type"]) == "Scheduler"
    except Exception:  # any failure means that there is no scheduler
        return False


def _await_workers(client: Any, address: str, announce: Callable[[str], None]) -> None:
    """Waits a few seconds for workers that were started together with their scheduler."""
    if client.nthreads():
        return
    announce(f"no worker of the cluster at {address} is there yet: waiting up to {_JOIN_SECONDS} seconds")
    try:
        client.wait_for_workers(1, timeout=_JOIN_SECONDS)
    except TimeoutError:
        client.close()
        raise BadOption("--cluster", address, "a scheduler that has workers") from None


def _check_workers(client: Any, address: str) -> None:
    """Refuses workers whose code differs from this machine's, since they may count differently."""
    fingerprints = client.run(code_fingerprint)
    others = [worker for worker, code in fingerprints.items() if code != code_fingerprint()]
    if others:
        client.close()
        raise BadOption("--cluster", address, f"workers with this version of feltworks, unlike {others[0]}")


class OrderedWork(Generic[R]):
    """Submits numbered pieces of work to a pool and yields their answers in order.

    Each iteration waits briefly and yields the answers that are next in order, often none. Without `pieces` the
    work never ends. `work` is pickled for processes and clusters.
    """

    def __init__(self, pool: WorkerPool, work: Callable[[int], R], pieces: range | None, first: int = 0) -> None:
        self._pool, self._work, self._pieces, self._next = pool, work, pieces, first
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
        """Submits just enough work to keep all workers busy, so that few answers wait for an earlier one."""
        taken = {*self._pending.values(), *self._answered}
        piece = self._next
        while len(taken) < 2 * self._pool.size + 2 and self._is_wanted(piece):
            if piece not in taken:
                taken.add(piece)
                self._pending[self._pool.executor.submit(self._work, piece)] = piece
            piece += 1

    def _collect(self) -> None:
        done, _ = wait(self._pending, timeout=_LOOK_EVERY, return_when=FIRST_COMPLETED)
        if not done and self._pool.trouble:
            raise FeltError(self._pool.trouble)
        for future in done:
            piece = self._pending.pop(future)
            try:
                self._answered[piece] = future.result()
            except (BrokenExecutor, CancelledError, OSError):
                self._replace()
                return

    def _replace(self) -> None:
        """Renews a pool that a killed worker has broken; unanswered work is submitted again."""
        self._breaks += 1
        if self._pool.trouble or self._breaks > _MOST_BREAKS:
            raise FeltError(self._pool.trouble or f"the workers have failed {_MOST_BREAKS + 1} times")
        self._pending.clear()
        self._pool.renew()

    def _in_order(self) -> list[R]:
        answers = []
        while self._next in self._answered:
            answers.append(self._answered.pop(self._next))
            self._next += 1
        return answers


class Addable(Protocol):
    """A value that can be added to another of its kind."""

    def __add__(self, other: Self, /) -> Self: ...


W = TypeVar("W", bound=Addable)


class WorkResult(Struct, Generic[W], frozen=True):
    """The sum of all answers, None if the work was stopped before the first, and how long it took."""

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
    """Adds up the answers of all pieces in order; `warm` compiles what they need before the clock starts."""
    compiling = _seconds(warm)
    begun, done, interrupted = time.perf_counter(), 0, False
    total: W | None = None
    try:
        with closing(iter(OrderedWork(pool, work, pieces))) as arrivals:
            for answers in arrivals:
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
