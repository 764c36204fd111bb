"""What the commands of papers ask for alike: the game as it is dealt, the day, and where the paper goes."""

import datetime
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from feltworks.cli.terminal.amounts import amount_option
from feltworks.errors import BadOption

if TYPE_CHECKING:
    from feltworks.reports.order import Order
    from feltworks.reports.posting import HouseSettings
    from feltworks.rules.rulebook.model import Rulebook
    from feltworks.table.posted import Posted

EPOCH: Final = "SOURCE_DATE_EPOCH"
Game = Annotated[str, typer.Argument(metavar="GAME", help="The game, as felt games lists it.")]
PayTables = Annotated[
    list[str] | None, typer.Option("--pay-table", metavar="W=T", help="A wager's pay table, as war=2.")
]
Decks = Annotated[int | None, typer.Option("--decks", help="How many decks the shoe holds.")]
Chosen = Annotated[list[str] | None, typer.Option("--set", help="An option, as soft17=hit.")]
Jackpot = Annotated[
    str | None, typer.Option("--jackpot", metavar="AMOUNT", help="What a progressive stands at.")
]
Day = Annotated[
    str | None,
    typer.Option("--date", metavar="YYYY-MM-DD", help="The day of the paper; today unless given."),
]
Output = Annotated[
    Path, typer.Option("--output", metavar="DIR|FILE", help="A folder, or one .html or .pdf file.")
]
Rounds = Annotated[int, typer.Option("--rounds", help="Simulated rounds; 0 leaves the simulation out.")]
Seed = Annotated[
    int | None, typer.Option("--seed", help="The simulation's seed; the approval's day unless given.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
House = Annotated[str | None, typer.Option("--house", metavar="NAME", help="The house that posts it.")]
Dispute = Annotated[str | None, typer.Option("--dispute", metavar="WORDS", help="The dispute procedure.")]
Employees = Annotated[str | None, typer.Option("--employees", metavar="WORDS", help="Who of them may play.")]
Limits = Annotated[
    list[str] | None, typer.Option("--limit", metavar="W=MIN-MAX", help="Posted limits, as ante=5-100.")
]
Aggregates = Annotated[
    list[str] | None,
    typer.Option("--aggregate", metavar="W=AMOUNT", help="The most that one deal pays on a wager."),
]
HERE: Final = Path()
ROUNDS: Final = 2_000_000


def ordered(
    game: str,
    pay_tables: Sequence[str] | None,
    decks: int | None,
    chosen: Sequence[str] | None,
    day: str | None,
    jackpot: str | None = None,
) -> "Order":
    """The game as a command line orders its paper; what makes no sense is refused before any work."""
    from feltworks import catalog
    from feltworks.reports.order import Order

    if game not in catalog.games():
        catalog.game(game)
    book = catalog.rulebook(game)
    options = _options(book, chosen or (), decks)
    posted = None if jackpot is None else amount_option("--jackpot", jackpot)
    return Order(game, the_day(day), options, _pay_tables(book, pay_tables or ()), posted).checked()


def the_day(said: str | None) -> datetime.date:
    """The day of a paper: as said, as the variable for reproducible builds says, or today."""
    from feltworks.house.profile import parse_day

    if said is not None:
        return parse_day(said)
    if epoch := os.environ.get(EPOCH):
        if not epoch.isdecimal():
            raise BadOption(EPOCH, epoch, "a whole number of seconds since 1970")
        return datetime.datetime.fromtimestamp(int(epoch), datetime.UTC).date()
    return datetime.datetime.now(datetime.UTC).date()


def house_settings(
    house: str | None,
    dispute: str | None,
    employees: str | None,
    limits: Sequence[str] | None,
    aggregates: Sequence[str] | None,
) -> "HouseSettings":
    """What the house says of itself and of its table."""
    from feltworks.reports.posting import DISPUTE, EMPLOYEES, HouseSettings

    payouts = {name: amount_option("--aggregate", said) for name, said in _pairs("--aggregate", aggregates)}
    return HouseSettings(
        house or "[House]",
        dispute or DISPUTE,
        employees or EMPLOYEES,
        {name: _limit(said) for name, said in _pairs("--limit", limits)},
        payouts,
    )


def _limit(said: str) -> "Posted":
    from feltworks.table.posted import Posted

    least, dash, most = said.partition("-")
    if not dash:
        raise BadOption("--limit", said, "a minimum and a maximum, such as ante=5-100")
    return Posted(amount_option("--limit", least, least=1), amount_option("--limit", most, least=1))


def _pairs(option: str, said: Sequence[str] | None) -> list[tuple[str, str]]:
    found = []
    for each in said or ():
        name, equals, value = each.partition("=")
        if not equals:
            raise BadOption(option, each, "a wager and its amount, such as ante=100")
        found.append((name, value))
    return found


def _options(book: "Rulebook", chosen: Sequence[str], decks: int | None) -> dict[str, object]:
    options: dict[str, object] = {}
    for said in chosen:
        key, equals, value = said.partition("=")
        if not equals:
            raise BadOption("--set", said, "option=value, such as soft17=hit")
        options[key] = value
    if decks is not None and ("decks" in book.option or decks != book.cards.decks):
        if "decks" not in book.option:
            raise BadOption("--decks", decks, f"{book.cards.decks}, the decks of {book.title}")
        options["decks"] = decks
    return options


def _pay_tables(book: "Rulebook", said: Sequence[str]) -> dict[str, str]:
    """A table alone is enough where one wager has several."""
    several = [name for name, tables in book.pay_table.items() if len(tables) > 1]
    found: dict[str, str] = {}
    for each in said:
        name, equals, table = each.partition("=")
        if not equals and len(several) != 1:
            example = several[0] if several else next(iter(book.pay_table))
            raise BadOption("--pay-table", each, f"a wager and its table, such as {example}=1")
        found[name if equals else several[0]] = table if equals else each
    return found
