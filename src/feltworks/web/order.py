"""A table as a visitor orders it in the browser, checked by the rules of the house before it opens."""

import datetime
from collections.abc import Mapping
from typing import Annotated, Any
from weakref import WeakValueDictionary

import msgspec
from msgspec import Meta, Struct

from feltworks import catalog
from feltworks.errors import FeltError
from feltworks.house.configuration import Refusal, TableCheck, check_table
from feltworks.house.order import TableOrder
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.table.limits import WagerLimit

_games: WeakValueDictionary[bytes, Game[Any]] = WeakValueDictionary()  # those that some table plays
Limit = tuple[Annotated[int, Meta(ge=1, le=10**9)], Annotated[int, Meta(ge=1, le=10**9)]]


class NotOpened(FeltError):
    """A table the rules of the house do not let open; names the rule and what it is about."""

    def __init__(self, refusal: Refusal) -> None:
        self.rule, self.field = refusal.rule, refusal.about
        super().__init__(f"{refusal.says} ({refusal.rule})")


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """What a visitor asks for."""

    game: Annotated[str, Meta(max_length=40)]
    name: Annotated[str, Meta(max_length=40)] = ""
    options: Mapping[str, Any] = {}
    pay_tables: Mapping[str, str] = {}
    limits: Mapping[str, Limit] = {}
    seats: Annotated[int, Meta(ge=1, le=20)] | None = None
    private: bool = False
    practice: bool = False
    jackpot: Annotated[int, Meta(ge=0, le=10**10)] = 5_000_00


class KeptOrder(Struct, frozen=True):
    """A table's order as it is kept: what was asked for, and whether it is one of the house's own."""

    new: NewTable
    is_standing: bool = False

    @classmethod
    def read(cls, text: bytes) -> "KeptOrder":
        """The order of a kept table; an earlier version kept what was asked for alone."""
        kept = msgspec.json.decode(text)
        return msgspec.convert(kept if isinstance(kept, dict) and "new" in kept else {"new": kept}, cls)


def checked(new: NewTable, day: datetime.date) -> TableCheck:
    """The order under the law of the day; refuses it by the first rule it breaks."""
    if new.game not in catalog.games():
        catalog.game(new.game)
    options = dict(new.options)
    book = catalog.rulebook(new.game)
    if book.most_wagers and "offers" not in options:  # SP.20: the first so many, as the sheet lists them
        options["offers"] = (book.option["offers"].members or [])[: book.most_wagers]
    limits = {wager: WagerLimit(least, most) for wager, (least, most) in new.limits.items()}
    found = check_table(TableOrder(new.game, day, options, dict(new.pay_tables), limits, new.seats))
    for refusal in found.refusals:
        raise NotOpened(refusal)
    return found


def game_of(found: TableCheck) -> Game[Any]:
    """The game as it was checked; tables on the same terms share one, with all that it has worked out."""
    name, limit = found.order.game, found.profile.wager_limit
    key = msgspec.json.encode([name, found.options, found.pay_tables, limit], order="deterministic")
    game = _games.get(key)
    if game is None or game.terms.rulebook is not catalog.rulebook(name):
        options, pay_tables = dict(found.options), dict(found.pay_tables)
        game = _games[key] = catalog.game(name, options=options, pay_tables=pay_tables, limit=limit)
    return game


def limits_of(found: TableCheck) -> dict[str, tuple[Cents, Cents]]:
    """What may lie on every wager of the table."""
    return {each.wager: (max(each.least, 1_00), each.most) for each in found.wagers}
