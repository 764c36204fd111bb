"""The accounts of the table games, the lines of each act in double entry, and the win formula."""

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Final

from msgspec import Struct

from feltworks.house.journal.posting import Entry
from feltworks.house.tables.acts import Act, Closer, Count, Credit, Drop, Fill, Opener, SlipKind, total
from feltworks.money import Cents

_PARTS: Final = {
    "opener": "opener",
    "fill": "fills",
    "credit": "credits",
    "closer": "closer",
    "count": "drop",
}


class Sums(Struct, frozen=True):
    """The money brought to and taken from a table in one drop period.

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
        """The win as a fraction of the drop; None without a drop."""
        return Fraction(self.win, self.drop) if self.drop else None

    def __add__(self, other: "Sums") -> "Sums":
        return Sums(*(getattr(self, part) + getattr(other, part) for part in self.__struct_fields__))


def sum_slips(slips: Iterable[tuple[str, Cents]]) -> Sums:
    """The sums of slips by kind; slips that move no money are ignored.

    >>> sum_slips([("opener", 500), ("fill", 300), ("count", 1000), ("drop", 0)])
    Sums(opener=500, fills=300, credits=0, closer=0, drop=1000)
    """
    parts = dict.fromkeys(Sums.__struct_fields__, 0)
    for kind, cents in slips:
        if kind in _PARTS:
            parts[_PARTS[kind]] += cents
    return Sums(**parts)


BOOK: Final = "house tables"
KIND: Final = "tables"
CAGE, COUNTED, VARIANCE, WIN = "cage", "counted", "variance", "win"


def tray_account(table: str) -> str:
    """The account of the chips locked in a table's tray."""
    return f"tray of {table}"


def play_account(table: str) -> str:
    """The account of the money out on an open table; 0 once its box is counted."""
    return f"play of {table}"


def table_accounts(table: str) -> dict[str, str]:
    """Every account that a table's slips touch, with its kind."""
    shared = {CAGE: "house", COUNTED: "asset", VARIANCE: "house", WIN: "house"}
    return {**shared, tray_account(table): "asset", play_account(table): "house"}


def lines(act: Act, sums: Sums) -> tuple[Entry, ...]:
    """The lines of an act in double entry; `sums` are those of its period, including this act."""
    return tuple(line for line in _lines(act, sums) if line.cents > 0)


def _lines(act: Act, sums: Sums) -> Iterator[Entry]:
    tray, play = tray_account(act.table), play_account(act.table)
    match act:
        case Opener():
            yield from _opener(act, tray)
            yield Entry(play, tray, act.counted)
        case Fill():
            yield Entry(play, CAGE, act.cents)
        case Credit():
            yield Entry(CAGE, play, act.cents)
        case Closer():
            yield Entry(tray, play, act.counted)
        case Count():
            yield Entry(COUNTED, play, sums.drop)
            # The count completes the period: the balance still out is the win or loss of the house.
            yield Entry(play, WIN, sums.win)
            yield Entry(WIN, play, -sums.win)
        case _:
            return


def _opener(act: Opener, tray: str) -> Iterator[Entry]:
    """The first tray comes from the cage; a later one differs from the closer by the variance."""
    if act.expected is None:
        yield Entry(tray, CAGE, act.counted)
        return
    yield Entry(tray, VARIANCE, act.counted - act.expected)
    yield Entry(VARIANCE, tray, act.expected - act.counted)


def variance(act: Opener) -> Cents:
    """The difference between the tray and its closer; negative if the tray is short."""
    return 0 if act.expected is None else act.counted - act.expected


def slips_of(act: Act) -> Iterator[tuple[SlipKind, Cents]]:
    """The slips that an act writes."""
    match act:
        case Opener():
            yield "opener", act.counted
            if difference := variance(act):
                yield "error", difference
        case Fill():
            yield "fill", act.cents
        case Credit():
            yield "credit", act.cents
        case Closer():
            yield "closer", act.counted
        case Drop():
            yield "drop", 0
        case Count():
            yield "count", total(act.first)
        case _:
            return
