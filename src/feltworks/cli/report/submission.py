"""`felt report submission`: everything a filing needs."""

from typing import TYPE_CHECKING

from feltworks.cli.report.kinds import filed

if TYPE_CHECKING:
    from feltworks.reports.order import Order
    from feltworks.reports.paper import Paper


@filed
def submission(order: "Order", rounds: int, seed: int | None) -> "Paper":
    """Print the submission pack: rules with examples, pays, procedure, layout, PAR sheet and clause trace."""
    from feltworks.reports.catalogue import submission_pack

    return submission_pack(order, rounds=rounds, seed=seed)
