"""`felt house verify`: are the books whole?"""

from typing import TYPE_CHECKING

import typer

from feltworks.cli.house import asking
from feltworks.cli.house.asking import AsJson, Names, Url
from feltworks.cli.output import console, new_table, print_json

if TYPE_CHECKING:
    from feltworks.house.verification import Verification


def verify(
    names: Names = None,
    database: Url = asking.DEFAULT_URL,
    as_json: AsJson = False,
) -> None:
    """Recompute every balance, line and seal from the journal."""
    from feltworks.house.verification import verify_books

    found = verify_books(asking.kept_books(database), names or ())
    if as_json:
        print_json({"holds": all(book.holds for book in found), "books": found})
    else:
        _print(found)
    if not all(book.holds for book in found):
        raise typer.Exit(1)


def _print(found: list["Verification"]) -> None:
    table = new_table("Book", "Postings", "Lines", "Last seal", "Verdict")
    for book in found:
        verdict = "\n".join(book.troubles) or "whole"
        table.add_row(book.book, str(book.postings), str(book.entries), book.hash[:16], verdict)
    console().print(table)
