"""`felt house backup`, `restore` and `key`: whole books, and the key that marks them."""

from pathlib import Path

import click

from feltworks.cli.house.books import database_option, existing_books
from feltworks.cli.options import json_option
from feltworks.cli.output import print_json

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
    if found.faults:
        click.get_current_context().exit(1)


@click.command()
@database_option
@json_option
def key(database: str, as_json: bool) -> None:
    """Show where the key of these books lies, and its public part."""
    from sqlalchemy import select

    from feltworks.house.journal.key import key_file
    from feltworks.house.storage.schema import house

    with existing_books(database).snapshot() as connection:
        books, public = connection.execute(select(house.c.books, house.c.public_key)).one()
    if as_json:
        print_json({"books": books, "file": str(key_file(books)), "public_key": public})
        return
    click.echo(f"The key of these books is {key_file(books)}; copy it to a safe place, apart from any backup.")
    click.echo(f"Its public part is {public}.")
