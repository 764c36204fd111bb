"""Sessions and days as a picture: bands of results, their spread, losing runs, falls, and bankrolls."""

from typing import TYPE_CHECKING, Final

import numpy as np

from feltworks.money import Cents, dollars
from feltworks.simulation.paths.statistics import Histogram, PathStatistics, points_of
from feltworks.simulation.plots import (
    BLUE,
    FAINT,
    GOLD,
    GREEN,
    INK,
    RED,
    draw_svg,
    in_dollars,
    in_percent,
    in_whole_numbers,
    set_titles,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_FANS: Final = (((0.05, 0.95), 0.14), ((0.25, 0.75), 0.26))
_MOST_BINS: Final = 60
_LEAST_SHOWN: Final[Cents] = 100_00
_TRIMMED: Final = (0.0005, 0.9995)  # a jackpot would leave nothing to see of the rest


def sessions_svg(
    title: str, statistics: PathStatistics, rounds: int, needed: Cents, bankroll: Cents | None
) -> str:
    """A player's sessions."""

    def draw(figure: "Figure") -> None:
        figure.suptitle(f"{title} (play money)")
        axes = figure.subplot_mosaic(
            [["fan", "fan", "ends"], ["runs", "falls", "ruin"]], height_ratios=[3, 2]
        )
        _draw_fan(axes["fan"], statistics, rounds, "sessions, rounds")
        _draw_ends(axes["ends"], statistics.result, "a session's result")
        _draw_counts(axes["runs"], statistics.longest, "longest losing run", "rounds lost in a row")
        _draw_ends(axes["falls"], statistics.drawdown, "largest fall from the top")
        _draw_ruin(axes["ruin"], statistics, needed, bankroll, "risk of ruin")

    return draw_svg(draw)


def house_svg(
    title: str,
    wins: Histogram,
    stretches: PathStatistics,
    horizon: int,
    more_than: Cents | None,
    bankroll: Cents | None,
) -> str:
    """A house's days."""

    def draw(figure: "Figure") -> None:
        figure.suptitle(f"{title} (play money)")
        axes = figure.subplot_mosaic(
            [["fan", "fan", "days"], ["runs", "falls", "ruin"]], height_ratios=[3, 2]
        )
        _draw_fan(axes["fan"], stretches, horizon, "stretches, days")
        _draw_ends(axes["days"], wins, "a day's win", mark=None if more_than is None else -more_than)
        _draw_counts(axes["runs"], stretches.longest, "longest losing run", "days lost in a row")
        _draw_ends(axes["falls"], stretches.drawdown, "largest fall from the top")
        _draw_ruin(axes["ruin"], stretches, 0, bankroll, "short of money")

    return draw_svg(draw)


def _draw_fan(axes: "Axes", statistics: PathStatistics, length: int, named: str) -> None:
    """Where the middle half and nine in ten of the paths lie."""
    paths, steps = named.split(", ")
    points = [0, *points_of(length)]
    for (low, high), alpha in _FANS:
        below, above = (
            [0, *(band.quantile(part) / 100 for band in statistics.bands)] for part in (low, high)
        )
        label = f"{low:.0%} to {high:.0%}"
        axes.fill_between(points, below, above, color=GREEN, alpha=alpha, linewidth=0, label=label)
    middle = [0, *(band.quantile(0.5) / 100 for band in statistics.bands)]
    mean = [0, *(band.mean / 100 for band in statistics.bands)]
    axes.plot(points, middle, color=GREEN, linewidth=1.6, label="median")
    axes.plot(points, mean, color=GOLD, linewidth=1.1, linestyle=(0, (5, 3)), label="mean")
    axes.axhline(0, color=INK, linewidth=0.7)
    axes.set_xlim(0, length)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    in_dollars(axes.yaxis)
    set_titles(axes, f"{paths} of {length:,} {steps}: {statistics.paths:,}", steps)
    falls = statistics.bands[-1].quantile(_FANS[0][0][1]) <= 0  # then the other corner is the empty one
    axes.legend(frameon=False, ncols=2, loc="upper right" if falls else "upper left", fontsize=8)


def _draw_ends(axes: "Axes", histogram: Histogram, title: str, mark: Cents | None = None) -> None:
    low, high = (histogram.quantile(part) / 100 for part in _TRIMMED)
    bins = min(_MOST_BINS, 8 + round(histogram.count**0.5))
    edges = np.linspace(low, max(high, low + 1), bins + 1).tolist()
    numbers = np.array([key * histogram.grain / 100 for key in histogram.counts])
    weights = np.array(list(histogram.counts.values())) / histogram.count
    axes.hist(np.clip(numbers, edges[0], edges[-1]), bins=edges, weights=weights, color=BLUE, alpha=0.7)
    for part in (0.05, 0.5, 0.95):
        axes.axvline(histogram.quantile(part) / 100, color=INK, linewidth=0.8, linestyle=":")
    if mark is not None:
        share = histogram.share_below(mark)
        axes.axvline(mark / 100, color=RED, linewidth=1.2)
        title = f"{title}\n{share:.2%} lose more than {dollars(-mark)}"
    in_dollars(axes.xaxis)
    axes.tick_params(axis="x", rotation=25)
    in_percent(axes.yaxis)
    set_titles(axes, title, "dotted: 5%, median, 95%")


def _draw_counts(axes: "Axes", histogram: Histogram, title: str, across: str) -> None:
    numbers = sorted(key * histogram.grain for key in histogram.counts)
    shares = [histogram.counts[number // histogram.grain] / histogram.count for number in numbers]
    axes.bar(numbers, shares, color=GOLD, alpha=0.8, width=0.9 * histogram.grain)
    in_percent(axes.yaxis)
    in_whole_numbers(axes.xaxis)
    axes.set_xlim(numbers[0] - 1, max(histogram.quantile(_TRIMMED[1]), numbers[0] + 4) + 1)
    set_titles(axes, title, across)


def _draw_ruin(
    axes: "Axes", statistics: PathStatistics, needed: Cents, bankroll: Cents | None, title: str
) -> None:
    """What part of the paths is too much for every bankroll, down to where none is left."""
    most = needed + max(_LEAST_SHOWN, statistics.depth.quantile(1) * 11 // 10)
    bankrolls = np.linspace(needed, most, 200).astype(np.int64)
    axes.step(
        bankrolls / 100,
        [statistics.ruin_share(int(cents), needed) for cents in bankrolls],
        color=RED,
        where="post",
    )
    if bankroll is not None:
        risk = statistics.ruin_share(bankroll, needed)
        title = f"{title}\n{risk:.2%} with {dollars(bankroll)}"
        if bankroll <= bankrolls[-1]:
            axes.plot([bankroll / 100], [risk], marker="o", color=INK)
    in_dollars(axes.xaxis)
    axes.tick_params(axis="x", rotation=25)
    in_percent(axes.yaxis)
    axes.set_ylim(0, None)
    axes.grid(color=FAINT, alpha=0.25, linewidth=0.6)
    set_titles(axes, title, "bankroll")
