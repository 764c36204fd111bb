"""`felt new`: writes the three files of a new game, which pass `felt check` unchanged."""

from pathlib import Path

import click

from feltworks.cli.output import Page


@click.command()
@click.argument("name", help="The name of the game, in small letters with hyphens, such as river-run.")
@click.option("--shape", help="The kind of game; felt new lists the kinds and asks unless it is given.")
@click.option("--folder", type=click.Path(file_okay=False, path_type=Path), default=Path(), help="Where to write.")
def new(name: str, shape: str | None, folder: Path) -> None:
    """Write the rules, the rulebook and the tests of a new game."""
    from feltworks.check.templates import SHAPES, write_game

    if shape is None:
        for known, words in SHAPES.items():
            click.echo(f"{known}: {words}")
        shape = click.prompt("Which shape", type=click.Choice(list(SHAPES)))
    files = write_game(name, str(shape), folder)
    page = Page()
    for file in files:
        page.print(str(file))
    page.print(f"Now: FELT_GAMES={folder} felt check {name}")
    page.close()
