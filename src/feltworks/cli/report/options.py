"""The options of papers: the game as dealt, the day, the house's own words, and where the paper goes."""

import datetime
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from msgspec import Struct

from feltworks.cli.options import (
    decks_option,
    game_argument,
    option_group,
    read_amount,
    read_pairs,
    set_option,
)
from feltworks.errors import BadOption

if TYPE_CHECKING:
    from feltworks.reports.order import Order
    from feltworks.reports.posting import HouseSettings
    from feltworks.rules.rulebook.model import Rulebook
    from feltworks.table.limits import WagerLimit

EPOCH: Final = "SOURCE_DATE_EPOCH"
ROUNDS: Final = 2_000_000
day_option = click.option(
    "--date", "day", metavar="YYYY-MM-DD", help="The day of the paper; today unless given."
)
jackpot_option = click.option("--jackpot", metavar="AMOUNT", help="The posted progressive jackpot.")
rounds_option = click.option(
    "--rounds", default=ROUNDS, help="RunResult rounds; 0 leaves the simulation out."
)
seed_option = click.option(
    "--seed", type=int, help="The simulation's seed; the day of the approval unless given."
)
output_option = click.option(
    "--output",
    type=click.Path(path_type=Path),
    default=".",
    metavar="DIR|FILE",
    help="A folder, or one .html or .pdf file.",
)
_PAPER_OPTIONS: Final = [
    click.option(
        "--pay-table", "pay_tables", multiple=True, metavar="W=T", help="A wager's pay table, as war=2."
    ),
    decks_option,
    set_option,
    day_option,
]
_HOUSE_OPTIONS: Final = [
    click.option(
        "--limit", "limits", multiple=True, metavar="W=MIN-MAX", help="Posted limits, as ante=5-100."
    ),
    click.option(
        "--aggregate",
        "aggregates",
        multiple=True,
        metavar="W=AMOUNT",
        help="The most that one deal pays on a wager.",
    ),
    click.option("--house", metavar="NAME", help="The house that posts it."),
    click.option("--dispute", metavar="WORDS", help="The dispute procedure."),
    click.option("--employees", metavar="WORDS", help="Which employees may play."),
]


class PaperOptions(Struct, frozen=True):
    """The game that a paper is about, as the command line says it."""

    game: str
    pay_tables: tuple[str, ...] = ()
    decks: int | None = None
    chosen: tuple[str, ...] = ()
    day: str | None = None

    def order(self, jackpot: str | None = None) -> "Order":
        """The order of the paper; refused before any work where no such table can be dealt."""
        from feltworks import catalog
        from feltworks.reports.order import Order

        catalog.check_game(self.game)
        book = catalog.rulebook(self.game)
        order = Order(
            self.game,
            paper_day(self.day),
            _options(book, self.chosen, self.decks),
            _pay_tables(book, self.pay_tables),
            None if jackpot is None else read_amount("--jackpot", jackpot),
        )
        order.check()
        return order


class HouseOptions(Struct, frozen=True):
    """What only the house can say about its table."""

    limits: tuple[str, ...]
    aggregates: tuple[str, ...]
    house: str | None
    dispute: str | None
    employees: str | None

    def settings(self) -> "HouseSettings":
        """The settings of the paper."""
        from feltworks.reports.posting import DISPUTE, EMPLOYEES, HouseSettings

        payouts = read_pairs("--aggregate", self.aggregates, "ante=100")
        return HouseSettings(
            self.house or "[House]",
            self.dispute or DISPUTE,
            self.employees or EMPLOYEES,
            {name: _limit(text) for name, text in read_pairs("--limit", self.limits, "ante=5-100")},
            {name: read_amount("--aggregate", text) for name, text in payouts},
        )


paper_options = option_group("paper", PaperOptions, [game_argument, *_PAPER_OPTIONS])
house_options = option_group("house_options", HouseOptions, _HOUSE_OPTIONS)


def paper_day(text: str | None) -> datetime.date:
    """The day of a paper: as given, as the variable for reproducible builds says, or today."""
    from feltworks.house.law import parse_day

    if text is not None:
        return parse_day(text)
    if epoch := os.environ.get(EPOCH):
        if not epoch.isdecimal():
            raise BadOption(EPOCH, epoch, "a whole number of seconds since 1970")
        return datetime.datetime.fromtimestamp(int(epoch), datetime.UTC).date()
    return datetime.datetime.now(datetime.UTC).date()


def _limit(text: str) -> "WagerLimit":
    from feltworks.table.limits import WagerLimit

    least, dash, most = text.partition("-")
    if not dash:
        raise BadOption("--limit", text, "a minimum and a maximum, such as ante=5-100")
    return WagerLimit(read_amount("--limit", least, least=1), read_amount("--limit", most, least=1))


def _options(book: "Rulebook", chosen: Sequence[str], decks: int | None) -> dict[str, object]:
    options: dict[str, object] = dict(read_pairs("--set", chosen, "soft17=hit"))
    if decks is not None and ("decks" in book.option or decks != book.cards.decks):
        if "decks" not in book.option:
            raise BadOption("--decks", decks, f"{book.cards.decks}, the decks of {book.title}")
        options["decks"] = decks
    return options


def _pay_tables(book: "Rulebook", texts: Sequence[str]) -> dict[str, str]:
    """Pay tables by wager; a table's name is enough where only one wager has several."""
    several = [name for name, tables in book.pay_table.items() if len(tables) > 1]
    tables: dict[str, str] = {}
    for text in texts:
        name, equals, table = text.partition("=")
        if not equals and len(several) != 1:
            example = several[0] if several else next(iter(book.pay_table))
            raise BadOption("--pay-table", text, f"a wager and its table, such as {example}=1")
        tables[name if equals else several[0]] = table if equals else text
    return tables
