"""The accounts of the table games: each table's tray and play, the cage, the count room, and what was won."""

from collections.abc import Iterator
from typing import Final

from feltworks.house.accounting.acts import Act, Closer, Count, Credit, Fill, Opener
from feltworks.house.accounting.win import Sums
from feltworks.house.journal.posting import Entry
from feltworks.money import Cents

BOOK: Final = "house tables"
KIND: Final = "tables"
CAGE, COUNTED, VARIANCE, WIN = "cage", "counted", "variance", "win"


def tray(table: str) -> str:
    """Chips locked into a table's tray."""
    return f"tray of {table}"


def play(table: str) -> str:
    """What is out on a table while it is open; nothing once its box is counted."""
    return f"play of {table}"


def accounts(table: str) -> dict[str, str]:
    """Every account that a table's slips touch, with its kind."""
    shared = {CAGE: "house", COUNTED: "asset", VARIANCE: "house", WIN: "house"}
    return {**shared, tray(table): "asset", play(table): "house"}


def lines(act: Act, sums: Sums) -> tuple[Entry, ...]:
    """An act in double entry; `sums` are those of its period with this act."""
    return tuple(line for line in _lines(act, sums) if line.cents > 0)


def _lines(act: Act, sums: Sums) -> Iterator[Entry]:
    held, out = tray(act.table), play(act.table)
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
