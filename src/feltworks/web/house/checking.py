"""The configuration check: what the rules and the law of a day have to say to a table before it opens."""

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
from feltworks.web.house.asking import Asker, Day, Word, today

Positive = Annotated[int, Meta(ge=1, le=10**9)]


class LimitAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """The sign of one wager; what is left out is left to the rules and the law."""

    minimum: Positive | None = None
    maximum: Positive | None = None
    alone: Positive | None = None


class OrderAsked(Struct, frozen=True, forbid_unknown_fields=True):
    """A table as somebody wants to open it."""

    game: Word
    date: Day | None = None
    options: Annotated[dict[Word, Any], Meta(max_length=60)] = {}
    pay_tables: Annotated[dict[Word, Word], Meta(max_length=20)] = {}
    limits: Annotated[dict[Word, LimitAsked], Meta(max_length=20)] = {}
    seats: Annotated[int, Meta(ge=1, le=99)] | None = None
    aggregate: Annotated[dict[Word, Positive], Meta(max_length=20)] = {}
    house: HouseKind = "card room"


class RefusalTold(Struct, frozen=True):
    """Why the table may not be opened, by which rule, and the wager it is about."""

    rule: str
    says: str
    wager: str | None


class WagerTold(Struct, frozen=True):
    """One wager of the table: what may lie on it, what follows from it, what it can pay."""

    wager: str
    title: str
    clause: str
    least: Cents
    most: Cents
    most_lawful: Cents
    follows: Mapping[str, Cents]
    top_odds: str
    least_aggregate: Cents | None


class PrizeTold(Struct, frozen=True):
    """A prize at the highest wager."""

    wager: str
    outcome: str
    odds: str
    wagered: Cents
    cents: Cents


class Unverified(Struct, frozen=True):
    """A value that is not read in the rule itself, with where it comes from."""

    subject: str
    value: str
    source: str


class Checked(Struct, frozen=True):
    """What is found of an order; amounts in cents."""

    game: str
    date: datetime.date
    opens: bool
    refusals: list[RefusalTold]
    as_approved: bool
    deviations: list[str]
    seats: int
    wager_limit: Cents
    games_per_hand: int
    wagers: list[WagerTold]
    most_of_a_spot: Cents
    most_of_a_deal: Cents
    largest_prizes: list[PrizeTold]
    reserve: Cents
    reserve_above: Cents | None
    options: Mapping[str, Any]
    pay_tables: Mapping[str, str]
    unverified: list[Unverified]


@post("/check", status_code=200, sync_to_thread=True)
def check(person: Asker, data: JSONBody[OrderAsked]) -> Checked:
    """Check a table before it opens: lawful wagers, games, payout limits, exposure and reserve."""
    check_permitted(person.name, person.role, "reading")
    return told(check_table(ordered(data)))


def ordered(asked: OrderAsked) -> TableOrder:
    """The order as the house checks it."""
    catalog.check_game(asked.game)
    limits = {
        wager: WagerLimit(limit.minimum, limit.maximum, limit.alone) for wager, limit in asked.limits.items()
    }
    return TableOrder(
        asked.game,
        asked.date or today(),
        asked.options,
        asked.pay_tables,
        limits,
        asked.seats,
        asked.aggregate,
        asked.house,
    )


def told(found: TableCheck) -> Checked:
    """A check as the page reads it."""
    profile = found.profile
    return Checked(
        game=found.order.game,
        date=found.order.date,
        opens=found.opens,
        refusals=[RefusalTold(each.rule, each.says, _about(each.says, found)) for each in found.refusals],
        as_approved=found.as_approved,
        deviations=list(found.deviations),
        seats=found.seats,
        wager_limit=profile.wager_limit,
        games_per_hand=profile.number("games-per-hand"),
        wagers=[_wager(found, each) for each in found.wagers],
        most_of_a_spot=found.most_of_a_spot,
        most_of_a_deal=found.most_of_a_deal,
        largest_prizes=[_prize(each) for each in found.prizes[:5]],
        reserve=found.reserve,
        reserve_above=profile["reserve-above"].cents if "reserve-above" in profile.values else None,
        options=found.options,
        pay_tables=found.pay_tables,
        unverified=[
            Unverified(subject, str(dated.value), dated.sure)
            for subject, dated in sorted(profile.unverified.items())
        ],
    )


def _about(says: str, found: TableCheck) -> str | None:
    """A refusal of one wager begins with its title."""
    titles = sorted(found.wagers, key=lambda each: -len(each.title))
    return next((each.wager for each in titles if says.startswith(f"{each.title} ")), None)


def _wager(found: TableCheck, each: WagerCheck) -> WagerTold:
    book = catalog.rulebook(found.order.game)
    return WagerTold(
        wager=each.wager,
        title=each.title,
        clause=book.wager[each.wager].clause,
        least=each.least,
        most=each.most,
        most_lawful=each.most_lawful,
        follows=each.follows,
        top_odds=f"{each.top_odds} to 1",
        least_aggregate=each.least_aggregate,
    )


def _prize(each: Prize) -> PrizeTold:
    return PrizeTold(each.wager, each.outcome, str(each.odds), each.wagered, each.cents)
