"""`felt report par`: the probability report of a game."""

from feltworks.cli.report.asking import (
    HERE,
    ROUNDS,
    AsJson,
    Chosen,
    Day,
    Decks,
    Game,
    Jackpot,
    Output,
    PayTables,
    Rounds,
    Seed,
    ordered,
)


def par(
    game: Game,
    pay_table: PayTables = None,
    decks: Decks = None,
    chosen: Chosen = None,
    jackpot: Jackpot = None,
    rounds: Rounds = ROUNDS,
    seed: Seed = None,
    day: Day = None,
    output: Output = HERE,
    as_json: AsJson = False,
) -> None:
    """Print the PAR sheet: exact figures of every wager, its play, checks and a simulation of it."""
    from feltworks.cli.report.printing import printed
    from feltworks.reports.catalogue import par_sheet

    order = ordered(game, pay_table, decks, chosen, day, jackpot)
    printed(output, lambda: par_sheet(order, rounds=rounds, seed=seed), as_json=as_json)
