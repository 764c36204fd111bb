"""Worker processes for long work: a process can be killed, so that no job outlives its client.

In a thread the computation would delay the tables and could not be cancelled when the server stops.
Jobs and answers are pickles with their length in front, sent over pipes.
"""

import asyncio
import importlib
import os
import pickle
import resource
import signal
import struct
import sys
import threading
import time
import traceback
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any, BinaryIO, Final, Literal, TypeVar
from weakref import WeakValueDictionary

from feltworks.errors import FeltError

T = TypeVar("T")
LENGTH: Final = struct.Struct(">I")
STOP: Final = "stop"  # sent instead of a job: asks the running one to end early
MOST_MEGABYTES: Final = 500  # a larger worker ends after its job and is replaced
IDLE_SECONDS: Final = 120.0  # an idle worker ends after this time
MOST_SECONDS: Final = 900.0  # for one job
HARD_MEGABYTES: Final = 3000  # the limit of a worker; a job that reaches it is refused
Kind = Literal["progress", "done", "refused", "failed", "too large"]
Report = Callable[..., object]  # takes the progress of a job

# The worker's side.


class Channel:
    """Sends a job's messages to the server; `stopped` becomes true when the job should end early."""

    def __init__(self, pipe: BinaryIO) -> None:
        self._pipe = pipe
        self.stopped = False

    def __call__(self, *progress: object) -> None:
        """Report progress to the client that waits for the job."""
        self.send("progress", progress)

    def send(self, kind: Kind, content: object) -> None:
        """Write one message."""
        self._pipe.write(pack((kind, content)))
        self._pipe.flush()


Job = Callable[[Channel], T]  # a module's function or a partial of one, since it is pickled


def pack(content: object) -> bytes:
    """Pickle a message, with its length in front."""
    message = pickle.dumps(content)
    return LENGTH.pack(len(message)) + message


def run_job(job: Job[object], channel: Channel) -> None:
    """Run a job and send its answer or its error."""
    try:
        answer = job(channel)
    except FeltError as error:
        channel.send("refused", error)
    except MemoryError:
        channel.send("too large", None)
        os._exit(1)  # memory that the job still holds could be missing for the next one
    except Exception:
        channel.send("failed", traceback.format_exc())
    else:
        channel.send("done", answer)


def receive_jobs(pipe: BinaryIO, channel: Channel, jobs: "SimpleQueue[Job[object]]") -> None:
    """Read jobs and stop messages from the pipe; end the process at once when the server has ended."""
    with suppress(EOFError, struct.error):
        while True:
            message = pickle.loads(pipe.read(LENGTH.unpack(pipe.read(LENGTH.size))[0]))
            channel.stopped = message == STOP
            if not channel.stopped:
                jobs.put(message)
    os._exit(0)


def limit_memory(megabytes: int) -> None:
    """Limit the memory of this process; a job that needs more gets a MemoryError."""
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    most = megabytes << 20
    resource.setrlimit(resource.RLIMIT_DATA, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def run_worker() -> None:
    """Run jobs until the server ends; `sys.argv` has the niceness and the modules to import first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the server handles Ctrl-C
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # keeps stray prints out of the answers
    channel, jobs = Channel(answers), SimpleQueue[Job[object]]()
    threading.Thread(target=receive_jobs, args=(sys.stdin.buffer, channel, jobs), daemon=True).start()
    os.nice(int(sys.argv[1]))
    limit_memory(HARD_MEGABYTES)
    for module in sys.argv[2:]:
        importlib.import_module(module)
    with suppress(BrokenPipeError):
        while True:
            run_job(jobs.get(), channel)


# The server's side.


def _ignore(*_: object) -> None:
    """Report no progress."""


def _warm_up(_: Channel) -> None:
    """An empty job; when it is done, the worker has imported its modules."""


class WorkerLost(FeltError):
    """A worker process ended before it answered."""

    def __init__(self) -> None:
        super().__init__("the worker process ended before it answered; try again")


class TooLarge(FeltError):
    """A job needs more memory than a worker may have."""

    def __init__(self) -> None:
        super().__init__(
            f"this question needs more than {HARD_MEGABYTES:,} MB of memory; ask a smaller one, or ask it "
            "with felt on the command line"
        )


class TooLong(FeltError):
    """A job takes longer than a worker may."""

    def __init__(self, seconds: float) -> None:
        super().__init__(
            f"this question takes more than {seconds / 60:g} minutes; ask a smaller one, or ask it with felt "
            "on the command line"
        )


class Closing(FeltError):
    """The server is stopping and takes no jobs."""

    def __init__(self) -> None:
        super().__init__("the server is stopping; try again when it is back")


class WorkerFault(Exception):
    """A fault in a job, with the traceback of the worker."""


class Worker:
    """A process that runs one job at a time."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process, self._jobs, self._answers = process, process.stdin, process.stdout
        self.started = time.monotonic()

    @classmethod
    async def start(cls, niceness: int, modules: tuple[str, ...]) -> "Worker":
        """Start a process, which imports these modules first."""
        command = [sys.executable, "-m", __name__, str(niceness), *modules]
        return cls(await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE))

    @property
    def is_usable(self) -> bool:
        """Whether the process runs and has not grown too large."""
        if self._process.returncode is not None:
            return False
        with suppress(OSError, ValueError):  # not on Linux, or the process has just ended
            pages = int(Path(f"/proc/{self._process.pid}/statm").read_text().split()[1])
            return pages * os.sysconf("SC_PAGE_SIZE") < MOST_MEGABYTES << 20
        return True

    async def do(self, job: Job[T], report: Report) -> T:
        """Run a job; `report` is called with its progress."""
        try:
            self._jobs.write(pack(job))
            while True:
                kind, content = pickle.loads(await self._receive())
                if kind != "progress":
                    _raise_failure(kind, content)
                    answer: T = content
                    return answer
                report(*content)
        except (asyncio.IncompleteReadError, ConnectionError):
            raise WorkerLost from None

    def stop_early(self) -> None:
        """Ask the running job to end early with its result so far."""
        self._jobs.write(pack(STOP))

    def kill(self) -> None:
        """Kill the process; a waiting client gets WorkerLost."""
        with suppress(ProcessLookupError):
            self._process.kill()

    async def end(self) -> None:
        """Kill the process and wait for its end; no client may be waiting for an answer."""
        self.kill()
        await self._process.communicate()

    async def _receive(self) -> bytes:
        (length,) = LENGTH.unpack(await self._answers.readexactly(LENGTH.size))
        return await self._answers.readexactly(length)


def _raise_failure(kind: Kind, content: Any) -> None:
    """Raise the error that ended a job without an answer."""
    if kind == "refused":
        raise content
    if kind == "failed":
        raise WorkerFault(content)
    if kind == "too large":
        raise TooLarge


class WaitingLine:
    """So many places; whoever waits for one is told how many others come first, whenever that changes."""

    def __init__(self, most: int) -> None:
        self._free = asyncio.Semaphore(most)
        self._waiting: dict[object, Callable[[int], object]] = {}  # in the order of arrival
        self._promised = 0

    def promise(self) -> bool:
        """Promise to give a place back soon; returns False if nobody waits for it."""
        is_wanted = len(self._waiting) > self._promised
        self._promised += is_wanted
        return is_wanted

    @asynccontextmanager
    async def hold(self, on_wait: Callable[[int], object] = _ignore) -> AsyncIterator[None]:
        """Wait for a place, and give it back at the end."""
        ticket = object()
        if self._free.locked():
            self._waiting[ticket] = on_wait
            on_wait(len(self._waiting) - 1)
        try:
            await self._free.acquire()
        finally:
            if self._waiting.pop(ticket, None):
                for ahead, tell in enumerate(tuple(self._waiting.values())):
                    tell(ahead)
        try:
            yield
        finally:
            self._promised = max(0, self._promised - 1)
            self._free.release()


class Workers:
    """A pool of at most `most` processes, started on demand; further jobs wait.

    Jobs of one address use at most `of_address` of them, so that others are left for other clients.
    """

    def __init__(
        self,
        most: int,
        *,
        of_address: int | None = None,
        niceness: int = 3,
        modules: tuple[str, ...] = (),
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        self._most, self._line = most, WaitingLine(most)
        self._of_address = of_address or most
        self._lines_of: WeakValueDictionary[str, WaitingLine] = WeakValueDictionary()
        self._niceness, self._modules, self._idle_seconds = niceness, modules, idle_seconds
        self._idle: dict[Worker, asyncio.TimerHandle] = {}
        self._busy: set[Worker] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._is_closed = False

    @property
    def is_closed(self) -> bool:
        """Whether the pool takes no more jobs."""
        return self._is_closed

    @property
    def count(self) -> int:
        """The number of processes."""
        return len(self._idle) + len(self._busy)

    def promise(self, address: str) -> bool:
        """Promise that a job of this address ends soon; returns False if no other job waits for that."""
        return self._line.promise() or self._line_of(address).promise()

    def _line_of(self, address: str) -> WaitingLine:
        return self._lines_of.setdefault(address, WaitingLine(self._of_address))

    @asynccontextmanager
    async def _place(self, address: str, on_wait: Callable[[int], object]) -> AsyncIterator[None]:
        """Wait until a process is free; raises Closing if the pool was closed."""
        async with self._line_of(address).hold(on_wait):
            if self._is_closed:
                raise Closing
            async with self._line.hold(on_wait):
                yield

    async def do(
        self,
        job: Job[T],
        report: Report = _ignore,
        stop: asyncio.Event | None = None,
        *,
        address: str = "",
        on_wait: Callable[[int], object] = _ignore,
    ) -> T:
        """Run a job. Cancelling this call kills the process; setting `stop` asks the job to end early.

        While the job waits, `on_wait` is told how many others come first.
        """
        async with self._place(address, on_wait):
            worker = self._take() or await self._start()
            self._busy.add(worker)
            stopping = asyncio.create_task(_stop_early(worker, stop)) if stop else None
            try:
                async with asyncio.timeout(MOST_SECONDS):
                    return await worker.do(job, report)
            except BaseException as error:
                is_answer = isinstance(error, FeltError) and not isinstance(error, TooLarge | WorkerLost)
                if not is_answer:  # the job failed, was too long or too large, or the client left
                    self._end(worker)
                if isinstance(error, TimeoutError):
                    raise TooLong(MOST_SECONDS) from None
                if isinstance(error, WorkerLost) and self._is_closed:
                    raise Closing from None
                raise
            finally:
                if stopping:
                    stopping.cancel()
                self._put_back(worker)

    async def warm_up(self) -> None:
        """Start a process if there is none, so that the first job does not wait for it."""
        if not self.count:
            with suppress(Closing):
                await self.do(_warm_up)

    async def close(self) -> None:
        """Kill all processes."""
        if self._is_closed:
            return
        self._is_closed = True
        for worker in self._busy:
            worker.kill()
        async with AsyncExitStack() as stack:
            for _ in range(self._most):  # once all places are taken, no job is running
                await stack.enter_async_context(self._line.hold())
        for worker in list(self._idle):
            self._end(worker)
        await asyncio.gather(*self._ending)

    async def _start(self) -> Worker:
        if self._is_closed:
            raise Closing
        return await Worker.start(self._niceness, self._modules)

    def _take(self) -> Worker | None:
        """The oldest idle process, as its caches hold most."""
        while self._idle and not self._is_closed:
            worker = min(self._idle, key=lambda idle: idle.started)
            self._idle.pop(worker).cancel()
            if worker.is_usable:
                return worker
            self._end(worker)
        return None

    def _put_back(self, worker: Worker) -> None:
        """Keep a worker for the next job, unless it was killed or has grown too large."""
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


if __name__ == "__main__":
    run_worker()
