"""Answers for the wagers of a blackjack spot that wait for the dealer's whole hand."""

from feltworks.analysis.blackjack.analysis import STRATEGIES, BlackjackAnalysis, insurance
from feltworks.analysis.blackjack.dealer_spot import dealer_law
from feltworks.analysis.first_deal import FirstDeal
from feltworks.analysis.progress import Progress, part_of
from feltworks.analysis.question import BLACKJACK, INSURANCE, LUCKY_BREAK, OPTIMAL, Answer, Question
from feltworks.analysis.referee import Law
from feltworks.analysis.shoe_game.chart import Chart
from feltworks.analysis.shoe_game.conduct import Conduct, plans_conduct
from feltworks.analysis.shoe_game.lucky_break import SURRENDERED, differs, lucky_break
from feltworks.analysis.situations import mixed
from feltworks.analysis.strategy.chart_file import chart_in
from feltworks.errors import BadOption, one_of
from feltworks.games.blackjack import Blackjack


def blackjack_answer(question: Question, game: Blackjack, progress: Progress | None = None) -> Answer:
    """The blackjack wager, insurance, and Lucky Break, which a strategy touches only by the limit of LB.5."""
    if question.wager == INSURANCE:
        return Answer(insurance(game, shoe=question.shoe))
    table = BlackjackAnalysis(game, question.shoe)
    chart = _chart(question, table)
    law = law_beside(question, game, part_of(progress, 0, 2)) if question.beside else None
    notes = {"table": table, "chart": chart}
    if question.wager == LUCKY_BREAK:
        conduct = _conduct(question, table, chart)
        last = part_of(progress, 1, 2) if question.beside else progress
        figures = lucky_break(game, shoe=question.shoe, strategy=conduct, progress=last)
        return Answer(figures, law=law, notes=notes if BLACKJACK in question.stakes else {})
    return Answer(table.best if chart is None else table.played(chart), law=law, notes=notes)


def _conduct(question: Question, table: BlackjackAnalysis, chart: Chart | None) -> Chart | Conduct | None:
    """How the hand beside Lucky Break is played; None where all that counts is that it keeps within LB.5."""
    if BLACKJACK not in question.stakes and question.beside:
        return None
    if chart is None and (BLACKJACK in question.stakes or is_given_up(question)):
        return plans_conduct(table.table, table.plan)
    return chart


def is_given_up(question: Question) -> bool:
    """LB.13: whether Lucky Break alone, under best play, depends on which hands best play surrenders."""
    game = question.game
    assert isinstance(game, Blackjack)
    alone = not question.beside and question.strategy == OPTIMAL
    return alone and game.surrenders and differs(game, SURRENDERED)


def _chart(question: Question, table: BlackjackAnalysis) -> Chart | None:
    """How the strategy plays; None for best play."""
    if question.plays is not None:
        return chart_in(question.strategy, question.plays.chart)
    if question.strategy == OPTIMAL:
        return None
    if question.strategy not in STRATEGIES:
        known = one_of((OPTIMAL, *STRATEGIES, "the name of a .json file with a chart"))
        raise BadOption("--strategy", question.strategy, known)
    return table.strategy(question.strategy)


def law_beside(question: Question, game: Blackjack, progress: Progress | None = None) -> Law | None:
    """The wagers of a blackjack spot together, all but blackjack itself; None where that is alone."""
    stakes = {name: cents for name, cents in question.stakes.items() if name != BLACKJACK}
    if LUCKY_BREAK in stakes:
        return dealer_law(game, stakes, LUCKY_BREAK, question.shoe, progress)
    if not stakes:
        return None
    found = list(FirstDeal(game, stakes, question.shoe).situations())
    return mixed(found, [situation.best(question.serving) for situation in found])
