"""`felt house seed`: more seed, or prize money held back, joins the jackpot."""

from typing import Annotated

import typer

from feltworks.cli.house import asking
from feltworks.cli.house.asking import AsJson, Because, By, Day, Key, Name, Url, Witness, read_amount


def seed(
    name: Name,
    amount: Annotated[str, typer.Argument(metavar="AMOUNT", help="What joins the jackpot.")],
    by: By,
    from_overflow: Annotated[
        bool, typer.Option("--from-overflow", help="Take it from prize money above the maximum.")
    ] = False,
    witness: Witness = None,
    because: Because = "",
    day: Day = None,
    key: Key = None,
    database: Url = asking.DEFAULT_URL,
    as_json: AsJson = False,
) -> None:
    """Add seed to the jackpot, or prize money that is not displayed."""
    from feltworks.cli.house.telling import post
    from feltworks.house.progressive.acts import Seeding

    cents = read_amount("AMOUNT", amount)
    act = Seeding(from_overflow=cents) if from_overflow else Seeding(cents)
    signed = asking.signed(by, witness, because, day, key)
    post(asking.ledger(database, name), act, signed, as_json=as_json)
