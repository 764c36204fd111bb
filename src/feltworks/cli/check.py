"""`felt check`: loads a game, deals rounds of it, and reports faults with file and line."""

import click

from feltworks.cli.options import json_option
from feltworks.cli.output import PLAY_MONEY, Page, print_json

_FAULTY = 1


@click.command()
@click.argument("game", help="The game, by the name of its rulebook.")
@click.option("--rounds", type=click.IntRange(1, 100_000), default=60, help="Rounds to deal of each opening.")
@click.option("--seed", type=click.IntRange(0), default=1, help="Which rounds are dealt.")
@json_option
def check(game: str, rounds: int, seed: int, as_json: bool) -> None:
    """Check a game: its files and random rounds of it."""
    from feltworks.check import check_game
    from feltworks.check.faults import raised_fault

    faults, shape = check_game(game, rounds, seed), ""
    if not faults:
        try:
            shape = _shape(game)
        except Exception as error:  # an analysis uses more of the rules than rounds do
            if not (fault := raised_fault(error)):
                raise
            faults = [fault]
    if as_json:
        print_json({"game": game, "faults": faults, "rounds": rounds, "shape": shape, "notice": PLAY_MONEY})
    else:
        page = Page()
        for fault in faults:
            page.print(str(fault))
        page.print(f"{game}: {_count(len(faults))}." if faults else f"{game} has no faults; {shape}.")
        page.close()
    if faults:
        raise click.exceptions.Exit(_FAULTY)


def _count(faults: int) -> str:
    return "one fault" if faults == 1 else f"{faults} faults"


def _shape(game: str) -> str:
    from feltworks import catalog
    from feltworks.analysis.shape import estimate

    book = catalog.rulebook(game)
    return estimate(catalog.game(game, options=book.offers_for(catalog.first_offers(book)))).words
