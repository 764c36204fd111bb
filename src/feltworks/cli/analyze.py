"""`felt analyze`: the exact figures of a wager under its pays, decks and options, with best play."""

from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec.structs import asdict

from feltworks.cli.options import QuestionOptions, json_option, question_options, words_option

if TYPE_CHECKING:
    from feltworks.analysis.analyze import Question


@click.command()
@question_options
@click.option("--jackpot", type=int, metavar="CENTS", help="The posted jackpot in cents.")
@click.option("--seats", default=1, help="How many seats wager on the jackpot.")
@click.option(
    "--strategy",
    default="optimal",
    metavar="NAME|FILE",
    help="How it is played: optimal, always-hit, basic, ..., or a .json file.",
)
@click.option(
    "--save-strategy",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the strategy to this .json file.",
)
@words_option(
    "--by-size",
    metavar="CENTS",
    help="The edge in whole chips by amount wagered, in cents: 500,1000 or 500-2500.",
)
@json_option
def analyze(
    game: str,
    terms: QuestionOptions,
    jackpot: int | None,
    seats: int,
    strategy: str,
    save_strategy: Path | None,
    by_size: str,
    as_json: bool,
) -> None:
    """Show the exact figures of a wager, and its best play."""
    from feltworks.analysis.documents.answer import cached_answer
    from feltworks.analysis.documents.request import parse_question
    from feltworks.analysis.strategy.file import is_strategy_file, read_strategy
    from feltworks.cli.progress import progress_bar

    question = parse_question(
        game,
        **asdict(terms),
        jackpot=jackpot,
        strategy=strategy,
        plays=read_strategy(Path(strategy)) if is_strategy_file(strategy) else None,
        seats=seats,
        by_size=by_size,
    )
    if save_strategy is not None:
        _save(save_strategy, game, question)
    with progress_bar("Analysing") as progress:
        document = cached_answer(game, question, progress)
    if as_json:
        from feltworks.cli.output import print_json

        print_json(document)
    else:
        from feltworks.cli.analyze_tables import show

        show(question, document)


def _save(path: Path, game: str, question: "Question") -> None:
    from feltworks.analysis import analyze as analysis
    from feltworks.analysis.strategy.optimal import check_savable, save
    from feltworks.cli.progress import progress_bar

    check_savable(path, question)
    with progress_bar("Analysing") as progress:
        answer = analysis.analyze(question, progress)
    save(path, game, question, answer)
