"""Which rules come with Feltworks, and which are a designer's own."""

from collections.abc import Iterable
from typing import Any, Final

from feltworks.rules.game import Game

_PACKAGE: Final = "feltworks."


def is_shipped(game: Game[Any], wagers: Iterable[str]) -> bool:
    """Whether the game and these wagers, with those that follow from them, come with Feltworks."""
    names = set(wagers)
    judges = [game.wagers[name] for name, e in game.terms.rulebook.wager.items() if {name, e.of} & names]
    return all(type(each).__module__.startswith(_PACKAGE) for each in (game, *judges))
