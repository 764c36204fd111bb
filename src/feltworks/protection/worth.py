"""What a piece of knowledge is worth: the player's edge without it and with it, and money an hour at a table."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final, Literal

from msgspec import Struct

from feltworks.errors import FeltError
from feltworks.money import Cents

ROUNDS_AN_HOUR: Final = 40  # a reading: what a full table of these games is dealt in an hour


class Terms(Struct, frozen=True):
    """How the table is run that a report speaks of."""

    decks: int | None = None
    chosen: tuple[str, ...] = ()
    limit: Cents = 0  # the most on one wager
    rounds_an_hour: int = ROUNDS_AN_HOUR
    seed: int = 1
    pay_tables: Mapping[str, str] = {}

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
