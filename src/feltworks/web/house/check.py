"""The configuration check: what the rules and the law of a day say to a table before it opens."""

import datetime
from collections.abc import Mapping
from typing import Annotated, Any

from litestar import post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from feltworks import catalog
from feltworks.house.configuration import Prize, TableCheck, WagerCheck, check_table
from feltworks.house.duties import check_permitted
from feltworks.house.law import HouseKind
from feltworks.house.order import TableOrder
from feltworks.money import Cents
from feltworks.table.limits import WagerLimit
from feltworks.web.house.office import CurrentUser, Day, Word, today

Positive = Annotated[int, Meta(ge=1, le=10**9)]


class LimitRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The posted limits of one wager; what is left out follows from the rules and the law."""

    minimum: Positive | None = None
    maximum: Positive | None = None
    alone: Positive | None = None


class OrderRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A table as it is to be opened."""

    game: Word
    date: Day | None = None
    options: Annotated[dict[Word, Any], Meta(max_length=60)] = {}
    pay_tables: Annotated[dict[Word, Word], Meta(max_length=20)] = {}
    limits: Annotated[dict[Word, LimitRequest], Meta(max_length=20)] = {}
    seats: Annotated[int, Meta(ge=1, le=99)] | None = None
    aggregate: Annotated[dict[Word, Positive], Meta(max_length=20)] = {}
    house: HouseKind = "card room"


class RefusedRule(Struct, frozen=True):
    """Why the table may not open: the rule, and the wager it is about."""

    rule: str
    says: str
    wager: str | None


class WagerRange(Struct, frozen=True):
    """One wager of the table: its limits, the wagers that follow from it, and its top odds."""

    wager: str
    title: str
    clause: str
    least: Cents
    most: Cents
    most_lawful: Cents
    follows: Mapping[str, Cents]
    top_odds: str
    least_aggregate: Cents | None


class LargePrize(Struct, frozen=True):
    """A prize at the highest wager."""

    wager: str
    outcome: str
    odds: str
    wagered: Cents
    cents: Cents


class UnverifiedValue(Struct, frozen=True):
    """A value of the law that was not read in the rule itself, with its source."""

    subject: str
    value: str
    source: str


class CheckResult(Struct, frozen=True):
    """The result of the check; amounts in cents."""

    game: str
    date: datetime.date
    opens: bool
    refusals: list[RefusedRule]
    as_approved: bool
    deviations: list[str]
    seats: int
    wager_limit: Cents
    games_per_hand: int
    wagers: list[WagerRange]
    most_of_a_spot: Cents
    most_of_a_deal: Cents
    largest_prizes: list[LargePrize]
    reserve: Cents
    reserve_above: Cents | None
    options: Mapping[str, Any]
    pay_tables: Mapping[str, str]
    unverified: list[UnverifiedValue]


@post("/check", status_code=200, sync_to_thread=True)
def check(person: CurrentUser, data: JSONBody[OrderRequest]) -> CheckResult:
    """Check a table before it opens: lawful wagers, games, payout limits, exposure and reserve."""
    check_permitted(person.name, person.role, "reading")
    return check_result(check_table(table_order(data)))


def table_order(order: OrderRequest) -> TableOrder:
    """The order as the house checks it."""
    catalog.check_game(order.game)
    limits = {
        wager: WagerLimit(limit.minimum, limit.maximum, limit.alone) for wager, limit in order.limits.items()
    }
    return TableOrder(
        order.game,
        order.date or today(),
        order.options,
        order.pay_tables,
        limits,
        order.seats,
        order.aggregate,
        order.house,
    )


def check_result(check: TableCheck) -> CheckResult:
    """The check as a document."""
    profile = check.profile
    return CheckResult(
        game=check.order.game,
        date=check.order.date,
        opens=check.opens,
        refusals=[
            RefusedRule(refusal.rule, refusal.says, _wager_of(refusal.says, check))
            for refusal in check.refusals
        ],
        as_approved=check.as_approved,
        deviations=list(check.deviations),
        seats=check.seats,
        wager_limit=profile.wager_limit,
        games_per_hand=profile.number("games-per-hand"),
        wagers=[_wager_range(check, wager) for wager in check.wagers],
        most_of_a_spot=check.most_of_a_spot,
        most_of_a_deal=check.most_of_a_deal,
        largest_prizes=[_prize(prize) for prize in check.prizes[:5]],
        reserve=check.reserve,
        reserve_above=profile["reserve-above"].cents if "reserve-above" in profile.values else None,
        options=check.options,
        pay_tables=check.pay_tables,
        unverified=[
            UnverifiedValue(subject, str(dated.value), dated.sure)
            for subject, dated in sorted(profile.unverified.items())
        ],
    )


def _wager_of(says: str, check: TableCheck) -> str | None:
    """The wager of a refusal: its sentence begins with the wager's title."""
    titles = sorted(check.wagers, key=lambda wager: -len(wager.title))
    return next((wager.wager for wager in titles if says.startswith(f"{wager.title} ")), None)


def _wager_range(check: TableCheck, wager: WagerCheck) -> WagerRange:
    book = catalog.rulebook(check.order.game)
    return WagerRange(
        wager=wager.wager,
        title=wager.title,
        clause=book.wager[wager.wager].clause,
        least=wager.least,
        most=wager.most,
        most_lawful=wager.most_lawful,
        follows=wager.follows,
        top_odds=f"{wager.top_odds} to 1",
        least_aggregate=wager.least_aggregate,
    )


def _prize(prize: Prize) -> LargePrize:
    return LargePrize(prize.wager, prize.outcome, str(prize.odds), prize.wagered, prize.cents)
