"""`felt house day-end`: the box is counted and divided."""

from typing import Annotated

import typer

from feltworks.cli.house import asking
from feltworks.cli.house.asking import AsJson, Because, By, Day, Key, Name, Url, Witness, read_amount


def day_end(
    name: Name,
    by: By,
    counted: Annotated[
        str | None,
        typer.Option(metavar="AMOUNT", help="What lies in the box; unless given, what was wagered."),
    ] = None,
    witness: Witness = None,
    because: Because = "",
    day: Day = None,
    key: Key = None,
    database: Url = asking.DEFAULT_URL,
    as_json: AsJson = False,
) -> None:
    """Count the box, make good the tray, and add the rest."""
    from feltworks.cli.house.telling import post
    from feltworks.house.progressive.acts import DayEnd

    act = DayEnd(None if counted is None else read_amount("counted", counted))
    signed = asking.signed(by, witness, because, day, key)
    post(asking.ledger(database, name), act, signed, as_json=as_json)
