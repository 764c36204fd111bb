"""What each act of `felt house table` posts, from what was said on the command line."""

from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from feltworks.cli.house.asking import read_amount
from feltworks.cli.house.ordering import ordered, pairs
from feltworks.cli.house.proving import proved
from feltworks.errors import BadOption
from feltworks.house.law import HouseKind
from feltworks.house.storage.database import Database
from feltworks.house.tables.acts import Payout, SlipKind, Stakes
from feltworks.house.tables.books import TableBooks
from feltworks.house.tables.desk import TablePosting
from feltworks.house.tables.tokes import TokeBook
from feltworks.money import Cents
from feltworks.table.log import read_lines


class Asked(Struct, frozen=True):
    """Everything said beside an act."""

    books: Database
    table: str
    day: date
    signed: Mapping[str, str]
    house: HouseKind | None
    key: str
    said: Mapping[str, Any]
    ordered: Mapping[str, Any]
    wagers: list[str]
    shares: list[str]

    def word(self, name: str) -> str:
        """What was said for an option that the act cannot do without."""
        if not self.said[name]:
            raise BadOption(f"--{name.replace('_', '-')}", "nothing", "a value for this act")
        return str(self.said[name])

    @property
    def cents(self) -> Cents:
        return read_amount("--amount", self.word("amount"))

    @property
    def tables(self) -> TableBooks:
        """The books, once everybody who signs has given a password."""
        proved(self.books, self.signed.values())
        return TableBooks(self.books, house=self.house)


def _open(asked: Asked) -> TablePosting:
    order = ordered(asked.word("order"), day=asked.said["day"], **asked.ordered)
    cents, shift = asked.cents, str(asked.said["shift"])
    return asked.tables.open(order, asked.table, cents, asked.signed, shift=shift, key=asked.key)


def _fill(asked: Asked) -> TablePosting:
    cents = asked.cents
    return asked.tables.fill(asked.table, cents, asked.signed, key=asked.key)


def _credit(asked: Asked) -> TablePosting:
    cents = asked.cents
    return asked.tables.credit(asked.table, cents, asked.signed, key=asked.key)


def _close(asked: Asked) -> TablePosting:
    cents = asked.cents
    return asked.tables.close(asked.table, cents, asked.signed, key=asked.key)


def _drop(asked: Asked) -> TablePosting:
    return asked.tables.drop(asked.table, asked.signed, box=str(asked.said["box"]), key=asked.key)


def _count(asked: Asked) -> TablePosting:
    first, second = (_pieces(f"--{name}", asked.word(name)) for name in ("first", "second"))
    allowed = str(asked.said["team_approval"])
    return asked.tables.count(asked.table, first, second, asked.signed, team_approval=allowed, key=asked.key)


def _void(asked: Asked) -> TablePosting:
    kind, _, serial = asked.word("slip").rpartition("-")
    if kind not in _SLIPS or not serial.isdecimal():
        raise BadOption("--slip", asked.word("slip"), "a slip and its number, such as fill-12")
    why = asked.word("because")
    return asked.tables.void(_SLIPS[kind], int(serial), why, asked.signed, key=asked.key)


def _wagers(asked: Asked) -> TablePosting:
    if log := str(asked.said["log"]):
        if asked.wagers:
            raise BadOption("--log", log, "no --wager beside it: the log has them all")
        lines = read_lines(Path(log))
        return asked.tables.enter_log(asked.table, lines, asked.signed)
    stakes = [
        Stakes(name, cents, count)
        for name, text in pairs("--wager", asked.wagers)
        for cents, count in _pieces("--wager", text).items()
    ]
    return asked.tables.enter_wagers(asked.table, stakes, asked.signed, key=asked.key)


def _payout(asked: Asked) -> TablePosting:
    won = pairs("--wager", asked.wagers)
    if len(won) != 1:
        raise BadOption("--wager", ", ".join(asked.wagers), "the one wager that won, such as tie=100")
    ((wager, wagered),) = won
    stake, player, hand = read_amount("--wager", wagered), asked.word("player"), asked.word("hand")
    payout = Payout(asked.table, 0, wager, stake, asked.cents, player, hand)
    return asked.tables.pay(payout, asked.signed, key=asked.key)


def _done(asked: Asked) -> TablePosting:
    task, reference = int(asked.word("task")), asked.word("reference")
    return asked.tables.finish(task, reference, asked.signed, key=asked.key)


def _tokes(asked: Asked) -> TablePosting:
    cents = asked.cents
    proved(asked.books, asked.signed.values())
    book = TokeBook(asked.books)
    number = book.take(asked.table, cents, asked.signed, day=asked.day, key=asked.key)
    return TablePosting(number, asked.table, 0)


def _share_tokes(asked: Asked) -> TablePosting:
    shares = {name: read_amount("--share", text) for name, text in pairs("--share", asked.shares)}
    method = asked.word("reference")
    proved(asked.books, asked.signed.values())
    number = TokeBook(asked.books).pay(shares, method, asked.signed, day=asked.day, key=asked.key)
    return TablePosting(number, asked.table, 0)


_SLIPS: Final[Mapping[str, SlipKind]] = {
    "opener": "opener",
    "closer": "closer",
    "fill": "fill",
    "credit": "credit",
    "drop": "drop",
    "count": "count",
}
ACTS: Final[Mapping[str, Callable[[Asked], TablePosting]]] = {
    "open": _open,
    "fill": _fill,
    "credit": _credit,
    "close": _close,
    "drop": _drop,
    "count": _count,
    "void": _void,
    "wagers": _wagers,
    "payout": _payout,
    "tokes": _tokes,
    "share-tokes": _share_tokes,
    "done": _done,
}


def _pieces(option: str, text: str) -> dict[Cents, int]:
    """So many pieces of an amount each, as 12x100,5x20; nothing is written 0x1."""
    found: dict[Cents, int] = {}
    for part in text.split(","):
        count, times, each = part.strip().partition("x")
        if not times or not count.strip().isdecimal():
            raise BadOption(option, text, "so many of each amount, such as 12x100,5x20")
        cents = read_amount(option, each.strip())
        found[cents] = found.get(cents, 0) + int(count)
    return found
