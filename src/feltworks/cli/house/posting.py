"""Postings to a progressive: the options they share, and what is printed of them."""

from datetime import date
from typing import TYPE_CHECKING
from uuid import uuid4

import click
from msgspec import Struct

from feltworks.cli.house.books import database_option, existing_books, log_in
from feltworks.cli.options import json_option, option_group, read_day
from feltworks.cli.output import PLAY_MONEY, Page, print_json
from feltworks.cli.tables import Table
from feltworks.money import dollars

if TYPE_CHECKING:
    from feltworks.house.journal.posting import Voucher
    from feltworks.house.progressive.acts import Act
    from feltworks.house.progressive.ledger import Balances, LedgerPosting
    from feltworks.house.storage.database import Database

name_argument = click.argument("name", help="The progressive.")
because_option = click.option(
    "--because", default="", show_default=False, metavar="WORDS", help="The explanation."
)
day_option = click.option("--day", metavar="YYYY-MM-DD", help="The gaming day; today unless given.")
key_option = click.option(
    "--key", help="A posting repeated under the same key is made once; a new key unless given."
)
_OPTIONS = [
    click.option("--by", required=True, metavar="USER", help="Who posts this, with a password."),
    click.option("--witness", metavar="USER", help="The second person, with a password."),
    because_option,
    day_option,
    key_option,
    database_option,
    json_option,
]


class Posting(Struct, frozen=True):
    """Where something is posted, by whom, when and why."""

    name: str
    by: str
    witness: str | None
    because: str
    day: str | None
    key: str | None
    database: str
    as_json: bool

    def post(self, act: "Act", *, once: str = "") -> "Balances":
        """Post an act and print what it did; `once` names what can be posted only once a day."""
        from feltworks.house.progressive.ledger import Ledger

        ledger = Ledger(existing_books(self.database), self.name)
        signed = self.sign(ledger.database, once=once)
        booked = ledger.post(act, signed)
        balances = ledger.balances()
        if self.as_json:
            print_json(_posting_document(booked, signed, balances))
        else:
            _show_posting(booked, signed, balances)
        return balances

    def sign(self, database: "Database", *, once: str = "") -> "Voucher":
        """Who, when and why, as the journal takes it; both persons give their passwords."""
        from feltworks.house.journal.posting import Voucher

        day = read_day(self.day)
        log_in(database, filter(None, [self.by, self.witness]))
        return Voucher(
            key=self.key or _new_key(day, once),
            day=day,
            by=self.by,
            witness=self.witness,
            explanation=self.because,
        )


def _new_key(day: date, once: str) -> str:
    return f"{day} {once}" if once else uuid4().hex


posting_options = option_group("posting", Posting, _OPTIONS)


def balances_document(balances: "Balances") -> dict[str, object]:
    """The JSON document of a progressive's balances."""
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


def show_balances(balances: "Balances") -> None:
    """Print every account."""
    from feltworks.house.progressive.accounts import CHART

    table = Table("Account", "Amount", "Holds", title=f"{balances.name}: {balances.standing.state}")
    for name, cents in balances.accounts.items():
        table.add_row(name, dollars(cents), CHART[name].title)
    page = Page()
    page.print(table)
    maximum = balances.standing.maximum
    limit = f", maximum {dollars(maximum)}" if maximum is not None else ""
    page.print(
        f"Prizes owed {dollars(balances.owed)}, missing in the bank {dollars(balances.missing)}{limit};"
        f" {balances.postings} postings. {PLAY_MONEY}"
    )


def _posting_document(booked: "LedgerPosting", signed: "Voucher", balances: "Balances") -> dict[str, object]:
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
        "balances": balances_document(balances),
    }


def _show_posting(booked: "LedgerPosting", signed: "Voucher", balances: "Balances") -> None:
    page = Page()
    if booked.repeated:
        page.print(f"Posting {booked.number} has this key and is the same; nothing was posted.")
    else:
        title = f"Posting {booked.number}, {signed.day}"
        table = Table("Debit", "Credit", "Amount", "Reason", title=title)
        for entry in booked.entries:
            table.add_row(entry.debit, entry.credit, dollars(entry.cents), entry.reason or "")
        page.print(table)
    jackpot = dollars(balances.accounts["jackpot"])
    page.print(f"{balances.name}: jackpot {jackpot}, {balances.standing.state}. {PLAY_MONEY}")
