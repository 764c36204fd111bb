"""Plots for papers, drawn by matplotlib as SVG; the same numbers give the same bytes."""

from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from io import StringIO
from typing import TYPE_CHECKING, Any, Final

from feltworks.analysis.measures import SHARES, Volatility, widths
from feltworks.extras import require
from feltworks.reports.wager_sheet import ProgressiveSheet

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_BRASS, _GREY, _RULE = "#745410", "#62645e", "#e3dfd3"
_STYLE: Final[Any] = {
    "font.size": 7.4,
    "font.family": ["Liberation Sans", "Arial", "Helvetica", "DejaVu Sans"],
    "axes.edgecolor": "#b9b5a8",
    "axes.linewidth": 0.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.labelcolor": _GREY,
    "xtick.color": _GREY,
    "ytick.color": _GREY,
    "xtick.major.width": 0.5,
    "ytick.major.width": 0.5,
    "text.color": _GREY,
    "svg.fonttype": "none",
    "svg.hashsalt": "feltworks",
}
_MILLIMETRES: Final = 25.4


def band_plot(volatility: Volatility) -> str:
    """The house's result per wager over rounds, as bands around the edge."""

    def draw(axes: "Axes") -> None:
        rounds = [10 ** (3 + step / 20) for step in range(61)]
        spread = [widths(volatility.deviation, round(number)) for number in rounds]
        for place, shade in ((SHARES.index(0.99), 0.14), (SHARES.index(0.90), 0.2)):
            low = [100 * (volatility.edge - width[place]) for width in spread]
            high = [100 * (volatility.edge + width[place]) for width in spread]
            axes.fill_between(rounds, low, high, color=_BRASS, alpha=shade, linewidth=0)
        axes.axhline(0, color=_GREY, linewidth=0.5)
        axes.axhline(100 * volatility.edge, color=_BRASS, linewidth=1)
        axes.set_xscale("log")
        axes.set_xlim(1e3, 1e6)
        axes.set_xticks([1e3, 1e4, 1e5, 1e6], ["1,000", "10,000", "100,000", "1,000,000"])
        axes.minorticks_off()
        axes.yaxis.set_major_formatter(_percent)
        axes.grid(axis="y", color=_RULE, linewidth=0.5)

    return _data_url(draw, 84, 33)


def meter_plot(sheet: ProgressiveSheet) -> str:
    """The return of a progressive by its posted amount, with one seat in action."""

    def draw(axes: "Axes") -> None:
        most = max(cents for cents, _, _ in sheet.meters)
        ends = [float(100 * sheet.alone.expected_return(cents)) for cents in (0, most)]
        axes.plot([0, most / 100], ends, color=_BRASS, linewidth=1.2)
        axes.axhline(100, color=_GREY, linewidth=0.5)
        _mark(axes, sheet.break_even)
        axes.set_xlim(0, most / 100)
        axes.locator_params(axis="x", nbins=4)
        axes.xaxis.set_major_formatter(lambda value, _: f"${value:,.0f}")
        axes.yaxis.set_major_formatter(_percent)
        axes.grid(axis="y", color=_RULE, linewidth=0.5)

    return _data_url(draw, 84, 46)


def _mark(axes: "Axes", break_even: Fraction) -> None:
    at = float(break_even) / 100
    axes.plot([at], [100], marker="o", markersize=3, color=_BRASS)
    axes.annotate(f"${at:,.0f}", (at, 100), xytext=(3, -8), textcoords="offset points", color=_BRASS)


def _percent(value: float, _: float) -> str:
    sign = "−" if value < 0 else ""
    return f"{sign}{abs(value):,.6g} %"


def _data_url(draw: "Callable[[Axes], None]", width: float, height: float) -> str:
    """The picture as a data URL; width and height in millimetres."""
    require("plots")
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    svg = StringIO()
    with _style():
        figure = Figure(figsize=(width / _MILLIMETRES, height / _MILLIMETRES), layout="constrained")
        FigureCanvasSVG(figure)
        draw(figure.subplots())
        figure.savefig(svg, format="svg", metadata={"Date": None, "Creator": None}, transparent=True)
    return "data:image/svg+xml;base64," + b64encode(svg.getvalue().encode()).decode()


@contextmanager
def _style() -> Iterator[None]:
    import logging

    import matplotlib

    fonts = logging.getLogger("matplotlib.font_manager")  # warns of every missing font
    level = fonts.level
    fonts.setLevel(logging.ERROR)
    try:
        with matplotlib.rc_context(_STYLE):
            yield
    finally:
        fonts.setLevel(level)
