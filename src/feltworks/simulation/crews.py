"""Who counts: threads of this process, processes of this machine, or the workers of a Dask cluster."""

import asyncio
import logging
import multiprocessing
import os
import signal
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from typing import Any, Self

from feltworks.errors import BadOption, FeltError
from feltworks.extras import require
from feltworks.simulation.fingerprint import code_fingerprint

_CONNECT_SECONDS = 3
_JOIN_SECONDS = 10  # that a scheduler's first worker may take to register


def machine_workers() -> int:
    """How many workers this machine has work for."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class Crew(ABC):
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


class Threads(Crew):
    """Threads: kernels run without the interpreter's lock, so they need nothing more."""

    def __init__(self, workers: int) -> None:
        self.size = workers
        self.executor = ThreadPoolExecutor(workers, "felt-simulate")

    def renew(self) -> None:
        self.executor = ThreadPoolExecutor(self.size, "felt-simulate")


class Processes(Crew):
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


class Cluster(Crew):
    """The workers of a Dask cluster, which hands out again what a lost worker had in hand."""

    def __init__(self, address: str, told: Callable[[str], None] = lambda _: None) -> None:
        self.address = address
        self._client = _connected(address)
        _await_workers(self._client, address, told)
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


def _connected(address: str) -> Any:
    require("cluster")
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


def _await_workers(client: Any, address: str, told: Callable[[str], None]) -> None:
    """Workers that were started with their scheduler register a little later."""
    if client.nthreads():
        return
    told(f"no worker of the cluster at {address} is there yet: waiting up to {_JOIN_SECONDS} seconds")
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
