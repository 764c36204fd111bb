"""Answers questions about wagers on two hands that share a board."""

from feltworks.analysis.question import OPTIMAL, Answer, Question
from feltworks.analysis.solvers.board.solver import BoardSolver
from feltworks.errors import BadOption


def board_answer(question: Question) -> Answer:
    """The figures of one wager of the spot with all that comes with it or follows from it."""
    if question.strategy != OPTIMAL:
        raise BadOption("--strategy", question.strategy, f"{OPTIMAL} where hands share a board")
    solved = BoardSolver(
        question.game,
        question.stakes,
        question.shoe,
        meters=question.posted,
        serving=frozenset(question.serving),
    )
    figures = solved.figures_of(question.group, question.unit)
    law = solved.law if question.beside else None
    return Answer(figures, notes={"board": solved}, law=law)
