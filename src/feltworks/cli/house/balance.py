"""`felt house balance`: where the money lies."""

import typer

from feltworks.cli.house import asking
from feltworks.cli.house.asking import AsJson, Names, Url
from feltworks.cli.output import print_json


def balance(
    names: Names = None,
    database: Url = asking.DEFAULT_URL,
    as_json: AsJson = False,
) -> None:
    """Show every account of the progressives."""
    from feltworks.cli.house.telling import described, print_balances
    from feltworks.house.progressive.ledger import Ledger
    from feltworks.house.progressive.records import progressive_names as known

    books = asking.kept_books(database)
    with books.snapshot() as connection:
        wanted = names or known(connection)
    found = [Ledger(books, name).balances() for name in wanted]
    if as_json:
        print_json({"progressives": [described(balances) for balances in found]})
        return
    for balances in found:
        print_balances(balances)
    if not found:
        typer.echo("There is no progressive in these books; `felt house open` begins one.")
