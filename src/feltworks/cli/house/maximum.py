"""`felt house maximum`: the most that the jackpot is displayed at."""

from typing import Annotated

import typer

from feltworks.cli.house import asking
from feltworks.cli.house.asking import AsJson, Because, By, Day, Key, Name, Url, Witness, read_amount


def maximum(
    name: Name,
    amount: Annotated[str, typer.Argument(metavar="AMOUNT", help="The maximum, or none.")],
    by: By,
    witness: Witness = None,
    because: Because = "",
    day: Day = None,
    key: Key = None,
    database: Url = asking.DEFAULT_URL,
    as_json: AsJson = False,
) -> None:
    """Impose a maximum on the jackpot, or lift it."""
    from feltworks.cli.house.telling import post
    from feltworks.house.progressive.acts import Maximum

    act = Maximum(None if amount == "none" else read_amount("AMOUNT", amount))
    signed = asking.signed(by, witness, because, day, key)
    post(asking.ledger(database, name), act, signed, as_json=as_json)
