"""Numbered pieces of work on a crew: answered in their own order, whoever is done first or breaks down."""

from collections.abc import Callable, Generator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from typing import Generic, TypeVar

from feltworks.errors import FeltError
from feltworks.simulation.crews import Crew

_LOOK_EVERY = 0.25  # seconds
_MOST_BREAKS = 5
R = TypeVar("R")


class Relay(Generic[R]):
    """The pieces from a first one on, to a last one or without end; `work` has to travel to the crew.

    Iterating gives, at every look, the answers that have come in their order: often none.
    """

    def __init__(self, crew: Crew, work: Callable[[int], R], pieces: range | None, first: int = 0) -> None:
        self._crew, self._work, self._pieces, self._next = crew, work, pieces, first
        self._pending: dict[Future[R], int] = {}
        self._answered: dict[int, R] = {}
        self._breaks = 0

    def __iter__(self) -> Generator[list[R], None, None]:
        try:
            while self._is_wanted(self._next):
                self._hand_out()
                self._collect()
                yield self._in_order()
        finally:
            for future in self._pending:
                future.cancel()

    def _is_wanted(self, piece: int) -> bool:
        return self._pieces is None or piece in self._pieces

    def _hand_out(self) -> None:
        """Keep everybody busy, and no more: what waits to be taken stays small."""
        taken = {*self._pending.values(), *self._answered}
        piece = self._next
        while len(taken) < 2 * self._crew.size + 2 and self._is_wanted(piece):
            if piece not in taken:
                taken.add(piece)
                self._pending[self._crew.executor.submit(self._work, piece)] = piece
            piece += 1

    def _collect(self) -> None:
        done, _ = wait(self._pending, timeout=_LOOK_EVERY, return_when=FIRST_COMPLETED)
        if not done and self._crew.trouble:
            raise FeltError(self._crew.trouble)
        for future in done:
            piece = self._pending.pop(future)
            try:
                self._answered[piece] = future.result()
            except (BrokenExecutor, CancelledError, OSError):
                self._replace()
                return

    def _replace(self) -> None:
        """A worker was killed and took its crew along: everything not answered is handed out again."""
        self._breaks += 1
        if self._crew.trouble or self._breaks > _MOST_BREAKS:
            raise FeltError(self._crew.trouble or "the workers break down again and again")
        self._pending.clear()
        self._crew.renew()

    def _in_order(self) -> list[R]:
        found = []
        while self._next in self._answered:
            found.append(self._answered.pop(self._next))
            self._next += 1
        return found
