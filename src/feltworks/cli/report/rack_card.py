"""`felt report rack-card`: what a player takes along."""

from typing import TYPE_CHECKING

from feltworks.cli.report.kinds import posted

if TYPE_CHECKING:
    from feltworks.reports.order import Order
    from feltworks.reports.paper import Paper
    from feltworks.reports.posting import HouseSettings


@posted
def rack_card(order: "Order", house: "HouseSettings") -> "Paper":
    """Print the rack card: how the wagers are made, their limits and what they pay."""
    from feltworks.reports.catalogue import players_card

    return players_card(order, house)
