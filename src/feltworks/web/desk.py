"""The laboratory's desk: long work away from the tables, each question once, none for nobody."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Any

from feltworks.analysis.progress import Progress
from feltworks.errors import FeltError

AT_ONCE = 2  # questions worked on at the same time
MOST_WAITING = 24
MOST_KNOWN = 64  # answers remembered
MOST_KNOWN_BYTES = 16_000_000  # of all of them together
Told = bytes  # a document as it goes over the wire
Working = Callable[[Progress], Awaitable[Told]]
Gone = Callable[[], Awaitable[None]]


class Busy(FeltError):
    """More questions are open than the desk takes."""

    def __init__(self) -> None:
        super().__init__(f"{MOST_WAITING} questions are being worked on; ask again when one is answered")


class Left(Exception):
    """Whoever asked did not wait for the answer."""


class Work:
    """One question under way: what it is called, how far it has come, and how many wait for it."""

    def __init__(self, words: str) -> None:
        self.words = words
        self.began = time.monotonic()
        self.share: float | None = None  # None while nothing is known of how far it is
        self.waiting = 0
        self.task: asyncio.Task[Told] | None = None

    def tell(self, done: float, total: float) -> None:
        """Note how far it has come."""
        self.share = done / total if total else None

    @property
    def told(self) -> dict[str, Any]:
        return {"words": self.words, "done": self.share, "seconds": round(time.monotonic() - self.began, 1)}


class Desk:
    """Where questions are handed in; the same one is worked on once, and its answer remembered."""

    def __init__(self, at_once: int = AT_ONCE) -> None:
        self._room = asyncio.Semaphore(at_once)
        self._under_way: dict[str, Work] = {}
        self._known: OrderedDict[str, Told] = OrderedDict()

    def progress(self, key: str) -> dict[str, Any] | None:
        """How far the answer to a question has come; None where nobody works on it."""
        work = self._under_way.get(key)
        return work.told if work else None

    async def answer(self, key: str, words: str, working: Working, gone: Gone) -> Told:
        """The answer, at once where it is known; `gone` ends when whoever asks has left."""
        if key in self._known:
            self._known.move_to_end(key)
            return self._known[key]
        leaving = asyncio.ensure_future(gone())
        try:
            work = self._under_way.get(key) or self._begun(key, words, working)
            return await self._unless(leaving, key, work)
        finally:
            leaving.cancel()

    def _begun(self, key: str, words: str, working: Working) -> Work:
        if len(self._under_way) >= MOST_WAITING:
            raise Busy
        work = self._under_way[key] = Work(words)
        work.task = asyncio.create_task(self._worked(key, work, working))
        work.task.add_done_callback(_heard)
        return work

    async def _worked(self, key: str, work: Work, working: Working) -> Told:
        try:
            async with self._room:
                answer = await working(work.tell)
        finally:
            self._drop(key, work)
        self._remember(key, answer)
        return answer

    def _remember(self, key: str, answer: Told) -> None:
        self._known[key] = answer
        while len(self._known) > MOST_KNOWN or sum(map(len, self._known.values())) > MOST_KNOWN_BYTES:
            self._known.popitem(last=False)

    async def _unless(self, leaving: "asyncio.Future[None]", key: str, work: Work) -> Told:
        """The answer, unless whoever asks for it leaves first; the last to leave ends the work."""
        assert work.task is not None
        work.waiting += 1
        try:
            both: set[asyncio.Future[Any]] = {work.task, leaving}
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            work.waiting -= 1
            if not work.waiting and not work.task.done():
                self._drop(key, work)
                work.task.cancel()
        if not work.task.done():
            raise Left
        return work.task.result()

    def _drop(self, key: str, work: Work) -> None:
        """The work is over; the same question may have been begun anew meanwhile."""
        if self._under_way.get(key) is work:
            del self._under_way[key]


def _heard(task: "asyncio.Task[Told]") -> None:
    """Trouble in work that everybody has left is nobody's."""
    if not task.cancelled():
        task.exception()
