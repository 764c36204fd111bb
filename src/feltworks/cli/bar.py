"""The bar that long work shows: what is done, what is left, and for how long."""

import time

from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TaskProgressColumn, TextColumn
from rich.text import Text


class TimeLeft(ProgressColumn):
    """The time left at the pace of the whole work so far, counting down between two pieces of news."""

    def __init__(self, began: float) -> None:
        super().__init__()
        self.began = began

    def render(self, task: Task) -> Text:
        """The time left as a clock shows it; nothing while there is nothing to judge by."""
        told = task.fields["told"]
        if not task.completed or not task.total:
            return Text("")
        whole = (told - self.began) * task.total / task.completed
        left = max(0, round(self.began + whole - time.monotonic()))
        return Text(f"{left // 60}:{left % 60:02} left")


def new_bar(words: str, began: float, ctrl_c: str = "Ctrl-C stops") -> Progress:
    """A bar on standard error for work that began at that time of the monotonic clock; it leaves no trace."""
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeLeft(began))
    bar = Progress(*columns, TextColumn(ctrl_c), console=Console(stderr=True), transient=True)
    bar.add_task(words, total=None, told=began)
    return bar
