"""`felt report submission`: everything a filing needs."""

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


def submission(
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
    """Print the submission pack: rules with examples, pays, procedure, layout, PAR sheet and clause trace."""
    from feltworks.cli.report.printing import printed
    from feltworks.reports.catalogue import submission_pack

    order = ordered(game, pay_table, decks, chosen, day, jackpot)
    printed(output, lambda: submission_pack(order, rounds=rounds, seed=seed), as_json=as_json)
