"""What a paper is about: a game with its options and pay tables, under the law of a day."""

import datetime
from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct

from feltworks import catalog
from feltworks.errors import BadOption
from feltworks.house.law import HouseKind, Profile, profile_on
from feltworks.house.order import TableOrder
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.rules.rulebook.model import Rulebook


class Order(Struct, frozen=True, dict=True):
    """A game as a paper describes it; what is not given has the rulebook's default."""

    game: str
    day: datetime.date
    options: Mapping[str, object] = {}
    pay_tables: Mapping[str, str] = {}
    jackpot: Cents | None = None
    house: HouseKind = "card room"  # whose law and supplement the paper goes by

    @cached_property
    def book(self) -> Rulebook:
        return catalog.rulebook(self.game)

    @cached_property
    def profile(self) -> Profile:
        """The law of the day that tables of the game obey."""
        return profile_on(self.day, self.house, self.book.jurisdiction)

    @cached_property
    def table(self) -> Game:
        """The table as it is ordered."""
        return catalog.game(self.game, options=self.options, pay_tables=self.pay_tables)

    def check(self) -> "Order":
        """Refuses a table that cannot be dealt or a day without known law; returns the order itself."""
        meters = {meter for pays in self.table.pays.values() for meter in meters_of(pays.values())}
        if self.jackpot is not None and not meters:
            raise BadOption("--jackpot", self.jackpot, f"nothing: {self.book.title} has no jackpot")
        assert self.profile.day == self.day
        return self

    @property
    def wagers(self) -> list[str]:
        """The opening wagers of the paper: those offered by choice, or all of the game."""
        # Wagers placed together with another one are told with that
        placed = [name for name, e in self.book.wager.items() if e.kind != "derived" and not e.equals]
        placed.sort(key=lambda name: self.book.wager[name].kind != "main")
        chosen = self._chooses_offers
        return [name for name in placed if not chosen or name in self.table.terms.offers]

    @property
    def offered(self) -> list[str]:
        """The opening wagers that the ordered table has."""
        return [name for name in self.wagers if name in self.table.terms.offers]

    @property
    def _chooses_offers(self) -> bool:
        return any(self.book.option_name(name) == "offers" for name in self.options)

    @property
    def spots(self) -> int:
        """How many spots the table has: as its rules say, or as many as the law allows."""
        return self.table.terms.spots or self.profile.number("seats")

    def group(self, wager: str) -> list[str]:
        """A wager with those derived from it."""
        offered = self.table.terms.options
        derived = (
            name
            for name, entry in self.book.wager.items()
            if entry.of == wager and (not entry.offered_by or offered[entry.offered_by])
        )
        return [wager, *derived]

    def table_with(self, wager: str) -> Game:
        """The table with this wager, as a table may not offer all at once."""
        return catalog.game(self.game, options=self.options_with(wager), pay_tables=self.pay_tables)

    def options_with(self, *wagers: str) -> dict[str, object]:
        """The options, with these wagers offered where a table has to choose."""
        chosen = {} if self._chooses_offers else self.book.offers_for(wagers)
        return {**chosen, **self.options}

    def table_order(self, *wagers: str) -> TableOrder:
        """The order of such a table in a house, with no limits but the law's."""
        options = self.options_with(*(wagers or self.offered))
        return TableOrder(self.game, self.day, options, self.pay_tables, house=self.house)
