"""How every picture of a simulation is drawn, and the picture of a run: one style, text as text.

The same numbers give the same file.
"""

from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from typing import TYPE_CHECKING, Any, Final

from feltworks.extras import require
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
_SURE: Final = 1.96  # standard errors to either side that hold 95 of 100 runs
_SHOWN: Final = 300  # the last snapshot is at so many times the rounds of the first that is drawn


def draw_svg(draw: "Callable[[Figure], None]", *, width: float = 10, height: float = 7) -> str:
    """Draw on an empty figure of so many inches; gives an SVG document."""
    require("plots")
    import matplotlib
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    written = StringIO()
    with matplotlib.rc_context(_STYLE):
        figure = Figure(figsize=(width, height), layout="constrained")
        FigureCanvasSVG(figure)
        draw(figure)
        figure.savefig(written, format="svg", metadata={"Date": None})
    return written.getvalue()


def in_dollars(axis: Any) -> None:
    """Label an axis with dollars, the minus before the sign.

    >>> _dollars(-1250000, 0)
    '−$1,250,000'
    """
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axis.set_major_formatter(FuncFormatter(_dollars))
    axis.set_major_locator(MaxNLocator(6))


def in_percent(axis: Any) -> None:
    """Label an axis with as many digits of a percentage as it takes."""
    from matplotlib.ticker import PercentFormatter

    axis.set_major_formatter(PercentFormatter(1))


def in_whole_numbers(axis: Any) -> None:
    """Label an axis with whole numbers alone."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(8, integer=True))


def _dollars(amount: float, _place: object) -> str:
    cents = "" if amount == round(amount) else f"{abs(amount) % 1:.2f}"[1:]
    return f"{'−' if amount < 0 else ''}${int(abs(amount)):,}{cents}"


def set_titles(axes: "Axes", title: str, across: str = "", along: str = "") -> None:
    """Set the title of a picture and of its axes."""
    axes.set_title(title, color=INK)
    axes.set_xlabel(across)
    axes.set_ylabel(along)


def convergence_svg(title: str, snapshots: Sequence[Snapshot], exact: Mapping[str, float | None]) -> str:
    """One panel a wager, in the order of the exact edges."""
    shown = [snapshot for snapshot in snapshots if snapshot.rounds * _SHOWN >= snapshots[-1].rounds]

    def draw(figure: "Figure") -> None:
        figure.suptitle(f"{title} (play money)")
        panels = figure.subplots(len(exact), 1, sharex=True, squeeze=False)
        for (panel,), (wager, edge) in zip(panels, exact.items(), strict=True):
            _draw_wager(panel, wager, shown, edge)
        panels[-1][0].set_xlabel("rounds")

    return draw_svg(draw, height=1 + 2.3 * len(exact))


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
    set_titles(axes, f"{wager}: {edges[-1]:.4%} ± {errors[-1]:.4%}", along="house edge")
    axes.legend(frameon=False, ncols=3, loc="upper right", fontsize=8)
