"""`felt report rack-card`: what a player takes along."""

from feltworks.cli.report.asking import (
    HERE,
    Aggregates,
    AsJson,
    Chosen,
    Day,
    Decks,
    Dispute,
    Employees,
    Game,
    House,
    Jackpot,
    Limits,
    Output,
    PayTables,
    house_settings,
    ordered,
)


def rack_card(
    game: Game,
    pay_table: PayTables = None,
    decks: Decks = None,
    chosen: Chosen = None,
    jackpot: Jackpot = None,
    limit: Limits = None,
    aggregate: Aggregates = None,
    house: House = None,
    dispute: Dispute = None,
    employees: Employees = None,
    day: Day = None,
    output: Output = HERE,
    as_json: AsJson = False,
) -> None:
    """Print the rack card: how the wagers are made, their limits and what they pay."""
    from feltworks.cli.report.printing import printed
    from feltworks.reports.catalogue import players_card

    order = ordered(game, pay_table, decks, chosen, day, jackpot)
    settings = house_settings(house, dispute, employees, limit, aggregate)
    printed(output, lambda: players_card(order, settings), as_json=as_json)
