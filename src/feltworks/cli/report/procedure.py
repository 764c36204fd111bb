"""`felt report procedure`: what a dealer keeps at hand."""

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


def procedure(
    game: Game,
    pay_table: PayTables = None,
    decks: Decks = None,
    chosen: Chosen = None,
    day: Day = None,
    output: Output = HERE,
    as_json: AsJson = False,
) -> None:
    """Print the dealer's procedure card: a round step by step, and the clauses it is dealt by."""
    from feltworks.cli.report.printing import printed
    from feltworks.reports.catalogue import procedure_card

    order = ordered(game, pay_table, decks, chosen, day)
    printed(output, lambda: procedure_card(order), as_json=as_json)
