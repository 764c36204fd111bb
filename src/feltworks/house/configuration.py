"""A table order, from a TOML file or a record, and its check against the rules and the law of its day."""

import datetime
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

import msgspec
from msgspec import Struct

from feltworks import catalog
from feltworks.errors import BadOption, RulebookError, UnknownName
from feltworks.house.law import HouseKind, Profile, profile_on
from feltworks.money import Cents, Odds, dollars, parse_dollars
from feltworks.rules.game import Game
from feltworks.rules.pay_table import Fixed
from feltworks.rules.rulebook.model import OptionValue
from feltworks.rules.rulebook.toml import dotted, read_toml
from feltworks.rules.terms import most_allowed
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


FIVE_DOLLARS: Cents = 5_00  # WA.2: games with a higher maximum have a limit of their own
SINGLE_WAGER, GAMES, SEATS = "WAC 230-15-140 (WA.1)", "WAC 230-15-040 (WA.2)", "WAC 230-15-055"
POSTED = "WAC 230-15-060"  # the wagering limits that a table posts
AGGREGATE = "WAC 230-15-490 (WA.4)"


class Refusal(Struct, frozen=True):
    """Why a table may not open, and by which rule."""

    rule: str
    says: str
    about: str = ""  # the part of the order that is refused, such as "limits.ante"


class WagerCheck(Struct, frozen=True):
    """One wager of the table: its limits, what it can pay, and the lowest lawful payout limit."""

    wager: str
    title: str
    least: Cents
    most: Cents
    most_lawful: Cents
    follows: Mapping[str, Cents]  # the maximum of each wager that follows this one
    top_odds: Fraction
    least_aggregate: Cents | None  # None: no aggregate payout limit is lawful


class Prize(Struct, frozen=True):
    """One row of a pay table at the highest wager."""

    wager: str
    outcome: str
    odds: Odds
    wagered: Cents
    cents: Cents


class TableCheck(Struct, frozen=True):
    """The result of checking a table order."""

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
        """WA.3: whether nothing differs from the approved sheet; deviations are shown at the table."""
        return not self.deviations

    @property
    def most_of_a_deal(self) -> Cents:
        """The most one deal can pay the whole table, jackpots not counted."""
        return self.most_of_a_spot * self.seats


def check_table(order: TableOrder) -> TableCheck:
    """Check a table order against the rules of its game and the law of its day."""
    profile = profile_on(order.date, order.house, catalog.rulebook(order.game).jurisdiction)
    game = _ordered_game(order, profile)
    for name in (*order.limits, *order.aggregate):
        if name not in game.terms.offers:
            raise UnknownName("wager of this table", name, sorted(game.terms.offers), of=order.game)
    offered = [name for name in game.terms.rulebook.wager if name in game.terms.offers]
    wagers = tuple(_wager(game, name, order.limits.get(name, WagerLimit()), profile) for name in offered)
    highest = _highest(wagers)
    owed = prizes(game, highest)
    seats = game.terms.spots or profile.number("seats")
    return TableCheck(
        order=order,
        profile=profile,
        refusals=tuple(_refusals(order, profile, wagers, seats)),
        wagers=wagers,
        seats=seats,
        prizes=tuple(owed),
        most_of_a_spot=most_of_a_spot(game, highest),
        reserve=reserve(owed, profile["reserve-above"].cents) if "reserve-above" in profile else 0,
        options=game.terms.options,
        pay_tables=game.terms.pay_tables,
        deviations=(*game.terms.deviations, *too_early(game, order.date)),
    )


def too_early(game: Game, day: datetime.date) -> list[str]:
    """WAC 230-15-035: a game is authorized from the date of its letter."""
    letter = game.terms.rulebook.approval
    return [f"its letter is of {letter.date}, after this day"] if letter and day < letter.date else []


def _ordered_game(order: TableOrder, profile: Profile) -> Game:
    options = dict(order.options)
    book = catalog.rulebook(order.game)
    if order.seats is not None and "spots" in book.option:
        options["spots"] = order.seats
    if book.most_wagers and "offers" not in options:
        members = ", ".join(book.option["offers"].members or [])
        raise BadOption("offers", "nothing", f"the wagers this table is to have (SP.20), of {members}")
    return catalog.game(order.game, options=options, pay_tables=order.pay_tables, limit=profile.wager_limit)


def _wager(game: Game, name: str, posted: WagerLimit, profile: Profile) -> WagerCheck:
    """WA.1: a wager that follows from another has its own limit, so a fixed multiple lowers the first."""
    terms, entry = game.terms, game.terms.rulebook.wager[name]
    lawful = entry.least if entry.fixed else most_allowed(terms, name)
    assert lawful is not None
    most = entry.least if entry.fixed else posted.maximum or lawful
    follows = {
        other: int(most * e.factor) if e.times else min(int(most * e.factor), profile.wager_limit)  # AD.8
        for other, e in terms.rulebook.wager.items()
        if e.of == name and (not e.offered_by or terms.options[e.offered_by])
    }
    least = max(entry.least, posted.minimum or 1)
    odds = max((top_odds(game, bet) for bet in (name, *follows)), default=Fraction(0))
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
    """WAC 230-15-490: the lowest payout limit of one deal; None if the odds are too low for a limit."""
    counted = profile.number("aggregate-odds") if "aggregate-odds" in profile else None
    if counted is None or odds < counted:
        return None
    if profile["aggregate-method"].value == "per deal":
        return int(most * counted)
    return 2 * max(int(most * counted), int(least * odds))  # until 2021: twice one player's prize


def _highest(wagers: tuple[WagerCheck, ...]) -> dict[str, Cents]:
    return {name: most for wager in wagers for name, most in ((wager.wager, wager.most), *wager.follows.items())}


def _refusals(order: TableOrder, profile: Profile, wagers: tuple[WagerCheck, ...], seats: int) -> Iterator[Refusal]:
    for wager in wagers:
        yield from _limit_refusals(wager, order, profile)
        yield from _aggregate_refusals(wager, order, profile)
    games, above = profile.number("games-per-hand"), profile.number("games-above-five-dollars")
    if len(wagers) > games:
        yield Refusal(profile.cites(GAMES), f"{len(wagers)} games are offered with one hand; {games} are allowed")
    large = [wager.title for wager in wagers if wager.most > FIVE_DOLLARS]
    if len(large) > above:
        yield Refusal(
            profile.cites(GAMES),
            f"{len(large)} games take more than $5 ({', '.join(large)}); {above} are allowed",
        )
    if seats > (most := profile.number("seats")):
        yield Refusal(profile.cites(SEATS), f"the table has {seats} seats; up to {most} are allowed", "seats")


def _limit_refusals(wager: WagerCheck, order: TableOrder, profile: Profile) -> Iterator[Refusal]:
    posted = order.limits.get(wager.wager, WagerLimit())
    for amount in (posted.minimum, posted.maximum, posted.alone):
        if amount is not None and (type(amount) is not int or amount <= 0):
            raise BadOption(f"the limit of {wager.wager}", amount, "a positive whole number of cents")
    if posted.maximum is not None and posted.maximum > wager.most_lawful:
        what = f"{wager.title} up to {dollars(posted.maximum)} is above {dollars(wager.most_lawful)}"
        why = f"no wager exceeds {dollars(profile.wager_limit)} on {order.date}, nor what follows from it"
        yield Refusal(profile.cites(SINGLE_WAGER), f"{what}: {why}", f"limits.{wager.wager}")
    entry = catalog.rulebook(order.game).wager[wager.wager]
    if entry.minimum and posted.minimum is not None and posted.minimum != entry.least:
        # AD.6: the house may not change a minimum that the rules of the game set
        what = f"{wager.title} begins at {dollars(entry.least)}, which the rules fix"
        says = f"{what}; {dollars(posted.minimum)} is no minimum for it"
        yield Refusal(entry.clause, says, f"limits.{wager.wager}")
    if wager.least > wager.most:
        yield Refusal(
            profile.cites(POSTED),
            f"{wager.title} begins at {dollars(wager.least)}, above its maximum of {dollars(wager.most)}",
            f"limits.{wager.wager}",
        )


def _aggregate_refusals(wager: WagerCheck, order: TableOrder, profile: Profile) -> Iterator[Refusal]:
    """Refuse a payout limit on a wager whose odds are too low for one, or a limit that is too low."""
    limit = order.aggregate.get(wager.wager)
    if limit is None:
        return
    if wager.least_aggregate is None:
        needed = f"a payout limit needs {profile.number('aggregate-odds')} to 1"
        yield Refusal(profile.cites(AGGREGATE), f"{wager.title} pays {wager.top_odds} to 1 at most; {needed}")
    elif limit < wager.least_aggregate:
        lowest = f"{dollars(wager.least_aggregate)} a deal or more"
        yield Refusal(profile.cites(AGGREGATE), f"{wager.title} may be limited to {lowest}, not to {dollars(limit)}")


def prizes(game: Game, highest: dict[str, Cents]) -> list[Prize]:
    """Every prize paid by odds that this table can owe at the highest wagers, the largest first."""
    owed = [prize for wager, most in highest.items() for prize in prizes_of(game, wager, most)]
    return sorted(owed, key=lambda prize: -prize.cents)


def prizes_of(game: Game, wager: str, most: Cents) -> Iterator[Prize]:
    """The prize of a wager of this size for each outcome that pays odds."""
    table = game.terms.pay_table(game.wagers[wager].paid_by or wager)
    for outcome, pay in game.pays[wager].items():
        reachable = table.needs_decks.get(outcome, 1) <= game.terms.decks  # LL.4
        if isinstance(pay, Odds) and pay.win > 0 and reachable:
            yield Prize(wager, outcome, pay, most, pay.on(most, game.terms.breakage))


def top_odds(game: Game, wager: str) -> Fraction:
    """The highest odds that a wager can win; 0 if it pays no odds."""
    return max((prize.odds.exact for prize in prizes_of(game, wager, 1)), default=Fraction(0))


def most_of_a_spot(game: Game, highest: dict[str, Cents]) -> Cents:
    """The most one deal can pay a spot: the best outcome of every wager, jackpots not counted."""
    return sum(highest_payout(game, wager, most) for wager, most in highest.items())


def highest_payout(game: Game, wager: str, most: Cents) -> Cents:
    """The most a wager of this size can win, jackpots not counted.

    The larger of the opening wager at its best odds and, at even money, all that choices can put at stake.
    """
    single = max((prize.cents for prize in prizes_of(game, wager, most)), default=0)
    fixed = max((pay.cents for pay in game.pays[wager].values() if isinstance(pay, Fixed)), default=0)
    at_stake = game.most_at_stake(wager, most)
    return max(single, fixed, at_stake if at_stake > most else 0)


def reserve(owed: Sequence[Prize], above: Cents) -> Cents:
    """WA.4, WAC 230-15-455: the reserve is the second highest of the odds prizes above this amount."""
    large = [prize.cents for prize in owed if prize.cents > above]
    return sorted(large)[-2] if len(large) > 1 else 0
