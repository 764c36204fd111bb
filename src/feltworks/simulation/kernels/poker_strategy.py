"""Which hands raise? Every strategy of a showdown game as one truth value for each class of hands."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from feltworks.analysis.poker_hands import HandClasses
from feltworks.analysis.showdown import showdown
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.simulation.kernels.poker_hands import Bools
from feltworks.simulation.plan import Strategy
from feltworks.simulation.strategies import chooser_of

_OPEN = ("fold", "raise")


def raising_hands(
    game: Game[Any], classes: HandClasses, seat: Mapping[str, Cents], strategy: Strategy
) -> Bools:
    """The classes of hands that raise when a seat with these wagers plays so.

    SP.22: a fold costs no bonus wager, so what stands beside the Ante changes nothing.
    """
    follow = chooser_of(game, seat, strategy)
    if follow is not None:
        said = (follow(classes.cards(row), (), _OPEN) for row in range(len(classes)))
        return np.array([choice == "raise" for choice in said])
    if "ante" not in seat:
        return np.zeros(len(classes), np.bool_)
    worth, _ = showdown(game).worth()
    # Of equally good choices the fold, which wagers less
    return np.array([more > less for more, less in zip(worth["raise"], worth["fold"], strict=True)])
