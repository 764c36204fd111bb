"""A Fu Bacc seat's situations with what its strategy chooses there: solved once for kernel and exact edge."""

from collections.abc import Sequence
from functools import lru_cache

from feltworks.analysis import hit_card
from feltworks.analysis.situations import Situation
from feltworks.games.fu_bacc import FuBacc
from feltworks.money import Cents
from feltworks.simulation.plan import Plan
from feltworks.simulation.strategies import choices_at

Played = Sequence[tuple[Situation, str]]


def played(plan: Plan, seat: dict[str, Cents]) -> Played:
    """Every situation and the choice made in it; refuses a strategy that leaves one open."""
    return _played(plan.to_json(), plan.seats.index(seat))


@lru_cache(maxsize=8)
def _played(plan_json: bytes, number: int) -> Played:
    plan = Plan.from_json(plan_json)
    game, seat = plan.table, plan.seats[number]
    assert isinstance(game, FuBacc)
    found = hit_card.situations(game, seat, game.terms.shoe)
    return list(zip(found, choices_at(game, seat, plan.strategy, found), strict=True))
