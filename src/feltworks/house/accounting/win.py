"""What a table won: the formula of the master games report, and nothing else."""

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from msgspec import Struct

from feltworks.money import Cents

_PARTS: Final = {
    "opener": "opener",
    "fill": "fills",
    "credit": "credits",
    "closer": "closer",
    "count": "drop",
}


class Sums(Struct, frozen=True):
    """What went onto a table and came off it in one drop period.

    >>> Sums(opener=10_000_00, fills=2_000_00, credits=500_00, closer=9_000_00, drop=4_100_00).win
    160000
    """

    opener: Cents = 0
    fills: Cents = 0
    credits: Cents = 0
    closer: Cents = 0
    drop: Cents = 0

    @property
    def win(self) -> Cents:
        return self.drop + self.closer + self.credits - self.opener - self.fills

    @property
    def hold(self) -> Fraction | None:
        """The win as a part of the drop; none without a drop."""
        return Fraction(self.win, self.drop) if self.drop else None

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(*(getattr(self, part) + getattr(other, part) for part in self.__struct_fields__))


def summed(slips: Iterable[tuple[str, Cents]]) -> Sums:
    """The sums of some slips, by their kinds; what moves no money counts for nothing.

    >>> summed([("opener", 500), ("fill", 300), ("count", 1000), ("drop", 0)])
    Sums(opener=500, fills=300, credits=0, closer=0, drop=1000)
    """
    total = dict.fromkeys(Sums.__struct_fields__, 0)
    for kind, cents in slips:
        if kind in _PARTS:
            total[_PARTS[kind]] += cents
    return Sums(**total)
