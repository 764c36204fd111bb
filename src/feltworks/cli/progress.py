"""Progress bars for long work on standard error, and the handling of Ctrl-C when the work is done."""

import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from types import FrameType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress as Bar
    from rich.progress import Task

    from feltworks.analysis.progress import Progress
    from feltworks.simulation.run import Run

PATIENCE_SECONDS = 0.5  # shorter work shows no bar
STOPS = "Ctrl-C stops"
SHOWS_RESULT = "Ctrl-C shows the result so far"


@contextmanager
def progress_bar(words: str, ctrl_c: str = STOPS) -> "Iterator[Progress | None]":
    """Show a bar after a short delay; yields its update function, or None if standard error is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    bar = _DelayedBar(words, ctrl_c)
    bar.timer.start()
    try:
        yield bar.update
    finally:
        bar.remove()


class _DelayedBar:
    """A bar that appears after a delay with the progress made by then."""

    def __init__(self, words: str, ctrl_c: str) -> None:
        self._words, self._ctrl_c = words, ctrl_c
        self.started_at = time.monotonic()
        self.timer = Timer(PATIENCE_SECONDS, self._appear)
        self.timer.daemon = True
        self._lock = Lock()
        self._bar: Bar | None = None
        self._is_over = False
        self._latest: tuple[float, float] | None = None

    def update(self, done: float, total: float) -> None:
        """Set how much is done, and the total."""
        self._latest = done, total
        if self._bar is not None:
            _update(self._bar, done, total)

    def remove(self) -> None:
        """Clear the bar from the screen."""
        self.timer.cancel()
        with self._lock:
            self._is_over = True
            if self._bar is not None:
                self._bar.stop()

    def _appear(self) -> None:
        bar = _new_bar(self._words, self._ctrl_c, self.started_at)
        with self._lock:
            if self._is_over:
                return
            if self._latest:
                _update(bar, *self._latest)
            bar.start()
            self._bar = bar


@contextmanager
def rounds_bar() -> "Iterator[Callable[[Run], None] | None]":
    """Show a bar with rounds a second; yields its update function, or None if standard error is not a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    with _new_bar("Dealing", SHOWS_RESULT, time.monotonic(), rate="compiling") as bar:
        yield lambda run: _update_rounds(bar, run)


def _update_rounds(bar: "Bar", run: "Run") -> None:
    """Show the progress of a run; the rate leaves out the time for compiling."""
    done = run.tally.rounds - run.rounds_before
    total = None if run.wanted is None else run.wanted - run.rounds_before
    rate = f"{done / run.seconds / 1e6:,.1f} M rounds/s"
    now, task = time.monotonic(), bar.task_ids[0]
    bar.update(task, completed=done, total=total, started_at=now - run.seconds, updated_at=now, rate=rate)


def _update(bar: "Bar", done: float, total: float) -> None:
    bar.update(bar.task_ids[0], completed=done, total=total, updated_at=time.monotonic())


def _new_bar(words: str, ctrl_c: str, started_at: float, rate: str = "") -> "Bar":
    """Make a bar on standard error for work that began at this time of the monotonic clock."""
    from rich.console import Console  # slow to import
    from rich.progress import BarColumn, ProgressColumn, TaskProgressColumn, TextColumn
    from rich.progress import Progress as Bar
    from rich.text import Text

    class TimeLeft(ProgressColumn):
        """Shows minutes and seconds left at the average pace so far, counting down between updates."""

        def render(self, task: "Task") -> Text:
            return Text(_time_left(task))

    columns = [TextColumn("{task.description}"), BarColumn(), TaskProgressColumn()]
    columns += [TextColumn("{task.fields[rate]}")] if rate else []
    bar = Bar(*columns, TimeLeft(), TextColumn(ctrl_c), console=Console(stderr=True), transient=True)
    bar.add_task(words, total=None, started_at=started_at, updated_at=started_at, rate=rate)
    return bar


def _time_left(task: "Task") -> str:
    if not task.completed or not task.total:
        return ""
    started_at: float = task.fields["started_at"]
    whole = (task.fields["updated_at"] - started_at) * task.total / task.completed
    left = max(0, round(started_at + whole - time.monotonic()))
    return f"{left // 60}:{left % 60:02} left"


@contextmanager
def late_interrupts() -> Iterator[None]:
    """Let Ctrl-C interrupt until `counting_is_over` is called, and restore the handler at the end."""
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def counting_is_over() -> None:
    """Ignore the next Ctrl-C, so that the result, which now exists, is shown."""
    signal.signal(signal.SIGINT, _ignore_once)


def _ignore_once(_signal: int, _frame: FrameType | None) -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)
