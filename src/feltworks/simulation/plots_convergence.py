"""How a simulation came to its edges as a picture: every wager's edge with its error, and the exact one."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from feltworks.simulation.convergence import Look
from feltworks.simulation.plotting import FAINT, GREEN, RED, drawn, titled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SURE: Final = 1.96  # standard errors to either side that hold 95 of 100 runs
_SHOWN: Final = 300  # the last look is at so many times the rounds of the first that is drawn


def convergence_svg(title: str, looks: Sequence[Look], exact: Mapping[str, float | None]) -> str:
    """One panel a wager, in the order of the exact edges."""
    shown = [look for look in looks if look.rounds * _SHOWN >= looks[-1].rounds]

    def draw(figure: "Figure") -> None:
        figure.suptitle(f"{title} (play money)")
        panels = figure.subplots(len(exact), 1, sharex=True, squeeze=False)
        for (panel,), (wager, edge) in zip(panels, exact.items(), strict=True):
            _draw_wager(panel, wager, shown, edge)
        panels[-1][0].set_xlabel("rounds")

    return drawn(draw, height=1 + 2.3 * len(exact))


def _draw_wager(axes: "Axes", wager: str, looks: Sequence[Look], exact: float | None) -> None:
    rounds = [look.rounds for look in looks]
    edges = [look.edges[wager][0] for look in looks]
    errors = [_SURE * look.edges[wager][1] for look in looks]
    low, high = ([edge + way * error for edge, error in zip(edges, errors, strict=True)] for way in (-1, 1))
    axes.fill_between(rounds, low, high, color=GREEN, alpha=0.16, linewidth=0, label="±1.96 standard errors")
    axes.plot(rounds, edges, color=GREEN, linewidth=1.4, marker=".", markersize=4, label="simulated")
    if exact is not None:
        axes.axhline(exact, color=RED, linewidth=1.1, linestyle=(0, (5, 3)), label=f"exact {exact:.4%}")
    axes.set_xscale("log")
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.2%}")
    axes.grid(axis="y", color=FAINT, alpha=0.25, linewidth=0.6)
    axes.margins(x=0.01)
    titled(axes, f"{wager}: {edges[-1]:.4%} ± {errors[-1]:.4%}", along="house edge")
    axes.legend(frameon=False, ncols=3, loc="upper right", fontsize=8)
