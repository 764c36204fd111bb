"""What a piece of knowledge is worth: the player's edge without it and with it, and money an hour at a table."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any, Final, Literal

from msgspec import Struct

from feltworks.cards import Rank
from feltworks.errors import FeltError
from feltworks.money import Cents

_MOST_GROUPINGS: Final = 10_000
ROUNDS_AN_HOUR: Final = 40  # a reading: what a full table of these games is dealt in an hour


class Terms(Struct, frozen=True):
    """How the table is run that a report speaks of."""

    decks: int | None = None
    chosen: tuple[str, ...] = ()
    limit: Cents = 0  # the most on one wager
    rounds_an_hour: int = ROUNDS_AN_HOUR
    seed: int = 1
    pay_tables: Mapping[str, str] = {}
    wagers: tuple[str, ...] = ()  # those the report is about; all, unless given

    def per_hour(self, edge: float) -> Cents:
        """What an edge is worth an hour at the limit."""
        return round(edge * self.limit * self.rounds_an_hour)


class Unfit(FeltError):
    """A game in which there is no such card to know, or in which no method follows it."""


class Worth(Struct, frozen=True):
    """The player's edge per unit of the wager; `edge` is a sampled mean where its method says so."""

    baseline: Fraction
    edge: Fraction
    method: Literal["exact", "sampled"] = "exact"
    standard_error: float = 0.0
    samples: int = 0
    note: str = ""
    has_fraction: bool = True  # False where it was worked out in floating point

    @property
    def gain(self) -> Fraction:
        """What the knowledge adds."""
        return self.edge - self.baseline

    def document(self) -> dict[str, Any]:
        """The worth as JSON has it."""
        return {
            "baseline": number_document(self.baseline, is_exact=self.has_fraction),
            "player_edge": number_document(self.edge, is_exact=self.has_fraction and self.method == "exact"),
            "gain": float(self.gain),
            "method": self.method,
            "standard_error": self.standard_error,
            **({"samples": self.samples} if self.samples else {}),
            **({"note": self.note} if self.note else {}),
        }


def number_document(number: Fraction, *, is_exact: bool = True) -> dict[str, Any]:
    """A number as a fraction and as a decimal; a sampled one has no fraction."""
    return {"exact": str(number) if is_exact else None, "value": float(number)}


class Grouping(Struct, frozen=True):
    """A way to sort cards by a mark on their backs: these ranks against all others."""

    ranks: frozenset[Rank]
    edge: float
    gain: float


def subsets(size: int) -> list[tuple[int, ...]]:
    """Every way to split so many kinds of cards in two, each once."""
    ways = [
        chosen
        for number in range(1, size // 2 + 1)
        for chosen in combinations(range(size), number)
        if 2 * number < size or 0 in chosen
    ]
    if len(ways) > _MOST_GROUPINGS:
        raise Unfit(f"there are more than {_MOST_GROUPINGS:,} ways to sort the cards")
    return ways
