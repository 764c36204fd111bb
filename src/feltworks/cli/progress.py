"""Long work shows how far it has come: after a moment's patience, and only to people at a terminal."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar

    from feltworks.analysis.progress import Progress

PATIENCE_SECONDS = 0.5  # work that is over by then shows nothing


@contextmanager
def progress_bar(words: str) -> "Iterator[Progress | None]":
    """Show how far the work inside has come; None where nobody is there to see it."""
    if not sys.stderr.isatty():
        yield None
        return
    shown = _Shown(words)
    shown.timer.start()
    try:
        yield shown.tell
    finally:
        shown.take_away()


class _Shown:
    """A bar that waits before it appears, and begins where the work then is."""

    def __init__(self, words: str) -> None:
        self.words = words
        self.began = time.monotonic()
        self.timer = Timer(PATIENCE_SECONDS, self._appear)
        self.timer.daemon = True
        self._lock = Lock()
        self._bar: Bar | None = None
        self._over = False
        self._news: tuple[float, float] | None = None

    def tell(self, done: float, total: float) -> None:
        """Note how much is done, of how much."""
        self._news = done, total
        if self._bar is not None:
            self._show(self._bar, done, total)

    def take_away(self) -> None:
        """Leave the screen as if no bar had been there."""
        self.timer.cancel()
        with self._lock:
            self._over = True
            if self._bar is not None:
                self._bar.stop()

    def _appear(self) -> None:
        from feltworks.cli.bar import new_bar

        bar = new_bar(self.words, self.began)
        with self._lock:
            if self._over:
                return
            if self._news:
                self._show(bar, *self._news)
            bar.start()
            self._bar = bar

    def _show(self, bar: "Bar", done: float, total: float) -> None:
        bar.update(bar.task_ids[0], completed=done, total=total, told=time.monotonic())
