"""What does a known card change? The house edge with one card of each rank out of the shoe."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from feltworks.analysis.analyze import OPTIMAL, Question, analyze
from feltworks.analysis.counted import cost, count_situations, tables_of
from feltworks.analysis.shape import is_played_by_hand, ranking_of, shoe_game_of
from feltworks.analysis.shoe_game.numbers import Number
from feltworks.cards import Card, Rank
from feltworks.hands.blackjack import TEN_VALUES


class Removed(Struct, frozen=True):
    """One card known to be out: what the edge changes by, the play fitted to it."""

    rank: Rank
    cards: int  # of this rank in the whole shoe
    change: Number


def removal(question: Question, edge: Number) -> list[Removed]:
    """The change of the edge for one card of every rank, from the lowest rank to the joker.

    A game of no known shape is walked card by card, which takes too long to be done for every rank.
    """
    if not is_quick(question):
        return []
    known: dict[object, Number] = {}
    found = []
    for face, count in _ranks(question):
        kind = _kind(question, face)
        if kind not in known:
            asked = replace(question, exposed=(*question.exposed, face))
            known[kind] = _house_edge(asked) - edge
        found.append(Removed(face.rank, count, known[kind]))
    return found


def _house_edge(question: Question) -> Number:
    """By the shortest way: where situations can be counted, no more is worked out than the edge."""
    game = question.game
    if game.is_short and question.plays is None and question.strategy == OPTIMAL:
        counted = count_situations(game, question.stakes, question.shoe, serving=question.serving)
        return cost(counted, question.group, question.unit, serving=question.serving).house_edge
    return analyze(question).figures.house_edge


def is_quick(question: Question) -> bool:
    """Whether a solver knows the shape of the game, or its rounds are short."""
    game = question.game
    return game.is_short or ranking_of(game) is not None or shoe_game_of(game) is not None


def _ranks(question: Question) -> Iterator[tuple[Card, int]]:
    """One card of each rank that the shoe holds, and how many it holds of that rank."""
    faces = list(question.shoe)
    for rank in (*list(Rank)[1:], Rank.JOKER):
        of_rank = [face for face in faces if face.rank is rank]
        if of_rank:
            yield of_rank[0], sum(question.shoe[face] for face in of_rank)


def _kind(question: Question, face: Card) -> object:
    """Cards that the compiled rules never tell apart; ten-value cards are alike to a hand of blackjack."""
    if question.game.is_short:
        tables = tables_of(question.game, tuple(question.stakes.items()))
        return tables.kinds[tables.faces.index(face)]
    return "ten" if is_played_by_hand(question.game, question.wager) and face in TEN_VALUES else face.rank
