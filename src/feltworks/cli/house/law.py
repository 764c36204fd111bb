"""`felt house check-table` and `profile`: what the law of a day asks of a table and of a house."""

from typing import TYPE_CHECKING

import click
from click.exceptions import Exit

from feltworks.cli.house.books import tribal_option
from feltworks.cli.house.table_order import OrderOptions, order_options
from feltworks.cli.options import json_option, read_day
from feltworks.cli.output import PLAY_MONEY, Page, print_json
from feltworks.cli.tables import Table
from feltworks.money import dollars

if TYPE_CHECKING:
    from feltworks.house.configuration import TableCheck, WagerCheck
    from feltworks.house.law import Profile

date_option = click.option("--date", "day", metavar="YYYY-MM-DD", help="The day; today unless given.")


@click.command()
@click.argument("source", metavar="FILE|GAME", help="A table's order in TOML, or a game.")
@date_option
@order_options
@tribal_option
@json_option
def check_table(
    source: str, day: str | None, order_options: OrderOptions, tribal: bool, as_json: bool
) -> None:
    """Check a table before it opens: lawful wagers, games, payout limits, exposure and reserve."""
    from feltworks.house import configuration

    check = configuration.check_table(order_options.order(source, day, tribal=tribal))
    if as_json:
        print_json(_check_document(check))
    else:
        _show_check(check)
    if not check.opens:
        raise Exit(1)


def _check_document(check: "TableCheck") -> dict[str, object]:
    return {
        "game": check.order.game,
        "date": check.order.date,
        "house": check.order.house,
        "opens": check.opens,
        "refusals": check.refusals,
        "as_approved": check.as_approved,
        "deviations": check.deviations,
        "seats": check.seats,
        "wager_limit": check.profile.wager_limit,
        "wagers": check.wagers,
        "most_of_a_spot": check.most_of_a_spot,
        "most_of_a_deal": check.most_of_a_deal,
        "largest_prizes": check.prizes[:5],
        "reserve": check.reserve,
        "cash_on_hand": _cash(check.profile),
        "options": check.options,
        "pay_tables": check.pay_tables,
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
    """The cash that the house has to hold when it opens; empty where the law of the day is not known."""
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
def profile(day: str | None, tribal: bool, as_json: bool) -> None:
    """Show the law of a day, each value with its source and how sure we are of it."""
    from feltworks.house.law import profile_on

    law = profile_on(read_day(day), "tribal operation" if tribal else "card room")
    if as_json:
        print_json(_profile_document(law))
    else:
        _show_profile(law)


def _profile_document(law: "Profile") -> dict[str, object]:
    from feltworks.house.law import SURE

    values = {
        subject: {
            "value": dated.value,
            "from": dated.from_,
            "source": dated.source,
            "sure": dated.sure,
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
