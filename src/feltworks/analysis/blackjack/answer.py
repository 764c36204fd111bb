"""Answers for the wagers of a blackjack spot that wait for the dealer's whole hand."""

from feltworks.analysis.blackjack.analysis import STRATEGIES, BlackjackAnalysis
from feltworks.analysis.blackjack.dealer_spot import dealer_law
from feltworks.analysis.question import BLACKJACK, LUCKY_BREAK, OPTIMAL, Answer, Question
from feltworks.analysis.referee import Law
from feltworks.analysis.shoe_game.lucky_break import lucky_break
from feltworks.analysis.situations import mixed
from feltworks.analysis.up_card.spot import spot_situations
from feltworks.errors import BadOption, one_of
from feltworks.games.blackjack import Blackjack


def blackjack_answer(question: Question, game: Blackjack) -> Answer:
    """The blackjack wager, and Lucky Break, which a strategy touches only by the limit of LB.5."""
    if question.strategy not in (OPTIMAL, *STRATEGIES):
        raise BadOption("--strategy", question.strategy, one_of((OPTIMAL, *STRATEGIES)))
    table = BlackjackAnalysis(game, question.shoe)
    chart = None if question.strategy == OPTIMAL else table.strategy(question.strategy)
    law = law_beside(question, game) if question.beside else None
    if question.wager == LUCKY_BREAK:
        return Answer(lucky_break(game, shoe=question.shoe, strategy=chart), law=law)
    return Answer(table.best if chart is None else table.played(chart), law=law)


def law_beside(question: Question, game: Blackjack) -> Law | None:
    """The wagers of a blackjack spot together, all but blackjack itself; None where that is alone."""
    stakes = {name: cents for name, cents in question.stakes.items() if name != BLACKJACK}
    if LUCKY_BREAK in stakes:
        return dealer_law(game, stakes, LUCKY_BREAK, question.shoe)
    if not stakes:
        return None
    found = spot_situations(game, stakes, question.shoe)
    return mixed(found, [situation.best(question.serving) for situation in found])
