"""Answers for the wagers of a spot that wait for how its hands are played, or for the dealer's hand."""

from typing import Any

from feltworks.analysis.first_deal import FirstDeal
from feltworks.analysis.progress import Progress, part_of
from feltworks.analysis.question import OPTIMAL, Answer, Question
from feltworks.analysis.referee import Law
from feltworks.analysis.shape import insurance_of, main_wager_of, waits_for_dealer
from feltworks.analysis.shoe_game.analysis import STRATEGIES, TableAnalysis, insurance
from feltworks.analysis.shoe_game.chart import Chart, FixedPlay, play_of_plan
from feltworks.analysis.shoe_game.dealer_bonus import bonus_figures, bonus_rules
from feltworks.analysis.shoe_game.dealer_spot import dealer_law
from feltworks.analysis.situations import mixed
from feltworks.analysis.strategy.chart_file import chart_in
from feltworks.errors import BadOption, one_of
from feltworks.rules.game import Game


def hand_answer(question: Question, game: Game[Any], progress: Progress | None = None) -> Answer:
    """The main wager, what follows it, or one on the dealer's hand, which a strategy touches by its limit."""
    if question.wager == insurance_of(game):
        return Answer(insurance(game, shoe=question.shoe))
    table = TableAnalysis(game, question.shoe)
    chart = _chart(question, table)
    law = law_beside(question, game, part_of(progress, 0, 2)) if question.beside else None
    notes = {"table": table, "chart": chart}
    if waits_for_dealer(game, question.wager):
        conduct = _conduct(question, table, chart)
        last = part_of(progress, 1, 2) if question.beside else progress
        figures = bonus_figures(game, shoe=question.shoe, strategy=conduct, progress=last)
        return Answer(figures, law=law, notes=notes if main_wager_of(game) in question.stakes else {})
    return Answer(table.best if chart is None else table.played(chart), law=law, notes=notes)


def _conduct(question: Question, table: TableAnalysis, chart: Chart | None) -> Chart | FixedPlay | None:
    """How the hand beside such a wager is played; None where all that counts is that it keeps its limit."""
    has_hand = main_wager_of(question.game) in question.stakes
    if not has_hand and question.beside:
        return None
    if chart is None and (has_hand or is_given_up(question)):
        return play_of_plan(table.table, table.plan)
    return chart


def is_given_up(question: Question) -> bool:
    """Whether a wager on the dealer's hand, alone under best play, depends on which hands are surrendered."""
    alone = not question.beside and question.strategy == OPTIMAL
    return alone and bonus_rules(question.game, question.wager).surrendered is not None


def _chart(question: Question, table: TableAnalysis) -> Chart | None:
    """How the strategy plays; None for best play."""
    if question.plays is not None:
        return chart_in(question.strategy, question.plays.chart)
    if question.strategy == OPTIMAL:
        return None
    if question.strategy not in STRATEGIES:
        known = one_of((OPTIMAL, *STRATEGIES, "the name of a .json file with a chart"))
        raise BadOption("--strategy", question.strategy, known)
    return table.strategy(question.strategy)


def law_beside(question: Question, game: Any, progress: Progress | None = None) -> Law | None:
    """The wagers of a spot together, all but the main one; None where that is alone."""
    stakes = {name: cents for name, cents in question.stakes.items() if name != main_wager_of(game)}
    if later := [name for name in stakes if waits_for_dealer(game, name)]:
        return dealer_law(game, stakes, later[0], question.shoe, progress)
    if not stakes:
        return None
    found = list(FirstDeal(game, stakes, question.shoe).situations())
    return mixed(found, [situation.best(question.serving) for situation in found])
