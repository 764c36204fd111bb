"""`felt report sign`: what hangs at the table."""

from typing import TYPE_CHECKING

from feltworks.cli.report.kinds import posted

if TYPE_CHECKING:
    from feltworks.reports.order import Order
    from feltworks.reports.paper import Paper
    from feltworks.reports.posting import HouseSettings


@posted
def sign(order: "Order", house: "HouseSettings") -> "Paper":
    """Print the table sign: limits, pays, jackpot, payout limits and the house's policies."""
    from feltworks.reports.catalogue import table_sign

    return table_sign(order, house)
