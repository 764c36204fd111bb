"""Answers questions about wagers that one growing hand decides."""

from feltworks.analysis.question import Answer, Question
from feltworks.analysis.solvers.streets.solver import StreetsSolver, StreetStrategy
from feltworks.analysis.strategy.decisions import chooser
from feltworks.analysis.strategy.file import Chooser


def streets_answer(question: Question) -> Answer:
    """The figures of one wager of the spot with all that comes with it or follows from it."""
    follow = chooser(question) if question.plays or question.strategy != "optimal" else None
    solved = StreetsSolver(
        question.game,
        question.stakes,
        question.shoe,
        meters=question.posted,
        serving=frozenset(question.serving),
        strategy=_as_street_strategy(follow) if follow else None,
    )
    figures = solved.figures_of(question.group, question.unit)
    law = solved.law if question.beside else None
    return Answer(figures, notes={"streets": solved}, law=law)


def _as_street_strategy(follow: Chooser) -> StreetStrategy:
    """Adapts a chooser to the solver: it sees all open cards as the player's own."""
    return lambda _, cards, names: follow(cards, (), names)
