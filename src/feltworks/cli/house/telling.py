"""How the books answer: what a posting moved, and where the money lies."""

from typing import TYPE_CHECKING, Any

from feltworks.cli.house.proving import prove
from feltworks.cli.output import PLAY_MONEY, console, new_table, print_json
from feltworks.money import dollars

if TYPE_CHECKING:
    from feltworks.house.journal.posting import Voucher
    from feltworks.house.progressive.acts import Act
    from feltworks.house.progressive.ledger import Balances, Ledger, LedgerPosting


def post(ledger: "Ledger", act: "Act", signed: "Voucher", *, as_json: bool) -> "Balances":
    """Post an act, once everybody who signs it has given a password, and tell what it did."""
    prove(ledger.database, signed)
    booked = ledger.post(act, signed)
    return tell(ledger, booked, signed, as_json=as_json)


def tell(ledger: "Ledger", booked: "LedgerPosting", signed: "Voucher", *, as_json: bool) -> "Balances":
    balances = ledger.balances()
    if as_json:
        print_json(_posted(booked, signed, balances))
    else:
        _print_posted(booked, signed, balances)
    return balances


def described(balances: "Balances") -> dict[str, Any]:
    """A progressive's balances as programs read them."""
    standing = balances.standing
    return {
        "name": balances.name,
        "state": standing.state,
        "day": standing.day,
        "closed": standing.closed,
        "tested": standing.tested,
        "maximum": standing.maximum,
        "backups_started": standing.started,
        "accounts": balances.accounts,
        "owed": balances.owed,
        "missing_in_bank": balances.missing,
        "postings": balances.postings,
    }


def print_balances(balances: "Balances") -> None:
    """Every account, for people."""
    from feltworks.house.progressive.accounts import CHART

    table = new_table("Account", "Amount", "Holds", title=f"{balances.name}: {balances.standing.state}")
    for name, cents in balances.accounts.items():
        table.add_row(name, dollars(cents), CHART[name].title)
    screen = console()
    screen.print(table)
    maximum = balances.standing.maximum
    limit = f", maximum {dollars(maximum)}" if maximum is not None else ""
    screen.print(
        f"Prizes owed {dollars(balances.owed)}, missing in the bank {dollars(balances.missing)}{limit};"
        f" {balances.postings} postings. {PLAY_MONEY}"
    )


def _posted(booked: "LedgerPosting", signed: "Voucher", balances: "Balances") -> dict[str, Any]:
    lines = [
        {"debit": entry.debit, "credit": entry.credit, "cents": entry.cents, "reason": entry.reason}
        for entry in booked.entries
    ]
    return {
        "number": booked.number,
        "key": signed.key,
        "day": signed.day,
        "repeated": booked.repeated,
        "entries": lines,
        "balances": described(balances),
    }


def _print_posted(booked: "LedgerPosting", signed: "Voucher", balances: "Balances") -> None:
    screen = console()
    if booked.repeated:
        screen.print(f"Posting {booked.number} says the same under this key already; nothing was posted.")
    else:
        title = f"Posting {booked.number}, {signed.day}"
        table = new_table("Debit", "Credit", "Amount", "Reason", title=title)
        for entry in booked.entries:
            table.add_row(entry.debit, entry.credit, dollars(entry.cents), entry.reason or "")
        screen.print(table)
    jackpot = dollars(balances.accounts["jackpot"])
    screen.print(f"{balances.name}: jackpot {jackpot}, {balances.standing.state}. {PLAY_MONEY}")
