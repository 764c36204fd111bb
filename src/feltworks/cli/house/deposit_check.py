"""`felt house deposit-check`: does the bank account hold all prizes?"""

import typer

from feltworks.cli.house import asking
from feltworks.cli.house.asking import AsJson, Because, By, Day, Key, Name, Url, Witness


def deposit_check(
    name: Name,
    by: By,
    witness: Witness = None,
    because: Because = "",
    day: Day = None,
    key: Key = None,
    database: Url = asking.DEFAULT_URL,
    as_json: AsJson = False,
) -> None:
    """Test the bank account; the game stops where it lacks a cent."""
    from feltworks.cli.house.telling import post
    from feltworks.house.progressive.acts import DepositTest

    act = DepositTest()
    signed = asking.signed(by, witness, because, day, key)
    balances = post(asking.ledger(database, name), act, signed, as_json=as_json)
    if balances.missing:
        raise typer.Exit(1)
