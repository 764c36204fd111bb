"""One wager under all its pay tables and deck counts, side by side."""

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from feltworks.analysis.documents.comparison import ComparisonRow
    from feltworks.rules.rulebook import Rulebook


def compare(
    game: Annotated[str, typer.Argument(help="The game, as felt games lists it.")],
    wager: Annotated[str, typer.Option(help="The wager in question.")],
    chosen: Annotated[list[str] | None, typer.Option("--set", help="An option, as soft17=hit.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Compare the house edge of a wager under every pay table and deck count."""
    from feltworks import catalog
    from feltworks.analysis.documents.comparison import compare, comparison_document
    from feltworks.cli.output import print_json
    from feltworks.cli.progress import progress_bar

    with progress_bar("Comparing") as progress:
        rows = compare(game, wager, chosen or [], progress)
    if as_json:
        print_json(comparison_document(game, wager, rows))
    else:
        _print(catalog.rulebook(game), wager, rows)


def _print(book: "Rulebook", wager: str, rows: "list[ComparisonRow]") -> None:
    from feltworks.analysis.audit.figure_text import percent
    from feltworks.cli.output import PLAY_MONEY, console, new_table

    names = list(dict.fromkeys(row["pay_table"] for row in rows))
    edges = {(row["pay_table"], row["decks"]): Fraction(row["house_edge"]) for row in rows}
    heads = [f"table {name}" for name in names]
    table = new_table("decks", *heads, title=f"{book.title}: {book.wager[wager].title}, house edge")
    for decks in sorted({row["decks"] for row in rows}):
        table.add_row(str(decks), *(percent(edges[name, decks], 4) for name in names))
    screen = console()
    screen.print(table)
    screen.print(PLAY_MONEY, style="dim")
