"""Paths of a bankroll as they are played: a player's sessions round by round, a house's days one by one."""

from collections.abc import Iterator
from functools import partial
from typing import Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.errors import BadOption
from feltworks.machine.streams import Stream
from feltworks.money import Cents, dollars
from feltworks.simulation.jackpot.play import MOST_ROUNDS_A_DAY
from feltworks.simulation.paths.statistics import NO_FLOOR, Histogram, PathStatistics, path_statistics
from feltworks.simulation.plan import Plan, check_number, check_seed
from feltworks.simulation.rounds.kernel import BATCH, BLOCK, kernel_of
from feltworks.simulation.workers import Progress, WorkerPool, WorkResult, add_up

MOST_ROUNDS: Final = 1_000_000
MOST_SESSIONS: Final = 1_000_000_000
MOST_DAYS: Final = 100_000_000
MOST_HORIZON: Final = 36_500


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
        """A session ends when it is down further than this."""
        return NO_FLOOR if self.bankroll is None else self.needed - self.bankroll

    @property
    def from_a_stream(self) -> int:
        """Sessions that follow each other in one random stream."""
        return max(1, BLOCK // self.rounds)

    @property
    def in_a_piece(self) -> int:
        """Sessions that a worker plays at a time."""
        return self.from_a_stream * max(1, BATCH // (self.from_a_stream * self.rounds))

    def play(self, pool: WorkerPool, progress: Progress | None = None) -> WorkResult[PathStatistics]:
        """Play them all, or until Ctrl-C; the same seed gives the same paths on any pool."""
        self.check()
        pieces = range(-(-self.count // self.in_a_piece))
        return add_up(pool, partial(_play, self), pieces, progress, self._warm)

    def _warm(self) -> None:
        path_statistics([kernel_of(self.plan.to_json()).nets(Stream(0, 0), 1)], 1)


def _play(sessions: Sessions, piece: int) -> PathStatistics:
    first = piece * sessions.in_a_piece
    last = min(first + sessions.in_a_piece, sessions.count)
    return path_statistics(_nets(sessions, first, last), sessions.rounds, sessions.floor)


def _nets(sessions: Sessions, first: int, last: int) -> Iterator[NDArray[np.int64]]:
    kernel = kernel_of(sessions.plan.to_json())
    for begin in range(first, last, sessions.from_a_stream):
        number = min(sessions.from_a_stream, last - begin)
        stream = Stream(sessions.seed, begin // sessions.from_a_stream)
        yield kernel.nets(stream, number * sessions.rounds)


class DayStatistics(Struct, frozen=True):
    """Every day's win of the house, and stretches of so many days in a row."""

    wins: Histogram
    stretches: PathStatistics | None  # None while no stretch is whole

    def __add__(self, other: "DayStatistics") -> "DayStatistics":
        both = self.stretches and other.stretches and self.stretches + other.stretches
        return DayStatistics(self.wins + other.wins, both or self.stretches or other.stretches)


class HouseDays(Struct, frozen=True):
    """Days of a table with all seats of the plan; a shoe is fresh every day, a bankroll lasts a stretch."""

    plan: Plan
    seed: int
    days: int
    rounds_per_day: int
    horizon: int  # days in a row that a bankroll has to last
    bankroll: Cents | None = None

    def check(self) -> None:
        """Refuse a plan that cannot be dealt and numbers out of range."""
        self.plan.check()
        check_number("--days", self.days, MOST_DAYS)
        check_number("--rounds-per-day", self.rounds_per_day, MOST_ROUNDS_A_DAY)
        check_number("--horizon", self.horizon, min(self.days, MOST_HORIZON))
        check_seed(self.seed)
        if self.bankroll is not None and self.bankroll < 0:
            raise BadOption("--bankroll", self.bankroll, "a whole number of cents from 0 on")

    def deal(self, pool: WorkerPool, progress: Progress | None = None) -> WorkResult[DayStatistics]:
        """Deal all days, or until Ctrl-C; the same seed gives the same days on any pool."""
        self.check()
        pieces = range(-(-self.days // self.horizon))
        return add_up(pool, partial(_deal, self), pieces, progress, self._warm)

    def _warm(self) -> None:
        kernel_of(self.plan.to_json()).tally(Stream(0, 0), 1)
        path_statistics([np.zeros(1, np.int64)], 1)


def _deal(house: HouseDays, stretch: int) -> DayStatistics:
    kernel, stream = kernel_of(house.plan.to_json()), Stream(house.seed, stretch)
    days = min(house.horizon, house.days - stretch * house.horizon)
    wagers = len(kernel.layout.wagers)
    tallies = (kernel.tally(stream, house.rounds_per_day) for _ in range(days))
    wins = np.array([-sum(tally.sums[:wagers]) for tally in tallies], np.int64)
    floor = NO_FLOOR if house.bankroll is None else -house.bankroll
    is_whole = days == house.horizon
    paths = path_statistics([wins], house.horizon, floor) if is_whole else None
    return DayStatistics(Histogram.of(wins), paths)
