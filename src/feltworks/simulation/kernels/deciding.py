"""Who decides in a game without a kernel: best play, worked out as it is needed, or one choice always."""

from collections.abc import Hashable
from typing import Any

from feltworks.analysis.strategy.advice import advice, referee_for
from feltworks.errors import BadOption, one_of
from feltworks.rules.game import Game
from feltworks.rules.round import Choice, Round
from feltworks.rules.steps import Decide
from feltworks.simulation.kernels.dealt_by_hand import Decider
from feltworks.simulation.plan import OPTIMAL, Plan
from feltworks.simulation.strategies import ALWAYS


def decider(plan: Plan, names: frozenset[str]) -> Decider:
    """Who answers every decision; refuses a strategy that this game does not know."""
    strategy = plan.strategy
    if strategy.name == OPTIMAL:
        return BestPlay()
    wanted = strategy.name.removeprefix(ALWAYS)
    if strategy.document is not None or wanted == strategy.name or wanted not in names:
        known = one_of([OPTIMAL, *(f"{ALWAYS}{name}" for name in sorted(names))])
        raise BadOption("--strategy", strategy.name, known)
    return lambda _game, _round, step: _always(wanted, step)


def _always(wanted: str, step: Decide) -> Choice:
    """The wanted choice where it is open, and otherwise the one that costs least."""
    named = [offer for offer in step.offers if offer.name == wanted]
    taken = named[0] if named else min(step.offers, key=lambda offer: offer.most)
    return Choice(taken.name, taken.most, step.about)


class BestPlay:
    """The best choice for what a seat sees, each sight worked out once."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Choice] = {}

    def __call__(self, game: Game[Any], r: Round, step: Decide) -> Choice:
        if len(step.offers) == 1:
            return Choice(step.offers[0].name, step.offers[0].most, step.about)
        seen = game.view(r, step.seat)
        key = step, referee_for(game, game.terms.shoe).state(seen)
        if key not in self._known:
            self._known[key] = self._best(game, seen, step)
        return self._known[key]

    def _best(self, game: Game[Any], seen: Round, step: Decide) -> Choice:
        found = advice(game, seen, step)
        offer = next(offer for offer in step.offers if offer.name == found.best)
        return Choice(found.best, found.amounts.get(found.best, offer.most), step.about)
