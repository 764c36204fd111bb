"""`felt house register` and `felt house today`: records of the floor other than slips, and the day at a glance."""

from datetime import date
from typing import TYPE_CHECKING, Final

import click
from msgspec import Struct

from feltworks.cli.house.books import because_option, database_option, day_option, existing_books, log_in
from feltworks.cli.house.tables import COUNTS, Counts
from feltworks.cli.main import CommandGroup
from feltworks.cli.options import CHANGE, DAY, json_option, option_group, words_option
from feltworks.cli.output import Page, Table, print_json
from feltworks.money import Cents, dollars

if TYPE_CHECKING:
    from feltworks.house.floor import FloorRow

register: Final = CommandGroup(
    "register", "Keep people, keys, boxes, cards, chips, requests, the cage, transactions and ratings on record."
)


class RecordOptions(Struct, frozen=True):
    """Who makes an entry, on which day, and in which books."""

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
@click.argument("kind", help="As licence, shift, cards, request or cage-count; `kinds` lists them.")
@click.argument("name", help="Who or what.")
@click.option("--says", required=True, metavar="WORDS", help="The words of the entry.")
@words_option("--reference", help="Where that is written.")
@click.option("--until", type=DAY, help="The last day on which it holds.")
@words_option("--table", metavar="TABLE", help="The table.")
@click.option("--amount", default="0", type=CHANGE, help="The amount; it follows from --pieces.")
@click.option("--pieces", type=COUNTS, help="Chips or money piece by piece, as 12x100,5x20.")
@click.option("--count", default=0, metavar="N", help="How many: decks, or rounds of a rating.")
@record_options
def add(
    record: RecordOptions,
    kind: str,
    name: str,
    says: str,
    reference: str,
    until: date | None,
    table: str,
    amount: Cents,
    pieces: Counts | None,
    count: int,
) -> None:
    """Enter something into the register."""
    from feltworks.house.entries import RegisterEntry, known_kind
    from feltworks.house.register import Register

    entry = RegisterEntry(known_kind(kind), name, says, reference, until, table, amount, pieces or {}, count)
    books = existing_books(record.database)
    log_in(books, (record.by, record.second))
    number = Register(books).add(entry, by=record.by, second=record.second, day=record.day)
    _show(number, as_json=record.as_json)


@register.command()
@json_option
def kinds(as_json: bool) -> None:
    """List the kinds of entries with the facts they take."""
    from feltworks.house.entries import KINDS

    if as_json:
        print_json({"kinds": KINDS})
        return
    rows = Table("Kind", "Name", "Says", "Takes", "Striking it means")
    for name, kind in KINDS.items():
        says = f"{kind.says}: {', '.join(kind.choices)}" if kind.choices else kind.says
        rows.add_row(name, kind.name, says, ", ".join([*kind.needs, *(f"({field})" for field in kind.may)]), kind.ends)
    Page().print(rows)


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
    from feltworks.house.entries import known_kind
    from feltworks.house.register import Register

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


@click.command()
@day_option
@database_option
@json_option
def today(day: date, database: str, as_json: bool) -> None:
    """Show the floor of a day: alerts, tables against their expectation, people and stock."""
    from feltworks.house.floor import floor_day

    floor = floor_day(existing_books(database), day)
    if as_json:
        print_json(floor)
        return
    page = Page()
    for alert in floor.alerts:
        page.print(f"{'!' if alert.is_bad else '-'} {alert.title}: {alert.says}")
    rows = Table("Table", "Game", "State", "Tray", "Fills", "Drop", "Win", "Expected", "z", title=f"Floor of {day}")
    for row in floor.tables:
        rows.add_row(f"{row.table} {row.shift}".strip(), row.title, row.state, *_amounts(row))
    page.print(rows)
    for waiting in floor.waiting:
        page.print(f"Waits for the count: {waiting}")
    for line in floor.on_shift:
        page.print(f"On shift: {line.entry.name}, {line.entry.says} {line.entry.table}".rstrip())
    for held in floor.stock:
        page.print(f"{held.name}: {held.store} in the store, {held.out} out")
    for place in floor.places:
        imprest = "" if place.imprest is None else f", imprest {dollars(place.imprest)}"
        page.print(f"{place.name}: {dollars(place.cents)}{imprest}")
    for rating in floor.ratings:
        theory = dollars(round(rating.theoretical_win))
        page.print(f"{rating.player}: {dollars(rating.wagered)} on {rating.wager}, theoretical win {theory}")


def _amounts(row: "FloorRow") -> list[str]:
    win = "not known yet" if row.win is None else dollars(row.win) + ("" if row.is_final else " uncounted")
    expected = z = ""
    if row.expected is not None:
        expected = f"{dollars(round(row.expected.win))} ± {dollars(round(2 * row.expected.deviation))}"
        z = "too few" if row.is_final and row.expected.z is None else ""
        z = z if row.expected.z is None else f"{row.expected.z:+.2f}"
    return [dollars(row.tray), dollars(row.fills), dollars(row.drop), win, expected, z]
