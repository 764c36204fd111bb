"""The laboratory's desk: long work off the event loop, few at a time, each question once, none for nobody."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from feltworks.analysis.progress import Progress
from feltworks.errors import FeltError

AT_ONCE = 2  # questions worked on at the same time
MOST_WAITING = 24
MOST_KNOWN = 64  # answers remembered
Told = bytes  # a document as it goes over the wire
Working = Callable[[Progress], Told]
Gone = Callable[[], Awaitable[None]]


class Busy(FeltError):
    """More questions are open than the desk takes."""

    def __init__(self) -> None:
        super().__init__(f"{MOST_WAITING} questions are being worked on; ask again when one is answered")


class Stopped(Exception):
    """Nobody waits for the answer any more, so it was not worked out."""


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
        """Note how far it has come; ends work that nobody waits for."""
        if not self.waiting:
            raise Stopped
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
            while True:
                work = self._under_way.get(key) or self._begun(key, words, working)
                with suppress(Stopped):  # work that others had left just now begins again
                    return await _unless(leaving, work)
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
                work.tell(0, 0)
                answer = await asyncio.to_thread(working, work.tell)
        finally:
            del self._under_way[key]
        self._known[key] = answer
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)
        return answer


async def _unless(leaving: "asyncio.Future[None]", work: Work) -> Told:
    """The answer, unless whoever asks for it leaves first; others may still wait for it."""
    assert work.task is not None
    work.waiting += 1
    try:
        both: set[asyncio.Future[Any]] = {work.task, leaving}
        await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
    finally:
        work.waiting -= 1
    if not work.task.done():
        raise Left
    return work.task.result()


def _heard(task: "asyncio.Task[Told]") -> None:
    """Trouble in work that everybody has left is nobody's."""
    if not task.cancelled():
        task.exception()
