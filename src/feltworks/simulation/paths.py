"""Plays paths of a bankroll, a player's sessions or a house's days, and writes their statistics as JSON documents."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, partial
from itertools import accumulate
from math import ceil, sqrt
from typing import Any, Final

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.errors import BadOption
from feltworks.machine.streams import Stream
from feltworks.money import Cents, dollars
from feltworks.simulation.jackpot import MOST_ROUNDS_A_DAY
from feltworks.simulation.plan import Plan, check_number, check_seed
from feltworks.simulation.result import exact_edges, table_document
from feltworks.simulation.rounds.kernel import BATCH, BLOCK, kernel_of
from feltworks.simulation.workers import Progress, WorkerPool, WorkResult, add_up

NO_FLOOR: Final = -(2**62)
_BANDS: Final = 40
_BAND_KEYS: Final = 1 << 11
MOST_KEYS: Final = 1 << 14
_ROUNDING: Final = 1e-6  # tolerance for floating point, so that 0.95 of a hundred is ninety-five


class Histogram(Struct, frozen=True, dict=True):
    """Counts numbers, in bins of the smallest power of two that keeps the number of bins within `most`.

    The bin width does not depend on the order of additions, since a part never needs more bins than the whole.

    >>> numbers = Histogram.of([5, 3, 3, 9])
    >>> numbers.quantile(0.5), numbers.share_below(5), (numbers + numbers).count
    (3, 0.5, 8)
    """

    counts: dict[int, int]
    grain: int = 1
    most: int = MOST_KEYS

    @classmethod
    def of(cls, numbers: NDArray[np.int64] | Iterable[int], most: int = MOST_KEYS) -> "Histogram":
        """Builds the histogram of these numbers."""
        array = numbers if isinstance(numbers, np.ndarray) else np.array(list(numbers), np.int64)
        keys, counts = np.unique(array, return_counts=True)
        return cls(dict(zip(keys.tolist(), counts.tolist(), strict=True)), 1, most)._coarsen()

    def __add__(self, other: "Histogram") -> "Histogram":
        grain = max(self.grain, other.grain)
        return Histogram(self._at(grain) + other._at(grain), grain, self.most)._coarsen()

    def _at(self, grain: int) -> Counter[int]:
        """Returns the counts by this grain, which is its own or a coarser one."""
        if grain == self.grain:
            return Counter(self.counts)
        counts = Counter[int]()
        for key, count in self.counts.items():
            counts[key * self.grain // grain] += count
        return counts

    def _coarsen(self) -> "Histogram":
        grain, counts = self.grain, self.counts
        while len(counts) > self.most:
            grain *= 2
            counts = self._at(grain)
        return Histogram(dict(counts), grain, self.most)

    @cached_property
    def _ordered(self) -> tuple[list[int], list[int]]:
        """The numbers in ascending order, and the cumulative counts."""
        keys = sorted(self.counts)
        return [key * self.grain for key in keys], list(accumulate(self.counts[key] for key in keys))

    @cached_property
    def count(self) -> int:
        """The number of observations."""
        return sum(self.counts.values())

    def quantile(self, part: float) -> int:
        """Returns the smallest number with at least this share of all observations up to it."""
        numbers, cumulative = self._ordered
        return numbers[bisect_left(cumulative, max(1, ceil(part * self.count - _ROUNDING)))]

    def negate(self) -> "Histogram":
        """Returns the histogram of the negated numbers."""
        return Histogram({-key: count for key, count in self.counts.items()}, self.grain, self.most)

    def share_below(self, number: int) -> float:
        """Returns the share of observations that are less than this number."""
        numbers, cumulative = self._ordered
        at = bisect_left(numbers, number)
        return cumulative[at - 1] / self.count if at else 0.0

    @cached_property
    def mean(self) -> float:
        """The mean."""
        return sum(key * count for key, count in self.counts.items()) * self.grain / self.count

    @cached_property
    def deviation(self) -> float:
        """The standard deviation; zero for a single observation."""
        if self.count < 2:
            return 0.0
        total = sum(key * count for key, count in self.counts.items())
        squares = sum(key * key * count for key, count in self.counts.items())
        return self.grain * sqrt((squares - total * total / self.count) / (self.count - 1))


class PathStatistics(Struct, frozen=True):
    """Statistics of paths of one length in cents; they can be added in any order and do not grow in size."""

    paths: int
    result: Histogram
    longest: Histogram  # the longest run of losing steps
    drawdown: Histogram  # the largest fall from the highest point before
    depth: Histogram  # the largest loss if the path were never stopped
    lasted: Histogram  # steps until it was stopped, or all of them
    bands: tuple[Histogram, ...]  # the sums at `points_of(length)`

    def __add__(self, other: "PathStatistics") -> "PathStatistics":
        return PathStatistics(
            self.paths + other.paths,
            self.result + other.result,
            self.longest + other.longest,
            self.drawdown + other.drawdown,
            self.depth + other.depth,
            self.lasted + other.lasted,
            tuple(one + two for one, two in zip(self.bands, other.bands, strict=True)),
        )

    def ruin_share(self, bankroll: Cents, needed: Cents = 0) -> float:
        """Returns the share of paths on which less than `needed` was left of a bankroll at some point."""
        return 1 - self.depth.share_below(bankroll - needed + 1)

    def bankroll(self, safety: float, needed: Cents = 0) -> Cents:
        """Returns the smallest bankroll that never falls below `needed` on this share of the paths."""
        return self.depth.quantile(safety) + needed


def points_of(length: int) -> list[int]:
    """Lists the steps at which the sums of all paths are recorded.

    >>> points_of(4), points_of(1000)[:2], points_of(1000)[-1]
    ([1, 2, 3, 4], [25, 50], 1000)
    """
    return sorted({-(-length * number // _BANDS) for number in range(1, _BANDS + 1)})


def path_statistics(chunks: Iterable[NDArray[np.int64]], length: int, floor: Cents = NO_FLOOR) -> PathStatistics:
    """Cuts the steps of every chunk into paths and computes their statistics; paths stop below the floor."""
    from feltworks.simulation.scan import COLUMNS, scan_paths  # loads the compiler

    points = points_of(length)
    ends, sums = [], []
    for nets in chunks:
        ends.append(np.zeros((len(nets) // length, COLUMNS), np.int64))
        sums.append(np.zeros((len(nets) // length, len(points)), np.int64))
        scan_paths(nets, length, np.array([*points, 0]), floor, ends[-1], sums[-1])
    result, longest, drawdown, depth, lasted = map(Histogram.of, np.concatenate(ends).T)
    bands = tuple(Histogram.of(column, _BAND_KEYS) for column in np.concatenate(sums).T)
    paths = sum(map(len, ends))
    return PathStatistics(paths, result, longest, drawdown, depth, lasted, bands)


MOST_ROUNDS: Final = 1_000_000
MOST_SESSIONS: Final = 1_000_000_000
MOST_DAYS: Final = 100_000_000
MOST_HORIZON: Final = 36_500


class Sessions(Struct, frozen=True):
    """Sessions of the plan's first seat; a session ends when its bankroll cannot open another round."""

    plan: Plan
    seed: int
    rounds: int
    count: int
    bankroll: Cents | None = None

    def check(self) -> None:
        """Refuses a plan that cannot be dealt and numbers out of range."""
        self.plan.check()
        check_number("--session", self.rounds, MOST_ROUNDS)
        check_number("--sessions", self.count, MOST_SESSIONS)
        check_seed(self.seed)
        if self.bankroll is not None and self.bankroll < self.needed:
            opening = f"cents that cover the opening wagers of a round, {dollars(self.needed)}"
            raise BadOption("--bankroll", self.bankroll, opening)

    @property
    def needed(self) -> Cents:
        """The sum of the opening wagers of a round."""
        return sum(self.plan.seats[0].values())

    @property
    def floor(self) -> Cents:
        """A session ends when its result falls below this."""
        return NO_FLOOR if self.bankroll is None else self.needed - self.bankroll

    @property
    def from_a_stream(self) -> int:
        """The number of consecutive sessions from one random stream."""
        return max(1, BLOCK // self.rounds)

    @property
    def in_a_piece(self) -> int:
        """The number of sessions in one piece of work."""
        return self.from_a_stream * max(1, BATCH // (self.from_a_stream * self.rounds))

    def play(self, pool: WorkerPool, progress: Progress | None = None) -> WorkResult[PathStatistics]:
        """Plays all sessions, or until Ctrl-C; the same seed gives the same paths on any pool."""
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
    """The house's win of every day, and stretches of consecutive days."""

    wins: Histogram
    stretches: PathStatistics | None  # None while no stretch is complete

    def __add__(self, other: "DayStatistics") -> "DayStatistics":
        both = self.stretches and other.stretches and self.stretches + other.stretches
        return DayStatistics(self.wins + other.wins, both or self.stretches or other.stretches)


class HouseDays(Struct, frozen=True):
    """Days of a table with all seats of the plan; every day has a fresh shoe, every stretch a new bankroll."""

    plan: Plan
    seed: int
    days: int
    rounds_per_day: int
    horizon: int  # days in a stretch, which one bankroll has to last
    bankroll: Cents | None = None

    def check(self) -> None:
        """Refuses a plan that cannot be dealt and numbers out of range."""
        self.plan.check()
        check_number("--days", self.days, MOST_DAYS)
        check_number("--rounds-per-day", self.rounds_per_day, MOST_ROUNDS_A_DAY)
        check_number("--horizon", self.horizon, min(self.days, MOST_HORIZON))
        check_seed(self.seed)
        if self.bankroll is not None and self.bankroll < 0:
            raise BadOption("--bankroll", self.bankroll, "a whole number of cents from 0 on")

    def deal(self, pool: WorkerPool, progress: Progress | None = None) -> WorkResult[DayStatistics]:
        """Deals all days, or until Ctrl-C; the same seed gives the same days on any pool."""
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


PARTS: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)
BANDS: Final = (0.05, 0.25, 0.5, 0.75, 0.95)
SAFETIES: Final = (0.9, 0.95, 0.99, 0.999)
_SURE: Final = 1.96


def percent(part: float) -> str:
    """Formats a share as a percentage.

    >>> percent(0.05), percent(0.999)
    ('5%', '99.9%')
    """
    return f"{100 * part:.10g}%"


def session_document(sessions: Sessions, statistics: PathStatistics, safety: float | None) -> dict[str, Any]:
    """Writes the JSON document of a player's sessions."""
    plan, bankroll, needed = sessions.plan, sessions.bankroll, sessions.needed
    expected = None if bankroll is not None else _expected(plan, plan.seats[:1], sessions.rounds)
    safeties = _safeties(safety, statistics.paths)
    return {
        "game": plan.game,
        "seed": sessions.seed,
        "session_rounds": sessions.rounds,
        "sessions": statistics.paths,
        "result": _result(statistics.result, expected),
        "ahead": 1 - statistics.result.share_below(1),
        "longest_losing_run": _quantiles(statistics.longest),
        "drawdown": _quantiles(statistics.drawdown),
        "needed": needed,
        "ruin": None
        if bankroll is None
        else {**_ruin(statistics, bankroll, needed), "rounds_lasted": _quantiles(statistics.lasted)},
        "bankroll_for": {percent(part): statistics.bankroll(part, needed) for part in safeties},
        "bands": _bands(statistics, sessions.rounds),
        **table_document(plan),
    }


def house_document(
    house: HouseDays, days: DayStatistics, more_than: Cents | None, safety: float | None
) -> dict[str, Any]:
    """Writes the JSON document of a house's days."""
    plan, losses, stretches = house.plan, days.wins.negate(), days.stretches
    wins = _result(days.wins, _expected(plan, plan.seats, house.rounds_per_day, for_house=True))
    return {
        "game": plan.game,
        "seed": house.seed,
        "days": days.wins.count,
        "rounds_per_day": house.rounds_per_day,
        "win": wins,
        "losing_days": days.wins.share_below(0),
        "loses_more_than": None
        if more_than is None
        else {"cents": more_than, **_share(days.wins.share_below(-more_than), days.wins.count)},
        "reserve_for": {percent(part): max(0, losses.quantile(part)) for part in _safeties(safety, losses.count)},
        "horizon": house.horizon,
        "stretches": stretches.paths if stretches else 0,
        **(_stretches(house, stretches, safety) if stretches else {}),
        **table_document(plan),
    }


def _stretches(house: HouseDays, stretches: PathStatistics, safety: float | None) -> dict[str, Any]:
    bankroll = house.bankroll
    return {
        "losing_stretches": stretches.result.share_below(0),
        "longest_losing_run": _quantiles(stretches.longest),
        "drawdown": _quantiles(stretches.drawdown),
        "ruin": None if bankroll is None else _ruin(stretches, bankroll, 0),
        "bankroll_for": {percent(part): stretches.bankroll(part) for part in _safeties(safety, stretches.paths)},
        "bands": _bands(stretches, house.horizon),
    }


def check_safety(safety: float | None, count: int, option: str) -> None:
    """Refuses a safety that is too high to be estimated from so few sessions or stretches."""
    if safety is not None and count * (1 - safety) < 1 - 1e-9:
        wanted = f"at least {round(1 / (1 - safety)):,} for a safety of {percent(safety)}"
        raise BadOption(option, count, wanted)


def _safeties(safety: float | None, count: int) -> list[float]:
    return sorted({part for part in (*SAFETIES, safety) if part and count * (1 - part) >= 1 - 1e-9})


def _expected(plan: Plan, seats: Sequence[dict[str, Cents]], rounds: int, *, for_house: bool = False) -> float | None:
    """Computes the expected result from the exact edges; None if one of them is not known."""
    edges = exact_edges(plan)
    if any(edge is None for edge in edges.values()):
        return None
    win = sum(float(edges[name] or 0) * cents for seat in seats for name, cents in seat.items()) * rounds
    return win if for_house else -win


def _result(histogram: Histogram, expected: float | None) -> dict[str, Any]:
    error = histogram.deviation / sqrt(histogram.count)
    return {
        "mean": histogram.mean,
        "standard_error": error,
        "expected": expected,
        "z": None if expected is None or not error else (histogram.mean - expected) / error,
        "standard_deviation": histogram.deviation,
        **_quantiles(histogram),
    }


def _quantiles(histogram: Histogram) -> dict[str, int]:
    parts = {percent(part): histogram.quantile(part) for part in PARTS}
    return {"least": histogram.quantile(0), **parts, "most": histogram.quantile(1)}


def _ruin(statistics: PathStatistics, bankroll: Cents, needed: Cents) -> dict[str, Any]:
    return {"bankroll": bankroll, **_share(statistics.ruin_share(bankroll, needed), statistics.paths)}


def _share(share: float, count: int) -> dict[str, Any]:
    """Writes an observed share with its 95 percent confidence interval (Wilson)."""
    square = _SURE**2 / count
    middle, width = share + square / 2, _SURE * sqrt(share * (1 - share) / count + square / (4 * count))
    low, high = ((middle + way * width) / (1 + square) for way in (-1, 1))
    return {"probability": share, "interval": [max(0.0, low), min(1.0, high)]}


def _bands(statistics: PathStatistics, length: int) -> list[dict[str, int]]:
    at = zip(points_of(length), statistics.bands, strict=True)
    return [{"after": point, **{percent(part): band.quantile(part) for part in BANDS}} for point, band in at]
