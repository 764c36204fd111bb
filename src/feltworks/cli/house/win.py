"""`felt house win`: every hand of a round with the wager is settled and booked."""

from typing import Annotated

import typer

from feltworks.cli.house import asking
from feltworks.cli.house.asking import AsJson, Because, By, Day, Key, Name, Url, Witness, read_amount


def win(
    name: Name,
    hands: Annotated[
        list[str], typer.Argument(metavar="HAND...", help="Five cards each, as '7c Jc Qc Kc Ac'.")
    ],
    table: Annotated[str, typer.Option(help="The table.")],
    round_: Annotated[str, typer.Option("--round", help="The round, as the table numbers it.")],
    by: By,
    posted: Annotated[
        str | None,
        typer.Option(metavar="AMOUNT", help="The jackpot as posted when the round began; unless given, now."),
    ] = None,
    from_bank: Annotated[
        bool, typer.Option("--from-bank", help="Pay jackpot shares from the bank account, not the cage.")
    ] = False,
    witness: Witness = None,
    because: Because = "",
    day: Day = None,
    key: Key = None,
    database: Url = asking.DEFAULT_URL,
    as_json: AsJson = False,
) -> None:
    """Post a round with winners: every hand that has the wager."""
    from feltworks.cli.house.telling import post
    from feltworks.house.progressive.acts import ProgressiveRound

    shown = None if posted is None else read_amount("posted", posted)
    act = ProgressiveRound(table, round_, tuple(hands), shown, "bank" if from_bank else "house")
    signed = asking.signed(by, witness, because, day, key, of=f"table {table} round {round_}")
    post(asking.ledger(database, name), act, signed, as_json=as_json)
