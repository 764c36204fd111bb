"""Answers questions about wagers that one growing hand decides."""

from feltworks.analysis.question import Answer, Question
from feltworks.analysis.solvers.streets.solver import StreetsSolver
from feltworks.analysis.strategy.decisions import chooser


def streets_answer(question: Question) -> Answer:
    """The figures of one wager of the spot with all that comes with it or follows from it."""
    solved = StreetsSolver(
        question.game,
        question.stakes,
        question.shoe,
        meters=question.posted,
        serving=frozenset(question.serving),
        strategy=chooser(question),
    )
    figures = solved.figures_of(question.group, question.unit)
    law = solved.law if question.beside else None
    return Answer(figures, notes={"streets": solved}, law=law)
