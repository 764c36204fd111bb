"""`felt house table`: a table's slips from opener to count, tokes, tasks and the master games report."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from msgspec import Struct

from feltworks.cli.group import CommandGroup
from feltworks.cli.house.books import database_option, log_in, open_books, tribal_option
from feltworks.cli.house.posting import because_option, day_option, key_option
from feltworks.cli.house.table_order import OrderOptions, order_options
from feltworks.cli.options import json_option, option_group, read_change, read_day, read_pairs
from feltworks.errors import BadOption
from feltworks.money import Cents

if TYPE_CHECKING:
    from feltworks.house.storage.database import Database
    from feltworks.house.tables.acts import SlipKind
    from feltworks.house.tables.books import TableBooks
    from feltworks.house.tables.desk import TablePosting

table: Final = CommandGroup(
    "table",
    "Keep a table's books: opener, fills, credits, closer, drop and count, tokes, tasks, and the report.",
)
table_argument = click.argument("name", metavar="TABLE", help="The table's number or name.")
_SLIPS: "Final[tuple[SlipKind, ...]]" = ("opener", "closer", "fill", "credit", "drop", "count")
_COUNTS: Final = "so many of each amount, such as 12x100,5x20"
_SLIP_OPTIONS: Final = [
    click.option(
        "--sign",
        "signs",
        multiple=True,
        metavar="POSITION=USER",
        help="Who signs, as dealer=ann; each gives a password.",
    ),
    tribal_option,
    day_option,
    key_option,
    database_option,
    json_option,
]


class Slip(Struct, frozen=True):
    """Where a slip is posted and who signs it."""

    signs: tuple[str, ...]
    tribal: bool
    day: str | None
    key: str | None
    database: str
    as_json: bool

    @property
    def signatures(self) -> dict[str, str]:
        """Positions with who signs in them; hyphens stand for blanks."""
        pairs = read_pairs("--sign", self.signs, "dealer=ann")
        return {position.replace("-", " "): person for position, person in pairs}

    def open(self) -> "Database":
        """The books, once everybody who signs has given a password."""
        people = self.signatures.values()
        books = open_books(self.database)
        log_in(books, people)
        return books

    def post(self, act: "Callable[[TableBooks, Mapping[str, str]], TablePosting]") -> None:
        """Post an act to the books of the tables and show it."""
        from feltworks.house.tables.books import TableBooks

        books = self.open()
        tables = TableBooks(books, house="tribal operation" if self.tribal else None)
        self.show(books, act(tables, self.signatures))

    def show(self, books: "Database", posted: "TablePosting") -> None:
        from feltworks.cli.house.table_output import show_posting

        show_posting(books, posted, as_json=self.as_json)


slip_options = option_group("slip", Slip, _SLIP_OPTIONS)


@table.command("open")
@table_argument
@click.option("--order", required=True, metavar="FILE|GAME", help="A table's order in TOML, or a game.")
@click.option("--amount", required=True, help="The tray as counted.")
@click.option("--shift", default="", show_default=False, help="The shift, where a day has several boxes.")
@order_options
@slip_options
def open_table(
    slip: Slip, order_options: OrderOptions, name: str, order: str, amount: str, shift: str
) -> None:
    """Open a table with its tray."""
    cents, table_order = read_change("--amount", amount), order_options.order(order, slip.day)
    slip.post(
        lambda tables, signed: tables.open(table_order, name, cents, signed, shift=shift, key=slip.key or "")
    )


@table.command()
@table_argument
@click.option("--amount", required=True, help="What is brought to the table.")
@slip_options
def fill(slip: Slip, name: str, amount: str) -> None:
    """Bring chips to a table's tray."""
    cents = read_change("--amount", amount)
    slip.post(lambda tables, signed: tables.fill(name, cents, signed, key=slip.key or ""))


@table.command()
@table_argument
@click.option("--amount", required=True, help="What is taken from the table.")
@slip_options
def credit(slip: Slip, name: str, amount: str) -> None:
    """Take chips from a table's tray."""
    cents = read_change("--amount", amount)
    slip.post(lambda tables, signed: tables.credit(name, cents, signed, key=slip.key or ""))


@table.command()
@table_argument
@click.option("--amount", required=True, help="The tray as counted.")
@slip_options
def close(slip: Slip, name: str, amount: str) -> None:
    """Close a table with its tray."""
    cents = read_change("--amount", amount)
    slip.post(lambda tables, signed: tables.close(name, cents, signed, key=slip.key or ""))


@table.command()
@table_argument
@click.option("--box", default="", show_default=False, help="The box, if it is not the table's own.")
@slip_options
def drop(slip: Slip, name: str, box: str) -> None:
    """Take a table's drop box."""
    slip.post(lambda tables, signed: tables.drop(name, signed, box=box, key=slip.key or ""))


@table.command()
@table_argument
@click.option("--first", required=True, metavar="COUNT", help="The first count, as 12x100,5x20.")
@click.option("--second", required=True, metavar="COUNT", help="The second count.")
@click.option(
    "--team-approval", default="", show_default=False, metavar="WORDS", help="What allows a team of two."
)
@slip_options
def count(slip: Slip, name: str, first: str, second: str, team_approval: str) -> None:
    """Count a table's box, twice."""
    one, two = read_counts("--first", first), read_counts("--second", second)
    slip.post(
        lambda tables, signed: tables.count(
            name, one, two, signed, team_approval=team_approval, key=slip.key or ""
        )
    )


@table.command()
@click.option("--slip", "number", required=True, metavar="KIND-NUMBER", help="The slip, as fill-12.")
@because_option
@slip_options
def void(slip: Slip, number: str, because: str) -> None:
    """Void a slip; it keeps its number."""
    kind, serial = _read_slip(number)
    if not because:
        raise BadOption("--because", "nothing", "why the slip is void")
    slip.post(lambda tables, signed: tables.void(kind, serial, because, signed, key=slip.key or ""))


def _read_slip(text: str) -> "tuple[SlipKind, int]":
    word, _, serial = text.rpartition("-")
    for kind in _SLIPS:
        if kind == word and serial.isdecimal():
            return kind, int(serial)
    raise BadOption("--slip", text, "a slip and its number, such as fill-12")


@table.command()
@table_argument
@click.option("--wager", "entries", multiple=True, metavar="W=COUNTxAMOUNT", help="As ante=400x10,8x25.")
@click.option(
    "--log", default="", show_default=False, metavar="FILE", help="The log of a table that Feltworks dealt."
)
@slip_options
def wagers(slip: Slip, name: str, entries: tuple[str, ...], log: str) -> None:
    """Enter the wagers made at a table, for its theoretical win."""
    from feltworks.house.tables.acts import Stakes
    from feltworks.table.log import read_lines

    if log:
        if entries:
            raise BadOption("--log", log, "no --wager beside it: the log has them all")
        lines = read_lines(Path(log))
        slip.post(lambda tables, signed: tables.enter_log(name, lines, signed))
        return
    stakes = [
        Stakes(wager, cents, number)
        for wager, text in read_pairs("--wager", entries, "ante=400x10")
        for cents, number in read_counts("--wager", text).items()
    ]
    slip.post(lambda tables, signed: tables.enter_wagers(name, stakes, signed, key=slip.key or ""))


@table.command()
@table_argument
@click.option("--wager", "won", multiple=True, metavar="W=AMOUNT", help="The wager that won, as tie=100.")
@click.option("--amount", required=True, help="What it paid.")
@click.option("--player", default="", show_default=False, help="Who won.")
@click.option("--hand", default="", show_default=False, help="With which cards.")
@slip_options
def payout(slip: Slip, name: str, won: tuple[str, ...], amount: str, player: str, hand: str) -> None:
    """Record a payout; a large one raises a task to verify it."""
    from feltworks.house.tables.acts import Payout

    pairs = read_pairs("--wager", won, "tie=100")
    if len(pairs) != 1:
        raise BadOption("--wager", ", ".join(won), "the one wager that won, such as tie=100")
    ((wager, stake),) = pairs
    for option, value in (("--player", player), ("--hand", hand)):
        if not value:
            raise BadOption(option, "nothing", "a value for a payout")
    cents = read_change("--amount", amount)
    paid = Payout(name, 0, wager, read_change("--wager", stake), cents, player, hand)
    slip.post(lambda tables, signed: tables.pay(paid, signed, key=slip.key or ""))


@table.command()
@table_argument
@click.option("--amount", required=True, help="The dealers' tokes.")
@slip_options
def tokes(slip: Slip, name: str, amount: str) -> None:
    """Take a table's tokes into the toke box."""
    from feltworks.house.tables.desk import TablePosting
    from feltworks.house.tables.tokes import TokeBook

    cents, day = read_change("--amount", amount), read_day(slip.day)
    books = slip.open()
    number = TokeBook(books).take(name, cents, slip.signatures, day=day, key=slip.key or "")
    slip.show(books, TablePosting(number, name, 0))


@table.command()
@click.option("--share", "shares", multiple=True, metavar="USER=AMOUNT", help="To whom, as ann=40.")
@click.option("--reference", required=True, metavar="WORDS", help="The method of sharing.")
@slip_options
def share_tokes(slip: Slip, shares: tuple[str, ...], reference: str) -> None:
    """Share the tokes out among the dealers."""
    from feltworks.house.tables.desk import TablePosting
    from feltworks.house.tables.tokes import TokeBook

    amounts = {user: read_change("--share", text) for user, text in read_pairs("--share", shares, "ann=40")}
    books, day = slip.open(), read_day(slip.day)
    number = TokeBook(books).pay(amounts, reference, slip.signatures, day=day, key=slip.key or "")
    slip.show(books, TablePosting(number, "", 0))


@table.command()
@click.option("--task", type=int, required=True, metavar="N", help="The task.")
@click.option("--reference", required=True, metavar="WORDS", help="Where it is written.")
@slip_options
def done(slip: Slip, task: int, reference: str) -> None:
    """Record that a task is done."""
    slip.post(lambda tables, signed: tables.finish(task, reference, signed, key=slip.key or ""))


@table.command()
@database_option
@json_option
def tasks(database: str, as_json: bool) -> None:
    """List the open tasks."""
    from feltworks.cli.house.table_output import show_tasks

    show_tasks(open_books(database), as_json=as_json)


@table.command()
@day_option
@database_option
@click.option("--csv", "as_csv", is_flag=True, help="Print a sheet, a row a box, amounts in cents.")
@json_option
def report(day: str | None, database: str, as_csv: bool, as_json: bool) -> None:
    """Show the master games report of a day."""
    from feltworks.cli.house.table_output import show_report

    show_report(open_books(database), read_day(day), as_json=as_json, as_csv=as_csv)


def read_counts(option: str, text: str) -> dict[Cents, int]:
    """How many of each amount, as 12x100,5x20; nothing is written 0x1."""
    counts: dict[Cents, int] = {}
    for part in text.split(","):
        number, times, amount = part.strip().partition("x")
        if not times or not number.strip().isdecimal():
            raise BadOption(option, text, _COUNTS)
        cents = read_change(option, amount.strip())
        counts[cents] = counts.get(cents, 0) + int(number)
    return counts
