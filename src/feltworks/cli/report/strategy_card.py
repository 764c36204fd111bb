"""`felt report strategy-card`: what fits into a pocket."""

from typing import TYPE_CHECKING

from feltworks.cli.report.kinds import carried

if TYPE_CHECKING:
    from feltworks.reports.order import Order
    from feltworks.reports.paper import Paper


@carried
def strategy_card(order: "Order") -> "Paper":
    """Print the pocket strategy card: charts, and rules to remember with their cost."""
    from feltworks.reports.catalogue import pocket_strategy

    return pocket_strategy(order)
