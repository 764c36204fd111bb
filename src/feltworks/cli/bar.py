"""Rich's progress bars with the time left; apart from progress.py, as Rich takes long to import."""

import time
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskProgressColumn, TextColumn
from rich.text import Text

from feltworks.simulation.run import Run


class TimeLeft(ProgressColumn):
    """The time left at the average pace so far; it counts down between two updates."""

    def __init__(self, started_at: float) -> None:
        super().__init__()
        self.started_at = started_at

    def render(self, task: Task) -> Text:
        """Minutes and seconds; empty before the first update."""
        if not task.completed or not task.total:
            return Text("")
        whole = (task.fields["updated_at"] - self.started_at) * task.total / task.completed
        left = max(0, round(self.started_at + whole - time.monotonic()))
        return Text(f"{left // 60}:{left % 60:02} left")


def new_bar(words: str, started_at: float, ctrl_c: str = "Ctrl-C stops") -> Progress:
    """A bar on standard error for work that began at that time of the monotonic clock."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeLeft(started_at))
    bar = Progress(*columns, TextColumn(ctrl_c), console=Console(stderr=True), transient=True)
    bar.add_task(words, total=None, updated_at=started_at)
    return bar


class RoundsBar:
    """A bar for a simulation's run: rounds a second, and the time left without compiling."""

    def __init__(self, ctrl_c: str) -> None:
        self._left = TimeLeft(time.monotonic())
        rate = TextColumn("{task.fields[rate]}")
        columns = (TextColumn("Dealing"), BarColumn(), TaskProgressColumn(), rate, self._left)
        self._bar = Progress(*columns, TextColumn(ctrl_c), console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task("", total=None, updated_at=self._left.started_at, rate="compiling")

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._bar.stop()

    def update(self, run: Run) -> None:
        """Show how far the run has come."""
        now, done = time.monotonic(), run.tally.rounds - run.rounds_before
        self._left.started_at = now - run.seconds  # compiling is over and says nothing about the pace
        total = None if run.wanted is None else run.wanted - run.rounds_before
        rate = f"{done / run.seconds / 1e6:,.1f} M rounds/s"
        self._bar.update(self._task, completed=done, total=total, updated_at=now, rate=rate)
