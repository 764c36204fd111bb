"""`felt house register`: licences, excluded persons, equipment, cards, chips, keys and incidents."""

from datetime import date
from typing import Final

import click
from msgspec import Struct

from feltworks.cli.house.books import because_option, database_option, day_option, existing_books, log_in
from feltworks.cli.main import CommandGroup
from feltworks.cli.options import DAY, json_option, option_group, words_option
from feltworks.cli.output import Page, Table, print_json

register: Final = CommandGroup(
    "register", "Keep licences, excluded persons, equipment, cards, chips, keys and incidents on record."
)


class RecordOptions(Struct, frozen=True):
    """Who records something, on which day, in which books."""

    by: str
    second: str
    day: date
    database: str
    as_json: bool


record_options = option_group(
    "record",
    RecordOptions,
    [
        click.option("--by", required=True, metavar="USER", help="Who records it."),
        click.option("--second", required=True, metavar="USER", help="The second person."),
        day_option,
        database_option,
        json_option,
    ],
)


@register.command()
@click.argument("kind", help="As licence, excluded-person, equipment, cards, chips, key or incident.")
@click.argument("name", help="Who or what.")
@click.option("--says", required=True, metavar="WORDS", help="The facts.")
@words_option("--reference", help="Where that is written.")
@click.option("--until", type=DAY, help="The last day on which it holds.")
@record_options
def add(record: RecordOptions, kind: str, name: str, says: str, reference: str, until: date | None) -> None:
    """Enter something into the register."""
    from feltworks.house.register import Register, RegisterEntry, known_kind

    entry = RegisterEntry(known_kind(kind), name, says, reference, until)
    books = existing_books(record.database)
    log_in(books, (record.by, record.second))
    number = Register(books).add(entry, by=record.by, second=record.second, day=record.day)
    _show(number, as_json=record.as_json)


@register.command()
@click.argument("number", type=int, help="The entry's number.")
@because_option
@record_options
def strike(record: RecordOptions, number: int, because: str) -> None:
    """Strike an entry, with the reason."""
    from feltworks.house.register import Register

    books = existing_books(record.database)
    log_in(books, (record.by, record.second))
    posting = Register(books).strike(number, because, by=record.by, second=record.second, day=record.day)
    _show(posting, as_json=record.as_json)


@register.command("list")
@words_option("--kind", metavar="KIND", help="Only entries of this kind.")
@database_option
@json_option
def list_entries(kind: str, database: str, as_json: bool) -> None:
    """List the entries, struck ones included."""
    from feltworks.house.register import Register, known_kind

    lines = Register(existing_books(database)).lines(known_kind(kind) if kind else None)
    if as_json:
        print_json({"entries": lines})
        return
    table = Table("No.", "Day", "Kind", "Name", "Says", "Until", "State")
    for line in lines:
        until = line.entry.until.isoformat() if line.entry.until else ""
        state = f"struck: {line.struck}" if line.struck else ""
        table.add_row(
            str(line.number),
            line.day.isoformat(),
            line.entry.kind,
            line.entry.name,
            line.entry.says,
            until,
            state,
        )
    Page().print(table)


def _show(number: int, *, as_json: bool) -> None:
    if as_json:
        print_json({"posting": number})
    else:
        click.echo(f"Posting {number} of the register.")
