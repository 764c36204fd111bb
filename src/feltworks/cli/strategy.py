"""`felt strategy`: best play as charts and as short lists of rules with their cost."""

from pathlib import Path

import click
from msgspec.structs import asdict

from feltworks.cli.options import QuestionOptions, json_option, question_options
from feltworks.errors import BadOption

_MOST_RULES = 60


@click.command()
@question_options
@click.option("--rules", default=8, help="The largest number of rules in a list.")
@click.option("--values", is_flag=True, help="Add the value of every choice in every situation.")
@click.option("--svg", type=click.Path(path_type=Path), help="Draw the charts and the rules into this file.")
@json_option
def strategy(game: str, terms: QuestionOptions, rules: int, values: bool, svg: Path | None, as_json: bool) -> None:
    """Show best play as charts and as short lists of rules."""
    from feltworks.analysis.documents.request import parse_question
    from feltworks.analysis.strategy.report import strategy_report
    from feltworks.cli.progress import progress_bar

    if not 1 <= rules <= _MOST_RULES:
        raise BadOption("--rules", rules, f"a number from 1 to {_MOST_RULES}")
    question = parse_question(game, **asdict(terms))
    with progress_bar("Searching for rules") as progress:
        report = strategy_report(question, rules, progress)
    if svg is not None:
        from feltworks.cli.strategy_drawing import draw

        svg.write_text(draw(report), encoding="utf-8")
    if as_json:
        from feltworks.analysis.documents.strategy import strategy_document
        from feltworks.cli.output import print_json

        print_json(strategy_document(game, report, values=values))
    else:
        from feltworks.cli.strategy_tables import show

        show(report, values=values)
