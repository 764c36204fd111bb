"""A table order: a table that a house wants to open, read from a TOML file or given as a record."""

import datetime
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from feltworks.errors import RulebookError
from feltworks.house.law import HouseKind
from feltworks.money import Cents, parse_dollars
from feltworks.rules.rulebook.toml import dotted, read_toml
from feltworks.table.limits import WagerLimit

Amount = int | str


class TableOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """A table that a house wants to open."""

    game: str
    date: datetime.date
    options: Mapping[str, object] = {}
    pay_tables: Mapping[str, str] = {}
    limits: Mapping[str, WagerLimit] = {}
    seats: int | None = None
    aggregate: Mapping[str, Cents] = {}  # the most paid from one deal, by wager
    house: HouseKind = "card room"


class WrittenLimit(Struct, forbid_unknown_fields=True):
    """The limits of one wager, as written in the file."""

    minimum: Amount | None = None
    maximum: Amount | None = None
    alone: Amount | None = None
    multiple: Amount | None = None


class WrittenOrder(Struct, forbid_unknown_fields=True):
    """A table order with its amounts as written in the file."""

    game: str
    date: datetime.date | None = None
    options: dict[str, bool | int | str | list[str]] = {}
    pay_tables: dict[str, str] = {}
    limits: dict[str, WrittenLimit] = {}
    seats: int | None = None
    aggregate: dict[str, Amount] = {}
    house: HouseKind = "card room"


def read_order(path: Path, *, day: datetime.date) -> TableOrder:
    """Read an order from a file; `day` is used if the file names none."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise RulebookError(path.name, "file", "it is not UTF-8 text") from None
    return parse_order(text, file=path.name, day=day)


def parse_order(text: str, *, file: str, day: datetime.date) -> TableOrder:
    """Read an order from TOML text.

    >>> written = 'game = "fu-bacc"\\nlimits.ante = { minimum = "$5", maximum = "$100" }'
    >>> parse_order(written, file="table.toml", day=datetime.date(2024, 1, 31)).limits["ante"].maximum
    10000
    """
    written = read_toml(text, WrittenOrder, file=file)
    return TableOrder(
        game=written.game,
        date=written.date or day,
        options=written.options,
        pay_tables=written.pay_tables,
        limits={name: _read_limit(file, name, limit) for name, limit in written.limits.items()},
        seats=written.seats,
        aggregate={name: _cents(file, ("aggregate", name), amount) for name, amount in written.aggregate.items()},
        house=written.house,
    )


def _read_limit(file: str, name: str, limit: WrittenLimit) -> WagerLimit:
    written: Mapping[str, Amount | None] = msgspec.structs.asdict(limit)
    amounts = {
        field: None if amount is None else _cents(file, ("limits", name, field), amount)
        for field, amount in written.items()
    }
    return WagerLimit(**amounts)


def _cents(file: str, key: tuple[str, ...], amount: Amount) -> Cents:
    if isinstance(amount, int):
        return amount
    try:
        return parse_dollars(amount)
    except ValueError as trouble:
        raise RulebookError(file, dotted(*key), str(trouble)) from None
