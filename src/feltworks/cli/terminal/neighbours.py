"""RunResult players at the table: they wager modestly and choose what does best in a few sampled rounds."""

from random import Random
from typing import Final

from msgspec import Struct

from feltworks.cli.terminal.wagers import main_wager
from feltworks.errors import FeltError
from feltworks.money import Cents
from feltworks.rules.steps import Decide
from feltworks.table.rollouts import best_choice
from feltworks.table.table import Table
from feltworks.table.wording import single_seat

STACK: Final = 10_000_000  # enough for every round
_TRIES, _CARE = 8, 1  # sampled rounds for a choice, and for the choices after it
_CHIPS: Final = (500, 1000, 1500, 2000, 2500)


class Neighbour(Struct, frozen=True):
    """A simulated player in one seat."""

    name: str
    spot: int
    mind: Random

    def wager(self, table: Table) -> None:
        """Wager; a neighbour whose wagers are refused sits the round out."""
        main = main_wager(table.game.terms)
        opening = {main: self._amount(table, main, self.mind.choice(_CHIPS))}
        beside = {
            name: self._amount(table, name, 100 * self.mind.randint(1, 5))
            for name in table.limits.ranges
            if name != main and self.mind.random() < 0.3
        }
        for wagers in ({**opening, **beside}, opening):
            try:
                return table.wager(self.name, self.spot, wagers)
            except FeltError:
                continue
        return None

    def _amount(self, table: Table, wager: str, wanted: Cents) -> Cents:
        span = table.limits.ranges[wager]
        most = wanted if span.most is None else min(wanted, span.most)
        return max(most // span.multiple * span.multiple, span.least)

    def choose(self, table: Table, step: Decide) -> None:
        """Answer a decision."""
        shown = table.view(self.name).round
        assert shown is not None
        decision = Decide(0, step.offers, step.about)
        best = best_choice(
            table.game, single_seat(shown, step.seat), decision, self.mind, tries=_TRIES, tries_later=_CARE
        )
        table.choose(self.name, self.spot, best.name, best.cents, step.about)
