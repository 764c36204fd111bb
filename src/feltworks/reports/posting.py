"""What a house posts at a table: legal limits, pays, jackpot, payout limits and house policies."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from feltworks.errors import FeltError
from feltworks.house.configuration import TableCheck, WagerCheck, check_table
from feltworks.money import Cents, dollars
from feltworks.reports.identity import Identity, identity
from feltworks.reports.order import HouseSettings, Order
from feltworks.reports.pay_sheet import PaySheet, pay_sheets
from feltworks.rules.guide import Chapter, GuideLine, has_guide, house_rules, players_guide
from feltworks.rules.pay_table import meters_of
from feltworks.rules.rulebook.sentences import HOUSE_PART
from feltworks.table.limits import WagerLimit
from feltworks.table.wording import measure

SMALLEST: Final[Cents] = 1_00  # unless the house sets a minimum


class PostedWager(Struct, frozen=True):
    """A wager's line on the sign."""

    title: str
    limits: str
    follows: tuple[str, ...]
    aggregate: str
    clause: str


class Posting(Struct, frozen=True):
    """A sign or a rack card."""

    identity: Identity
    house: HouseSettings
    wagers: tuple[PostedWager, ...]
    pays: tuple[PaySheet, ...]
    guide: tuple[Chapter, ...]  # how to play, on the rack card
    house_rules: tuple[GuideLine, ...]  # the choices of the house, on the sign
    jackpots: tuple[tuple[str, str], ...]
    check: TableCheck
    is_guided: bool  # if false, the rulebook's clauses replace the guide


def posting(order: Order, house: HouseSettings) -> Posting:
    """WA.4, WAC 230-15-060: the sign of the table; refused if the law of the day forbids its terms."""
    check = _check(order, house)
    by_name = {wager.wager: wager for wager in check.wagers}
    return Posting(
        identity(order),
        house,
        tuple(_wager(order, house, by_name[name]) for name in order.offered),
        tuple(pay_sheets(order, only_chosen=True)),
        _card_chapters(order),
        house_rules(order.table),
        tuple(_jackpots(order)),
        check,
        has_guide(order.table),
    )


def _card_chapters(order: Order) -> tuple[Chapter, ...]:
    """The guide of the table, with the house's choices that the guide does not already state."""
    guide = players_guide(order.table)
    stated = {line.clause for chapter in guide for line in chapter.lines if chapter.part != HOUSE_PART}
    fresh = [line for chapter in guide for line in chapter.lines if line.clause not in stated]
    kept = (replace(each, lines=tuple(fresh)) if each.part == HOUSE_PART else each for each in guide)
    return tuple(chapter for chapter in kept if chapter.lines)


def _check(order: Order, house: HouseSettings) -> TableCheck:
    entries = order.book.wager
    limits = {name: WagerLimit(minimum=SMALLEST) for name in order.offered if not entries[name].fixed}
    table_order = replace(order.table_order(), limits={**limits, **house.limits}, aggregate=house.aggregate)
    check = check_table(table_order)
    if check.refusals:
        first = check.refusals[0]
        raise FeltError(f"this may not be posted: {first.says} ({first.rule})")
    return check


def _wager(order: Order, house: HouseSettings, check: WagerCheck) -> PostedWager:
    is_fixed = bool(order.book.wager[check.wager].fixed)
    limits = dollars(check.least) if is_fixed else f"{dollars(check.least)} to {dollars(check.most)}"
    terms, entries = order.table.terms, order.book.wager
    follows = tuple(
        f"{entries[name].title}: {measure(terms, name)}, up to {dollars(most)}" for name, most in check.follows.items()
    )
    title = entries[check.wager].title
    follows += tuple(f"{e.title}: as much as the {title}" for e in entries.values() if e.equals == check.wager)
    limit = house.aggregate.get(check.wager)
    aggregate = f"{dollars(limit)} a deal, shared by all winners" if limit else "none"
    return PostedWager(check.title, limits, follows, aggregate, entries[check.wager].clause)


def _jackpots(order: Order) -> list[tuple[str, str]]:
    """SP.15: the jackpot is posted conspicuously at the table."""
    jackpots = []
    for name in order.offered:
        if meters_of(order.table.pays[name].values()):
            amount = dollars(order.jackpot) if order.jackpot is not None else "as the meter shows"
            jackpots.append((order.book.wager[name].title, amount))
    return jackpots
