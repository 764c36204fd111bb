"""`felt report strategy-card`: what fits into a pocket."""

from feltworks.cli.report.asking import (
    HERE,
    AsJson,
    Chosen,
    Day,
    Decks,
    Game,
    Output,
    PayTables,
    ordered,
)


def strategy_card(
    game: Game,
    pay_table: PayTables = None,
    decks: Decks = None,
    chosen: Chosen = None,
    day: Day = None,
    output: Output = HERE,
    as_json: AsJson = False,
) -> None:
    """Print the pocket strategy card: charts, and rules to remember with their cost."""
    from feltworks.cli.report.printing import printed
    from feltworks.reports.catalogue import pocket_strategy

    order = ordered(game, pay_table, decks, chosen, day)
    printed(output, lambda: pocket_strategy(order), as_json=as_json)
