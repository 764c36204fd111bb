"""A few worker processes for long work. A process can be killed, so nothing goes on once nobody waits for it.

In a thread the sums would keep the tables waiting, and a server told to stop would have to count to the end.
"""

import asyncio
import os
import pickle
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from feltworks.errors import FeltError
from feltworks.web import worker as child
from feltworks.web.worker import LENGTH, STOP, Channel, Job, pack, unpack_error

MOST_MEGABYTES: Final = 500  # a worker that has grown larger ends after its job, and a small one follows it
IDLE_SECONDS: Final = 120.0  # a worker that has nothing to do for so long ends
Tell = Callable[..., object]


def _ignore(*_: object) -> None:
    """Nobody wants to know how far a job is."""


def _be_ready(_: Channel) -> None:
    """The job of a worker that is to be there in time: it has imported all it needs when this is done."""


class WorkerLost(FeltError):
    """A worker process that ended before its answer came."""

    def __init__(self) -> None:
        super().__init__("the process that worked on this has ended; ask again")


class Closing(FeltError):
    """Work for a server that is stopping."""

    def __init__(self) -> None:
        super().__init__("the server is stopping; ask again when it is back")


class WorkerFault(Exception):
    """A fault in a job, with the traceback of the worker."""


class Worker:
    """One process with one job at a time."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process, self._jobs, self._answers = process, process.stdin, process.stdout

    @classmethod
    async def start(cls, niceness: int, modules: tuple[str, ...]) -> "Worker":
        """Start a process, which imports these modules while nobody waits for it."""
        command = [sys.executable, "-m", child.__name__, str(niceness), *modules]
        return cls(await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE))

    @property
    def is_usable(self) -> bool:
        """Whether it lives, and has not grown too large."""
        if self._process.returncode is not None:
            return False
        with suppress(OSError, ValueError):  # not Linux, or gone just now
            pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
            return pages * os.sysconf("SC_PAGE_SIZE") < MOST_MEGABYTES << 20
        return True

    async def do(self, job: Job, tell: Tell) -> Any:
        """Have a job done; `tell` is called with what it says on its way."""
        try:
            self._jobs.write(pack(job))
            while True:
                kind, content = pickle.loads(await self._receive())
                if kind != "told":
                    return _answer(kind, content)
                tell(*content)
        except (asyncio.IncompleteReadError, ConnectionError):
            raise WorkerLost from None

    def stop_early(self) -> None:
        """Ask the job under way to end with what it has."""
        self._jobs.write(pack(STOP))

    def kill(self) -> None:
        """End the process; whoever waits for its answer learns that it is lost."""
        with suppress(ProcessLookupError):
            self._process.kill()

    async def end(self) -> None:
        """Kill the process, and wait until it is gone; nobody may be waiting for its answer."""
        self.kill()
        await self._process.communicate()

    async def _receive(self) -> bytes:
        (length,) = LENGTH.unpack(await self._answers.readexactly(LENGTH.size))
        return await self._answers.readexactly(length)


def _answer(kind: str, content: Any) -> Any:
    if kind == "refused":
        raise unpack_error(*content)
    if kind == "failed":
        raise WorkerFault(content)
    return content


class Workers:
    """So many processes at most, started when they are needed; those who ask for more wait their turn."""

    def __init__(
        self,
        most: int,
        *,
        niceness: int = 3,
        modules: tuple[str, ...] = (),
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self._most, self._turn = most, asyncio.Semaphore(most)
        self._niceness, self._modules, self._idle_seconds = niceness, modules, idle_seconds
        self._idle: dict[Worker, asyncio.TimerHandle] = {}
        self._busy: set[Worker] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._is_closed = False

    @property
    def count(self) -> int:
        """How many processes there are."""
        return len(self._idle) + len(self._busy)

    async def do(self, job: Job, tell: Tell = _ignore, stop: asyncio.Event | None = None) -> Any:
        """Have a job done. Whoever stops waiting ends the process; `stop` asks the job to end early."""
        async with self._turn:
            worker = self._take() or await self._start()
            self._busy.add(worker)
            stopping = asyncio.create_task(_stop_early(worker, stop)) if stop else None
            try:
                return await worker.do(job, tell)
            except WorkerLost:
                self._end(worker)
                if self._is_closed:
                    raise Closing from None
                raise
            except FeltError:
                raise
            except BaseException:  # a fault, or nobody waits any more
                self._end(worker)
                raise
            finally:
                if stopping:
                    stopping.cancel()
                self._put_back(worker)

    async def warm_up(self) -> None:
        """Have a process ready, if there is none, so that the first job does not wait for it."""
        if not self.count:
            await self.do(_be_ready)

    async def close(self) -> None:
        """End all processes, whatever they do."""
        if self._is_closed:
            return
        self._is_closed = True
        for worker in self._busy:
            worker.kill()
        for _ in range(self._most):  # with every turn taken nothing is under way
            await self._turn.acquire()
        for worker in list(self._idle):
            self._end(worker)
        await asyncio.gather(*self._ending)

    async def _start(self) -> Worker:
        if self._is_closed:
            raise Closing
        return await Worker.start(self._niceness, self._modules)

    def _take(self) -> Worker | None:
        while self._idle and not self._is_closed:
            worker, timer = self._idle.popitem()
            timer.cancel()
            if worker.is_usable:
                return worker
            self._end(worker)
        return None

    def _put_back(self, worker: Worker) -> None:
        """Keep a worker for the next job, unless it was ended or has grown too large."""
        if worker not in self._busy:
            return
        self._busy.discard(worker)
        if worker.is_usable:
            loop = asyncio.get_running_loop()
            self._idle[worker] = loop.call_later(self._idle_seconds, self._end, worker)
        else:
            self._end(worker)

    def _end(self, worker: Worker) -> None:
        self._busy.discard(worker)
        if timer := self._idle.pop(worker, None):
            timer.cancel()
        task = asyncio.create_task(worker.end())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)


async def _stop_early(worker: Worker, stop: asyncio.Event) -> None:
    await stop.wait()
    worker.stop_early()
