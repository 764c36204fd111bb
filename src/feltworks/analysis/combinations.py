"""In how many equally likely ways can a wager's cards fall? Counts for the outcome table of a PAR sheet."""

from collections.abc import Iterator
from fractions import Fraction
from math import comb, lcm, perm
from typing import Any

from msgspec import Struct

from feltworks.analysis.question import BLACKJACK, LUCKY_BREAK
from feltworks.games.blackjack import Blackjack
from feltworks.games.fu_bacc import FuBacc
from feltworks.hands.poker import Ranking
from feltworks.rules.game import Game

_FEWEST = "in the fewest equally likely ways that show every outcome exactly"
_SIX = "player's three cards and the dealer's three, in order"


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
    """What is dealt until the wager is decided, by the shape of the game."""
    cards, ranking = game.terms.shoe.total, getattr(game, "ranking", None)
    two_and_up = Ways(comb(cards, 2) * (cards - 2), "player's two cards, without order, and the up card")
    raised = any(entry.of == wager for entry in game.terms.rulebook.wager.values())
    if isinstance(ranking, Ranking):
        hands = comb(cards, ranking.size)
        if raised:
            deals = hands * comb(cards - ranking.size, ranking.size)
            yield Ways(deals, "hands of the player and of the house, without order within a hand")
        else:
            yield Ways(hands, f"hands of {ranking.size} cards out of {cards}, without order")
    elif isinstance(game, FuBacc):
        yield two_and_up if wager == "lucky-monkey" else Ways(perm(cards, 6), _SIX)
    elif isinstance(game, Blackjack) and wager == "acey-deucey":
        yield two_and_up
    elif isinstance(game, Blackjack) and wager == "lucky-lucky":
        yield Ways(comb(cards, 3), "first two cards and the dealer's up card, without order")
    elif isinstance(game, Blackjack) and wager not in (BLACKJACK, LUCKY_BREAK):
        yield Ways(perm(cards, 3), "player's first and second card and the up card, in order")
