"""How far a simulation has come: rounds, rounds a second and the time left, for people at a terminal."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from feltworks.simulation.run import Run, RunProgress

SHOWS_RESULT = "Ctrl-C shows the result so far"


@contextmanager
def rounds_bar() -> Iterator[RunProgress | None]:
    """A bar on standard error while the run goes on; None where nobody is there to see it."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

    from feltworks.cli.bar import TimeLeft

    began = time.monotonic()
    left = TimeLeft(began)
    words = (TextColumn("Dealing"), BarColumn(), TaskProgressColumn(), TextColumn("{task.fields[rate]}"))
    ends = (left, TextColumn(SHOWS_RESULT))
    with Progress(*words, *ends, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, told=began, rate="compiling")

        def told(run: Run) -> None:
            now, done = time.monotonic(), run.tally.rounds - run.rounds_before
            left.began = now - run.seconds  # compiling is over and says nothing of what is left
            total = None if run.wanted is None else run.wanted - run.rounds_before
            rate = f"{done / run.seconds / 1e6:,.1f} M rounds/s"
            bar.update(task, completed=done, total=total, told=now, rate=rate)

        yield told


@contextmanager
def pieces_bar(words: str, ctrl_c: str = "Ctrl-C stops") -> Iterator[Callable[[int, int], None] | None]:
    """The same for work that comes in equal pieces."""
    if not sys.stderr.isatty():
        yield None
        return
    from feltworks.cli.bar import new_bar

    with new_bar(words, time.monotonic(), ctrl_c) as bar:

        def told(done: int, total: int) -> None:
            bar.update(bar.task_ids[0], completed=done, total=total, told=time.monotonic())

        yield told
