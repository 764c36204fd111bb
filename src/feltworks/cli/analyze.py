"""The exact figures of a wager, under its pays, decks and options, played as well as it can be played."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from feltworks.analysis.analyze import Question


def analyze(
    game: Annotated[str, typer.Argument(help="The game, as felt games lists it.")],
    wager: Annotated[str, typer.Option(help="The wager in question.")],
    pay_table: Annotated[str | None, typer.Option(help="Its pay table, or 2,war=2 for others too.")] = None,
    decks: Annotated[int | None, typer.Option(help="How many decks the shoe holds.")] = None,
    chosen: Annotated[list[str] | None, typer.Option("--set", help="An option, as soft17=hit.")] = None,
    beside: Annotated[
        list[str] | None, typer.Option(help="What else lies on the spot: ante, or ante=1/3 of the wager.")
    ] = None,
    exposed: Annotated[str, typer.Option(help='Cards known to be out of the shoe, as "7h 7d Ac".')] = "",
    jackpot: Annotated[int | None, typer.Option(help="The posted jackpot in cents.")] = None,
    seats: Annotated[int, typer.Option(help="How many seats wager on the jackpot.")] = 1,
    strategy: Annotated[
        str, typer.Option(help="How it is played: optimal, always-hit, basic, ..., or a .json file.")
    ] = "optimal",
    save_strategy: Annotated[Path | None, typer.Option(help="Write the play to this .json file.")] = None,
    by_size: Annotated[
        str, typer.Option(help="The edge in whole chips by amounts in cents: 500,1000 or 500-2500.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON document.")] = False,
) -> None:
    """Show the exact house edge of a wager, every outcome, and how it is played best."""
    from feltworks.analysis.documents.answer import cached_answer
    from feltworks.analysis.documents.request import parse_question
    from feltworks.analysis.strategy.file import is_strategy_file, read_strategy
    from feltworks.cli.progress import progress_bar

    question = parse_question(
        game,
        wager,
        pay_table=pay_table,
        decks=decks,
        chosen=chosen or [],
        beside=beside or [],
        exposed=exposed,
        jackpot=jackpot,
        strategy=strategy,
        plays=read_strategy(Path(strategy)) if is_strategy_file(strategy) else None,
        seats=seats,
        by_size=by_size,
    )
    if save_strategy is not None:
        _save(save_strategy, game, question)
    with progress_bar("Analysing") as progress:
        said = cached_answer(game, question, progress)
    if as_json:
        from feltworks.cli.output import print_json

        print_json(said)
    else:
        from feltworks.cli.analyze_tables import show

        show(question, said)


def _save(path: Path, game: str, question: "Question") -> None:
    from feltworks.analysis.analyze import analyze as cached_answer
    from feltworks.analysis.strategy.rows import check_savable, save
    from feltworks.cli.progress import progress_bar

    check_savable(path, question)
    with progress_bar("Analysing") as progress:
        answer = cached_answer(question, progress)
    save(path, game, question, answer)
