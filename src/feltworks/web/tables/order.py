"""A visitor's order for a table, and the check against the rules of the house before it opens."""

import datetime
from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any, Final
from weakref import WeakValueDictionary

import msgspec
from msgspec import Meta, Struct

from feltworks import catalog
from feltworks.errors import FeltError
from feltworks.house.configuration import Refusal, TableCheck, TableOrder, check_table
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.table.limits import WagerLimit

_games: WeakValueDictionary[bytes, Game] = WeakValueDictionary()  # those in use at a table
MOST_CHECKS: Final = 256  # that are cached, as a process may take over hundreds of tables with the same order
Limit = tuple[Annotated[int, Meta(ge=1, le=10**9)], Annotated[int, Meta(ge=1, le=10**9)]]


class NotOpened(FeltError):
    """The rules of the house refuse the order; names the rule and the field."""

    def __init__(self, refusal: Refusal) -> None:
        self.rule, self.field = refusal.rule, refusal.about
        super().__init__(f"{refusal.says} ({refusal.rule})")


class NewTable(Struct, frozen=True, forbid_unknown_fields=True):
    """A table as a visitor orders it."""

    game: Annotated[str, Meta(max_length=40)]
    name: Annotated[str, Meta(max_length=40)] = ""
    options: Mapping[str, Any] = {}
    pay_tables: Mapping[str, str] = {}
    limits: Mapping[str, Limit] = {}
    seats: Annotated[int, Meta(ge=1, le=20)] | None = None
    private: bool = False
    practice: bool = False
    jackpot: Annotated[int, Meta(ge=0, le=10**10)] = 5_000_00


class SavedOrder(Struct, frozen=True):
    """A saved order, and whether the table is one of the house's own."""

    new: NewTable
    is_standing: bool = False

    @classmethod
    def read(cls, text: bytes) -> "SavedOrder":
        """Decode the order of a saved table; an earlier version saved only the visitor's order."""
        saved: Any = msgspec.json.decode(text)
        return msgspec.convert(saved if isinstance(saved, dict) and "new" in saved else {"new": saved}, cls)


def check_order(new: NewTable, day: datetime.date) -> TableCheck:
    """Check the order by the law of the day; raises NotOpened for the first rule that it breaks."""
    terms = msgspec.structs.replace(new, name="", private=False, practice=False, jackpot=0)
    return _check(msgspec.json.encode(terms, order="deterministic"), day)


@lru_cache(maxsize=MOST_CHECKS)
def _check(terms: bytes, day: datetime.date) -> TableCheck:
    new = msgspec.json.decode(terms, type=NewTable)
    if new.game not in catalog.games():
        catalog.game(new.game)
    options = dict(new.options)
    book = catalog.rulebook(new.game)
    if book.most_wagers and "offers" not in options:  # SP.20: as many as are allowed, in the sheet's order
        options["offers"] = catalog.first_offers(book)
    limits = {wager: WagerLimit(least, most) for wager, (least, most) in new.limits.items()}
    check = check_table(TableOrder(new.game, day, options, dict(new.pay_tables), limits, new.seats))
    for refusal in check.refusals:
        raise NotOpened(refusal)
    return check


def game_of(check: TableCheck) -> Game:
    """The game of a checked order; tables with the same terms share it and its caches."""
    name, limit = check.order.game, check.profile.wager_limit
    key = msgspec.json.encode([name, check.options, check.pay_tables, limit], order="deterministic")
    game = _games.get(key)
    if game is None or game.terms.rulebook is not catalog.rulebook(name):
        options, pay_tables = dict(check.options), dict(check.pay_tables)
        game = _games[key] = catalog.game(name, options=options, pay_tables=pay_tables, limit=limit)
    return game


def limits_of(check: TableCheck) -> dict[str, tuple[Cents, Cents]]:
    """The lowest and the highest amount of every wager."""
    return {wager.wager: (max(wager.least, 1_00), wager.most) for wager in check.wagers}


def usual_order(game: str) -> NewTable:
    """The order of a standing table; if it cannot offer all wagers, those with a jackpot come first."""
    book = catalog.rulebook(game)
    if not book.most_wagers:
        return NewTable(game)
    members = list(book.option["offers"].members or ())
    pays = catalog.game(game, options={"offers": catalog.first_offers(book)}).pays
    ordered = sorted(members[1:], key=lambda name: not meters_of(pays[name].values()))
    chosen = {members[0], *ordered[: book.most_wagers - 1]}
    return NewTable(game, options={"offers": [name for name in members if name in chosen]})
