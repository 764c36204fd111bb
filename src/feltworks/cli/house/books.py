"""Opens the books and checks passwords; `felt house backup`, `restore`, `restoration` and `key`."""

import os
import sys
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from feltworks.cli.options import DAY, json_option, words_option
from feltworks.cli.output import print_json
from feltworks.errors import LoginRefused, StorageTrouble

if TYPE_CHECKING:
    from feltworks.house.storage.database import Database
    from feltworks.house.users import Users

URL_VARIABLE: Final = "FELT_DATABASE"
DEFAULT_URL: Final = "feltworks.sqlite"
database_option = click.option(
    "--database",
    envvar=URL_VARIABLE,
    default=DEFAULT_URL,
    metavar="URL",
    help="The books: a SQLite file or a PostgreSQL URL.",
)
tribal_option = click.option(
    "--tribal", "house", flag_value="tribal operation", help="A Tribal operation instead of a card room."
)
because_option = words_option("--because", help="The explanation.")
day_option = click.option(
    "--day", type=DAY, default=date.today, show_default=False, help="The gaming day; today unless given."
)
key_option = words_option(
    "--key",
    metavar="TEXT",
    help="A posting repeated under the same key is made once; a new key unless given.",
)


def open_books(url: str) -> "Database":
    """Open the books, or create them if there are none; they are closed at the end of the command."""
    from feltworks.house.storage.migration import open_database

    database = open_database(url)
    click.get_current_context().call_on_close(database.close)
    return database


def existing_books(url: str) -> "Database":
    """Open existing books; refuse to create new ones, as the name may be mistyped."""
    from feltworks.house.storage.database import Database

    if not Database(url).exists:
        raise StorageTrouble(f"there are no books at {url}; `felt house open` begins them")
    return open_books(url)


def books_to_read(url: str) -> "Database":
    """Open existing books for reading; a file that cannot be written is read without updating it."""
    from feltworks.house.storage.database import Database
    from feltworks.house.storage.migration import open_to_read

    file = Database(url).file
    if file is None or not file.exists():
        return existing_books(url)
    if os.access(file, os.W_OK) and os.access(file.absolute().parent, os.W_OK):
        return existing_books(url)
    database = open_to_read(url)
    click.get_current_context().call_on_close(database.close)
    return database


def log_in(database: "Database", people: Iterable[str], *, may_be_temporary: bool = False) -> "Users":
    """The users of these books, after each of these people has given the right password.

    A password set by somebody else only allows its user to change it.
    """
    from feltworks.house.users import Users

    users, names = Users(database), list(dict.fromkeys(people))
    if names and not users.everybody():
        begin = "`felt house users add NAME --role administrator` adds the first"
        raise LoginRefused(f"these books have no users yet; {begin}")
    for name in names:
        password = read_password(f"Password of {name}: ")
        if may_be_temporary:
            users.log_in(name, password)
        else:
            users.sign(name, password)
    return users


def read_password(prompt: str, *, again: bool = False) -> str:
    """Read a password: typed at the terminal, a new one twice; from a pipe, the next line of standard input."""
    if not sys.stdin.isatty():
        line = sys.stdin.readline()
        if not line:
            raise LoginRefused("a password is missing: write them to standard input, a line each, in order")
        return line.rstrip("\r\n")
    from getpass import getpass

    password = getpass(prompt)
    if again and getpass("Once more: ") != password:
        raise LoginRefused("the two passwords differ; nothing was changed")
    return password


file_argument = click.argument("file", metavar="FILE", type=click.Path(path_type=Path), help="The backup.")


@click.command()
@file_argument
@database_option
@json_option
def backup(file: Path, database: str, as_json: bool) -> None:
    """Write the books to a new file, while they may be in use."""
    from feltworks.house.storage.transfer import back_up
    from feltworks.house.verification import audit

    books = existing_books(database)
    back_up(books, file)
    heads = {book.book: f"{book.book}:{book.postings}:{book.hash}" for book in audit(books).books}
    if as_json:
        print_json({"file": str(file), "seals": list(heads.values())})
        return
    click.echo(f"The books are in {file}. Keep their key elsewhere (`felt house key`). Last seals:")
    for seal in heads.values():
        click.echo(f"  {seal}")


@click.command()
@file_argument
@database_option
@json_option
def restore(file: Path, database: str, as_json: bool) -> None:
    """Fill an empty database with the books of a backup, and verify them."""
    from feltworks.house.storage.database import Database
    from feltworks.house.storage.transfer import restore as restore_books
    from feltworks.house.verification import audit

    books = Database(database)
    click.get_current_context().call_on_close(books.close)
    restore_books(file, books)
    found = audit(books)
    if as_json:
        print_json({"holds": not found.faults, "books": found.books, "faults": found.faults})
    else:
        click.echo(f"{len(found.books)} books are restored; {len(found.faults)} faults were found.")
        for fault in found.faults:
            click.echo(f"  {fault.book}: {fault.fault}")
        if any("seal was noted" in fault.fault for fault in found.faults):
            click.echo("Where newer books stood here, record why they are gone with `felt house restoration`.")
    if found.faults:
        click.get_current_context().exit(1)


@click.command()
@click.option("--because", required=True, metavar="WORDS", help="Why the newer books are gone.")
@click.option("--by", required=True, metavar="USER", help="An administrator.")
@click.option("--second", required=True, metavar="USER", help="The second person, from accounting.")
@database_option
@json_option
def restoration(because: str, by: str, second: str, database: str, as_json: bool) -> None:
    """Record that books were restored in place of newer ones, and which noted seals are lost with these."""
    from feltworks.house.closing import ClosingBook

    books = existing_books(database)
    log_in(books, (by, second))
    act = ClosingBook(books).record_restoration(because, by=by, second=second)
    if as_json:
        print_json(act)
        return
    click.echo("Recorded as lost; verification notes it from now on. Post again what you have on paper:")
    for seal in act.lost:
        click.echo(f"  {seal}")


@click.command()
@database_option
@json_option
def key(database: str, as_json: bool) -> None:
    """Show where the key of these books lies, and its public part."""
    from feltworks.house.journal.seals import key_file
    from feltworks.house.storage.migration import read_house

    with existing_books(database).snapshot() as connection:
        books, public = read_house(connection)
    if as_json:
        print_json({"books": books, "file": str(key_file(books)), "public_key": public})
        return
    click.echo(f"The key of these books is {key_file(books)}; copy it to a safe place, apart from any backup.")
    click.echo(f"Its public part is {public}.")
