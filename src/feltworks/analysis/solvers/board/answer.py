"""Answers questions about wagers on two hands that share a board."""

from collections.abc import Iterable, Mapping

from feltworks.analysis.question import OPTIMAL, Answer, Question
from feltworks.analysis.solvers.board.followed import FollowedBoard
from feltworks.analysis.solvers.board.solver import BoardSolver
from feltworks.analysis.solvers.board.tree import Boards
from feltworks.analysis.strategy.decisions import Follower, chooser
from feltworks.analysis.strategy.file import Chooser
from feltworks.cards import Shoe
from feltworks.errors import BadOption
from feltworks.money import Cents
from feltworks.rules.game import Game


def board_answer(question: Question) -> Answer:
    """The figures of one wager of the spot with all that comes with it or follows from it."""
    boards = Boards(question.game, question.stakes, question.posted, question.shoe)  # refused before any work
    follow = chooser(question) if boards.root.choices else None
    solved = board_solver(question.game, question.stakes, question.shoe, question.posted, question.serving, follow)
    figures = solved.figures_of(question.group, question.unit)
    law = solved.law if question.beside else None
    return Answer(figures, notes={"board": solved}, law=law)


def board_solver(
    game: Game,
    wagers: Mapping[str, Cents],
    shoe: Shoe,
    meters: Mapping[str, Cents],
    serving: Iterable[str],
    follow: Chooser | None,
    *,
    keeps_choices: bool = False,
) -> BoardSolver:
    """The solver of a spot under best play, or under the file that is followed."""
    served = frozenset(serving)
    if follow is None:
        return BoardSolver(game, wagers, shoe, meters=meters, serving=served, keeps_choices=keeps_choices)
    if not isinstance(follow, Follower):
        raise BadOption("--strategy", "this one", f"{OPTIMAL} or a file where hands share a board")
    return FollowedBoard(game, wagers, shoe, follow, meters=meters, serving=served)
