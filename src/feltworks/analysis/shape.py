"""What shape a game has, told by what it declares: no solver asks for a game by its name to serve it."""

from typing import Any

from feltworks.hands.poker import HandValue, Ranking
from feltworks.rules.game import Game


def ranking_of(game: Game[Any]) -> Ranking | None:
    """The ranking a game compares poker hands by; None where it compares none.

    >>> from feltworks import catalog
    >>> ranking_of(catalog.game("spanish-poker")).size, ranking_of(catalog.game("fu-bacc"))
    (5, None)
    """
    ranking = getattr(game, "ranking", None)
    return ranking if isinstance(ranking, Ranking) else None


def qualifier_of(game: Game[Any]) -> HandValue | None:
    """The weakest hand that the house qualifies with; None where the game declares none.

    >>> from feltworks import catalog
    >>> qualifier_of(catalog.game("spanish-poker")).words
    'pair of sixes'
    """
    qualifier = getattr(game, "weakest_qualifier", None)
    return qualifier if isinstance(qualifier, HandValue) else None
