"""Rules that come with Feltworks, and those of one's own that take their place."""

from collections.abc import Iterable
from typing import Any, Final

from feltworks import catalog
from feltworks.analysis.shape import waits_for_dealer
from feltworks.errors import FeltError
from feltworks.rules.game import Game

_PACKAGE: Final = "feltworks."


class OwnBlackjack(FeltError):
    """A wager on hands of blackjack that are played by rules of a designer's own."""

    def __init__(self, game: Game[Any], wager: str) -> None:
        title = game.terms.rulebook.title
        super().__init__(
            f"{wager} of {title} is analysed by the blackjack rules that come with Feltworks, and here a file"
            " of your own takes their place; felt settle and felt play follow it"
        )


def is_shipped(game: Game[Any], wagers: Iterable[str]) -> bool:
    """Whether the game and these wagers, with those that follow from them, come with Feltworks."""
    names = set(wagers)
    judges = [game.wagers[name] for name, e in game.terms.rulebook.wager.items() if {name, e.of} & names]
    return all(type(each).__module__.startswith(_PACKAGE) for each in (game, *judges))


def check_own_hands(game: Game[Any], wager: str) -> None:
    """Refuse a wager on hands where a file of one's own takes the place of the rules that a solver knows."""
    known = catalog.shipped_type(game.terms.rulebook.game)
    if known is None or not known.has_spots or is_shipped(game, ()):
        return
    if wager in [kind.name for kind in known.wager_types] or waits_for_dealer(game, wager):
        raise OwnBlackjack(game, wager)
