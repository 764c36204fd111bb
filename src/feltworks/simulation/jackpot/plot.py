"""A jackpot's history as a picture: posted amounts day by day, hits, their sizes and the time between."""

from collections.abc import Iterator, Mapping
from itertools import cycle
from typing import TYPE_CHECKING, Final

import numpy as np

from feltworks.simulation.jackpot.history import JackpotHistory
from feltworks.simulation.jackpot.play import DAYS_A_YEAR
from feltworks.simulation.plots import BLUE, FAINT, GOLD, GREEN, INK, RED, draw_svg

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_HAND_COLOURS: Final = (RED, GOLD)
_BINS: Final = 40
_LINES: Final = (GREEN, BLUE, "#7b2cbf", "#0b7285")


def jackpot_svg(histories: Mapping[str, JackpotHistory]) -> str:
    """One play under one policy or several, by their names, as an SVG document."""
    return draw_svg(lambda figure: _draw(figure, histories))


def _draw(figure: "Figure", histories: Mapping[str, JackpotHistory]) -> None:
    axes = figure.subplot_mosaic([["posted", "posted"], ["sizes", "between"]], height_ratios=[3, 2])
    first = next(iter(histories.values()))
    seats = "one seat" if first.seats == 1 else f"{first.seats} seats"
    title = f"{first.title}: {seats}, {first.rounds_per_day:,} rounds a day (play money)"
    figure.suptitle(title, color=INK)
    _draw_posted(axes["posted"], histories)
    _draw_sizes(axes["sizes"], first)
    _draw_between(axes["between"], first)


def _colours(history: JackpotHistory) -> Iterator[tuple[str, str]]:
    """The winning hands, the rarest first, each with its colour."""
    return zip(sorted(history.expected, key=history.expected.__getitem__), cycle(_HAND_COLOURS), strict=False)


def _draw_posted(axes: "Axes", histories: Mapping[str, JackpotHistory]) -> None:
    for place, (name, history) in enumerate(histories.items()):
        colour, width = _LINES[place % len(_LINES)], 0.7 if place else 1.4  # the first shows beneath others
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
    edges = np.linspace(0, max((hit.posted / 100 for hit in history.hits), default=1), _BINS + 1).tolist()
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
    """How many waits lasted so long at least, on a scale that makes chance a straight line."""
    for hand, colour in _colours(history):
        rounds = np.diff([hit.round for hit in history.hits_of(hand)])
        waits = np.sort(rounds) / history.rounds_per_day
        if len(waits):
            share = 1 - np.arange(len(waits)) / len(waits)
            mean = history.days / float(history.expected[hand])
            axes.step(waits, share, color=colour, label=hand)
            axes.plot(waits, np.exp(-waits / mean), color=colour, linewidth=0.7, linestyle=":")
    axes.set(xlabel="days between hits (dotted: as counted exactly)", ylabel="waits as long or longer")
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter("{x:.2g}")
