"""`felt report`: papers about a game as HTML and PDF, into a folder or to a file; never writes part of a file."""

import datetime
import hashlib
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from msgspec import Struct
from msgspec.structs import replace

from feltworks.cli.main import CommandGroup
from feltworks.cli.options import (
    AMOUNT,
    Decorator,
    decks_option,
    game_argument,
    json_option,
    option_group,
    pairs_option,
    read_amount,
    set_option,
)
from feltworks.cli.output import Page, fields_of, print_json
from feltworks.errors import BadOption, FeltError
from feltworks.money import Cents

if TYPE_CHECKING:
    from feltworks.reports.order import HouseSettings, Order, PaperName, PaperRequest
    from feltworks.reports.paper import Paper
    from feltworks.rules.rulebook.model import Rulebook
    from feltworks.table.limits import WagerLimit

_KINDS = (".html", ".pdf")


class OutputOptions(Struct, frozen=True):
    """Where a paper is written, and how its files are listed."""

    output: Path
    page: str
    as_json: bool

    def print(self, request: "PaperRequest") -> None:
        """Make the paper, write it and print its files."""
        from feltworks.cli.progress import progress_bar
        from feltworks.reports.paper import make_paper, pdf

        _check(self.output)
        with progress_bar("Preparing the paper") as progress:
            paper = make_paper(replace(request, page=self.page), progress)
            text = paper.html()
        files, error = [], None
        for path in _paths(self.output, paper.stem):
            try:
                content = text.encode() if path.suffix == ".html" else pdf(text)
            except FeltError as missing:  # write the HTML even if no PDF can be made
                error = missing
                continue
            _write(path, content)
            files.append((path, content))
        _show(paper, files, as_json=self.as_json)
        if error is not None:
            raise error


output_options = option_group(
    "output",
    OutputOptions,
    [
        click.option(
            "--output",
            type=click.Path(path_type=Path),
            default=".",
            metavar="DIR|FILE",
            help="A folder, or one .html or .pdf file.",
        ),
        click.option(
            "--page",
            type=click.Choice(["letter", "a4"]),
            default="letter",
            help="The size of the paper, US Letter unless given.",
        ),
        json_option,
    ],
)


def _check(output: Path) -> None:
    """Refuse, before any work begins, a place that cannot be written."""
    if output.suffix in _KINDS:
        if output.is_dir() or not output.parent.is_dir():
            raise BadOption("--output", str(output), "a file in an existing folder")
    elif not output.is_dir():
        raise BadOption("--output", str(output), "an existing folder, or a file ending in .html or .pdf")


def _paths(output: Path, stem: str) -> list[Path]:
    return [output] if output.suffix in _KINDS else [output / f"{stem}{kind}" for kind in _KINDS]


def _write(path: Path, content: bytes) -> None:
    number, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with open(number, "wb") as file:
            file.write(content)
        Path(temporary).chmod(0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _show(paper: "Paper", files: list[tuple[Path, bytes]], *, as_json: bool) -> None:
    identity = paper.identity
    if as_json:
        entries = [
            {"path": str(path), "bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
            for path, content in files
        ]
        print_json(
            {
                "paper": paper.kind,
                "game": identity.title,
                "files": entries,
                **fields_of(identity, "version", "fingerprint", "as_approved", "deviations"),
                "date": identity.day,
            }
        )
        return
    page = Page()
    for path, _ in files:
        page.print_whole(str(path))
    if not identity.as_approved:
        page.print(f"Not as approved: {'; '.join(identity.deviations)}.")
    page.close()


EPOCH: Final = "SOURCE_DATE_EPOCH"
day_option = click.option("--date", "day", metavar="YYYY-MM-DD", help="The day of the paper; today unless given.")
_JACKPOT_OPTION: Final = click.option("--jackpot", type=AMOUNT, help="The posted progressive jackpot.")
_SIMULATION_OPTIONS: Final = [
    click.option(
        "--rounds",
        type=click.IntRange(min=0),
        help="Simulated rounds; 0 leaves the simulation out. A hundred million unless given, or two million"
        " where the rules cannot be compiled.",
    ),
    click.option("--seed", type=int, help="The simulation's seed; the day of the approval unless given."),
]
_TRIBAL_OPTION: Final = click.option(
    "--tribal", "is_tribal", is_flag=True, help="For a Tribal operation instead of a card room."
)
_PAPER_OPTIONS: Final = [
    click.option("--pay-table", "pay_tables", multiple=True, metavar="W=T", help="A wager's pay table, as war=2."),
    decks_option,
    set_option,
    day_option,
    _TRIBAL_OPTION,
]


def _read_limit(option: str, text: str) -> "WagerLimit":
    from feltworks.table.limits import WagerLimit

    least, dash, most = text.partition("-")
    if not dash:
        raise BadOption(option, text, "a minimum and a maximum, such as ante=5-100")
    return WagerLimit(read_amount(option, least, least=1), read_amount(option, most, least=1))


_HOUSE_OPTIONS: Final[list[Decorator]] = [
    pairs_option(
        "--limit",
        "limits",
        metavar="W=MIN-MAX",
        example="ante=5-100",
        read=_read_limit,
        help="Posted limits, as ante=5-100.",
    ),
    pairs_option(
        "--aggregate",
        "aggregates",
        metavar="W=AMOUNT",
        example="ante=100",
        read=read_amount,
        help="The most that one deal pays on a wager.",
    ),
    click.option("--house", metavar="NAME", help="The house that posts it."),
    click.option("--dispute", metavar="WORDS", help="The dispute procedure."),
    click.option("--employees", metavar="WORDS", help="Which employees may play."),
]


class PaperOptions(Struct, frozen=True):
    """The game of a paper, from the command line."""

    game: str
    pay_tables: tuple[str, ...] = ()
    decks: int | None = None
    chosen: tuple[str, ...] = ()
    day: str | None = None
    is_tribal: bool = False
    jackpot: Cents | None = None

    def order(self) -> "Order":
        """The order of the paper; refuses a table that cannot be dealt before any work begins."""
        from feltworks import catalog
        from feltworks.analysis.question import chosen_options
        from feltworks.reports.order import Order

        catalog.check_game(self.game)
        book = catalog.rulebook(self.game)
        order = Order(
            self.game,
            paper_day(self.day),
            chosen_options(book, self.chosen, self.decks),
            _pay_tables(book, self.pay_tables),
            self.jackpot,
            "tribal operation" if self.is_tribal else "card room",
        )
        return order.check()

    def request(self, name: "PaperName", house: "HouseOptions | None" = None) -> "PaperRequest":
        """The request for a paper without a simulation."""
        from feltworks.reports.order import HouseSettings, PaperRequest

        return PaperRequest(name, (self.order(),), house.settings() if house else HouseSettings())


class SimulationOptions(Struct, frozen=True):
    """The simulation shown in a paper beside its exact figures."""

    rounds: int | None
    seed: int | None

    def request(self, name: "PaperName", paper: PaperOptions) -> "PaperRequest":
        """The request for a paper with this simulation."""
        from feltworks.reports.order import PaperRequest

        return PaperRequest(name, (paper.order(),), rounds=self.rounds, seed=self.seed)


class HouseOptions(Struct, frozen=True):
    """Facts of a table that only the house knows."""

    limits: "tuple[tuple[str, WagerLimit], ...]"
    aggregates: tuple[tuple[str, Cents], ...]
    house: str | None
    dispute: str | None
    employees: str | None

    def settings(self) -> "HouseSettings":
        """The settings of the paper."""
        from feltworks.reports.order import DISPUTE, EMPLOYEES, HouseSettings

        return HouseSettings(
            self.house or "[House]",
            self.dispute or DISPUTE,
            self.employees or EMPLOYEES,
            dict(self.limits),
            dict(self.aggregates),
        )


paper_options = option_group("paper", PaperOptions, [game_argument, *_PAPER_OPTIONS])
jackpot_options = option_group("paper", PaperOptions, [_JACKPOT_OPTION, game_argument, *_PAPER_OPTIONS])
simulation_options = option_group("simulation", SimulationOptions, _SIMULATION_OPTIONS)
house_options = option_group("house_options", HouseOptions, _HOUSE_OPTIONS)


def paper_day(text: str | None) -> datetime.date:
    """The day of a paper: the given one, that of the variable for reproducible builds, or today."""
    from feltworks.house.law import parse_day

    if text is not None:
        return parse_day(text)
    if epoch := os.environ.get(EPOCH):
        if not epoch.isdecimal():
            raise BadOption(EPOCH, epoch, "a whole number of seconds since 1970")
        return datetime.datetime.fromtimestamp(int(epoch), datetime.UTC).date()
    return datetime.datetime.now(datetime.UTC).date()


def _pay_tables(book: "Rulebook", texts: Sequence[str]) -> dict[str, str]:
    """Pay tables by wager; a table's name alone is enough if only one wager has several."""
    several = [name for name, tables in book.pay_table.items() if len(tables) > 1]
    tables: dict[str, str] = {}
    for text in texts:
        name, equals, table = text.partition("=")
        if not equals and len(several) != 1:
            example = several[0] if several else next(iter(book.pay_table))
            raise BadOption("--pay-table", text, f"a wager and its table, such as {example}=1")
        tables[name if equals else several[0]] = table if equals else text
    return tables


report: Final = CommandGroup(
    "report",
    "Print papers about a game, as HTML and PDF, and verify them.",
    {
        "verify": "feltworks.cli.report.verify:verify",
        "key": "feltworks.cli.report.verify:key",
        "signature": "feltworks.cli.report.verify:signature",
    },
)


@report.command()
@click.argument("game", required=False, help="One game; all approved games unless given.")
@day_option
@_TRIBAL_OPTION
@output_options
def audit(game: str | None, day: str | None, is_tribal: bool, output: OutputOptions) -> None:
    """Print the audit report: each printed figure, ours, and what differences and readings mean in money."""
    from feltworks.reports.audit import approved_games
    from feltworks.reports.order import PaperRequest

    names = [game] if game else approved_games()
    orders = [PaperOptions(name, day=day, is_tribal=is_tribal).order() for name in names]
    output.print(PaperRequest("audit", tuple(orders)))


@report.command()
@simulation_options
@jackpot_options
@output_options
def par(paper: PaperOptions, simulation: SimulationOptions, output: OutputOptions) -> None:
    """Print the PAR sheet: exact figures of every wager, its play, checks and a simulation of it."""
    output.print(simulation.request("par", paper))


@report.command()
@paper_options
@output_options
def procedure(paper: PaperOptions, output: OutputOptions) -> None:
    """Print the dealer's procedure card: a round step by step, and what is done when something goes wrong."""
    output.print(paper.request("procedure"))


@report.command()
@house_options
@jackpot_options
@output_options
def rack_card(paper: PaperOptions, house_options: HouseOptions, output: OutputOptions) -> None:
    """Print the rack card: how the wagers are made, their limits and what they pay."""
    output.print(paper.request("rack-card", house_options))


@report.command()
@house_options
@jackpot_options
@output_options
def sign(paper: PaperOptions, house_options: HouseOptions, output: OutputOptions) -> None:
    """Print the table sign: limits, pays, jackpot, payout limits and the house's policies."""
    output.print(paper.request("sign", house_options))


@report.command()
@paper_options
@output_options
def strategy_card(paper: PaperOptions, output: OutputOptions) -> None:
    """Print the pocket strategy card: charts, and rules to remember with their cost."""
    output.print(paper.request("strategy-card"))


@report.command()
@simulation_options
@jackpot_options
@output_options
def submission(paper: PaperOptions, simulation: SimulationOptions, output: OutputOptions) -> None:
    """Print the submission pack: rules with examples, pays, procedure, layout, PAR sheet and clause trace."""
    output.print(simulation.request("submission", paper))
