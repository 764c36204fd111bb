"""The laboratory's work queue: computes each question once, and cancels it when nobody waits for it."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any, Final

from litestar import Response

from feltworks.analysis.progress import Progress
from feltworks.errors import BadOption, FeltError
from feltworks.web.lab.documents import WorkProgress
from feltworks.web.visitors import Budgets, Connection, address_of
from feltworks.web.workers import Job, Workers

AT_ONCE: Final = 3  # questions computed at the same time
OF_ADDRESS: Final = 2  # of these for one address
MOST_WAITING: Final = 24
MOST_CACHED: Final = 64  # answers
MOST_CACHED_BYTES: Final = 16_000_000  # of all cached answers together
CLIENT_CLOSED_REQUEST: Final = 499  # for the logs only, as the client has left
Document = bytes  # the encoded body of a response
Compute = Callable[[Progress], Awaitable[Document]]
Disconnect = Callable[[], Awaitable[None]]


class Busy(FeltError):
    """The queue is full."""

    def __init__(self) -> None:
        super().__init__(f"{MOST_WAITING} questions are being computed; ask again when one is answered")


class ClientLeft(Exception):
    """The client closed the connection before the answer came."""


class Work:
    """A question being computed: its title, its progress and how many clients wait for it."""

    def __init__(self, title: str) -> None:
        self.title = title
        self.began = time.monotonic()
        self.share: float | None = None  # None while the progress is unknown
        self.waiting = 0
        self.task: asyncio.Task[Document] | None = None

    def report(self, done: float, total: float) -> None:
        """Set how much of the work is done."""
        self.share = done / total if total else None

    @property
    def progress(self) -> WorkProgress:
        return WorkProgress(self.title, self.share, round(time.monotonic() - self.began, 1))


class WorkQueue:
    """Computes each question once for all clients and caches the answers."""

    def __init__(self) -> None:
        self._running: dict[str, Work] = {}
        self._cache: OrderedDict[str, Document] = OrderedDict()

    def progress(self, key: str) -> WorkProgress | None:
        """The progress of a question; None if it is not being computed."""
        work = self._running.get(key)
        return work.progress if work else None

    async def answer(self, key: str, title: str, compute: Compute, disconnect: Disconnect) -> Document:
        """Return the cached or computed answer; `disconnect` returns when the client has left."""
        if key in self._cache:
            self._cache.move_to_end(key)
            return self._cache[key]
        leaving = asyncio.ensure_future(disconnect())
        try:
            work = self._running.get(key) or self._start(key, title, compute)
            return await self._wait(leaving, key, work)
        finally:
            leaving.cancel()

    def _start(self, key: str, title: str, compute: Compute) -> Work:
        if len(self._running) >= MOST_WAITING:
            raise Busy
        work = self._running[key] = Work(title)
        work.task = asyncio.create_task(self._run(key, work, compute))
        work.task.add_done_callback(_ignore_exception)
        return work

    async def _run(self, key: str, work: Work, compute: Compute) -> Document:
        try:
            answer = await compute(work.report)
        finally:
            self._drop(key, work)
        self._store(key, answer)
        return answer

    def _store(self, key: str, answer: Document) -> None:
        self._cache[key] = answer
        while len(self._cache) > MOST_CACHED or sum(map(len, self._cache.values())) > MOST_CACHED_BYTES:
            self._cache.popitem(last=False)

    async def _wait(self, leaving: "asyncio.Future[None]", key: str, work: Work) -> Document:
        """Wait for the answer or until the client leaves; cancel the work when the last client has left."""
        assert work.task is not None
        work.waiting += 1
        try:
            both: set[asyncio.Future[Document] | asyncio.Future[None]] = {work.task, leaving}
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            work.waiting -= 1
            if not work.waiting and not work.task.done():
                self._drop(key, work)
                work.task.cancel()
        if not work.task.done():
            raise ClientLeft
        return work.task.result()

    def _drop(self, key: str, work: Work) -> None:
        """Remove finished or cancelled work, unless the same question has been started again."""
        if self._running.get(key) is work:
            del self._running[key]


def _ignore_exception(task: "asyncio.Task[Document]") -> None:
    """Retrieve the exception of abandoned work, so that asyncio does not log it."""
    if not task.cancelled():
        task.exception()


async def job_response(
    request: Connection, title: str, job: Job[Document], media_type: str, *, saved_as: str = ""
) -> Response[Any]:
    """Run a job and respond with its answer; with `saved_as` the browser saves it under that name."""
    state = request.app.state
    queue: WorkQueue = state.work_queue
    workers: Workers = state.workers
    budgets: Budgets = state.budgets
    query = request.url.query
    key = request.url.path + (f"?{query}" if query else "")
    try:
        with budgets.question(request.scope):
            document = await queue.answer(
                key,
                title,
                lambda report: workers.do(job, report, address=address_of(request.scope)),
                lambda: _wait_for_disconnect(request),
            )
    except BadOption as error:  # options of the command line are fields of the page
        raise BadOption(error.option.removeprefix("--"), error.value, error.allowed) from None
    except ClientLeft:
        return Response(b"", status_code=CLIENT_CLOSED_REQUEST)
    headers = {"content-disposition": f'attachment; filename="{saved_as}"'} if saved_as else {}
    return Response(document, media_type=media_type, headers=headers)


async def _wait_for_disconnect(request: Connection) -> None:
    """Wait until the client closes the connection."""
    while (await request.receive())["type"] != "http.disconnect":
        pass
