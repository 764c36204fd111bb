"""In how many equally likely ways can a wager's cards fall? Counts for the outcome table of a PAR sheet."""

from collections.abc import Iterator
from fractions import Fraction
from math import lcm
from typing import Any

from msgspec import Struct

from feltworks.analysis.shape import ranking_of
from feltworks.rules.game import Game
from feltworks.rules.wager import Deal

_FEWEST = "in the fewest equally likely ways that show every outcome exactly"


class Ways(Struct, frozen=True):
    """A number of equally likely ways, and what one of them is."""

    total: int
    words: str

    def of(self, probability: Fraction) -> int:
        """How many of them make this outcome."""
        return int(probability * self.total)


def ways(game: Game[Any], wager: str, probabilities: list[Fraction]) -> Ways:
    """The deals that decide the wager, where they are known and all outcomes are whole numbers of them."""
    fewest = lcm(*(each.denominator for each in probabilities))
    for found in _deals(game, wager):
        if found.total % fewest == 0:
            return found
    return Ways(fewest, _FEWEST)


def _deals(game: Game[Any], wager: str) -> Iterator[Ways]:
    """What is dealt until the wager is decided: as it declares, or by the hands that are compared."""
    cards, ranking = game.terms.shoe.total, ranking_of(game)
    if deal := game.wagers[wager].decided_by or (ranking and _hands(game, wager, ranking.size)):
        yield Ways(deal.ways(cards), deal.words)


def _hands(game: Game[Any], wager: str, size: int) -> Deal:
    if any(entry.of == wager for entry in game.terms.rulebook.wager.values()):  # played against the house
        return Deal((size, size), "hands of the player and of the house, without order within a hand")
    return Deal((size,), f"hands of {size} cards out of {game.terms.shoe.total}, without order")
