"""How a wager is played: its best strategy as charts, practical lists of rules, and where ratios turn it."""

from collections.abc import Sequence

from msgspec import Struct

from feltworks.analysis.analyze import Question
from feltworks.analysis.progress import Progress
from feltworks.analysis.shape import main_wager_of, shoe_game_of
from feltworks.analysis.shoe_game.analysis import TableAnalysis
from feltworks.analysis.shoe_game.numbers import Number
from feltworks.analysis.strategy.chart_rules import chart_ladder
from feltworks.analysis.strategy.grids import Grid, blackjack_grids, grids_of
from feltworks.analysis.strategy.optimal import Decided, Turn, optimal_strategy, turning_ratios
from feltworks.analysis.strategy.practical import MOST_RULES, Ladder, ladder


class Played(Struct, frozen=True):
    """Everything there is to say about the play of a wager."""

    question: Question
    house_edge: Number  # under best play
    grids: Sequence[Grid]
    ladder: Ladder
    decided: Sequence[Decided] = ()
    turns: Sequence[tuple[str, Turn]] = ()  # for each wager that grows beside the played one
    chart_edge: Number | None = None  # of the best chart of totals, where best play goes by exact cards


def played(question: Question, most_rules: int = MOST_RULES, progress: Progress | None = None) -> Played:
    """Best play and practical play of a wager; refused where there is nothing to decide."""
    question.check()
    game = shoe_game_of(question.game)
    if game and question.wager == main_wager_of(game):
        return _by_hand(question, TableAnalysis(game, question.shoe), most_rules, progress)
    strategy = optimal_strategy(question)
    turns = turning_ratios(question, strategy.answer.situations) if question.beside else {}
    return Played(
        question,
        strategy.answer.figures.house_edge,
        grids_of(strategy),
        ladder(strategy, most_rules, progress),
        strategy.decided,
        [(wager, turn) for wager, found in turns.items() for turn in found],
    )


def _by_hand(question: Question, table: TableAnalysis, most_rules: int, progress: Progress | None) -> Played:
    return Played(
        question,
        table.best.house_edge,
        blackjack_grids(table.basic_strategy),
        chart_ladder(table, most_rules, progress),
        chart_edge=table.played(table.basic_strategy).house_edge,
    )
