"""The shape of a game, derived from what it declares: solvers never go by a game's name."""

from collections.abc import Iterable
from typing import Any, Final

from feltworks.cards import Rank
from feltworks.hands.poker import HandValue, Ranking
from feltworks.rules.game import Game

_SHIPPED: Final = "feltworks.games."


def ranking_of(game: Game) -> Ranking | None:
    """The ranking a game compares poker hands by; None where it compares none.

    >>> from feltworks import catalog
    >>> ranking_of(catalog.game("spanish-poker")).size, ranking_of(catalog.game("fu-bacc"))
    (5, None)
    """
    ranking = getattr(game, "ranking", None)
    return ranking if isinstance(ranking, Ranking) else None


def qualifier_of(game: Game) -> HandValue | None:
    """The weakest hand that the house qualifies with; None where the game declares none.

    >>> from feltworks import catalog
    >>> qualifier_of(catalog.game("spanish-poker")).words
    'pair of sixes'
    """
    qualifier = getattr(game, "weakest_qualifier", None)
    return qualifier if isinstance(qualifier, HandValue) else None


def high_rank_of(game: Game, ranking: Ranking) -> Rank:
    """The rank from which on cards count as high: the house qualifies with it, or half of all are higher.

    >>> from feltworks import catalog
    >>> table = catalog.game("spanish-poker")
    >>> high_rank_of(table, ranking_of(table)).word
    'six'
    """
    qualifier = qualifier_of(game)
    return qualifier.ranks[0] if qualifier else ranking.ranks[len(ranking.ranks) // 2]


def shoe_game_of(game: Game) -> Any | None:
    """The game if the solver of split hands knows how it is dealt; None otherwise.

    Wagers that the up card decides are still solved by the deal of the rules that come with Feltworks, so a
    file of one's own has to be made from those.

    >>> from feltworks import catalog
    >>> shoe_game_of(catalog.game("lucky-break")) is None, shoe_game_of(catalog.game("fu-bacc")) is None
    (False, True)
    """
    is_known = any(kind.__module__.startswith(_SHIPPED) for kind in type(game).__mro__)
    return game if game.has_spots and is_known else None


def main_wager_of(game: Game) -> str:
    """The main wager of a game: others lie beside it or are derived from it."""
    entries = game.terms.rulebook.wager.items()
    return next((name for name, entry in entries if entry.kind == "main"), next(iter(game.wagers)))


def opening_wagers(game: Game) -> tuple[str, ...]:
    """The main wager and those that are placed together with it."""
    main = main_wager_of(game)
    return main, *game.terms.rulebook.placed_with(main)


def waits_for_dealer(game: Game, wager: str) -> bool:
    """Whether a wager beside split hands waits for the dealer's hand, and assumes how they are played."""
    return game.has_spots and bool(game.wagers[wager].assumes)


def insurance_of(game: Game) -> str | None:
    """The game's own wager that follows its main one while hands are played; None where there is none."""
    book, main = game.terms.rulebook.wager, main_wager_of(game)
    return next((kind.name for kind in type(game).wager_types if book[kind.name].of == main), None)


def is_played_by_hand(game: Game, wager: str) -> bool:
    """Whether a wager of a game with spots is played hand by hand, or waits for how hands are played."""
    own = {kind.name for kind in type(game).wager_types}
    return game.has_spots and (wager in own or waits_for_dealer(game, wager))


_PACKAGE: Final = "feltworks."


def is_shipped(game: Game, wagers: Iterable[str]) -> bool:
    """Whether the game and these wagers, with those that follow from them, come with Feltworks."""
    names = set(wagers)
    judges = [game.wagers[name] for name, e in game.terms.rulebook.wager.items() if {name, e.of} & names]
    return all(type(each).__module__.startswith(_PACKAGE) for each in (game, *judges))
