"""`felt report procedure`: what a dealer keeps at hand."""

from typing import TYPE_CHECKING

from feltworks.cli.report.kinds import carried

if TYPE_CHECKING:
    from feltworks.reports.order import Order
    from feltworks.reports.paper import Paper


@carried
def procedure(order: "Order") -> "Paper":
    """Print the dealer's procedure card: a round step by step, and the clauses it is dealt by."""
    from feltworks.reports.catalogue import procedure_card

    return procedure_card(order)
