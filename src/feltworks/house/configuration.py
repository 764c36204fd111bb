"""May a table be opened as it is ordered? Proven from the rules and the law before the first card."""

import datetime
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct

from feltworks import catalog
from feltworks.errors import BadOption, UnknownName
from feltworks.house.exposure import Prize, most_of_a_spot, prizes, reserve, top_odds
from feltworks.house.profile import HouseKind, Profile, profile_on
from feltworks.money import Cents, dollars
from feltworks.rules.game import Game
from feltworks.rules.rulebook.model import OptionValue
from feltworks.rules.terms import most_allowed
from feltworks.table.posted import Posted

FIVE_DOLLARS: Cents = 5_00  # WA.2: games above it are counted apart
SINGLE_WAGER, GAMES, SEATS = "WAC 230-15-140 (WA.1)", "WAC 230-15-040 (WA.2)", "WAC 230-15-055"
AGGREGATE, RESERVE = "WAC 230-15-490 (WA.4)", "WAC 230-15-455 (WA.4)"


class TableOrder(Struct, frozen=True, forbid_unknown_fields=True):
    """A table as a house wants to open it."""

    game: str
    date: datetime.date
    options: Mapping[str, object] = {}
    pay_tables: Mapping[str, str] = {}
    limits: Mapping[str, Posted] = {}
    seats: int | None = None
    aggregate: Mapping[str, Cents] = {}  # the most paid from one deal, by wager
    house: HouseKind = "card room"


class Refusal(Struct, frozen=True):
    """Why a table may not be opened, and by which rule."""

    rule: str
    says: str
    about: str = ""  # what of the order it is about, as "limits.ante"


class WagerCheck(Struct, frozen=True):
    """One wager of the table: what may lie on it, what it can pay, and how its payout may be limited."""

    wager: str
    title: str
    least: Cents
    most: Cents
    most_lawful: Cents
    follows: Mapping[str, Cents]  # the most of every wager that follows from it
    top_odds: Fraction
    least_aggregate: Cents | None  # None: no aggregate payout limit is lawful


class TableCheck(Struct, frozen=True):
    """What is found of an order."""

    order: TableOrder
    profile: Profile
    refusals: tuple[Refusal, ...]
    wagers: tuple[WagerCheck, ...]
    seats: int
    prizes: tuple[Prize, ...]
    most_of_a_spot: Cents
    reserve: Cents
    options: Mapping[str, OptionValue]
    pay_tables: Mapping[str, str]
    deviations: tuple[str, ...]

    @property
    def opens(self) -> bool:
        return not self.refusals

    @property
    def as_approved(self) -> bool:
        """WA.3: what differs from the approved sheet opens only as such, visibly."""
        return not self.deviations

    @property
    def most_of_a_deal(self) -> Cents:
        """No deal pays the whole table more, posted jackpots apart."""
        return self.most_of_a_spot * self.seats


def check_table(order: TableOrder) -> TableCheck:
    """Everything the rules and the law of the day have to say to a table order."""
    profile = profile_on(order.date, order.house)
    game = _ordered(order, profile)
    for name in (*order.limits, *order.aggregate):
        if name not in game.terms.offers:
            raise UnknownName("wager of this table", name, sorted(game.terms.offers), of=order.game)
    offered = [name for name in game.terms.rulebook.wager if name in game.terms.offers]
    wagers = tuple(_wager(game, name, order.limits.get(name, Posted()), profile) for name in offered)
    highest = _highest(wagers)
    found = prizes(game, highest)
    seats = game.terms.spots or profile.number("seats")
    return TableCheck(
        order=order,
        profile=profile,
        refusals=tuple(_refusals(order, profile, wagers, seats)),
        wagers=wagers,
        seats=seats,
        prizes=tuple(found),
        most_of_a_spot=most_of_a_spot(game, highest),
        reserve=reserve(found, profile["reserve-above"].cents) if "reserve-above" in profile else 0,
        options=game.terms.options,
        pay_tables=game.terms.pay_tables,
        deviations=(*game.terms.deviations, *_too_early(game, order.date)),
    )


def _too_early(game: Game[Any], day: datetime.date) -> list[str]:
    """WAC 230-15-035: a game is authorized by its letter and not before it."""
    letter = game.terms.rulebook.approval
    return [f"its letter is of {letter.date}, after this day"] if letter and day < letter.date else []


def _ordered(order: TableOrder, profile: Profile) -> Game[Any]:
    options = dict(order.options)
    book = catalog.rulebook(order.game)
    if order.seats is not None and "spots" in book.option:
        options["spots"] = order.seats
    if book.most_wagers and "offers" not in options:
        members = ", ".join(book.option["offers"].members or [])
        raise BadOption("offers", "nothing", f"the wagers this table is to have (SP.20), of {members}")
    return catalog.game(order.game, options=options, pay_tables=order.pay_tables, limit=profile.wager_limit)


def _wager(game: Game[Any], name: str, posted: Posted, profile: Profile) -> WagerCheck:
    """WA.1: what follows from a wager counts on its own, so a fixed multiple lowers what it may be."""
    terms, entry = game.terms, game.terms.rulebook.wager[name]
    lawful = entry.least if entry.fixed else most_allowed(terms, name)
    assert lawful is not None
    most = entry.least if entry.fixed else posted.maximum or lawful
    follows = {
        other: int(most * e.factor) if e.times else min(int(most * e.factor), profile.wager_limit)  # AD.8
        for other, e in terms.rulebook.wager.items()
        if e.of == name
    }
    least = max(entry.least, posted.minimum or 1)
    odds = max((top_odds(game, each) for each in (name, *follows)), default=Fraction(0))
    return WagerCheck(
        wager=name,
        title=entry.title,
        least=least,
        most=most,
        most_lawful=lawful,
        follows=follows,
        top_odds=odds,
        least_aggregate=_least_aggregate(profile, odds, least, most),
    )


def _least_aggregate(profile: Profile, odds: Fraction, least: Cents, most: Cents) -> Cents | None:
    """WAC 230-15-490: the lowest payout limit of one deal, where the odds are high enough for one at all."""
    counted = profile.number("aggregate-odds") if "aggregate-odds" in profile else None
    if counted is None or odds < counted:
        return None
    if profile["aggregate-method"].value == "per deal":
        return int(most * counted)
    return 2 * max(int(most * counted), int(least * odds))  # until 2021: twice what one player is due


def _highest(wagers: tuple[WagerCheck, ...]) -> dict[str, Cents]:
    return {name: most for each in wagers for name, most in ((each.wager, each.most), *each.follows.items())}


def _refusals(
    order: TableOrder, profile: Profile, wagers: tuple[WagerCheck, ...], seats: int
) -> Iterator[Refusal]:
    for each in wagers:
        yield from _limit_refusals(each, order, profile)
        yield from _aggregate_refusals(each, order, profile)
    games, above = profile.number("games-per-hand"), profile.number("games-above-five-dollars")
    if len(wagers) > games:
        yield Refusal(
            profile.cites(GAMES), f"{len(wagers)} games are offered with one hand; {games} are allowed"
        )
    large = [each.title for each in wagers if each.most > FIVE_DOLLARS]
    if len(large) > above:
        yield Refusal(
            profile.cites(GAMES),
            f"{len(large)} games take more than $5 ({', '.join(large)}); {above} are allowed",
        )
    if seats > (most := profile.number("seats")):
        yield Refusal(profile.cites(SEATS), f"the table has {seats} seats; up to {most} are allowed", "seats")


def _limit_refusals(each: WagerCheck, order: TableOrder, profile: Profile) -> Iterator[Refusal]:
    posted = order.limits.get(each.wager, Posted())
    for amount in (posted.minimum, posted.maximum, posted.alone):
        if amount is not None and (type(amount) is not int or amount <= 0):
            raise BadOption(f"the limit of {each.wager}", amount, "a positive whole number of cents")
    if posted.maximum is not None and posted.maximum > each.most_lawful:
        what = f"{each.title} up to {dollars(posted.maximum)} is above {dollars(each.most_lawful)}"
        why = f"no wager exceeds {dollars(profile.wager_limit)} on {order.date}, nor what follows from it"
        yield Refusal(profile.cites(SINGLE_WAGER), f"{what}: {why}", f"limits.{each.wager}")
    if each.least > each.most:
        yield Refusal(
            profile.cites(SINGLE_WAGER),
            f"{each.title} begins at {dollars(each.least)}, above its maximum of {dollars(each.most)}",
            f"limits.{each.wager}",
        )


def _aggregate_refusals(each: WagerCheck, order: TableOrder, profile: Profile) -> Iterator[Refusal]:
    """A payout limit holds for one kind of prize, and only where its odds are high."""
    asked = order.aggregate.get(each.wager)
    if asked is None:
        return
    if each.least_aggregate is None:
        needed = f"a payout limit needs {profile.number('aggregate-odds')} to 1"
        yield Refusal(profile.cites(AGGREGATE), f"{each.title} pays {each.top_odds} to 1 at most; {needed}")
    elif asked < each.least_aggregate:
        lowest = f"{dollars(each.least_aggregate)} a deal or more"
        yield Refusal(
            profile.cites(AGGREGATE), f"{each.title} may be limited to {lowest}, not to {dollars(asked)}"
        )
