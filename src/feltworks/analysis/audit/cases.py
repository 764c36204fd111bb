"""A wager at a table that differs from the default in one thing, and what it costs there."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from feltworks import catalog
from feltworks.analysis.audit.costs import Costs
from feltworks.rules.game import Game
from feltworks.rules.rulebook.model import OptionValue, Rulebook


class Case(Struct, frozen=True):
    """A wager at a table that differs from the default in its pay table, its decks or one option."""

    name: str
    wager: str
    pay_table: str = "1"
    decks: int | None = None
    option: str = ""
    value: OptionValue = ""
    beside: str = ""

    def game(self) -> Game[Any]:
        """The table."""
        book = catalog.rulebook(self.name)
        options = book.offers_with([self.wager])
        if self.decks is not None and "decks" in book.option:
            options["decks"] = self.decks
        if self.option:
            options[self.option] = self.value
        return catalog.game(self.name, options=options, pay_tables={self.wager: self.pay_table})

    def table(self, costs: Costs) -> Game[Any]:
        """The table, opened once for all that is asked of it."""
        return costs.table(replace(self, beside="") if self.beside else self, self.game)

    def quantity(self, name: str, costs: Costs) -> Fraction:
        """One of the figures that documents print."""
        game = self.table(costs)
        if name == "fixed_return":
            return costs.fixed_return(game, self.wager)
        found = costs.of(game, self.wager, self.beside)
        return found.house_edge if name == "house_edge" else found.element_of_risk


def other_readings(book: Rulebook) -> Iterator[tuple[str, OptionValue]]:
    """Every other value of the options that stand for a reading."""
    for option in dict.fromkeys(reading.option for reading in book.reading if reading.option):
        entry = book.option[option]
        for value in entry.values or ():
            if value != entry.preset:
                yield option, value


def written(value: OptionValue) -> str:
    """An option's value as a command line writes it."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def audited_wagers(book: Rulebook) -> list[str]:
    """The wagers whose exact edge is quick to find: all but the one that spots are played for."""
    dealt_by = catalog.game_type(book.name)
    slow = dealt_by.wager_types[0].name if dealt_by.has_spots else ""
    return [name for name, entry in book.wager.items() if entry.kind != "derived" and name != slow]


def beside_the_main_wager(case: Case, book: Rulebook) -> list[Case]:
    """FB.11, FB.13: a Tie beside an Ante hangs on how the hand is played, and is another wager than alone."""
    beside = catalog.wager_types(book.name)[case.wager].beside
    return [replace(case, beside=beside)] if beside else []
