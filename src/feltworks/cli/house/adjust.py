"""`felt house adjust`: a prize is changed for a listed reason."""

from typing import TYPE_CHECKING, Annotated, get_args

import typer

from feltworks.cli.house import asking
from feltworks.cli.house.asking import AsJson, Because, By, Day, Key, Name, Url, Witness, read_amount
from feltworks.errors import UnknownName

if TYPE_CHECKING:
    from feltworks.house.progressive.acts import Reason


def adjust(
    name: Name,
    amount: Annotated[str, typer.Argument(metavar="AMOUNT", help="The change: -$30 lowers it by $30.")],
    reason: Annotated[str, typer.Option(help="malfunction, above maximum, gross receipts or seed recovery.")],
    by: By,
    account: Annotated[str, typer.Option(help="jackpot, backup, second-backup or overflow.")] = "jackpot",
    witness: Witness = None,
    because: Because = "",
    day: Day = None,
    key: Key = None,
    database: Url = asking.DEFAULT_URL,
    as_json: AsJson = False,
) -> None:
    """Change a prize for one of the reasons of WAC 230-15-695."""
    from feltworks.cli.house.telling import post
    from feltworks.house.progressive.acts import Adjustment

    act = Adjustment(account, read_amount("AMOUNT", amount), _reason(reason))
    signed = asking.signed(by, witness, because, day, key)
    post(asking.ledger(database, name), act, signed, as_json=as_json)


def _reason(said: str) -> "Reason":
    from feltworks.house.progressive.acts import Reason

    known: tuple[Reason, ...] = get_args(Reason)
    for reason in known:
        if reason == said:
            return reason
    raise UnknownName("reason", said, known)
