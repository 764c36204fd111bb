"""How every picture of a simulation is drawn: one style, text as text, the same file every time."""

from collections.abc import Callable
from io import StringIO
from typing import TYPE_CHECKING, Any, Final

from feltworks.extras import require

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


def drawn(draw: "Callable[[Figure], None]", *, width: float = 10, height: float = 7) -> str:
    """What is drawn on an empty figure of so many inches, as an SVG document."""
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


def titled(axes: "Axes", title: str, across: str = "", along: str = "") -> None:
    """Name a picture and what its axes show."""
    axes.set_title(title, color=INK)
    axes.set_xlabel(across)
    axes.set_ylabel(along)
