"""`felt play`: a table in the terminal, with what each choice means and why each wager was paid."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from feltworks.errors import BadOption

if TYPE_CHECKING:
    from feltworks.cli.terminal.screen import Screen


def play(
    game: Annotated[str | None, typer.Argument(help="The game; without one you choose from a list.")] = None,
    seats: Annotated[int, typer.Option(help="Players at the table, you included.")] = 1,
    spots: Annotated[int, typer.Option(help="Spots you play, where the rules allow several.")] = 1,
    stack: Annotated[str, typer.Option(help="Your play money.")] = "$500",
    chosen: Annotated[list[str] | None, typer.Option("--set", help="An option, as soft17=hit.")] = None,
    pay_table: Annotated[list[str] | None, typer.Option(help="A pay table, as war=2.")] = None,
    minimum: Annotated[str, typer.Option(help="The least on every wager.")] = "$1",
    limit: Annotated[str | None, typer.Option(help="The most the law allows on one wager.")] = None,
    jackpot: Annotated[str, typer.Option(help="What a progressive jackpot stands at.")] = "$5,000",
    seed: Annotated[int | None, typer.Option(help="Deal in test mode from this number.")] = None,
    log: Annotated[Path | None, typer.Option(help="Append every event to this file.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with the round this log breaks off in.")] = None,
    four_colours: Annotated[
        bool, typer.Option("--four-colours", "--four-colors", help="Blue diamonds and green clubs.")
    ] = False,
    no_colour: Annotated[
        bool, typer.Option("--no-colour", "--no-color", help="No colours; NO_COLOR does the same.")
    ] = False,
    fast: Annotated[bool, typer.Option("--fast", help="Deal without pauses.")] = False,
) -> None:
    """Play a game at a table in the terminal, for play money."""
    from feltworks.cli.terminal.amounts import amount_option
    from feltworks.cli.terminal.screen import Screen
    from feltworks.cli.terminal.seating import Wishes, sit_down, take_up

    screen = Screen(colour=not no_colour, four_colours=four_colours, fast=fast)
    wishes = Wishes(
        seats=seats,
        spots=spots,
        stack=amount_option("--stack", stack),
        options=_pairs("--set", chosen, "soft17=hit"),
        pay_tables=_pairs("--pay-table", pay_table, "war=2"),
        minimum=amount_option("--minimum", minimum, least=1),
        limit=None if limit is None else amount_option("--limit", limit, least=1),
        jackpot=amount_option("--jackpot", jackpot),
        seed=seed,
        log=log,
    )
    if resume is not None:
        take_up(screen, wishes, resume, game)
    elif (name := game or _from_menu(screen)) is not None:
        sit_down(screen, wishes, name)


def _pairs(option: str, said: list[str] | None, example: str) -> dict[str, str]:
    for text in said or ():
        if not all(text.partition("=")):
            raise BadOption(option, text, f"name=value, such as {example}")
    return {name: value for name, _, value in (text.partition("=") for text in said or ())}


def _from_menu(screen: "Screen") -> str | None:
    from feltworks.cli.terminal.menu import choose_game

    return choose_game(screen)
