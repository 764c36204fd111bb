"""Draws simulations as SVG: the edges of a run, sessions and days, and the years of a jackpot.

The same numbers give the same file.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from io import StringIO
from itertools import cycle
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from feltworks.extras import require
from feltworks.money import Cents, dollars
from feltworks.simulation.jackpot import DAYS_A_YEAR, JackpotHistory
from feltworks.simulation.paths import Histogram, PathStatistics, points_of
from feltworks.simulation.run import Snapshot

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, FAINT, GREEN, RED, GOLD, BLUE = "#22313f", "#9aa5b1", "#14532d", "#b3261e", "#d98e04", "#3b5bdb"
_STYLE: Final[Any] = {
    "font.size": 9,
    "font.family": "sans-serif",
    "text.color": INK,
    "axes.edgecolor": FAINT,
    "axes.labelcolor": INK,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": INK,
    "ytick.color": INK,
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "feltworks",  # the same numbers give the same file
}
_SURE: Final = 1.96  # standard errors on either side for 95 percent confidence
_SHOWN: Final = 300  # only snapshots from the last 1/300 of the rounds on are drawn
_FANS: Final = (((0.05, 0.95), 0.14), ((0.25, 0.75), 0.26))
_MOST_BINS: Final = 60
_LEAST_SHOWN: Final[Cents] = 100_00
_TRIMMED: Final = (0.0005, 0.9995)  # quantiles to draw, since a jackpot would squeeze everything else
_HAND_COLOURS: Final = (RED, GOLD)
_JACKPOT_BINS: Final = 40
_LINES: Final = (GREEN, BLUE, "#7b2cbf", "#0b7285")


def _draw_svg(draw: "Callable[[Figure], None]", *, width: float = 10, height: float = 7) -> str:
    """Draws on an empty figure of this size in inches and returns the SVG document."""
    require("plots")
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    svg = StringIO()
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasSVG(figure)
        draw(figure)
        figure.savefig(svg, format="svg", metadata={"Date": None})
    return svg.getvalue()


def _in_dollars(axis: Any) -> None:
    """Labels an axis with dollars, with a minus before the dollar sign.

    >>> _dollars(-1250000, 0)
    '−$1,250,000'
    """
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axis.set_major_formatter(FuncFormatter(_dollars))
    axis.set_major_locator(MaxNLocator(6))


def _in_percent(axis: Any) -> None:
    """Labels an axis with percentages, with as many digits as needed."""
    from matplotlib.ticker import PercentFormatter

    axis.set_major_formatter(PercentFormatter(1))


def _in_whole_numbers(axis: Any) -> None:
    """Labels an axis with whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(8, integer=True))


def _dollars(amount: float, _place: object) -> str:
    cents = "" if amount == round(amount) else f"{abs(amount) % 1:.2f}"[1:]
    return f"{'−' if amount < 0 else ''}${int(abs(amount)):,}{cents}"


def _set_titles(axes: "Axes", title: str, across: str = "", along: str = "") -> None:
    """Sets the title of a picture and of its axes."""
    axes.set_title(title, color=INK)
    axes.set_xlabel(across)
    axes.set_ylabel(along)


def convergence_svg(title: str, snapshots: Sequence[Snapshot], exact: Mapping[str, float | None]) -> str:
    """Draws the convergence of the house edge, one panel for each wager in the order of `exact`."""
    last = [snapshot for snapshot in snapshots if snapshot.rounds * _SHOWN >= snapshots[-1].rounds]

    def draw(figure: "Figure") -> None:
        figure.suptitle(f"{title} (play money)")
        panels = figure.subplots(len(exact), 1, sharex=True, squeeze=False)
        for (panel,), (wager, edge) in zip(panels, exact.items(), strict=True):
            _draw_wager(panel, wager, last, edge)
        panels[-1][0].set_xlabel("rounds")

    return _draw_svg(draw, height=1 + 2.3 * len(exact))


def _draw_wager(axes: "Axes", wager: str, snapshots: Sequence[Snapshot], exact: float | None) -> None:
    rounds = [snapshot.rounds for snapshot in snapshots]
    edges = [snapshot.edges[wager][0] for snapshot in snapshots]
    errors = [_SURE * snapshot.edges[wager][1] for snapshot in snapshots]
    low, high = ([edge + way * error for edge, error in zip(edges, errors, strict=True)] for way in (-1, 1))
    axes.fill_between(rounds, low, high, color=GREEN, alpha=0.16, linewidth=0, label="±1.96 standard errors")
    axes.plot(rounds, edges, color=GREEN, linewidth=1.4, marker=".", markersize=4, label="simulated")
    if exact is not None:
        axes.axhline(exact, color=RED, linewidth=1.1, linestyle=(0, (5, 3)), label=f"exact {exact:.4%}")
    axes.set_xscale("log")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.2%}")
    axes.grid(axis="y", color=FAINT, alpha=0.25, linewidth=0.6)
    axes.margins(x=0.01)
    _set_titles(axes, f"{wager}: {edges[-1]:.4%} ± {errors[-1]:.4%}", along="house edge")
    axes.legend(frameon=False, ncols=3, loc="upper right", fontsize=8)


def sessions_svg(title: str, statistics: PathStatistics, rounds: int, needed: Cents, bankroll: Cents | None) -> str:
    """Draws a player's sessions: bands of results, their spread, losing runs, drawdowns, and the risk of ruin."""

    def draw(figure: "Figure") -> None:
        axes = _draw_paths(figure, title, statistics, rounds, ("sessions", "rounds"))
        _draw_ends(axes["ends"], statistics.result, "a session's result")
        _draw_ruin(axes["ruin"], statistics, needed, bankroll, "risk of ruin")

    return _draw_svg(draw)


def house_svg(
    title: str,
    wins: Histogram,
    stretches: PathStatistics,
    horizon: int,
    more_than: Cents | None,
    bankroll: Cents | None,
) -> str:
    """Draws a house's days: the same panels for stretches of days, with the spread of single days."""

    def draw(figure: "Figure") -> None:
        axes = _draw_paths(figure, title, stretches, horizon, ("stretches", "days"))
        _draw_ends(axes["ends"], wins, "a day's win", mark=None if more_than is None else -more_than)
        _draw_ruin(axes["ruin"], stretches, 0, bankroll, "short of money")

    return _draw_svg(draw)


def _draw_paths(
    figure: "Figure", title: str, statistics: PathStatistics, length: int, names: tuple[str, str]
) -> "dict[str, Axes]":
    """Draws the panels that all pictures of paths share; `names` are the words for paths and for steps."""
    figure.suptitle(f"{title} (play money)")
    axes = figure.subplot_mosaic([["fan", "fan", "ends"], ["runs", "falls", "ruin"]], height_ratios=[3, 2])
    _draw_fan(axes["fan"], statistics, length, *names)
    _draw_counts(axes["runs"], statistics.longest, "longest losing run", f"{names[1]} lost in a row")
    _draw_ends(axes["falls"], statistics.drawdown, "largest fall from the top")
    return axes


def _draw_fan(axes: "Axes", statistics: PathStatistics, length: int, paths: str, steps: str) -> None:
    """Draws the bands that hold half and nine in ten of the paths."""
    points = [0, *points_of(length)]
    for (low, high), alpha in _FANS:
        below, above = ([0, *(band.quantile(part) / 100 for band in statistics.bands)] for part in (low, high))
        label = f"{low:.0%} to {high:.0%}"
        axes.fill_between(points, below, above, color=GREEN, alpha=alpha, linewidth=0, label=label)
    middle = [0, *(band.quantile(0.5) / 100 for band in statistics.bands)]
    mean = [0, *(band.mean / 100 for band in statistics.bands)]
    axes.plot(points, middle, color=GREEN, linewidth=1.6, label="median")
    axes.plot(points, mean, color=GOLD, linewidth=1.1, linestyle=(0, (5, 3)), label="mean")
    axes.axhline(0, color=INK, linewidth=0.7)
    axes.set_xlim(0, length)
    axes.xaxis.set_major_formatter("{x:,.0f}")
    _in_dollars(axes.yaxis)
    _set_titles(axes, f"{paths} of {length:,} {steps}: {statistics.paths:,}", steps)
    is_falling = statistics.bands[-1].quantile(_FANS[0][0][1]) <= 0  # then the upper right corner is empty
    axes.legend(frameon=False, ncols=2, loc="upper right" if is_falling else "upper left", fontsize=8)


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
    _in_dollars(axes.xaxis)
    axes.tick_params(axis="x", rotation=25)
    _in_percent(axes.yaxis)
    _set_titles(axes, title, "dotted: 5%, median, 95%")


def _draw_counts(axes: "Axes", histogram: Histogram, title: str, across: str) -> None:
    numbers = sorted(key * histogram.grain for key in histogram.counts)
    shares = [histogram.counts[number // histogram.grain] / histogram.count for number in numbers]
    axes.bar(numbers, shares, color=GOLD, alpha=0.8, width=0.9 * histogram.grain)
    _in_percent(axes.yaxis)
    _in_whole_numbers(axes.xaxis)
    axes.set_xlim(numbers[0] - 1, max(histogram.quantile(_TRIMMED[1]), numbers[0] + 4) + 1)
    _set_titles(axes, title, across)


def _draw_ruin(axes: "Axes", statistics: PathStatistics, needed: Cents, bankroll: Cents | None, title: str) -> None:
    """Draws the share of paths that ruin each bankroll, up to the largest loss."""
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
    _in_dollars(axes.xaxis)
    axes.tick_params(axis="x", rotation=25)
    _in_percent(axes.yaxis)
    axes.set_ylim(0, None)
    axes.grid(color=FAINT, alpha=0.25, linewidth=0.6)
    _set_titles(axes, title, "bankroll")


def jackpot_svg(histories: Mapping[str, JackpotHistory]) -> str:
    """Draws the history of a jackpot under one or several policies, labelled by their names."""
    return _draw_svg(lambda figure: _draw_jackpot(figure, histories))


def _draw_jackpot(figure: "Figure", histories: Mapping[str, JackpotHistory]) -> None:
    axes = figure.subplot_mosaic([["posted", "posted"], ["sizes", "between"]], height_ratios=[3, 2])
    first = next(iter(histories.values()))
    seats = "one seat" if first.seats == 1 else f"{first.seats} seats"
    title = f"{first.title}: {seats}, {first.rounds_per_day:,} rounds a day (play money)"
    figure.suptitle(title, color=INK)
    _draw_posted(axes["posted"], histories)
    _draw_sizes(axes["sizes"], first)
    _draw_between(axes["between"], first)


def _colours(history: JackpotHistory) -> Iterator[tuple[str, str]]:
    """Returns the winning hands, the rarest first, each with its colour."""
    return zip(sorted(history.expected, key=history.expected.__getitem__), cycle(_HAND_COLOURS), strict=False)


def _draw_posted(axes: "Axes", histories: Mapping[str, JackpotHistory]) -> None:
    for place, (name, history) in enumerate(histories.items()):
        colour, width = _LINES[place % len(_LINES)], 0.7 if place else 1.4  # the first stays visible below others
        years = np.arange(history.days) / DAYS_A_YEAR
        label = f"posted, {name}" if name else "posted"
        axes.plot(years, history.closes[:, 0] / 100, color=colour, linewidth=width, label=label)
    first = next(iter(histories.values()))
    years = np.arange(first.days) / DAYS_A_YEAR
    backups = first.closes[:, 1:3].sum(axis=1) / 100
    axes.fill_between(years, backups, color=FAINT, alpha=0.35, linewidth=0, label="in backups")
    for place, (hand, colour) in enumerate(_colours(first)):
        hits = first.hits_of(hand)
        when = [hit.round / first.rounds_per_day / DAYS_A_YEAR for hit in hits]
        size = 7 if place else 18
        axes.scatter(when, [hit.posted / 100 for hit in hits], s=size, color=colour, label=hand, zorder=3)
    axes.set(xlabel="years", ylabel="jackpot", xlim=(0, first.days / DAYS_A_YEAR), ylim=(0, None))
    axes.yaxis.set_major_formatter("${x:,.0f}")
    axes.legend(frameon=False, ncols=5, loc="upper left", bbox_to_anchor=(0, 1.1))


def _draw_sizes(axes: "Axes", history: JackpotHistory) -> None:
    largest = max((hit.posted / 100 for hit in history.hits), default=1)
    edges = np.linspace(0, largest, _JACKPOT_BINS + 1).tolist()
    for hand, colour in _colours(history):
        sizes = [hit.posted / 100 for hit in history.hits_of(hand)]
        if sizes:
            axes.hist(sizes, bins=edges, color=colour, alpha=0.6, label=f"{len(sizes)} × {hand}")
    axes.set(xlabel="posted when it was hit", ylabel="hits")
    axes.xaxis.set_major_formatter("${x:,.0f}")
    axes.tick_params(axis="x", rotation=20)
    if history.hits:
        axes.legend(frameon=False)


def _draw_between(axes: "Axes", history: JackpotHistory) -> None:
    """Draws the share of waits that lasted at least so long, with a log scale so that chance is a straight line."""
    for hand, colour in _colours(history):
        waits = np.sort(history.days_between(hand))
        if len(waits):
            share = 1 - np.arange(len(waits)) / len(waits)
            mean = history.days / float(history.expected[hand])
            axes.step(waits, share, color=colour, label=hand)
            axes.plot(waits, np.exp(-waits / mean), color=colour, linewidth=0.7, linestyle=":")
    axes.set(xlabel="days between hits (dotted: as counted exactly)", ylabel="waits as long or longer")
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter("{x:.2g}")
