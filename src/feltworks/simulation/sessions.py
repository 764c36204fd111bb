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
from feltworks.simulation.blocks import BATCH, BLOCK, kernel_of
from feltworks.simulation.checks import check_number, check_seed
from feltworks.simulation.crews import Crew
from feltworks.simulation.kernel import Kernel
from feltworks.simulation.plan import Plan
from feltworks.simulation.walking import ToldWalk, Walked, walk
from feltworks.simulation.walks import NO_FLOOR, Walks, walked

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
        """Refuse what makes no sense, in one sentence."""
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

    def play(self, crew: Crew, told: ToldWalk | None = None) -> Walked[Walks]:
        """Play them all, or until Ctrl-C; the same seed gives the same paths whoever plays them."""
        self.check()
        pieces = range(-(-self.count // self.in_a_piece))
        return walk(crew, partial(_play, self), pieces, told, self._warm)

    def _warm(self) -> None:
        walked([self.kernel.nets(Stream(0, 0), 1)], 1)

    @property
    def kernel(self) -> Kernel:
        return kernel_of(self.plan.to_json())


def _play(sessions: Sessions, piece: int) -> Walks:
    first = piece * sessions.in_a_piece
    last = min(first + sessions.in_a_piece, sessions.count)
    return walked(_nets(sessions, first, last), sessions.rounds, sessions.floor)


def _nets(sessions: Sessions, first: int, last: int) -> Iterator[NDArray[np.int64]]:
    for begin in range(first, last, sessions.from_a_stream):
        number = min(sessions.from_a_stream, last - begin)
        stream = Stream(sessions.seed, begin // sessions.from_a_stream)
        yield sessions.kernel.nets(stream, number * sessions.rounds)
