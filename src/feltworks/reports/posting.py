"""What a house posts at a table: limits within the law, pays, jackpot, payout limits, its own policies."""

from collections.abc import Callable, Mapping
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from feltworks.errors import FeltError
from feltworks.house.configuration import TableCheck, WagerCheck, check_table
from feltworks.money import Cents, dollars
from feltworks.reports.identity import Identity, identity
from feltworks.reports.order import Order
from feltworks.reports.pay_sheet import PaySheet, pay_sheets
from feltworks.rules.pay_table import meters_of
from feltworks.table.limits import WagerLimit
from feltworks.table.wording import measure

SMALLEST: Final[Cents] = 1_00  # where the house says nothing
DISPUTE: Final = (
    "Call the floor supervisor before the cards are cleared; the round stands as it lies until then."
    " [House: name here who decides, and where a player turns next.]"
)
EMPLOYEES: Final = "[House: state here which employees may play, and when.]"


class HouseSettings(Struct, frozen=True):
    """What only the house can say."""

    name: str = "[House]"
    dispute: str = DISPUTE
    employees: str = EMPLOYEES
    limits: Mapping[str, WagerLimit] = {}
    aggregate: Mapping[str, Cents] = {}


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
    rule: str
    clauses: tuple[tuple[tuple[str, ...], str, str], ...]  # wagers, clause, text
    jackpots: tuple[tuple[str, str], ...]
    check: TableCheck


def posting(order: Order, house: HouseSettings) -> Posting:
    """WA.4, WAC 230-15-060: what is posted at the table; refused where the law of the day forbids it."""
    check = _checked(order, house)
    return Posting(
        identity(order),
        house,
        tuple(_wager(order, house, each) for each in sorted(check.wagers, key=_place(order))),
        tuple(pay_sheets(order, only_chosen=True)),
        order.table.cloth_words,
        tuple(_clauses(order)),
        tuple(_jackpots(order)),
        check,
    )


def _clauses(order: Order) -> list[tuple[tuple[str, ...], str, str]]:
    """What the rules say of each wager; wagers of one clause stand together."""
    found: dict[str, list[str]] = {}
    for entry in (order.book.wager[name] for each in order.offered for name in order.group(each)):
        found.setdefault(entry.clause, []).append(entry.title)
    return [(tuple(titles), id_, order.book.clause[id_]) for id_, titles in found.items()]


def _checked(order: Order, house: HouseSettings) -> TableCheck:
    entries = order.book.wager
    limits = {name: WagerLimit(minimum=SMALLEST) for name in order.offered if not entries[name].fixed}
    asked = replace(order.table_order(), limits={**limits, **house.limits}, aggregate=house.aggregate)
    check = check_table(asked)
    if check.refusals:
        first = check.refusals[0]
        raise FeltError(f"this may not be posted: {first.says} ({first.rule})")
    return check


def _place(order: Order) -> Callable[[WagerCheck], int]:
    return lambda found: order.offered.index(found.wager)


def _wager(order: Order, house: HouseSettings, found: WagerCheck) -> PostedWager:
    is_fixed = bool(order.book.wager[found.wager].fixed)
    limits = dollars(found.least) if is_fixed else f"{dollars(found.least)} to {dollars(found.most)}"
    terms, entries = order.table.terms, order.book.wager
    follows = tuple(
        f"{entries[name].title}: {measure(terms, name)}, up to {dollars(most)}"
        for name, most in found.follows.items()
    )
    limit = house.aggregate.get(found.wager)
    aggregate = f"{dollars(limit)} a deal, shared by all winners" if limit else "none"
    return PostedWager(found.title, limits, follows, aggregate, entries[found.wager].clause)


def _jackpots(order: Order) -> list[tuple[str, str]]:
    """SP.15: the jackpot stands at the table, conspicuously."""
    found = []
    for name in order.offered:
        if meters_of(order.table.pays[name].values()):
            amount = dollars(order.jackpot) if order.jackpot is not None else "as the meter shows"
            found.append((order.book.wager[name].title, amount))
    return found
