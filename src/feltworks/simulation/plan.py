"""What is simulated: a table with its terms, the wagers of every seat, and how the seats play."""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import msgspec
from msgspec import Struct

from feltworks import catalog
from feltworks.errors import BadOption, ImpossibleRound
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.rules.terms import Terms

OPTIMAL = "optimal"


class Strategy(Struct, frozen=True, forbid_unknown_fields=True):
    """How every seat plays: by a name that the game's kernel knows, or by what a file says.

    A file travels with the plan: `document` is what its JSON or TOML holds, `name` is where it came from.
    """

    name: str = OPTIMAL
    document: Any = None


class Plan(Struct, frozen=True, forbid_unknown_fields=True, dict=True):
    """Everything a worker needs to know; it travels as JSON."""

    game: str
    seats: tuple[dict[str, Cents], ...]  # the opening wagers of every seat
    strategy: Strategy = Strategy()
    options: dict[str, Any] = {}
    pay_tables: dict[str, str] = {}
    jackpot: Cents | None = None
    penetration: int = 75  # percent of a shoe before its cut card
    shuffle_every_round: bool = False  # deal a shoe game as its analysis does, from a whole shoe each round
    alone: bool = False  # bonus wagers without the wager they need, for their own figures

    @cached_property
    def table(self) -> Game[Any]:
        """The game under the plan's terms."""
        return catalog.game(self.game, options=self.options, pay_tables=self.pay_tables)

    @property
    def meters(self) -> Mapping[str, Cents]:
        return {} if self.jackpot is None else {"jackpot": self.jackpot}

    @property
    def wagers(self) -> tuple[str, ...]:
        """Every opening wager that some seat makes, in the rulebook's order."""
        return tuple(
            name for name in self.table.terms.rulebook.wager if any(name in seat for seat in self.seats)
        )

    def check(self) -> None:
        """Refuse a table that cannot be dealt, in one sentence."""
        terms = self.table.terms
        spots = terms.spots or len(self.seats)
        if not 1 <= len(self.seats) <= spots:
            raise BadOption("seats", len(self.seats), f"a number from 1 to {spots}, the spots of this table")
        if not 1 <= self.penetration <= 100:
            raise BadOption("penetration", self.penetration, "a whole number of percent from 1 to 100")
        if self.jackpot is not None and self.jackpot < 0:
            raise BadOption("jackpot", self.jackpot, "a whole number of cents")
        if any(meters_of(self.table.pays[name].values()) for name in self.wagers) and not self.meters:
            raise ImpossibleRound("a progressive wager needs the posted jackpot in cents")
        self.table.open_round(self._seats_at_a_table(), self.meters)

    def _seats_at_a_table(self) -> tuple[dict[str, Cents], ...]:
        """Beside bonus wagers that are measured alone stands, as large as they, what they need."""
        if not self.alone or not all(self.seats):
            return self.seats
        return tuple(
            {**seat, **dict.fromkeys(needed(self.table.terms, seat) - seat.keys(), max(seat.values()))}
            for seat in self.seats
        )

    def to_json(self) -> bytes:
        """The plan as it travels, the same bytes for the same plan."""
        return msgspec.json.encode(self, order="deterministic")

    @staticmethod
    def from_json(written: bytes) -> "Plan":
        """The plan that was written so."""
        return msgspec.json.decode(written, type=Plan)


def needed(terms: Terms, wagers: Iterable[str]) -> set[str]:
    """The wagers without which some of these may not stand at such a table."""
    return terms.needed_beside(wagers)
