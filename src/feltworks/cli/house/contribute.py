"""`felt house contribute`: losing wagers go into the second drop box."""

from typing import Annotated

import typer

from feltworks.cli.house import asking
from feltworks.cli.house.asking import AsJson, Because, By, Day, Key, Name, Url, Witness


def contribute(
    name: Name,
    wagers: Annotated[int, typer.Argument(metavar="WAGERS", help="How many wagers lost.")],
    table: Annotated[str, typer.Option(help="The table.")],
    round_: Annotated[str, typer.Option("--round", help="The round, as the table numbers it.")],
    by: By,
    witness: Witness = None,
    because: Because = "",
    day: Day = None,
    key: Key = None,
    database: Url = asking.DEFAULT_URL,
    as_json: AsJson = False,
) -> None:
    """Post the losing wagers of a round."""
    from feltworks.cli.house.telling import post
    from feltworks.house.progressive.acts import Contribution

    act = Contribution(table, round_, wagers)
    signed = asking.signed(by, witness, because, day, key, of=f"table {table} round {round_}")
    post(asking.ledger(database, name), act, signed, as_json=as_json)
