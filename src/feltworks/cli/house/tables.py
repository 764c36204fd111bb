"""`felt house table`: a table's slips from opener to count, tokes, tasks and the master games report."""

import sys
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from msgspec import Struct
from msgspec.structs import asdict

from feltworks.cli.house.books import (
    because_option,
    database_option,
    day_option,
    existing_books,
    key_option,
    log_in,
    open_books,
    tribal_option,
)
from feltworks.cli.house.law import OrderOptions, order_options
from feltworks.cli.main import CommandGroup
from feltworks.cli.options import (
    CHANGE,
    DAY,
    TextType,
    json_option,
    option_group,
    pairs_option,
    read_change,
    words_option,
)
from feltworks.cli.output import PLAY_MONEY, Page, Table, print_json
from feltworks.errors import BadOption
from feltworks.money import Cents, dollars

if TYPE_CHECKING:
    from feltworks.house.law import HouseKind
    from feltworks.house.storage.database import Database
    from feltworks.house.tables.acts import Chips, SlipKind
    from feltworks.house.tables.books import TableBooks
    from feltworks.house.tables.desk import TablePosting
    from feltworks.house.tables.periods import Period
    from feltworks.house.tables.report import MasterReport, ReportRow
    from feltworks.house.tables.tasks import Task
    from feltworks.house.tables.tokes import TokeBook


def show_posting(books: "Database", posting: "TablePosting", *, as_json: bool) -> None:
    """Print a posting, and the state of its table."""
    from feltworks.house.tables.books import TableBooks

    period = TableBooks(books).period(posting.table) if posting.period else None
    if as_json:
        print_json(_posting_document(posting, period))
        return
    page = Page()
    void = " is void" if posting.slip and posting.slip.void else ""
    what = f"{posting.slip.kind} {posting.slip.serial}{void}" if posting.slip else "posted"
    again = "; it was posted before, so nothing was posted now" if posting.repeated else ""
    page.print(f"{what} (posting {posting.number}){again}")
    for task in posting.tasks:
        page.print(f"Task {task.id}{_due(task)}: {task.says}")
    if period is not None:
        page.print(f"Table {period.table}: the box of {period.day} is {period.state}. {PLAY_MONEY}")
        for deviation in period.deviations:
            page.print(f"Not as approved: {deviation}")


def _posting_document(posting: "TablePosting", period: "Period | None") -> dict[str, object]:
    box: dict[str, object] | None = None
    if period is not None:
        box = {"state": period.state, "day": period.day, "as_approved": not period.deviations}
        box["deviations"] = period.deviations
    return {**asdict(posting), "box": box}


def show_tasks(tasks: "list[Task]", *, as_json: bool) -> None:
    """Print the open tasks."""
    now = datetime.now(UTC)
    if as_json:
        print_json({"tasks": [{**asdict(task), "overdue": task.is_overdue(now)} for task in tasks]})
        return
    table = Table("Task", "What", "Table", "Due", "Says")
    for task in tasks:
        due = f"{task.due_at:%Y-%m-%d %H:%M} UTC" if task.due_at else "at once"
        due = f"overdue: {due}" if task.is_overdue(now) else due
        table.add_row(str(task.id), task.kind, task.table, due, task.says)
    Page().print(table)


def _due(task: "Task") -> str:
    return f", due {task.due_at:%Y-%m-%d %H:%M} UTC" if task.due_at else ""


def print_report(report: "MasterReport") -> None:
    """Print the master games report of a day."""
    columns = ("Table", "Game", "Opener", "Fills", "Credits", "Closer", "Drop", "Win")
    title = f"Master games report of {report.day}"
    table = Table(*columns, "Expected win (95 of 100)", title=title)
    for row in report.tables:
        table.add_row(*_cells(row))
    page = Page()
    page.print(table)
    for name in report.without_activity:
        page.print(f"Table {name}: no activity.")
    for name, cents in report.progressives_accrued.items():
        page.print(f"{name}: {dollars(cents)} added to the prizes (WAC 230-15-671).")
    win = "not final: a box waits for its count" if report.total.win is None else dollars(report.total.win)
    page.print(f"Win of the day: {win}. Tokes: {dollars(report.tokes)}. {PLAY_MONEY}")


def _cells(row: "ReportRow") -> list[str]:
    amounts = [dollars(cents) for cents in (row.opener, row.fills, row.credits, row.closer, row.drop)]
    marks = ["not as approved"] if row.deviations else []
    marks += [f"revised {row.revisions} times" if row.revisions > 1 else "revised"] if row.revisions else []
    name = "\n".join([f"{row.table} {row.shift}".strip(), *marks])
    theory = "no wagers entered"
    if row.theory is not None:
        low, high = (dollars(round(value)) for value in row.theory.band)
        theory = f"{dollars(round(row.theory.win.value))} ({low} to {high})"
    return [name, row.game, *amounts, row.state if row.win is None else dollars(row.win), theory]


table: Final = CommandGroup(
    "table",
    "Keep a table's books: opener, fills, credits, closer, drop and count, tokes, tasks, and the report.",
)
table_argument = click.argument("name", metavar="TABLE", help="The table's number or name.")
_SLIPS: "Final[tuple[SlipKind, ...]]" = ("opener", "closer", "fill", "credit", "drop", "count", "error")
_COUNTS: Final = "so many of each amount, such as 12x100,5x20"


def read_counts(option: str, text: str) -> dict[Cents, int]:
    """Read how many of each amount, as 12x100,5x20; an empty count is written 0x1."""
    counts: dict[Cents, int] = {}
    for part in text.split(","):
        number, times, amount = part.strip().partition("x")
        if not times or not number.strip().isdecimal():
            raise BadOption(option, text, _COUNTS)
        cents = read_change(option, amount.strip())
        counts[cents] = counts.get(cents, 0) + int(number)
    return counts


def _read_slip(option: str, text: str) -> "tuple[SlipKind, int]":
    word, _, serial = text.rpartition("-")
    for kind in _SLIPS:
        if kind == word and serial.isdecimal():
            return kind, int(serial)
    raise BadOption(option, text, "a slip and its number, such as fill-12")


Counts = Mapping[Cents, int]
COUNTS: Final = TextType("count", read_counts)


def read_tray(option: str, text: str) -> "Chips":
    """Read an amount, or how many pieces of each."""
    return read_counts(option, text) if "x" in text else read_change(option, text)


CHIPS: Final = TextType("amount", read_tray)
_SLIP_OPTIONS: Final = [
    pairs_option(
        "--sign",
        "signs",
        metavar="POSITION=USER",
        example="dealer=ann",
        help="Who signs, as dealer=ann; each gives a password.",
    ),
    tribal_option,
    click.option("--day", type=DAY, help="The gaming day; the order's own or today unless given."),
    key_option,
    database_option,
    json_option,
]


class Slip(Struct, frozen=True):
    """Where a slip is posted and who signs it."""

    signs: tuple[tuple[str, str], ...]
    house: "HouseKind | None"
    day: date | None
    key: str
    database: str
    as_json: bool

    @property
    def signatures(self) -> dict[str, str]:
        """The signer of each position; hyphens stand for blanks."""
        return {position.replace("-", " "): person for position, person in self.signs}

    def open(self) -> "Database":
        """Open the books, after every signer has given a password."""
        books = open_books(self.database)
        log_in(books, self.signatures.values())
        return books

    def post(self, act: "Callable[[TableBooks, Mapping[str, str]], TablePosting]") -> None:
        """Post an act to the books of the tables and show it."""
        from feltworks.house.tables.books import TableBooks

        books = self.open()
        posting = act(TableBooks(books, house=self.house), self.signatures)
        show_posting(books, posting, as_json=self.as_json)

    @property
    def gaming_day(self) -> date:
        return self.day or date.today()

    def post_tokes(self, act: "Callable[[TokeBook], int]", table: str = "") -> None:
        """Post an act to the book of the tokes and show it."""
        from feltworks.house.tables.desk import TablePosting
        from feltworks.house.tables.tokes import TokeBook

        books = self.open()
        posting = TablePosting(act(TokeBook(books)), table, 0)
        show_posting(books, posting, as_json=self.as_json)


slip_options = option_group("slip", Slip, _SLIP_OPTIONS)
count_option = click.option("--count", "pieces", required=True, type=COUNTS, help="Your own count, as 12x100,5x20.")
SLIP: Final = TextType("KIND-NUMBER", _read_slip)
slip_option = click.option("--slip", "number", required=True, type=SLIP, help="The slip, as fill-12.")
request_option = click.option("--request", default=0, metavar="N", help="The request in the register that it answers.")


@table.command("open")
@table_argument
@click.option("--order", required=True, metavar="FILE|GAME", help="A table's order in TOML, or a game.")
@click.option("--amount", type=CHIPS, help="The tray, also as 40x100,80x25; the last closer unless given.")
@words_option("--shift", metavar="TEXT", help="The shift, where a day has several boxes.")
@order_options
@slip_options
def open_table(
    slip: Slip, order_options: OrderOptions, name: str, order: str, amount: "Chips | None", shift: str
) -> None:
    """Open a table with its tray."""
    table_order = order_options.order(order, slip.day)
    slip.post(lambda tables, signed: tables.open(table_order, name, amount, signed, shift=shift, key=slip.key))


@table.command()
@table_argument
@click.option("--amount", required=True, type=CHIPS, help="What is brought to the table, also as 20x25,40x5.")
@request_option
@slip_options
def fill(slip: Slip, name: str, amount: "Chips", request: int) -> None:
    """Bring chips to a table's tray."""
    slip.post(lambda tables, signed: tables.fill(name, amount, signed, request=request, key=slip.key))


@table.command()
@table_argument
@click.option("--amount", required=True, type=CHIPS, help="What is taken from the table, also as 20x25,40x5.")
@request_option
@slip_options
def credit(slip: Slip, name: str, amount: "Chips", request: int) -> None:
    """Take chips from a table's tray."""
    slip.post(lambda tables, signed: tables.credit(name, amount, signed, request=request, key=slip.key))


@table.command()
@table_argument
@click.option("--amount", required=True, type=CHIPS, help="The tray as counted, also as 40x100,80x25.")
@slip_options
def close(slip: Slip, name: str, amount: "Chips") -> None:
    """Close a table with its tray."""
    slip.post(lambda tables, signed: tables.close(name, amount, signed, key=slip.key))


@table.command()
@table_argument
@words_option("--box", metavar="TEXT", help="The box, if it is not the table's own.")
@slip_options
def drop(slip: Slip, name: str, box: str) -> None:
    """Take a table's drop box."""
    slip.post(lambda tables, signed: tables.drop(name, signed, box=box, key=slip.key))


@table.command()
@table_argument
@count_option
@slip_options
def tally(slip: Slip, name: str, pieces: Counts) -> None:
    """Enter the first count of a box, which nobody else can read."""
    slip.post(lambda tables, signed: tables.tally(name, pieces, signed, key=slip.key))


@table.command()
@table_argument
@count_option
@words_option("--team-approval", help="The recorded approval of a team of two.")
@slip_options
def count(slip: Slip, name: str, pieces: Counts, team_approval: str) -> None:
    """Enter the second count; the box is counted where it equals the first."""
    slip.post(lambda tables, signed: tables.count(name, pieces, signed, team_approval=team_approval, key=slip.key))


@table.command()
@slip_option
@because_option
@slip_options
def void(slip: Slip, number: "tuple[SlipKind, int]", because: str) -> None:
    """Void a slip; it keeps its number."""
    slip.post(lambda tables, signed: tables.void(*number, because, signed, key=slip.key))


@table.command()
@slip_option
@because_option
@slip_options
def revise(slip: Slip, number: "tuple[SlipKind, int]", because: str) -> None:
    """Void a slip of a counted box, signed by accounting and somebody independent."""
    slip.post(lambda tables, signed: tables.revise(*number, because, signed, key=slip.key))


@table.command()
@table_argument
@count_option
@slip_options
def recount(slip: Slip, name: str, pieces: Counts) -> None:
    """Enter the second count of a revised box, after another first one."""
    slip.post(lambda tables, signed: tables.recount(name, pieces, signed, key=slip.key))


@table.command()
@table_argument
@pairs_option(
    "--wager",
    "entries",
    metavar="W=COUNTxAMOUNT",
    example="ante=400x10",
    read=read_counts,
    help="As ante=400x10,8x25.",
)
@words_option("--log", metavar="FILE", help="The log of a table that Feltworks dealt.")
@slip_options
def wagers(slip: Slip, name: str, entries: tuple[tuple[str, Counts], ...], log: str) -> None:
    """Enter the wagers made at a table, for its theoretical win."""
    from feltworks.house.tables.acts import Stakes
    from feltworks.table.log import read_lines

    if log:
        if entries:
            raise BadOption("--log", log, "no --wager beside it: the log has them all")
        lines = read_lines(Path(log))
        slip.post(lambda tables, signed: tables.enter_log(name, lines, signed))
        return
    stakes = [Stakes(wager, cents, number) for wager, counts in entries for cents, number in counts.items()]
    slip.post(lambda tables, signed: tables.enter_wagers(name, stakes, signed, key=slip.key))


@table.command()
@table_argument
@pairs_option(
    "--wager",
    "won",
    metavar="W=AMOUNT",
    example="tie=100",
    read=read_change,
    help="The wager that won, as tie=100.",
)
@click.option("--amount", required=True, type=CHANGE, help="What it paid.")
@words_option("--player", metavar="TEXT", help="Who won.")
@words_option("--hand", metavar="TEXT", help="Its outcome in the pay table, or its cards, as 'Kh 5d'.")
@words_option("--round", "round_", metavar="TEXT", help="The round, where the same hand wins again.")
@slip_options
def payout(
    slip: Slip, name: str, won: tuple[tuple[str, Cents], ...], amount: Cents, player: str, hand: str, round_: str
) -> None:
    """Record a payout; a large one raises a task to verify it."""
    from feltworks.house.tables.acts import Payout

    if len(won) != 1:
        raise BadOption("--wager", ", ".join(wager for wager, _ in won), "the one wager that won, such as tie=100")
    ((wager, wagered),) = won
    for option, value in (("--player", player), ("--hand", hand)):
        if not value:
            raise BadOption(option, "nothing", "a value for a payout")
    paid = Payout(name, 0, wager, wagered, amount, player, hand, round_)
    slip.post(lambda tables, signed: tables.pay(paid, signed, key=slip.key))


@table.command()
@table_argument
@click.option("--amount", required=True, type=CHANGE, help="The dealers' tokes.")
@slip_options
def tokes(slip: Slip, name: str, amount: Cents) -> None:
    """Take a table's tokes into the toke box."""
    slip.post_tokes(
        lambda book: book.take(name, amount, slip.signatures, day=slip.gaming_day, key=slip.key), table=name
    )


@table.command()
@pairs_option(
    "--share", "shares", metavar="USER=AMOUNT", example="ann=40", read=read_change, help="To whom, as ann=40."
)
@click.option("--reference", required=True, metavar="WORDS", help="The method of sharing.")
@slip_options
def share_tokes(slip: Slip, shares: tuple[tuple[str, Cents], ...], reference: str) -> None:
    """Share the tokes out among the dealers."""
    slip.post_tokes(lambda book: book.pay(dict(shares), reference, slip.signatures, day=slip.gaming_day, key=slip.key))


@table.command()
@click.option("--task", type=int, required=True, metavar="N", help="The task.")
@click.option("--reference", required=True, metavar="WORDS", help="Where it is written.")
@slip_options
def done(slip: Slip, task: int, reference: str) -> None:
    """Record that a task is done."""
    slip.post(lambda tables, signed: tables.finish(task, reference, signed, key=slip.key))


@table.command()
@database_option
@json_option
def tasks(database: str, as_json: bool) -> None:
    """List the open tasks."""
    from feltworks.house.tables.books import TableBooks

    show_tasks(TableBooks(open_books(database)).tasks(), as_json=as_json)


@table.command("slip")
@click.argument("number", type=SLIP, help="The slip, as fill-12.")
@click.option("--output", required=True, metavar="FILE", help="Where it is written: FILE.pdf or FILE.html.")
@database_option
def print_slip(number: "tuple[SlipKind, int]", output: str, database: str) -> None:
    """Write a slip as a form to print: fills, credits and closers in three parts."""
    from feltworks.reports.paper import pdf
    from feltworks.reports.slip import slip_html

    file = Path(output)
    if file.suffix not in (".pdf", ".html"):
        raise BadOption("--output", output, "a file that ends in .pdf or .html")
    html = slip_html(existing_books(database), *number)
    try:
        file.write_bytes(pdf(html) if file.suffix == ".pdf" else html.encode())
    except OSError as trouble:
        raise BadOption("--output", output, f"a file that can be written ({trouble.strerror})") from None
    click.echo(f"Wrote {file}.")


@table.command()
@day_option
@database_option
@click.option("--csv", "as_csv", is_flag=True, help="Print a sheet, a row a box, amounts in cents.")
@json_option
def report(day: date, database: str, as_csv: bool, as_json: bool) -> None:
    """Show the master games report of a day."""
    from feltworks.house.tables.report import master_games_report, report_csv

    games_report = master_games_report(open_books(database), day)
    if as_json:
        print_json(games_report)
    elif as_csv:
        sys.stdout.write(report_csv(games_report))
    else:
        print_report(games_report)
