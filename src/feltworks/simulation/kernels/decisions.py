"""How the seats of a plan decide, worked out for every state of their tables."""

from collections.abc import Mapping
from functools import lru_cache

from feltworks.analysis.counted import lay_cards, tables_of
from feltworks.analysis.strategy.advice import advice
from feltworks.analysis.strategy.file import Chooser
from feltworks.errors import FeltError
from feltworks.machine.play import Decide, Play, Seen, best_choices
from feltworks.machine.tables import Tables
from feltworks.machine.walk import MOST_STEPS, Walk
from feltworks.money import Cents
from feltworks.rules.round import Round, Seat
from feltworks.simulation.plan import Plan
from feltworks.simulation.strategies import chooser_of, serving_of


def play_of(plan: Plan, wagers: Mapping[str, Cents]) -> Play:
    """The play of a seat with these wagers; refuses a strategy that leaves a decision open."""
    return _play(plan.to_json(), tuple(wagers.items()))


@lru_cache(maxsize=8)
def _play(plan_json: bytes, listed: tuple[tuple[str, Cents], ...]) -> Play:
    """A play is worked out once for the rounds and for their exact figures."""
    plan, wagers = Plan.from_json(plan_json), dict(listed)
    game, shoe = plan.table, plan.table.terms.shoe
    tables = tables_of(game, tuple(wagers.items()), tuple(plan.meters.items()))
    if not tables.steps:
        return Play(tables, shoe, lambda _: 0, by_cards=False)
    follow = chooser_of(game, wagers, plan.strategy)
    walk = _short_walk(tables, serving_of(game, wagers, plan.strategy))
    if follow is not None:
        return Play(tables, shoe, _by_chooser(tables, follow), by_cards=walk is not None)
    if walk is None:
        return Play(tables, shoe, _by_advice(plan, tables, wagers), by_cards=False)
    walk.law()
    return Play(tables, shoe, best_choices(walk.best), by_cards=True)


def _short_walk(tables: Tables, serving: frozenset[str]) -> Walk | None:
    """The walk that finds the best choices, where it is short enough and every card is dealt openly.

    The compiled rounds know a card that the dealer has looked at; a walk does not, as no player does.
    """
    if any(state.wanted is not None for state in tables.states):
        return None
    try:
        walk = Walk(tables, serving=serving)
    except FeltError:
        return None
    return walk if walk.steps <= MOST_STEPS else None


def _by_chooser(tables: Tables, follow: Chooser) -> Decide:
    def decide(seen: Seen) -> int:
        state = tables.states[seen.state]
        order = sorted(range(len(state.choices)), key=lambda place: state.choices[place][0].cents or 0)
        names = [state.names[place] for place in order]
        return state.names.index(follow(seen.mine, seen.house, names))

    return decide


def _by_advice(plan: Plan, tables: Tables, wagers: Mapping[str, Cents]) -> Decide:
    """Best play in a game too long to walk: what the coach advises for an example of each state."""
    game = plan.table
    opened = Round((Seat(dict(wagers)),), meters=plan.meters)

    def decide(seen: Seen) -> int:
        step = tables.steps[seen.state]
        r = lay_cards(game, opened, seen.mine, seen.house)
        return tables.states[seen.state].names.index(advice(game, game.view(r, 0), step).best)

    return decide
