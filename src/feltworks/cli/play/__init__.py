"""`felt play`: play at a table in the terminal, with explanations of choices and settlements."""

from pathlib import Path
from typing import Annotated

import click
from msgspec import Struct

from feltworks.cli.options import AMOUNT, POSITIVE, Option, option_group, pairs_option, read_pairs, set_option
from feltworks.money import Cents


class TableSetup(Struct, frozen=True, kw_only=True):
    """The options of `felt play`: the table and how it is shown."""

    seats: Annotated[int, Option("Players at the table, you included.")] = 1
    spots: Annotated[int, Option("Spots you play, where the rules allow several.")] = 1
    stack: Annotated[Cents, Option("Your play money.", type=AMOUNT, default="$500")]
    chosen: Annotated[tuple[str, ...], set_option]
    pay_table: Annotated[
        tuple[tuple[str, str], ...],
        pairs_option("--pay-table", metavar="WAGER=NAME", example="war=2", help="A pay table, as war=2."),
    ]
    minimum: Annotated[Cents, Option("The minimum of every wager.", type=POSITIVE, default="$1")]
    limit: Annotated[Cents | None, Option("The legal limit on one wager.", type=POSITIVE)]
    jackpot: Annotated[Cents, Option("The posted progressive jackpot.", type=AMOUNT, default="$5,000")]
    seed: Annotated[int | None, Option("Deal in test mode from this number.")]
    log: Annotated[Path | None, Option("Append every event to this file.")]
    resume: Annotated[Path | None, Option("Finish the round that this log breaks off in.")]
    four_colours: Annotated[bool, Option("Blue diamonds and green clubs.", "--four-colours", "--four-colors")]
    no_colour: Annotated[bool, Option("No colours; NO_COLOR does the same.", "--no-colour", "--no-color")]
    fast: Annotated[bool, Option("Deal without pauses.")]

    @property
    def options(self) -> dict[str, str]:
        return dict(read_pairs("--set", self.chosen, "soft17=hit"))

    @property
    def pay_tables(self) -> dict[str, str]:
        return dict(self.pay_table)


@click.command()
@click.argument("game", required=False, help="The game; without one you choose from a list.")
@option_group("setup", TableSetup)
def play(game: str | None, setup: TableSetup) -> None:
    """Play a game at a table in the terminal, for play money."""
    from feltworks.cli.play.screen import Screen
    from feltworks.cli.play.setup import choose_game, resume_table, start_table

    screen = Screen(colour=not setup.no_colour, four_colours=setup.four_colours, fast=setup.fast)
    if setup.resume is not None:
        resume_table(screen, setup, setup.resume, game)
    elif (name := game or choose_game(screen)) is not None:
        start_table(screen, setup, name)
