"""A table's order from the command line: a game or a file, and options that go before the file."""

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from feltworks.cli.options import option_group, read_change, read_day, read_pairs, set_option
from feltworks.errors import BadOption

if TYPE_CHECKING:
    from feltworks.house.order import TableOrder
    from feltworks.table.limits import WagerLimit

_OPTIONS = [
    set_option,
    click.option("--pay-table", "pay_tables", multiple=True, metavar="W=T", help="A pay table, as war=2."),
    click.option(
        "--limit",
        "limits",
        multiple=True,
        metavar="W=LEAST-MOST",
        help="A wager's minimum and maximum, as ante=5-100; either may be left out.",
    ),
    click.option(
        "--aggregate",
        "aggregates",
        multiple=True,
        metavar="W=AMOUNT",
        help="The most paid from one deal, as lucky-lucky=20000.",
    ),
    click.option("--seats", type=int, metavar="N", help="Seats at the table."),
]


class OrderOptions(Struct, frozen=True):
    """What the command line says about a table."""

    chosen: tuple[str, ...]
    pay_tables: tuple[str, ...]
    limits: tuple[str, ...]
    aggregates: tuple[str, ...]
    seats: int | None

    def order(self, source: str, day: str | None, *, tribal: bool = False) -> "TableOrder":
        """The order of a file, or of a game by its name, with these options."""
        from msgspec.structs import replace

        order = _read_order(source, day)
        payouts = read_pairs("--aggregate", self.aggregates, "lucky-lucky=20000")
        return replace(
            order,
            date=order.date if day is None else read_day(day),
            options={**order.options, **dict(read_pairs("--set", self.chosen, "soft17=hit"))},
            pay_tables={**order.pay_tables, **dict(read_pairs("--pay-table", self.pay_tables, "war=2"))},
            limits={**order.limits, **_limits(self.limits)},
            aggregate={
                **order.aggregate,
                **{name: read_change("--aggregate", text) for name, text in payouts},
            },
            seats=order.seats if self.seats is None else self.seats,
            house="tribal operation" if tribal else order.house,
        )


order_options = option_group("order_options", OrderOptions, _OPTIONS)


def _read_order(source: str, day: str | None) -> "TableOrder":
    from feltworks.house.order import TableOrder, read_order

    if source.endswith(".toml"):
        return read_order(Path(source), day=read_day(day))
    return TableOrder(source, read_day(day))


def _limits(texts: tuple[str, ...]) -> Mapping[str, "WagerLimit"]:
    from feltworks.table.limits import WagerLimit

    limits = {}
    for name, text in read_pairs("--limit", texts, "ante=5-100"):
        least, dash, most = text.partition("-")
        if not dash:
            raise BadOption("--limit", f"{name}={text}", "a wager and its range, such as ante=5-100")
        limits[name] = WagerLimit(
            read_change("--limit", least) if least else None, read_change("--limit", most) if most else None
        )
    return limits
