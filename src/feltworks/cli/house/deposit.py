"""`felt house deposit`: the bank account of the progressive gains or gives back."""

from typing import Annotated

import typer

from feltworks.cli.house import asking
from feltworks.cli.house.asking import AsJson, Because, By, Day, Key, Name, Url, Witness, read_amount
from feltworks.errors import BadOption


def deposit(
    name: Name,
    amount: Annotated[str, typer.Argument(metavar="AMOUNT", help="What is paid in.")],
    by: By,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Take it out instead.")] = False,
    seized: Annotated[bool, typer.Option("--seized", help="It was seized for tax; the game stops.")] = False,
    witness: Witness = None,
    because: Because = "",
    day: Day = None,
    key: Key = None,
    database: Url = asking.DEFAULT_URL,
    as_json: AsJson = False,
) -> None:
    """Pay into the bank account, or take out what the prizes do not need."""
    from feltworks.cli.house.telling import post
    from feltworks.house.progressive.acts import Act, Deposit, Seizure, Withdrawal

    if withdraw and seized:
        raise BadOption("--withdraw", "given with --seized", "one of the two")
    cents = read_amount("AMOUNT", amount)
    act: Act = Deposit(cents)
    if seized or withdraw:
        act = Seizure(cents) if seized else Withdrawal(cents)
    signed = asking.signed(by, witness, because, day, key)
    post(asking.ledger(database, name), act, signed, as_json=as_json)
