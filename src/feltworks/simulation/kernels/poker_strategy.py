"""Which hands raise? Every strategy of a showdown game as one truth value for each class of hands."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from feltworks.analysis.showdown.hands import HandClasses
from feltworks.analysis.showdown.solver import showdown
from feltworks.games.spanish_poker import SpanishPoker
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.simulation.kernels.poker_hands import Bools, hand_tables
from feltworks.simulation.plan import Plan, Strategy
from feltworks.simulation.strategies import chooser_of

_OPEN = ("fold", "raise")


class RaisingTables(Struct, frozen=True):
    """How every hand is played, by its sum and, where that does not tell, by its number."""

    played: NDArray[np.uint16]
    by_cards: NDArray[np.uint8]


def raising_tables(plan: Plan) -> RaisingTables:
    """How the plan's seats play; the same for plans that differ in what says nothing of it."""
    playing = next((seat for seat in plan.seats if "ante" in seat), {})
    if plan.strategy == Strategy():  # SP.22: what stands beside the Ante changes nothing
        playing = {"ante": playing["ante"]} if playing else {}
    return _tables(replace(plan, seats=(playing,), jackpot=None).to_json())


@lru_cache(maxsize=4)
def _tables(plan_json: bytes) -> RaisingTables:
    plan = Plan.from_json(plan_json)
    game = plan.table
    assert isinstance(game, SpanishPoker)
    hands = hand_tables(game.terms.shoe, game.ranking)
    raises = raising_hands(game, hands.classes, plan.seats[0], plan.strategy)
    return RaisingTables(hands.played(raises), hands.by_cards(raises))


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
