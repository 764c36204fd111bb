"""The accounts of the table games, the lines of each act in double entry, and the win formula."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Final

from msgspec import Struct

from feltworks.house.journal.posting import Entry
from feltworks.house.tables.acts import Act, Closer, Count, Credit, Fill, Opener
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


def sum_slips(slips: Iterable[tuple[str, Cents]]) -> Sums:
    """The sums of some slips, by their kinds; what moves no money counts for nothing.

    >>> sum_slips([("opener", 500), ("fill", 300), ("count", 1000), ("drop", 0)])
    Sums(opener=500, fills=300, credits=0, closer=0, drop=1000)
    """
    total = dict.fromkeys(Sums.__struct_fields__, 0)
    for kind, cents in slips:
        if kind in _PARTS:
            total[_PARTS[kind]] += cents
    return Sums(**total)


BOOK: Final = "house tables"
KIND: Final = "tables"
CAGE, COUNTED, VARIANCE, WIN = "cage", "counted", "variance", "win"


def tray_account(table: str) -> str:
    """Chips locked into a table's tray."""
    return f"tray of {table}"


def play_account(table: str) -> str:
    """What is out on a table while it is open; nothing once its box is counted."""
    return f"play of {table}"


def table_accounts(table: str) -> dict[str, str]:
    """Every account that a table's slips touch, with its kind."""
    shared = {CAGE: "house", COUNTED: "asset", VARIANCE: "house", WIN: "house"}
    return {**shared, tray_account(table): "asset", play_account(table): "house"}


def lines(act: Act, sums: Sums) -> tuple[Entry, ...]:
    """An act in double entry; `sums` are those of its period with this act."""
    return tuple(line for line in _lines(act, sums) if line.cents > 0)


def _lines(act: Act, sums: Sums) -> Iterator[Entry]:
    held, out = tray_account(act.table), play_account(act.table)
    match act:
        case Opener():
            yield from _opener(act, held)
            yield Entry(out, held, act.counted)
        case Fill():
            yield Entry(out, CAGE, act.cents)
        case Credit():
            yield Entry(CAGE, out, act.cents)
        case Closer():
            yield Entry(held, out, act.counted)
        case Count():
            yield Entry(COUNTED, out, sums.drop)
            # With the count all is known, and what is still out has been won by one side or the other.
            yield Entry(out, WIN, sums.win)
            yield Entry(WIN, out, -sums.win)
        case _:
            return


def _opener(act: Opener, held: str) -> Iterator[Entry]:
    """A first tray comes from the cage; a later one is what the closer said, give or take."""
    if act.expected is None:
        yield Entry(held, CAGE, act.counted)
        return
    yield Entry(held, VARIANCE, act.counted - act.expected)
    yield Entry(VARIANCE, held, act.expected - act.counted)


def variance(act: Opener) -> Cents:
    """How much more lay in the tray than its closer said; negative where it was short."""
    return 0 if act.expected is None else act.counted - act.expected
