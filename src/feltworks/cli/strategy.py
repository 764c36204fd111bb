"""How a wager is played best, as charts and as short lists of rules with what each of them costs."""

from pathlib import Path
from typing import Annotated

import typer

from feltworks.errors import BadOption

_MOST = 60


def strategy(
    game: Annotated[str, typer.Argument(help="The game, as felt games lists it.")],
    wager: Annotated[str, typer.Option(help="The wager in question.")],
    pay_table: Annotated[str | None, typer.Option(help="Its pay table; the first unless named.")] = None,
    decks: Annotated[int | None, typer.Option(help="How many decks the shoe holds.")] = None,
    chosen: Annotated[list[str] | None, typer.Option("--set", help="An option, as soft17=hit.")] = None,
    beside: Annotated[
        list[str] | None, typer.Option(help="What else lies on the spot: tie=1, as much as the wager.")
    ] = None,
    exposed: Annotated[str, typer.Option(help='Cards known to be out of the shoe, as "7h 7d Ac".')] = "",
    rules: Annotated[int, typer.Option(help="The most rules in a list.")] = 8,
    values: Annotated[bool, typer.Option("--values", help="What every choice is worth, everywhere.")] = False,
    svg: Annotated[Path | None, typer.Option(help="Draw the charts and the rules into this file.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Show best play as charts, and the shortest lists of rules that come close to it."""
    from feltworks.analysis.documents.request import parse_question
    from feltworks.analysis.strategy.report import strategy_report
    from feltworks.cli.progress import progress_bar

    if not 1 <= rules <= _MOST:
        raise BadOption("--rules", rules, f"a number from 1 to {_MOST}")
    question = parse_question(
        game,
        wager,
        pay_table=pay_table,
        decks=decks,
        chosen=chosen or [],
        beside=beside or [],
        exposed=exposed,
    )
    with progress_bar("Searching for rules") as progress:
        found = strategy_report(question, rules, progress)
    if svg is not None:
        from feltworks.cli.strategy_svg import drawing

        svg.write_text(drawing(found), encoding="utf-8")
    if as_json:
        from feltworks.analysis.documents.strategy import strategy_document
        from feltworks.cli.output import print_json

        print_json(strategy_document(game, found, values=values))
    else:
        from feltworks.cli.strategy_screen import show

        show(found, values=values)
