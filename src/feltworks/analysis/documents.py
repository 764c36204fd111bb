"""Writes the JSON documents of analyses, comparisons and strategies.

Numbers are written as decimals and, where possible, as exact fractions.
"""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from math import lcm, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from feltworks import catalog
from feltworks.analysis.analyze import analyze
from feltworks.analysis.cache import cache_key, load_or_compute
from feltworks.analysis.design.drafts import Drafts, read_draft
from feltworks.analysis.figures import exact_number
from feltworks.analysis.joint import TurningPoint
from feltworks.analysis.progress import Progress, part_of
from feltworks.analysis.question import Question, parse_question
from feltworks.rules.rulebook.model import PayTable
from feltworks.rules.sights import PlayerView, player_view

if TYPE_CHECKING:
    from feltworks.analysis.analyze import Answer
    from feltworks.analysis.figures import Figures
    from feltworks.analysis.joint import JointOutcome, Moments
    from feltworks.analysis.solvers.progressive import Fund, Progressive
    from feltworks.analysis.solvers.shoe_game.rounds import RoundFigures
    from feltworks.analysis.solvers.showdown.solver import Showdown
    from feltworks.analysis.strategy.charts import Grid
    from feltworks.analysis.strategy.optimal import SolvedSight
    from feltworks.analysis.strategy.practical import PracticalStrategy
    from feltworks.analysis.strategy.report import StrategyReport
    from feltworks.rules.rulebook.model import Bond


def table_fields(name: str, question: "Question") -> dict[str, object]:
    """Returns the first fields of every document about a question: the wager and its table."""
    wager, terms = question.wager, question.game.terms
    table = {"pay_table": terms.pay_tables[wager], "decks": terms.decks, "options": terms.options}
    return {"game": name, "wager": wager, **table}


_FIGURES = ("house_edge", "element_of_risk", "average_wager", "hit_frequency", "push_frequency")


def cached_answer(name: str, question: "Question", progress: "Progress | None" = None) -> dict[str, Any]:
    """Returns the document that answers a question, from the cache if it is there."""
    from feltworks.analysis.analyze import analyze
    from feltworks.analysis.cache import cache_key, load_or_compute
    from feltworks.analysis.progress import part_of

    document: dict[str, Any] = load_or_compute(
        lambda: cache_key("analyze", name, question),
        lambda: answer_document(name, question, analyze(question, part_of(progress, 0, _pieces(question))), progress),
    )
    return document


def _pieces(question: "Question") -> int:
    """Counts the pieces of work for progress: the analysis, every size, and blackjack with other wagers."""
    return 1 + len(question.sizes) + (bool(question.beside) and bool(_hand_wager(question)))


def _hand_wager(question: "Question") -> str:
    """Returns the main wager of a spot that is played hand by hand; empty if the question does not include it."""
    from feltworks.analysis.shape import main_wager_of, shoe_game_of

    game = shoe_game_of(question.game)
    main = main_wager_of(game) if game else ""
    return main if main in question.ratios else ""


def answer_document(
    name: str, question: "Question", answer: "Answer", progress: "Progress | None" = None
) -> dict[str, Any]:
    """Writes the JSON document of an answer."""
    from feltworks.fingerprint import definition_fingerprint

    if progress:
        progress(1, _pieces(question))
    terms = question.game.terms
    document: dict[str, Any] = {
        **table_fields(name, question),
        "played": question.strategy,
        "as_approved": not terms.deviations,
        "deviations": list(terms.deviations),
        "fingerprint": definition_fingerprint(question.game),
        **_figures(answer.figures),
        "outcomes": list(_outcomes(answer.figures)),
    }
    document |= {key: value for key, value in answer.notes.items() if isinstance(value, int)}
    document |= {key: exact_number(value) for key, value in answer.notes.items() if isinstance(value, Fraction)}
    if progressive := answer.notes.get("progressive"):
        document |= _progressive(progressive, question)  # type: ignore[arg-type]
    if question.sizes:
        document["by_size"] = list(_by_size(question, progress))
    if strategy := list(_strategy(question, answer)):
        document["strategy"] = strategy
    if question.beside:
        document |= _wagers_beside(question, answer, progress)
    if remarks := list(_remarks(question)):
        document["remarks"] = remarks
    return document


def _figures(figures: "Figures | RoundFigures") -> dict[str, object]:
    fields: dict[str, object] = {key: exact_number(getattr(figures, key)) for key in _FIGURES}
    return {**fields, "standard_deviation": figures.standard_deviation}


def _outcomes(figures: "Figures | RoundFigures") -> Iterator[dict[str, object]]:
    """Yields every outcome; exact ones also as whole ways out of the fewest equally likely ones."""
    chances = [row.probability for row in figures.outcomes]
    exact = [chance.denominator for chance in chances if isinstance(chance, Fraction)]
    whole = lcm(*exact) if len(exact) == len(chances) else 0
    for row in figures.outcomes:
        ways = {"ways": int(row.probability * whole), "of": whole} if whole else {}
        yield {
            "outcome": row.name,
            "probability": exact_number(row.probability),
            "net": str(row.net),
            "wagered": str(row.wagered),
            **ways,
        }


def _strategy(question: "Question", answer: "Answer") -> Iterator[dict[str, object]]:
    """Yields each situation with the choice made and the value of every choice, per unit of the wager."""
    if solved := answer.notes.get("showdown"):
        yield from _hands(solved)  # type: ignore[arg-type]
    for situation, choice in zip(answer.situations, answer.choices, strict=True):
        if len(situation.laws) > 1:
            values = {name: situation.value(name, question.serving) for name in situation.laws}
            yield {
                **_sight_document(player_view(situation.shown, list(values))),
                "probability": exact_number(situation.probability),
                "choice": choice,
                "values": {name: exact_number(value / question.unit) for name, value in values.items()},
            }


def _hands(solved: "Showdown") -> Iterator[dict[str, object]]:
    """Yields poker hands by name, with the share of them that makes each choice."""
    from feltworks.analysis.strategy.optimal import hand_plays

    for hand in hand_plays(solved):
        yield {
            "hand": hand.hand,
            "probability": exact_number(hand.probability),
            "choice": hand.choice,
            "choices": {name: exact_number(part) for name, part in hand.parts.items()},
        }


def _by_size(question: "Question", progress: "Progress | None") -> Iterator[dict[str, object]]:
    from feltworks.analysis.measures import figures_by_size

    for done, sized in enumerate(figures_by_size(question), start=2):
        if progress:
            progress(done, _pieces(question))
        yield {"wager": sized.cents, **_figures(sized.figures)}


def _progressive(progressive: "Progressive", question: "Question") -> dict[str, object]:
    """SP.14–18: writes the return by jackpot, the rounds between hits, and how the jackpot grows."""
    from feltworks.analysis.solvers.progressive import JACKPOTS, POLICIES, outlook

    view = outlook(progressive, question.seats)
    posted = [question.jackpot] if question.jackpot is not None else []
    grows = view.grows
    per_round = {"box": grows.box, "tray": grows.tray, "added": grows.addition, "part_won": grows.won}
    if grows.won:
        per_round["balanced_jackpot"] = grows.balance
    return {
        "seats": question.seats,
        "return": {"constant": exact_number(view.constant), "per_cent": exact_number(view.per_cent)},
        "return_by_jackpot": [
            {"jackpot": cents, "return": exact_number(view.expected_return(cents))}
            for cents in sorted({*JACKPOTS, *posted})
        ],
        "rounds_between": {award: exact_number(rounds) for award, rounds in view.rounds_between.items()},
        "rounds_between_at_table": {hand: exact_number(rounds) for hand, rounds in view.rounds_at_table.items()},
        "growth": {
            "per_round": {key: exact_number(value) for key, value in per_round.items()},
            "seed_recovery": [
                {"policy": words, "part": str(part), "funds": [_fund(*each) for each in view.funds(part)]}
                for words, part in POLICIES.items()
            ],
        },
    }


def _fund(rounds: int, fund: "Fund") -> dict[str, object]:
    amounts = {name: exact_number(getattr(fund, name)) for name in fund.__struct_fields__}
    return {"rounds": rounds, **amounts}


def _wagers_beside(question: "Question", answer: "Answer", progress: "Progress | None") -> dict[str, object]:
    """Writes the figures of every wager of the spot by itself, and of all of them together."""
    from feltworks.analysis.analyze import first_deal_wagers
    from feltworks.analysis.joint import joint
    from feltworks.analysis.progress import part_of
    from feltworks.analysis.shape import waits_for_dealer

    together = joint(question, answer.law) if answer.law else None
    figures: dict[str, Figures | RoundFigures] = dict(together.beside) if together else {}
    moments, rows = (together.moments, together.rows) if together else (None, ())
    if main := _hand_wager(question):
        from feltworks.analysis.solvers.shoe_game.joint import joint_figures

        last = part_of(progress, _pieces(question) - 1, _pieces(question))
        spot = joint_figures(question, answer, together, first_deal_wagers(question), last)
        figures[main], moments, rows = spot.figures, spot.moments, spot.rows
        if spot.later:
            waiting = next(name for name in question.stakes if waits_for_dealer(question.game, name))
            figures[waiting] = spot.later
    assert moments is not None
    ratios = question.ratios
    return {
        "beside": {name: {"ratio": str(ratios[name]), **_figures(figures[name])} for name in ratios if name in figures},
        "round": _round(moments, rows),
        **_turning_ratios(question, answer),
    }


def _round(moments: "Moments", rows: "Sequence[JointOutcome]") -> dict[str, object]:
    names = list(moments.means)
    covariances = moments.covariances
    return {
        "mean": exact_number(moments.mean),
        "variance": exact_number(moments.variance),
        "standard_deviation": sqrt(moments.variance),
        "covariance": {one: {other: exact_number(covariances[one, other]) for other in names} for one in names},
        "distribution": [
            {
                "outcomes": dict(row.outcomes),
                "probability": exact_number(row.probability),
                "nets": {name: str(net) for name, net in row.nets.items()},
                "net": str(row.net),
            }
            for row in rows
        ],
    }


def _turning_ratios(question: "Question", answer: "Answer") -> dict[str, object]:
    """Writes the ratios of two wagers at which the play changes, and the situations in which it does."""
    from feltworks.analysis.joint import turning_ratios

    ratios = []
    for (of, to), turns in turning_ratios(question, answer.situations).items():
        for turn in turns:
            changes = [
                {
                    "cards": list(map(str, change.view.cards)),
                    "dealer": list(map(str, change.view.dealer)),
                    "from": change.before,
                    "to": change.after,
                }
                for change in turn.changes
            ]
            ratios.append({"of": of, "to": to, "ratio": exact_number(turn.ratio), "changes": changes})
    return {"turning_ratios": ratios} if ratios else {}


def _remarks(question: "Question") -> Iterator[str]:
    """Yields remarks that explain the numbers."""
    from feltworks.analysis.shape import waits_for_dealer

    terms = question.game.terms
    decks = f"{terms.decks} {'deck' if terms.decks == 1 else 'decks'}"
    for row, needed in terms.pay_table(question.wager).needs_decks.items():
        if terms.decks < needed:
            yield f"With {decks} no {row} can be dealt, so its pay never counts; it takes {needed} decks."
    if (needs := _missing(question)) is not None:
        yield (
            f"At this table {question.wager} takes {needs.wager} on the same spot ({needs.unless});"
            f" --beside {needs.wager} analyses both."
        )
    if remark := question.game.wagers[question.wager].remark:
        yield remark
    main = _hand_wager(question)
    if not main and any(waits_for_dealer(question.game, name) for name in question.stakes):
        yield from _lucky_break_remarks(question)
    if main and question.beside:
        yield f"Beside {main} the joint distribution is computed in decimals."


def _missing(question: "Question") -> "Bond | None":
    """Returns the missing wager that this table requires beside this one because an option is not its default."""
    terms = question.game.terms
    needs = terms.rulebook.wager[question.wager].needs
    if needs is None or needs.wager in question.stakes or not needs.unless:
        return None
    is_needed = not terms.lifts(needs.unless, question.wager)
    is_usual = terms[needs.unless] == terms.rulebook.option[needs.unless].preset
    return needs if is_needed and not is_usual else None


def _lucky_break_remarks(question: "Question") -> Iterator[str]:
    """Yields the assumption on how the hand beside Lucky Break is played."""
    from feltworks.analysis.question import OPTIMAL
    from feltworks.analysis.solvers.shoe_game.table import is_given_up

    if is_given_up(question):
        yield "The hand is played best for blackjack; Lucky Break goes with one that is surrendered (LB.13)."
    elif question.beside or question.strategy == OPTIMAL:
        yield "The player is taken to keep within Lucky Break's limit (LB.5), unless a strategy is named."


class ComparisonRow(TypedDict):
    """The house edge of the wager under one pay table with one number of decks."""

    pay_table: str
    decks: int
    house_edge: Fraction | float


def comparison_document(game: str, wager: str, rows: Sequence[ComparisonRow]) -> dict[str, Any]:
    """Writes the JSON document of a comparison."""
    compared = [{**row, "house_edge": exact_number(row["house_edge"])} for row in rows]
    return {"game": game, "wager": wager, "compared": compared}


def compare(
    game: str,
    wager: str,
    chosen: Sequence[str] = (),
    progress: Progress | None = None,
    drafts: Sequence[Path] = (),
) -> list[ComparisonRow]:
    """Compares the wager under every pay table and deck count, from the cache if it is there, and under drafts."""
    questions = _questions(game, wager, chosen)
    tables = [(path.stem, read_draft(path, wager)) for path in drafts]  # first, so that bad files are refused early
    rows: list[ComparisonRow] = load_or_compute(
        lambda: cache_key("compare", questions), lambda: _rows(questions, progress)
    )
    first = questions[0].game.terms.pay_tables[wager] if tables else ""
    own = [question for question in questions if tables and question.game.terms.pay_tables[wager] == first]
    return rows + [_draft_row(question, name, table) for name, table in tables for question in own]


def _draft_row(question: Question, name: str, table: PayTable) -> ComparisonRow:
    """Solves the wager under a draft with the draft's own best play."""
    drafts = Drafts(question)
    edge = drafts.solve(drafts.pays_of(table)).figures.house_edge
    return ComparisonRow(pay_table=name, decks=question.game.terms.decks, house_edge=edge)


def _questions(game: str, wager: str, chosen: Sequence[str]) -> list[Question]:
    if game not in catalog.games():
        catalog.game(game)
    book = catalog.rulebook(game)
    decks: Iterable[int | None] = range(1, 9) if "decks" in book.option else [book.cards.decks]
    if any(option.startswith("decks=") for option in chosen):  # then compare only the pay tables
        decks = [None]
    tables = book.pay_table.get(wager, {"1": None})
    return [
        parse_question(game, wager, pay_table=table, decks=count, chosen=chosen) for table in tables for count in decks
    ]


def _rows(questions: list[Question], progress: Progress | None) -> list[ComparisonRow]:
    rows = []
    for done, question in enumerate(questions):
        terms = question.game.terms
        part = part_of(progress, done, len(questions))
        edge = analyze(question, part).figures.house_edge
        rows.append(ComparisonRow(pay_table=terms.pay_tables[question.wager], decks=terms.decks, house_edge=edge))
        if progress:
            progress(done + 1, len(questions))
    return rows


def strategy_document(name: str, report: "StrategyReport", *, values: bool = False) -> dict[str, Any]:
    """Writes the JSON document of a strategy."""
    document: dict[str, Any] = {
        **table_fields(name, report.question),
        "house_edge": exact_number(report.house_edge),
        "charts": [_chart(grid, values=values) for grid in report.grids],
        "practical": [_practical(strategy) for strategy in report.ladder.strategies],
        "least_cost": exact_number(report.ladder.least_cost),
        "remark": report.ladder.remark,
    }
    if report.streets:
        document["decisions"] = [
            {
                "decision": about,
                "practical": [_practical(strategy) for strategy in ladder.strategies],
                "least_cost": exact_number(ladder.least_cost),
                "remark": ladder.remark,
            }
            for about, ladder in report.streets
        ]
    if report.left_out:
        document["left_out"] = report.left_out
    if report.chart_edge is not None:
        document["chart_house_edge"] = exact_number(report.chart_edge)
        document["chart_cost"] = exact_number(report.chart_edge - report.house_edge)
    if report.question.beside:
        document["turning_ratios"] = [_turn(*each) for each in report.turns]
    if values and report.decided:
        document["situations"] = [_situation(each) for each in report.decided if len(each.values) > 1]
    return document


def _chart(grid: "Grid", *, values: bool) -> dict[str, Any]:
    cells = []
    for (row, column), cell in grid.cells.items():
        entry: dict[str, Any] = {grid.down: row, grid.across: column, "choice": cell.choice}
        if cell.is_mixed:
            entry["shares"] = {name: exact_number(share) for name, share in cell.shares.items()}
        if cell.otherwise not in ("", cell.choice):
            entry["otherwise"] = cell.otherwise
        if values:
            entry["values"] = {name: exact_number(value) for name, value in cell.values.items()}
        cells.append(entry)
    axes = {"rows": grid.rows, "columns": grid.columns}
    return {
        "title": grid.title,
        "down": grid.down,
        "across": grid.across,
        **axes,
        "cells": cells,
        "notes": grid.notes,
        "meaning": grid.meaning,
    }


def _practical(strategy: "PracticalStrategy") -> dict[str, Any]:
    return {
        "rules": [{"choice": rule.choice, "words": rule.phrase.words} for rule in strategy.rules],
        "otherwise": strategy.otherwise,
        "words": strategy.words,
        "to_remember": strategy.burden,
        "cost": exact_number(strategy.cost),
        "house_edge": exact_number(strategy.house_edge),
    }


def _turn(wager: str, turn: TurningPoint) -> dict[str, Any]:
    changes = [{**_sight_document(each.view), "below": each.before, "above": each.after} for each in turn.changes]
    return {"wager": wager, "ratio": exact_number(turn.ratio), "changes": changes}


def _sight_document(view: PlayerView) -> dict[str, Any]:
    return {"cards": list(map(str, view.cards)), "dealer": list(map(str, view.dealer))}


def _situation(sight: "SolvedSight") -> dict[str, Any]:
    document = {
        **_sight_document(sight.view),
        "probability": exact_number(sight.probability),
        "choice": sight.choice,
    }
    if len(sight.best) > 1:
        document["shares"] = {name: exact_number(share) for name, share in sight.best.items()}
    return {**document, "values": {name: exact_number(value) for name, value in sight.values.items()}}
