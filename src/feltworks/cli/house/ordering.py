"""A table's order from the command line: a game or a file, and what is said beside it."""

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from feltworks.cli.house.asking import read_amount, read_day
from feltworks.errors import BadOption

if TYPE_CHECKING:
    from feltworks.house.order import TableOrder
    from feltworks.table.limits import WagerLimit

Chosen = Annotated[list[str] | None, typer.Option("--set", help="An option, as soft17=hit.")]
PayTable = Annotated[list[str] | None, typer.Option("--pay-table", help="A pay table, as war=2.")]
Limit = Annotated[
    list[str] | None,
    typer.Option("--limit", help="A wager's least and most, as ante=5-100; either may be left out."),
]
Aggregate = Annotated[
    list[str] | None, typer.Option("--aggregate", help="The most paid from one deal, as lucky-lucky=20000.")
]
Seats = Annotated[int | None, typer.Option("--seats", metavar="N", help="Seats at the table.")]


def ordered(
    said: str,
    *,
    day: str | None,
    chosen: list[str] | None,
    pay_table: list[str] | None,
    limit: list[str] | None,
    aggregate: list[str] | None,
    seats: int | None,
    tribal: bool = False,
) -> "TableOrder":
    """The order of a file, or of a game by its name; what is said on the command line goes before a file."""
    from msgspec.structs import replace

    order = _first(said, day)
    capped = {name: read_amount("--aggregate", text) for name, text in pairs("--aggregate", aggregate)}
    return replace(
        order,
        date=read_day(day) if day is not None else order.date,
        options={**order.options, **dict(pairs("--set", chosen))},
        pay_tables={**order.pay_tables, **dict(pairs("--pay-table", pay_table))},
        limits={**order.limits, **_limits(limit)},
        aggregate={**order.aggregate, **capped},
        seats=order.seats if seats is None else seats,
        house="tribal operation" if tribal else order.house,
    )


def _first(said: str, day: str | None) -> "TableOrder":
    from feltworks.house.order import TableOrder, read_order

    on = date.today() if day is None else read_day(day)
    if said.endswith(".toml"):
        return read_order(Path(said), day=on)
    return TableOrder(said, on)


def _limits(said: list[str] | None) -> Mapping[str, "WagerLimit"]:
    from feltworks.table.limits import WagerLimit

    found = {}
    for name, text in pairs("--limit", said):
        least, dash, most = text.partition("-")
        if not dash:
            raise BadOption("--limit", f"{name}={text}", "a wager and its range, such as ante=5-100")
        found[name] = WagerLimit(
            read_amount("--limit", least) if least else None, read_amount("--limit", most) if most else None
        )
    return found


def pairs(option: str, said: list[str] | None) -> list[tuple[str, str]]:
    """What is written as name=value."""
    found = []
    for text in said or ():
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise BadOption(option, text, "name=value")
        found.append((name.strip(), value.strip()))
    return found
