"""`felt compare`: the edge of one wager under all its pay tables and deck counts."""

from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import click

from feltworks.cli.options import game_argument, json_option, set_option, wager_option
from feltworks.cli.output import Page, Table, print_json

if TYPE_CHECKING:
    from feltworks.analysis.documents import ComparisonRow
    from feltworks.rules.rulebook.model import Rulebook


@click.command()
@game_argument
@wager_option
@set_option
@click.option("--draft", multiple=True, type=click.Path(path_type=Path), help="A TOML file with a draft pay table.")
@json_option
def compare(game: str, wager: str, chosen: tuple[str, ...], draft: tuple[Path, ...], as_json: bool) -> None:
    """Compare a wager's edge under all pay tables, drafts and decks."""
    from feltworks import catalog
    from feltworks.analysis.documents import compare, comparison_document
    from feltworks.cli.progress import progress_bar

    with progress_bar("Comparing") as progress:
        rows = compare(game, wager, chosen, progress, draft)
    if as_json:
        print_json(comparison_document(game, wager, rows))
    else:
        _show(catalog.rulebook(game), wager, rows)


def _show(book: "Rulebook", wager: str, rows: "list[ComparisonRow]") -> None:
    from feltworks.analysis.figures import percent

    names = list(dict.fromkeys(row["pay_table"] for row in rows))
    edges = {(row["pay_table"], row["decks"]): Fraction(row["house_edge"]) for row in rows}
    headings = [f"table {name}" for name in names]
    table = Table("decks", *headings, title=f"{book.title}: {book.wager[wager].title}, house edge")
    for decks in sorted({row["decks"] for row in rows}):
        table.add_row(str(decks), *(percent(edges[name, decks], 4) for name in names))
    page = Page()
    page.print(table)
    page.close()
