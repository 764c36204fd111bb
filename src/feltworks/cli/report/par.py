"""`felt report par`: the probability report of a game."""

from typing import TYPE_CHECKING

from feltworks.cli.report.kinds import filed

if TYPE_CHECKING:
    from feltworks.reports.order import Order
    from feltworks.reports.paper import Paper


@filed
def par(order: "Order", rounds: int, seed: int | None) -> "Paper":
    """Print the PAR sheet: exact figures of every wager, its play, checks and a simulation of it."""
    from feltworks.reports.catalogue import par_sheet

    return par_sheet(order, rounds=rounds, seed=seed)
