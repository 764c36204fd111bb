"""`felt report`: papers about a game, as HTML and PDF."""

from pathlib import Path
from typing import Final

import click

from feltworks.cli.group import CommandGroup
from feltworks.cli.options import json_option
from feltworks.cli.report.options import (
    HouseOptions,
    PaperOptions,
    day_option,
    house_options,
    jackpot_option,
    output_option,
    paper_options,
    rounds_option,
    seed_option,
)
from feltworks.cli.report.output import print_paper

report: Final = CommandGroup("report", "Print papers about a game, as HTML and PDF.")


@report.command()
@click.argument("game", required=False, help="One game; all approved games unless given.")
@day_option
@output_option
@json_option
def audit(game: str | None, day: str | None, output: Path, as_json: bool) -> None:
    """Print the audit report: each printed figure, ours, and what differences and readings mean in money."""
    from feltworks.reports.audit import approved_games
    from feltworks.reports.catalogue import audit_paper

    orders = [PaperOptions(name, day=day).order() for name in ([game] if game else approved_games())]
    print_paper(output, lambda: audit_paper(orders), as_json=as_json)


@report.command()
@jackpot_option
@rounds_option
@seed_option
@paper_options
@output_option
@json_option
def par(
    paper: PaperOptions, jackpot: str | None, rounds: int, seed: int | None, output: Path, as_json: bool
) -> None:
    """Print the PAR sheet: exact figures of every wager, its play, checks and a simulation of it."""
    from feltworks.reports.catalogue import par_sheet

    order = paper.order(jackpot)
    print_paper(output, lambda: par_sheet(order, rounds=rounds, seed=seed), as_json=as_json)


@report.command()
@paper_options
@output_option
@json_option
def procedure(paper: PaperOptions, output: Path, as_json: bool) -> None:
    """Print the dealer's procedure card: a round step by step, and the clauses it is dealt by."""
    from feltworks.reports.catalogue import procedure_card

    order = paper.order()
    print_paper(output, lambda: procedure_card(order), as_json=as_json)


@report.command()
@jackpot_option
@house_options
@paper_options
@output_option
@json_option
def rack_card(
    paper: PaperOptions, house_options: HouseOptions, jackpot: str | None, output: Path, as_json: bool
) -> None:
    """Print the rack card: how the wagers are made, their limits and what they pay."""
    from feltworks.reports.catalogue import players_card

    order, settings = paper.order(jackpot), house_options.settings()
    print_paper(output, lambda: players_card(order, settings), as_json=as_json)


@report.command()
@jackpot_option
@house_options
@paper_options
@output_option
@json_option
def sign(
    paper: PaperOptions, house_options: HouseOptions, jackpot: str | None, output: Path, as_json: bool
) -> None:
    """Print the table sign: limits, pays, jackpot, payout limits and the house's policies."""
    from feltworks.reports.catalogue import table_sign

    order, settings = paper.order(jackpot), house_options.settings()
    print_paper(output, lambda: table_sign(order, settings), as_json=as_json)


@report.command()
@paper_options
@output_option
@json_option
def strategy_card(paper: PaperOptions, output: Path, as_json: bool) -> None:
    """Print the pocket strategy card: charts, and rules to remember with their cost."""
    from feltworks.reports.catalogue import pocket_strategy

    order = paper.order()
    print_paper(output, lambda: pocket_strategy(order), as_json=as_json)


@report.command()
@jackpot_option
@rounds_option
@seed_option
@paper_options
@output_option
@json_option
def submission(
    paper: PaperOptions, jackpot: str | None, rounds: int, seed: int | None, output: Path, as_json: bool
) -> None:
    """Print the submission pack: rules with examples, pays, procedure, layout, PAR sheet and clause trace."""
    from feltworks.reports.catalogue import submission_pack

    order = paper.order(jackpot)
    print_paper(output, lambda: submission_pack(order, rounds=rounds, seed=seed), as_json=as_json)
