"""`felt house check-table` and `profile`: checks a table's order, and shows the law of a day."""

from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from click.exceptions import Exit
from msgspec import Struct

from feltworks.cli.house.books import tribal_option
from feltworks.cli.options import (
    DAY,
    Decorator,
    json_option,
    option_group,
    pairs_option,
    read_change,
    read_pairs,
    set_option,
)
from feltworks.cli.output import PLAY_MONEY, Page, Table, fields_of, print_json
from feltworks.errors import BadOption
from feltworks.money import Cents, dollars

if TYPE_CHECKING:
    from feltworks.house.configuration import TableCheck, TableOrder, WagerCheck
    from feltworks.house.law import HouseKind, Profile
    from feltworks.table.limits import WagerLimit

date_option = click.option("--date", "day", type=DAY, help="The day; today unless given.")


def _read_limit(option: str, text: str) -> "WagerLimit":
    from feltworks.table.limits import WagerLimit

    least, dash, most = text.partition("-")
    if not dash:
        raise BadOption(option, text, "a wager and its range, such as ante=5-100")
    return WagerLimit(read_change(option, least) if least else None, read_change(option, most) if most else None)


_ORDER_OPTIONS: Final[list[Decorator]] = [
    set_option,
    pairs_option("--pay-table", "pay_tables", metavar="W=T", example="war=2", help="A pay table, as war=2."),
    pairs_option(
        "--limit",
        "limits",
        metavar="W=LEAST-MOST",
        example="ante=5-100",
        read=_read_limit,
        help="A wager's minimum and maximum, as ante=5-100; either may be left out.",
    ),
    pairs_option(
        "--aggregate",
        "aggregates",
        metavar="W=AMOUNT",
        example="lucky-lucky=20000",
        read=read_change,
        help="The most paid from one deal, as lucky-lucky=20000.",
    ),
    click.option("--seats", type=int, metavar="N", help="Seats at the table."),
]


class OrderOptions(Struct, frozen=True):
    """A table's order from the command line: options override the file."""

    chosen: tuple[str, ...]
    pay_tables: tuple[tuple[str, str], ...]
    limits: "tuple[tuple[str, WagerLimit], ...]"
    aggregates: tuple[tuple[str, Cents], ...]
    seats: int | None

    def order(self, source: str, day: date | None, *, house: "HouseKind | None" = None) -> "TableOrder":
        """The order from a TOML file, or for a game by its name, with these options."""
        from msgspec.structs import replace

        from feltworks.house.configuration import TableOrder, read_order

        today = day or date.today()
        is_file = source.endswith(".toml")
        order = read_order(Path(source), day=today) if is_file else TableOrder(source, today)
        return replace(
            order,
            date=day or order.date,
            options={**order.options, **dict(read_pairs("--set", self.chosen, "soft17=hit"))},
            pay_tables={**order.pay_tables, **dict(self.pay_tables)},
            limits={**order.limits, **dict(self.limits)},
            aggregate={**order.aggregate, **dict(self.aggregates)},
            seats=order.seats if self.seats is None else self.seats,
            house=house or order.house,
        )


order_options = option_group("order_options", OrderOptions, _ORDER_OPTIONS)


@click.command()
@click.argument("source", metavar="FILE|GAME", help="A table's order in TOML, or a game.")
@date_option
@order_options
@tribal_option
@json_option
def check_table(
    source: str, day: date | None, order_options: OrderOptions, house: "HouseKind | None", as_json: bool
) -> None:
    """Check a table before it opens: lawful wagers, games, payout limits, exposure and reserve."""
    from feltworks.house import configuration

    check = configuration.check_table(order_options.order(source, day, house=house))
    if as_json:
        print_json(_check_document(check))
    else:
        _show_check(check)
    if not check.opens:
        raise Exit(1)


def _check_document(check: "TableCheck") -> dict[str, object]:
    return {
        **fields_of(check.order, "game", "date", "house"),
        **fields_of(check, "opens", "refusals", "as_approved", "deviations", "seats", "wagers"),
        **fields_of(check, "most_of_a_spot", "most_of_a_deal", "reserve", "options", "pay_tables"),
        "wager_limit": check.profile.wager_limit,
        "largest_prizes": check.prizes[:5],
        "cash_on_hand": _cash(check.profile),
        "unverified": sorted(check.profile.unverified),
        "notice": PLAY_MONEY,
    }


def _show_check(check: "TableCheck") -> None:
    page = Page()
    verdict = "may be opened" if check.opens else "may not be opened"
    page.print(f"{check.order.game} in a {check.order.house} on {check.order.date}: {verdict}", style="bold")
    for refusal in check.refusals:
        page.print(f"  {refusal.says} ({refusal.rule})")
    for deviation in check.deviations:
        page.print(f"  Not as approved: {deviation} (WA.3)")
    table = Table("Wager", "From", "To", "Highest lawful", "Wagers that follow", "Odds", "Payout limit")
    for wager in check.wagers:
        table.add_row(*_cells(wager))
    page.print(table)
    deal = f"One deal pays up to {dollars(check.most_of_a_deal)} at {check.seats} seats, jackpots apart"
    reserve = f"the reserve is {dollars(check.reserve)}" if check.reserve else "no reserve is required"
    page.print(f"{deal}; {reserve} ({check.profile.cites('WAC 230-15-455')}).")
    if cash := _cash(check.profile):
        page.print(f"Cash on hand: {cash}.")
    unverified = ", ".join(sorted(check.profile.unverified)) or "nothing"
    page.print(f"Unverified as law: {unverified}. {PLAY_MONEY}")


def _cash(profile: "Profile") -> str:
    """The cash that the house has to hold when it opens; empty if the law of the day is not known."""
    if "cash-per-table" not in profile or "cash-beside" not in profile:
        return ""
    amount, beside = profile["cash-per-table"], profile["cash-beside"]
    return f"{amount.value} for each table and {beside.value} (WAC 230-15-050)"


def _cells(check: "WagerCheck") -> list[str]:
    follows = ", ".join(f"{name} up to {dollars(most)}" for name, most in check.follows.items())
    least = check.least_aggregate
    limit = "none is lawful" if least is None else f"{dollars(least)} or more"
    amounts = [dollars(cents) for cents in (check.least, check.most, check.most_lawful)]
    return [check.wager, *amounts, follows, f"{check.top_odds} to 1", limit]


@click.command()
@date_option
@tribal_option
@json_option
def profile(day: date | None, house: "HouseKind | None", as_json: bool) -> None:
    """Show the law of a day, each value with its source and how sure we are of it."""
    from feltworks.house.law import profile_on

    law = profile_on(day or date.today(), house or "card room")
    if as_json:
        print_json(_profile_document(law))
    else:
        _show_profile(law)


def _profile_document(law: "Profile") -> dict[str, object]:
    from feltworks.house.law import SURE

    values = {
        subject: {
            **fields_of(dated, "value", "source", "sure"),
            "from": dated.from_,
            "verified": dated.sure in SURE,
        }
        for subject, dated in law.values.items()
    }
    return {"date": law.day, "house": law.house, "values": values}


def _show_profile(law: "Profile") -> None:
    from feltworks.house.law import SURE

    title = f"The law of a {law.house} on {law.day}"
    table = Table("Subject", "Value", "From", "How sure", "Source", title=title)
    for subject, dated in law.values.items():
        sure = dated.sure if dated.sure in SURE else f"unverified: {dated.sure}"
        table.add_row(subject, str(dated.value), str(dated.from_), sure, dated.source)
    Page().print(table)
