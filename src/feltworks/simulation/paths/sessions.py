"""A player's sessions: so many rounds each, one after the other, or until the bankroll is spent."""

from collections.abc import Iterator
from functools import partial
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.errors import BadOption
from feltworks.machine.streams import Stream
from feltworks.money import Cents, dollars
from feltworks.simulation.paths.statistics import NO_FLOOR, PathStatistics, path_statistics
from feltworks.simulation.plan import Plan, check_number, check_seed
from feltworks.simulation.rounds.kernel import BATCH, BLOCK, Kernel, kernel_of
from feltworks.simulation.workers import Progress, WorkerPool, WorkResult, add_up

MOST_ROUNDS: Final = 1_000_000
MOST_SESSIONS: Final = 1_000_000_000


class Sessions(Struct, frozen=True):
    """Sessions of the plan's first seat; with a bankroll one ends where no round can be opened any more."""

    plan: Plan
    seed: int
    rounds: int
    count: int
    bankroll: Cents | None = None

    def check(self) -> None:
        """Refuse a plan that cannot be dealt and numbers out of range."""
        self.plan.check()
        check_number("--session", self.rounds, MOST_ROUNDS)
        check_number("--sessions", self.count, MOST_SESSIONS)
        check_seed(self.seed)
        if self.bankroll is not None and self.bankroll < self.needed:
            opening = f"cents that cover the opening wagers of a round, {dollars(self.needed)}"
            raise BadOption("--bankroll", self.bankroll, opening)

    @property
    def needed(self) -> Cents:
        """What a round is opened with."""
        return sum(self.plan.seats[0].values())

    @property
    def floor(self) -> Cents:
        return NO_FLOOR if self.bankroll is None else self.needed - self.bankroll

    @property
    def from_a_stream(self) -> int:
        """Sessions that follow each other in one random stream."""
        return max(1, BLOCK // self.rounds)

    @property
    def in_a_piece(self) -> int:
        return self.from_a_stream * max(1, BATCH // (self.from_a_stream * self.rounds))

    def play(self, pool: WorkerPool, progress: Progress | None = None) -> WorkResult[PathStatistics]:
        """Play them all, or until Ctrl-C; the same seed gives the same paths on any pool."""
        self.check()
        pieces = range(-(-self.count // self.in_a_piece))
        return add_up(pool, partial(_play, self), pieces, progress, self._warm)

    def _warm(self) -> None:
        path_statistics([self.kernel.nets(Stream(0, 0), 1)], 1)

    @property
    def kernel(self) -> Kernel:
        return kernel_of(self.plan.to_json())


def _play(sessions: Sessions, piece: int) -> PathStatistics:
    first = piece * sessions.in_a_piece
    last = min(first + sessions.in_a_piece, sessions.count)
    return path_statistics(_nets(sessions, first, last), sessions.rounds, sessions.floor)


def _nets(sessions: Sessions, first: int, last: int) -> Iterator[NDArray[np.int64]]:
    for begin in range(first, last, sessions.from_a_stream):
        number = min(sessions.from_a_stream, last - begin)
        stream = Stream(sessions.seed, begin // sessions.from_a_stream)
        yield sessions.kernel.nets(stream, number * sessions.rounds)
