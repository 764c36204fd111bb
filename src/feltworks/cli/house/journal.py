"""Posts to a progressive, and reads the books: `felt house balance`, `journal`, `export`, `verify`."""

import sys
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING, Final

import click
from click.exceptions import Exit
from msgspec import Struct

from feltworks.cli.house.books import (
    because_option,
    books_to_read,
    database_option,
    day_option,
    existing_books,
    key_option,
    log_in,
)
from feltworks.cli.options import Decorator, json_option, option_group
from feltworks.cli.output import PLAY_MONEY, Page, Table, fields_of, print_json
from feltworks.money import dollars

if TYPE_CHECKING:
    from feltworks.house.journal.posting import Posting, Voucher
    from feltworks.house.progressive.acts import Act
    from feltworks.house.progressive.ledger import Balances, Ledger, LedgerPosting
    from feltworks.house.storage.database import Database
    from feltworks.house.verification import Audit

name_argument = click.argument("name", help="The progressive.")
names_argument = click.argument("names", nargs=-1, metavar="[NAME]...", help="Only these books.")
_OPTIONS: Final[list[Decorator]] = [
    click.option("--by", required=True, metavar="USER", help="Who posts this, with a password."),
    click.option("--witness", metavar="USER", help="The second person, with a password."),
    because_option,
    day_option,
    key_option,
    database_option,
    json_option,
]


class PostingOptions(Struct, frozen=True):
    """Where an act is posted, by whom, when and why."""

    name: str
    by: str
    witness: str | None
    because: str
    day: date
    key: str
    database: str
    as_json: bool

    def post(self, act: "Act | Callable[[Ledger, Voucher], LedgerPosting]") -> "Balances":
        """Post an act and print what it did."""
        from feltworks.house.progressive.ledger import Ledger

        ledger = Ledger(existing_books(self.database), self.name)
        voucher = self.sign(ledger.database, act)
        posting = act(ledger, voucher) if callable(act) else ledger.post(act, voucher)
        balances = ledger.balances()
        if self.as_json:
            print_json(_result_document(posting, voucher, balances))
        else:
            _show_result(posting, voucher, balances)
        return balances

    def sign(self, database: "Database", act: object = None) -> "Voucher":
        """The voucher for the journal, with who posts, when and why; everybody named gives a password."""
        from feltworks.house.journal.posting import Voucher
        from feltworks.house.progressive.acts import key_of

        log_in(database, filter(None, [self.by, self.witness]))
        return Voucher(
            key=self.key or key_of(act, self.day),
            day=self.day,
            by=self.by,
            witness=self.witness,
            explanation=self.because,
        )


posting_options = option_group("posting", PostingOptions, _OPTIONS)


def balances_document(balances: "Balances") -> dict[str, object]:
    """The JSON document of a progressive's balances."""
    return {
        **fields_of(balances, "name", "accounts", "owed", "postings"),
        **fields_of(balances.standing, "state", "day", "closed", "tested", "maximum"),
        "backups_started": balances.standing.started,
        "missing_in_bank": balances.missing,
    }


def show_balances(balances: "Balances") -> None:
    """Print every account."""
    from feltworks.house.progressive.fund import CHART

    table = Table("Account", "Amount", "Holds", title=f"{balances.name}: {balances.standing.state}")
    for name, cents in balances.accounts.items():
        table.add_row(name, dollars(cents), CHART[name].title)
    page = Page()
    page.print(table)
    maximum = balances.standing.maximum
    limit = f", maximum {dollars(maximum)}" if maximum is not None else ""
    page.print(
        f"Prizes owed {dollars(balances.owed)}, missing in the bank {dollars(balances.missing)}{limit};"
        f" {balances.postings} postings. {PLAY_MONEY}"
    )


def _result_document(posting: "LedgerPosting", voucher: "Voucher", balances: "Balances") -> dict[str, object]:
    from msgspec.structs import asdict

    return {
        "number": posting.number,
        "key": voucher.key,
        "day": voucher.day,
        "repeated": posting.repeated,
        "entries": [asdict(entry) for entry in posting.entries],
        "balances": balances_document(balances),
    }


def _show_result(posting: "LedgerPosting", voucher: "Voucher", balances: "Balances") -> None:
    page = Page()
    if posting.repeated:
        page.print(f"Posting {posting.number} has this key and is the same; nothing was posted.")
    else:
        title = f"Posting {posting.number}, {voucher.day}"
        table = Table("Debit", "Credit", "Amount", "Reason", title=title)
        for entry in posting.entries:
            table.add_row(entry.debit, entry.credit, dollars(entry.cents), entry.reason or "")
        page.print(table)
    jackpot = dollars(balances.accounts["jackpot"])
    page.print(f"{balances.name}: jackpot {jackpot}, {balances.standing.state}. {PLAY_MONEY}")


# Reading.


@click.command()
@names_argument
@database_option
@json_option
def balance(names: tuple[str, ...], database: str, as_json: bool) -> None:
    """Show every account of the progressives."""
    from feltworks.house.progressive.ledger import Ledger
    from feltworks.house.progressive.records import progressive_names as known_names

    books = existing_books(database)
    with books.snapshot() as connection:
        selected = names or known_names(connection)
    progressives = [Ledger(books, name).balances() for name in selected]
    if as_json:
        print_json({"progressives": [balances_document(balances) for balances in progressives]})
        return
    for balances in progressives:
        show_balances(balances)
    if not progressives:
        click.echo("There is no progressive in these books; `felt house open` begins one.")


@click.command()
@name_argument
@click.option("--from", "first", default=1, metavar="NUMBER", help="The first posting.")
@click.option("--to", "last", type=int, metavar="NUMBER", help="The last posting.")
@database_option
@json_option
def journal(name: str, first: int, last: int | None, database: str, as_json: bool) -> None:
    """List the postings of a book with their lines."""
    from feltworks.house.journal.book import book_number, postings

    with existing_books(database).snapshot() as connection:
        number = book_number(connection, name)
        rows = list(postings(connection, number, first=first, last=last))
    if as_json:
        print_json({"name": name, "postings": [_posting_document(posting) for posting in rows]})
    else:
        _show_postings(name, rows)


def _posting_document(posting: "Posting") -> dict[str, object]:
    import msgspec
    from msgspec.structs import asdict

    entries = [asdict(entry) for entry in posting.entries]
    mark = posting.mark.hex() if posting.mark is not None else None
    seals = {"previous": posting.previous.hex(), "hash": posting.hash.hex(), "mark": mark}
    return {
        **asdict(posting),
        "days_late": posting.days_late,
        "facts": msgspec.json.decode(posting.facts),
        "entries": entries,
        **seals,
    }


def _show_postings(name: str, postings: list["Posting"]) -> None:
    table = Table("No.", "Day", "What", "Lines", "By", "Because", title=name)
    for posting in postings:
        lines = [
            f"{entry.debit} ← {entry.credit} {dollars(entry.cents)}" + (f" ({entry.reason})" if entry.reason else "")
            for entry in posting.entries
        ]
        people = "\n".join(filter(None, [posting.made_by, posting.witness]))
        late = f"\n{posting.days_late} days late" if posting.days_late else ""
        when = f"{posting.day}\nmade {posting.made_at[:16].replace('T', ' ')}{late}"
        table.add_row(str(posting.number), when, posting.kind, "\n".join(lines), people, posting.explanation)
    Page().print(table)


@click.command()
@name_argument
@database_option
def export(name: str, database: str) -> None:
    """Print a journal as a beancount file."""
    from feltworks.house.journal.beancount import export_lines

    with existing_books(database).snapshot() as connection:
        for line in export_lines(connection, name):
            sys.stdout.write(f"{line}\n")


@click.command()
@names_argument
@click.option(
    "--expect",
    "expected",
    multiple=True,
    metavar="BOOK:N:SEAL",
    help="A seal noted elsewhere: posting N of BOOK still has to bear it. May be repeated.",
)
@click.option("--public-key", metavar="HEX", help="The public key noted elsewhere, where the key itself is not here.")
@database_option
@json_option
def verify(
    names: tuple[str, ...], expected: tuple[str, ...], public_key: str | None, database: str, as_json: bool
) -> None:
    """Rebuild everything that reports are made from, and compare it row by row."""
    from feltworks.house.journal.seals import parse_seal
    from feltworks.house.verification import audit

    seals = [parse_seal(seal) for seal in expected]
    found = audit(books_to_read(database), names, seals, public_key)
    if as_json:
        print_json({"holds": not found.faults, "books": found.books, "faults": found.faults})
    else:
        _show_verdicts(found)
    if found.faults:
        raise Exit(1)


def _show_verdicts(found: "Audit") -> None:
    page, table = Page(), Table("Book", "Postings", "Lines", "Last seal", "Verdict")
    for book in found.books:
        verdict = "\n".join([*book.troubles, *(f"note: {note}" for note in book.notes)]) or "whole"
        table.add_row(book.book, str(book.postings), str(book.entries), book.hash[:16], verdict)
    page.print(table)
    for fault in found.database:
        page.print(f"The database: {fault}.")
