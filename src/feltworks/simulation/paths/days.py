"""The house's days at one table: what each of them wins or loses, and how deep stretches of days go."""

from functools import partial

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.errors import BadOption
from feltworks.machine.streams import Stream
from feltworks.money import Cents
from feltworks.simulation.jackpot.play import MOST_ROUNDS_A_DAY
from feltworks.simulation.paths.statistics import NO_FLOOR, Histogram, PathStatistics, path_statistics
from feltworks.simulation.plan import Plan, check_number, check_seed
from feltworks.simulation.rounds.kernel import kernel_of
from feltworks.simulation.tally import Layout, Tally, row_columns
from feltworks.simulation.workers import Progress, WorkerPool, WorkResult, add_up

MOST_DAYS = 100_000_000
MOST_HORIZON = 36_500


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
    nets = _row_nets(kernel.layout)
    tallies = (kernel.tally(stream, house.rounds_per_day) for _ in range(days))
    wins = np.array([-_net(kernel.layout, nets, tally) for tally in tallies], np.int64)
    floor = NO_FLOOR if house.bankroll is None else -house.bankroll
    return DayStatistics(
        Histogram.of(wins), path_statistics([wins], house.horizon, floor) if days == house.horizon else None
    )


def _row_nets(layout: Layout) -> NDArray[np.int64]:
    wagers = len(layout.wagers)
    return np.array([sum(row_columns(layout, row)[:wagers]) for row in layout.rows], np.int64)


def _net(layout: Layout, nets: NDArray[np.int64], tally: Tally) -> Cents:
    """What all seats together are up."""
    return int(tally.counts @ nets) if layout.joint else sum(tally.sums[: len(layout.wagers)])
