"""A table's order as a house writes it down: a TOML file, amounts as "$5" or in whole cents."""

import datetime
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from feltworks.errors import RulebookError
from feltworks.house.configuration import TableOrder
from feltworks.house.profile import HouseKind
from feltworks.money import Cents, parse_dollars
from feltworks.rules.rulebook.toml import dotted, read_toml
from feltworks.table.posted import Posted

Amount = int | str


class WrittenLimit(Struct, forbid_unknown_fields=True):
    """What the sign says of one wager."""

    minimum: Amount | None = None
    maximum: Amount | None = None
    alone: Amount | None = None
    multiple: Amount | None = None


class WrittenOrder(Struct, forbid_unknown_fields=True):
    """A table's order with its amounts as they are written."""

    game: str
    date: datetime.date | None = None
    options: dict[str, bool | int | str | list[str]] = {}
    pay_tables: dict[str, str] = {}
    limits: dict[str, WrittenLimit] = {}
    seats: int | None = None
    aggregate: dict[str, Amount] = {}
    house: HouseKind = "card room"


def read_order(path: Path, *, day: datetime.date) -> TableOrder:
    """The order in a file; a day that it does not name is the given one."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise RulebookError(path.name, "file", "it is not UTF-8 text") from None
    return parse_order(text, file=path.name, day=day)


def parse_order(text: str, *, file: str, day: datetime.date) -> TableOrder:
    """Read an order's text.

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
        limits={name: _posted(file, name, limit) for name, limit in written.limits.items()},
        seats=written.seats,
        aggregate={name: _cents(file, ("aggregate", name), said) for name, said in written.aggregate.items()},
        house=written.house,
    )


def _posted(file: str, name: str, limit: WrittenLimit) -> Posted:
    said: Mapping[str, Amount | None] = {field: getattr(limit, field) for field in limit.__struct_fields__}
    amounts = {
        field: None if value is None else _cents(file, ("limits", name, field), value)
        for field, value in said.items()
    }
    return Posted(**amounts)


def _cents(file: str, key: tuple[str, ...], said: Amount) -> Cents:
    if isinstance(said, int):
        return said
    try:
        return parse_dollars(said)
    except ValueError as trouble:
        raise RulebookError(file, dotted(*key), str(trouble)) from None
