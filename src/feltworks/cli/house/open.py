"""`felt house open`: a progressive begins with its seed."""

from typing import Annotated

import typer

from feltworks.cli.house import asking
from feltworks.cli.house.asking import (
    AsJson,
    Because,
    By,
    Day,
    Key,
    Name,
    Tribal,
    Url,
    Witness,
    read_amount,
    read_part,
)
from feltworks.cli.output import print_json


def open(
    name: Name,
    by: By,
    approval: Annotated[
        str, typer.Option(help="The approved accounting process, or the approved system (SP.15).")
    ],
    seed: Annotated[
        str | None,
        typer.Option(metavar="AMOUNT", help="The seed; the least that the rules allow unless given."),
    ] = None,
    increment: Annotated[
        str,
        typer.Option(metavar="AMOUNT", help="What each losing wager adds at once; 0 runs it by hand."),
    ] = "0",
    recovery: Annotated[
        str, typer.Option(metavar="PART", help="The part of each addition that pays back the seed.")
    ] = "1",
    backups: Annotated[int, typer.Option(metavar="N", help="Backup jackpots it starts: 0, 1 or 2.")] = 2,
    to_backup: Annotated[
        str, typer.Option(metavar="PART", help="The part of an addition that goes to a started backup.")
    ] = "1",
    fee: Annotated[str, typer.Option(metavar="PART", help="The fee on what is left in the box.")] = "0",
    fee_approval: Annotated[str, typer.Option(help="What allows the fee.")] = "",
    carry_shortfall: Annotated[
        bool, typer.Option("--carry-shortfall", help="Recover tray awards on later days too.")
    ] = False,
    keep_tray: Annotated[
        bool, typer.Option("--no-tray-recovery", help="The house bears the awards from the tray.")
    ] = False,
    notice_days: Annotated[
        int | None, typer.Option(metavar="N", help="How long a notice hangs before a removal.")
    ] = None,
    tribal: Tribal = False,
    witness: Witness = None,
    because: Because = "",
    day: Day = None,
    key: Key = None,
    database: Url = asking.DEFAULT_URL,
    as_json: AsJson = False,
) -> None:
    """Open a progressive with its seed and settings."""
    from feltworks.cli.house.proving import prove
    from feltworks.cli.house.telling import described, print_balances
    from feltworks.house.progressive.ledger import Ledger
    from feltworks.house.progressive.terms import ProgressiveTerms, smallest_seed

    terms = ProgressiveTerms(
        approval=approval,
        house="tribal operation" if tribal else "card room",
        seed=smallest_seed() if seed is None else read_amount("seed", seed),
        increment=read_amount("increment", increment),
        recovery=read_part("recovery", recovery),
        fee=read_part("fee", fee),
        fee_approval=fee_approval,
        recovers_tray=not keep_tray,
        carries_shortfall=carry_shortfall,
        backups=backups,
        to_backup=read_part("to-backup", to_backup),
        notice_days=notice_days,
    )
    terms.check()
    signed = asking.signed(by, witness, because, day, key)
    books = asking.books(database)
    prove(books, signed)
    balances = Ledger.open(books, name, terms, signed).balances()
    if as_json:
        print_json({"key": signed.key, "day": signed.day, "balances": described(balances)})
    else:
        print_balances(balances)
