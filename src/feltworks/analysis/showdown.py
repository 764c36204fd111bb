"""The showdown solver: a hand against a dealer's hand from the rest of the deck, one decision in between.

It serves every game of that shape, and every wager that the player's hand alone decides: the game deals,
offers and settles (`showdown_cells`), hands are enumerated and counted exactly (`poker_hands`,
`dealer_counts`), and only what a dealer's value can change is counted at all.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import comb, lcm
from typing import Any, Literal

import numpy as np
from msgspec import Struct

from feltworks.analysis.dealer_counts import Below, DealerCounts, UpCard, dealer_counts
from feltworks.analysis.figures import Figures, Outcome
from feltworks.analysis.poker_hands import Hand, Ints, hand_classes
from feltworks.analysis.showdown_cells import RELATIONS, Cells, Result, Spot, ranking_of
from feltworks.cards import Card, Shoe
from feltworks.errors import FeltError, UnknownName
from feltworks.hands.poker import HandValue
from feltworks.money import Cents, dollars
from feltworks.rules.game import Game
from feltworks.rules.round import Choice

_UNIT: Cents = 100
_LARGEST = 2**63 - 1


class Sight(Struct, frozen=True):
    """What a player decides by: the hand, its value, and the dealer's up card where there is one."""

    cards: Hand
    value: HandValue
    up_card: Card | None = None


Strategy = Literal["optimal"] | Callable[[Sight], str]


class Decision(Struct, frozen=True):
    """What each choice is worth with a hand, per unit of the first wager, and the best of them."""

    sight: Sight
    hands: int  # how many hands of the deck are alike
    worth: Mapping[str, Fraction]
    best: str


class Row(Struct, frozen=True):
    """One way the whole spot can come out: after which choice, how each wager was settled, in how many ways."""

    choice: str
    result: Result
    ways: int


def showdown(
    game: Game[Any],
    *,
    wagers: Mapping[str, Cents] | None = None,
    shoe: Shoe | None = None,
    strategy: Strategy = "optimal",
    meters: Mapping[str, Cents] | None = None,
) -> "Showdown":
    """Analyse one spot of a showdown game; without `wagers`, the main wager alone.

    >>> from feltworks import catalog
    >>> showdown(catalog.game("spanish-poker"), wagers={"joker-in-hand": 100}).figures.house_edge
    Fraction(1, 41)
    """
    placed = dict(wagers) if wagers else {_main_wager(game): _UNIT}
    for name in placed:
        if name not in game.wagers:
            raise UnknownName("wager", name, game.wagers, of=game.terms.rulebook.title)
    return Showdown(game, placed, shoe or game.terms.shoe, strategy, meters or {})


class Showdown:
    """The exact law of a spot under a strategy, and the worth of every choice."""

    def __init__(
        self,
        game: Game[Any],
        wagers: Mapping[str, Cents],
        shoe: Shoe,
        strategy: Strategy,
        meters: Mapping[str, Cents],
    ) -> None:
        self.game, self.wagers, self.strategy = game, dict(wagers), strategy
        self.unit = next(iter(wagers.values()))
        self.classes = hand_classes(shoe, ranking_of(game))
        spot = Spot(game, wagers, meters)
        self._up_card = bool(spot.up_cards(self.classes.examples[0]))
        self._cells = Cells(spot, self.classes)
        self._priced = [_Priced(self._cells, place) for place in range(len(self._cells.players))]
        self._scale = lcm(*(net.denominator for run in self._priced for net in run.nets()))
        if self._needs_dealer and shoe.total < 2 * self.classes.size:
            raise FeltError(f"two hands take {2 * self.classes.size} cards and the shoe holds {shoe.total}")
        self.rows = tuple(self._tallied())

    @property
    def _needs_dealer(self) -> bool:
        return any(run.needs_dealer for run in self._priced)

    @cached_property
    def _counts(self) -> DealerCounts:
        return dealer_counts(self.classes, self._cells.cuts, up_card=self._up_card)
