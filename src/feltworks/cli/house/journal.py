"""`felt house balance`, `journal`, `export` and `verify`: reading the books."""

import sys
from typing import TYPE_CHECKING

import click
from click.exceptions import Exit

from feltworks.cli.house.books import database_option, existing_books
from feltworks.cli.house.posting import balances_document, name_argument, show_balances
from feltworks.cli.options import json_option
from feltworks.cli.output import Page, print_json
from feltworks.cli.tables import Table
from feltworks.money import dollars

if TYPE_CHECKING:
    from feltworks.house.journal.posting import Posting
    from feltworks.house.verification import Verification

names_argument = click.argument("names", nargs=-1, metavar="[NAME]...", help="Only these books.")


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
        listed = list(postings(connection, number, first=first, last=last))
    if as_json:
        print_json({"name": name, "postings": [_posting_document(posting) for posting in listed]})
    else:
        _show_postings(name, listed)


def _posting_document(posting: "Posting") -> dict[str, object]:
    import msgspec
    from msgspec.structs import asdict

    entries = [asdict(entry) for entry in posting.entries]
    seals = {"previous": posting.previous.hex(), "hash": posting.hash.hex()}
    return {**asdict(posting), "facts": msgspec.json.decode(posting.facts), "entries": entries, **seals}


def _show_postings(name: str, postings: list["Posting"]) -> None:
    table = Table("No.", "Day", "What", "Lines", "By", "Because", title=name)
    for posting in postings:
        lines = [
            f"{entry.debit} ← {entry.credit} {dollars(entry.cents)}"
            + (f" ({entry.reason})" if entry.reason else "")
            for entry in posting.entries
        ]
        people = "\n".join(filter(None, [posting.made_by, posting.witness]))
        day = str(posting.day)
        table.add_row(str(posting.number), day, posting.kind, "\n".join(lines), people, posting.explanation)
    Page().print(table)


@click.command()
@name_argument
@database_option
def export(name: str, database: str) -> None:
    """Print a journal as a beancount file."""
    from feltworks.house.journal.beancount import beancount_lines
    from feltworks.house.journal.book import account_kinds, book_number, postings

    with existing_books(database).snapshot() as connection:
        number = book_number(connection, name)
        for line in beancount_lines(name, account_kinds(connection, number), postings(connection, number)):
            sys.stdout.write(f"{line}\n")


@click.command()
@names_argument
@database_option
@json_option
def verify(names: tuple[str, ...], database: str, as_json: bool) -> None:
    """Recompute every balance, line and seal from the journal."""
    from feltworks.house.verification import verify_books

    books = verify_books(existing_books(database), names)
    all_hold = all(book.holds for book in books)
    if as_json:
        print_json({"holds": all_hold, "books": books})
    else:
        _show_verdicts(books)
    if not all_hold:
        raise Exit(1)


def _show_verdicts(books: list["Verification"]) -> None:
    table = Table("Book", "Postings", "Lines", "Last seal", "Verdict")
    for book in books:
        verdict = "\n".join(book.troubles) or "whole"
        table.add_row(book.book, str(book.postings), str(book.entries), book.hash[:16], verdict)
    Page().print(table)
