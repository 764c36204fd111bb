"""`felt house check-table`: may a table be opened as it is ordered?"""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from feltworks.cli.house.asking import AsJson, Tribal
from feltworks.cli.house.ordering import Aggregate, Chosen, Limit, PayTable, Seats, ordered
from feltworks.cli.output import PLAY_MONEY, console, new_table, print_json
from feltworks.money import dollars

if TYPE_CHECKING:
    from feltworks.house.configuration import TableCheck, WagerCheck
    from feltworks.house.law import Profile


def check_table(
    said: Annotated[str, typer.Argument(metavar="FILE|GAME", help="A table's order in TOML, or a game.")],
    day: Annotated[
        str | None, typer.Option("--date", metavar="YYYY-MM-DD", help="The day; today unless given.")
    ] = None,
    chosen: Chosen = None,
    pay_table: PayTable = None,
    limit: Limit = None,
    aggregate: Aggregate = None,
    seats: Seats = None,
    tribal: Tribal = False,
    as_json: AsJson = False,
) -> None:
    """Check a table before it opens: lawful wagers, games, payout limits, exposure and reserve."""
    from feltworks.house import configuration

    order = ordered(
        said,
        day=day,
        chosen=chosen,
        pay_table=pay_table,
        limit=limit,
        aggregate=aggregate,
        seats=seats,
        tribal=tribal,
    )
    found = configuration.check_table(order)
    if as_json:
        print_json(described(found))
    else:
        _print(found)
    if not found.opens:
        raise typer.Exit(1)


def described(found: "TableCheck") -> dict[str, Any]:
    """A check as programs read it; amounts in cents."""
    return {
        "game": found.order.game,
        "date": found.order.date,
        "house": found.order.house,
        "opens": found.opens,
        "refusals": found.refusals,
        "as_approved": found.as_approved,
        "deviations": found.deviations,
        "seats": found.seats,
        "wager_limit": found.profile.wager_limit,
        "wagers": found.wagers,
        "most_of_a_spot": found.most_of_a_spot,
        "most_of_a_deal": found.most_of_a_deal,
        "largest_prizes": found.prizes[:5],
        "reserve": found.reserve,
        "cash_on_hand": _cash(found.profile),
        "options": found.options,
        "pay_tables": found.pay_tables,
        "unverified": sorted(found.profile.unverified),
        "notice": PLAY_MONEY,
    }


def _print(found: "TableCheck") -> None:
    screen = console()
    verdict = "may be opened" if found.opens else "may not be opened"
    screen.print(
        f"{found.order.game} in a {found.order.house} on {found.order.date}: {verdict}", style="bold"
    )
    for refusal in found.refusals:
        screen.print(f"  {refusal.says} ({refusal.rule})")
    for deviation in found.deviations:
        screen.print(f"  Not as approved: {deviation} (WA.3)")
    table = new_table("Wager", "From", "To", "Highest lawful", "Follows from it", "Odds", "Payout limit")
    for each in found.wagers:
        table.add_row(*_cells(each))
    screen.print(table)
    deal = f"One deal pays up to {dollars(found.most_of_a_deal)} at {found.seats} seats, jackpots apart"
    kept = f"{dollars(found.reserve)} is kept in reserve" if found.reserve else "no reserve is asked for"
    screen.print(f"{deal}; {kept} ({found.profile.cites('WAC 230-15-455')}).")
    if cash := _cash(found.profile):
        screen.print(f"Cash on hand: {cash}.")
    unverified = ", ".join(sorted(found.profile.unverified)) or "nothing"
    screen.print(f"Unverified as law: {unverified}. {PLAY_MONEY}")


def _cash(profile: "Profile") -> str:
    """What the house has to hold in cash when it opens, where the law of the day is known to say it."""
    if "cash-per-table" not in profile or "cash-beside" not in profile:
        return ""
    amount, beside = profile["cash-per-table"], profile["cash-beside"]
    return f"{amount.value} for each table and {beside.value} (WAC 230-15-050)"


def _cells(each: "WagerCheck") -> list[str]:
    follows = ", ".join(f"{name} up to {dollars(most)}" for name, most in each.follows.items())
    least = each.least_aggregate
    limit = "none is lawful" if least is None else f"{dollars(least)} or more"
    amounts = [dollars(cents) for cents in (each.least, each.most, each.most_lawful)]
    return [each.wager, *amounts, follows, f"{each.top_odds} to 1", limit]
