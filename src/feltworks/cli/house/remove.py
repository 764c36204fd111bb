"""`felt house remove`: a progressive is taken out of play."""

import re
from typing import TYPE_CHECKING, Annotated

import typer

from feltworks.cli.house import asking
from feltworks.cli.house.asking import (
    AsJson,
    Because,
    By,
    Day,
    Key,
    Name,
    Url,
    Witness,
    read_amount,
    read_day,
)
from feltworks.errors import BadOption

if TYPE_CHECKING:
    from feltworks.house.progressive.acts import Share

_PLAN = re.compile(r"([a-z-]+)=([^:]+):(.+)")


def remove(
    name: Name,
    noticed: Annotated[str, typer.Option(metavar="YYYY-MM-DD", help="When the notice was posted.")],
    authority: Annotated[str, typer.Option(help="The rule or approval that the plan follows.")],
    plan: Annotated[
        list[str],
        typer.Option(
            "--to",
            metavar="ACCOUNT=AMOUNT:WHERE",
            help="Where prize money goes: players, gross receipts, seed recovery or progressive NAME.",
        ),
    ],
    by: By,
    witness: Witness = None,
    because: Because = "",
    day: Day = None,
    key: Key = None,
    database: Url = asking.DEFAULT_URL,
    as_json: AsJson = False,
) -> None:
    """Take a progressive out of play; every cent has to go somewhere."""
    from feltworks.cli.house.telling import post
    from feltworks.house.progressive.acts import Removal

    act = Removal(read_day(noticed), authority, tuple(map(_share, plan)))
    signed = asking.signed(by, witness, because, day, key)
    post(asking.ledger(database, name), act, signed, as_json=as_json)


def _share(text: str) -> "Share":
    from feltworks.house.progressive.acts import Share

    found = _PLAN.fullmatch(text)
    if not found:
        raise BadOption("to", text, "an account, an amount and a destination, as jackpot=$500:players")
    return Share(found[1], read_amount("to", found[2]), found[3].strip())
