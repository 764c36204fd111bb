"""One wager under all its pay tables and deck counts, side by side."""

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from feltworks.analysis.analyze import Answer
    from feltworks.rules.rulebook import Rulebook


def compare(
    game: Annotated[str, typer.Argument(help="The game, as felt games lists it.")],
    wager: Annotated[str, typer.Option(help="The wager in question.")],
    chosen: Annotated[list[str] | None, typer.Option("--set", help="An option, as soft17=hit.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Compare the house edge of a wager under every pay table and deck count."""
    from feltworks import catalog
    from feltworks.cli.output import print_json

    if game not in catalog.games():
        catalog.game(game)
    book = catalog.rulebook(game)
    found = _found(game, book, wager, chosen or [])
    if as_json:
        from feltworks.cli.analyze import exactly

        rows = [
            {"pay_table": table, "decks": decks, "house_edge": exactly(answer.figures.house_edge)}
            for (table, decks), answer in found.items()
        ]
        print_json({"game": game, "wager": wager, "compared": rows})
    else:
        _print(book, wager, found)


def _found(game: str, book: "Rulebook", wager: str, chosen: list[str]) -> dict[tuple[str, int], "Answer"]:
    from feltworks.analysis.analyze import analyze
    from feltworks.cli.analyze import questioned

    decks = range(1, 9) if "decks" in book.option else [book.cards.decks]
    tables = book.pay_table.get(wager, {"1": None})
    return {
        (table, count): analyze(questioned(game, wager, pay_table=table, decks=count, chosen=chosen))
        for table in tables
        for count in decks
    }


def _print(book: "Rulebook", wager: str, found: dict[tuple[str, int], "Answer"]) -> None:
    from feltworks.analysis.printed import percent
    from feltworks.cli.output import PLAY_MONEY, console, new_table

    names = list(dict.fromkeys(name for name, _ in found))
    heads = [f"table {name}" for name in names]
    table = new_table("decks", *heads, title=f"{book.title}: {book.wager[wager].title}, house edge")
    for decks in sorted({decks for _, decks in found}):
        edges = (percent(Fraction(found[name, decks].figures.house_edge), 4) for name in names)
        table.add_row(str(decks), *edges)
    screen = console()
    screen.print(table)
    screen.print(PLAY_MONEY, style="dim")
