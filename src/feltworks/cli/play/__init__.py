"""`felt play`: a table in the terminal, with what each choice means and why each wager was paid."""

from pathlib import Path

import click

from feltworks.cli.options import AMOUNT, POSITIVE, pairs_option, read_pairs, set_option
from feltworks.money import Cents


@click.command()
@click.argument("game", required=False, help="The game; without one you choose from a list.")
@click.option("--seats", default=1, help="Players at the table, you included.")
@click.option("--spots", default=1, help="Spots you play, where the rules allow several.")
@click.option("--stack", default="$500", type=AMOUNT, help="Your play money.")
@set_option
@pairs_option("--pay-table", metavar="WAGER=NAME", example="war=2", help="A pay table, as war=2.")
@click.option("--minimum", default="$1", type=POSITIVE, help="The minimum of every wager.")
@click.option("--limit", type=POSITIVE, help="The legal limit on one wager.")
@click.option("--jackpot", default="$5,000", type=AMOUNT, help="The posted progressive jackpot.")
@click.option("--seed", type=int, help="Deal in test mode from this number.")
@click.option("--log", type=click.Path(path_type=Path), help="Append every event to this file.")
@click.option("--resume", type=click.Path(path_type=Path), help="Finish the round that this log breaks off in.")
@click.option("--four-colours", "--four-colors", is_flag=True, help="Blue diamonds and green clubs.")
@click.option("--no-colour", "--no-color", is_flag=True, help="No colours; NO_COLOR does the same.")
@click.option("--fast", is_flag=True, help="Deal without pauses.")
def play(
    game: str | None,
    seats: int,
    spots: int,
    stack: Cents,
    chosen: tuple[str, ...],
    pay_table: tuple[tuple[str, str], ...],
    minimum: Cents,
    limit: Cents | None,
    jackpot: Cents,
    seed: int | None,
    log: Path | None,
    resume: Path | None,
    four_colours: bool,
    no_colour: bool,
    fast: bool,
) -> None:
    """Play a game at a table in the terminal, for play money."""
    from feltworks.cli.play.screen import Screen
    from feltworks.cli.play.setup import TableSetup, choose_game, resume_table, start_table

    screen = Screen(colour=not no_colour, four_colours=four_colours, fast=fast)
    setup = TableSetup(
        seats=seats,
        spots=spots,
        stack=stack,
        options=dict(read_pairs("--set", chosen, "soft17=hit")),
        pay_tables=dict(pay_table),
        minimum=minimum,
        limit=limit,
        jackpot=jackpot,
        seed=seed,
        log=log,
    )
    if resume is not None:
        resume_table(screen, setup, resume, game)
    elif (name := game or choose_game(screen)) is not None:
        start_table(screen, setup, name)
