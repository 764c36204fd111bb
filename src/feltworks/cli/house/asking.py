"""What the commands of the books ask for alike: where the books are, who posts, on which day and why."""

from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Final
from uuid import uuid4

import typer

from feltworks.cli.terminal.amounts import amount_option
from feltworks.errors import BadDay, BadOption, StorageTrouble
from feltworks.money import Cents

if TYPE_CHECKING:
    from feltworks.house.journal.posting import Voucher
    from feltworks.house.progressive.ledger import Ledger
    from feltworks.house.storage.database import Database

DATABASE: Final = "FELT_DATABASE"
Name = Annotated[str, typer.Argument(metavar="NAME", help="The progressive.")]
Url = Annotated[
    str,
    typer.Option(
        "--database", envvar=DATABASE, metavar="URL", help="The books: a SQLite file or a PostgreSQL URL."
    ),
]
By = Annotated[str, typer.Option("--by", metavar="USER", help="Who posts this, with a password.")]
Witness = Annotated[
    str | None,
    typer.Option("--witness", metavar="USER", help="The second person, with a password."),
]
Because = Annotated[str, typer.Option("--because", metavar="WORDS", help="The explanation.")]
Day = Annotated[str | None, typer.Option("--day", metavar="YYYY-MM-DD", help="The day; today unless given.")]
Key = Annotated[
    str | None,
    typer.Option("--key", help="What tells a repetition from a second posting; a new one unless given."),
]
Names = Annotated[list[str] | None, typer.Argument(metavar="NAME", help="Only these books.")]
Tribal = Annotated[bool, typer.Option("--tribal", help="A Tribal operation instead of a card room.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
DEFAULT_URL: Final = "feltworks.sqlite"


def books(url: str) -> "Database":
    """The books, with their tables; the end of the command closes them."""
    from feltworks.cli.main import at_end
    from feltworks.house.storage.migration import open_database

    database = open_database(url)
    at_end.callback(database.close)
    return database


def kept_books(url: str) -> "Database":
    """Books that exist; a mistyped name begins no new ones."""
    from feltworks.house.storage.database import Database

    if not Database(url).exists:
        raise StorageTrouble(f"there are no books at {url}; `felt house open` begins them")
    return books(url)


def ledger(url: str, name: str) -> "Ledger":
    from feltworks.house.progressive.ledger import Ledger

    return Ledger(kept_books(url), name)


def signed(
    by: str, witness: str | None, because: str, day: str | None, key: str | None, *, of: str = ""
) -> "Voucher":
    """Who, when and why, as the journal takes it; what happens once a day is `of` a name that is its key."""
    from feltworks.house.journal.posting import Voucher

    on = read_day(day) if day is not None else date.today()
    return Voucher(
        key=key or (f"{on} {of}" if of else uuid4().hex),
        day=on,
        by=by,
        witness=witness,
        explanation=because,
    )


def read_day(text: str) -> date:
    """A calendar day."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise BadDay(repr(text), "write a day like 2024-05-01") from None


def read_amount(option: str, text: str) -> Cents:
    """An amount, with a sign where it lowers something."""
    lowers = text.startswith(("-", "−"))
    cents = amount_option(option, text.lstrip("-−"))
    return -cents if lowers else cents


def read_part(option: str, text: str) -> Fraction:
    """A part of one: 1/3, 0.1 or 10%."""
    try:
        return Fraction(text.removesuffix("%").strip()) / (100 if text.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        raise BadOption(option, text, "a part such as 1/3, 0.1 or 10%") from None
