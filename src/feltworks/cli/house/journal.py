"""`felt house journal`: what was posted, by whom and why."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from feltworks.cli.house import asking
from feltworks.cli.house.asking import AsJson, Name, Url
from feltworks.cli.output import console, new_table, print_json
from feltworks.money import dollars

if TYPE_CHECKING:
    from feltworks.house.journal.posting import Posting


def journal(
    name: Name,
    first: Annotated[int, typer.Option("--from", metavar="NUMBER", help="The first posting.")] = 1,
    last: Annotated[int | None, typer.Option("--to", metavar="NUMBER", help="The last posting.")] = None,
    database: Url = asking.DEFAULT_URL,
    as_json: AsJson = False,
) -> None:
    """List the postings of a book with their lines."""
    from feltworks.house.journal.book import book_number, postings

    with asking.kept_books(database).snapshot() as connection:
        number = book_number(connection, name)
        found = list(postings(connection, number, first=first, last=last))
    if as_json:
        print_json({"name": name, "postings": [_described(posting) for posting in found]})
    else:
        _print(name, found)


def _described(posting: "Posting") -> dict[str, Any]:
    import msgspec

    said = {field: getattr(posting, field) for field in posting.__struct_fields__}
    lines = [{field: getattr(entry, field) for field in entry.__struct_fields__} for entry in posting.entries]
    seals = {"previous": posting.previous.hex(), "hash": posting.hash.hex()}
    return {**said, "facts": msgspec.json.decode(posting.facts), "entries": lines, **seals}


def _print(name: str, found: list["Posting"]) -> None:
    table = new_table("No.", "Day", "What", "Lines", "By", "Because", title=name)
    for posting in found:
        lines = [
            f"{entry.debit} ← {entry.credit} {dollars(entry.cents)}"
            + (f" ({entry.reason})" if entry.reason else "")
            for entry in posting.entries
        ]
        persons = "\n".join(filter(None, [posting.made_by, posting.witness]))
        table.add_row(
            str(posting.number), posting.day, posting.kind, "\n".join(lines), persons, posting.explanation
        )
    console().print(table)
