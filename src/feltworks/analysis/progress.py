"""Reports the progress of long work."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Progress = Callable[[float, float], None]  # the work done and the whole work
B = TypeVar("B")
_SMALLEST_SHARE = 1 / 2_000  # a smaller share of the whole is not reported


def part_of(progress: Progress | None, done: float, total: float) -> Progress | None:
    """Returns a callback for one piece of work that reports progress of the whole, counted in pieces."""
    if progress is None:
        return None
    return lambda inner, whole: progress(done + inner / whole, total)


class Track:
    """Measures how much of a tree walk is done: a branch counts by its weight's share of its parent.

    >>> track = Track(lambda done, total: print(f"{done:.0%}"))
    >>> for trunk in track.branches([(3, "a"), (1, "b")]):
    ...     twigs = list(track.branches([(1, 0), (1, 1)]))
    38%
    75%
    75%
    88%
    100%
    100%
    """

    def __init__(self, progress: Progress | None = None) -> None:
        self._tell = progress
        self._share, self._done = 1.0, 0.0

    def branches(self, weighed: Iterable[tuple[int, B]]) -> Iterator[tuple[int, B]]:
        """Yields branches with their weights; a branch counts as done when the next one is taken."""
        if self._tell is None:
            return iter(weighed)
        return self._report_branches(list(weighed), self._tell)

    def _report_branches(self, weighed: list[tuple[int, B]], tell: Progress) -> Iterator[tuple[int, B]]:
        share, done = self._share, self._done
        total = sum(weight for weight, _ in weighed)
        for weight, branch in weighed:
            self._share = share * weight / total
            yield weight, branch
            done += share * weight / total
            self._done = done
            if share * weight / total >= _SMALLEST_SHARE:
                tell(done, 1.0)
        self._share = share
