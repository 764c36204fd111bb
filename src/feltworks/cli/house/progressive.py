"""`felt house open`, `win`, `day-end` and the other acts in the life of a progressive jackpot."""

import re
from typing import TYPE_CHECKING, get_args

import click
from click.exceptions import Exit

from feltworks.cli.house.books import open_books, tribal_option
from feltworks.cli.house.posting import (
    Posting,
    balances_document,
    name_argument,
    posting_options,
    show_balances,
)
from feltworks.cli.options import read_change, read_day, read_part
from feltworks.cli.output import print_json
from feltworks.errors import BadOption, UnknownName

if TYPE_CHECKING:
    from feltworks.house.progressive.acts import Act, Reason, Share

_SHARE = re.compile(r"([a-z-]+)=([^:]+):(.+)")


@click.command("open")
@name_argument
@click.option(
    "--approval", required=True, metavar="WORDS", help="The approved accounting process or system (SP.15)."
)
@click.option("--seed", metavar="AMOUNT", help="The seed; the least that the rules allow unless given.")
@click.option(
    "--increment",
    default="0",
    metavar="AMOUNT",
    help="What each losing wager adds at once; 0 runs the jackpot by hand.",
)
@click.option(
    "--recovery", default="1", metavar="PART", help="The part of each addition that pays back the seed."
)
@click.option("--backups", default=2, metavar="N", help="Backup jackpots to start: 0, 1 or 2.")
@click.option(
    "--to-backup", default="1", metavar="PART", help="The part of an addition that goes to a started backup."
)
@click.option("--fee", default="0", metavar="PART", help="The fee on what is left in the box.")
@click.option("--fee-approval", default="", show_default=False, metavar="WORDS", help="What allows the fee.")
@click.option("--carry-shortfall", is_flag=True, help="Recover tray awards on later days too.")
@click.option("--no-tray-recovery", is_flag=True, help="The house bears the awards from the tray.")
@click.option("--notice-days", type=int, metavar="N", help="How long a notice hangs before a removal.")
@tribal_option
@posting_options
def open_progressive(
    posting: Posting,
    approval: str,
    seed: str | None,
    increment: str,
    recovery: str,
    backups: int,
    to_backup: str,
    fee: str,
    fee_approval: str,
    carry_shortfall: bool,
    no_tray_recovery: bool,
    notice_days: int | None,
    tribal: bool,
) -> None:
    """Open a progressive with its seed and settings."""
    from feltworks.house.progressive.ledger import Ledger
    from feltworks.house.progressive.terms import ProgressiveTerms, smallest_seed

    terms = ProgressiveTerms(
        approval=approval,
        house="tribal operation" if tribal else "card room",
        seed=smallest_seed() if seed is None else read_change("--seed", seed),
        increment=read_change("--increment", increment),
        recovery=read_part("--recovery", recovery),
        fee=read_part("--fee", fee),
        fee_approval=fee_approval,
        recovers_tray=not no_tray_recovery,
        carries_shortfall=carry_shortfall,
        backups=backups,
        to_backup=read_part("--to-backup", to_backup),
        notice_days=notice_days,
    )
    terms.check()
    read_day(posting.day)  # a wrong day is refused before books are created
    books = open_books(posting.database)
    signed = posting.sign(books)
    balances = Ledger.open(books, posting.name, terms, signed).balances()
    if posting.as_json:
        print_json({"key": signed.key, "day": signed.day, "balances": balances_document(balances)})
    else:
        show_balances(balances)


@click.command()
@name_argument
@click.argument("amount", help="What is added to the jackpot.")
@click.option("--from-overflow", is_flag=True, help="Take it from prize money above the maximum.")
@posting_options
def seed(posting: Posting, amount: str, from_overflow: bool) -> None:
    """Add seed to the jackpot, or prize money that is not displayed."""
    from feltworks.house.progressive.acts import Seeding

    cents = read_change("AMOUNT", amount)
    posting.post(Seeding(from_overflow=cents) if from_overflow else Seeding(cents))


@click.command()
@name_argument
@click.argument("wagers", type=int, help="How many wagers lost.")
@click.option("--table", required=True, help="The table.")
@click.option("--round", "round_", required=True, help="The round, as the table numbers it.")
@posting_options
def contribute(posting: Posting, wagers: int, table: str, round_: str) -> None:
    """Post the losing wagers of a round, which go into the second drop box."""
    from feltworks.house.progressive.acts import Contribution

    posting.post(Contribution(table, round_, wagers), once=f"table {table} round {round_}")


@click.command()
@name_argument
@click.argument("hands", nargs=-1, required=True, metavar="HAND...", help="Five cards, as '7c Jc Qc Kc Ac'.")
@click.option("--table", required=True, help="The table.")
@click.option("--round", "round_", required=True, help="The round, as the table numbers it.")
@click.option(
    "--posted",
    metavar="AMOUNT",
    help="The jackpot posted when the round began; unless given, the current one.",
)
@click.option("--from-bank", is_flag=True, help="Pay jackpot shares from the bank account, not the cage.")
@posting_options
def win(
    posting: Posting, hands: tuple[str, ...], table: str, round_: str, posted: str | None, from_bank: bool
) -> None:
    """Post a round with winners: every hand that has the wager."""
    from feltworks.house.progressive.acts import ProgressiveRound

    jackpot = None if posted is None else read_change("--posted", posted)
    act = ProgressiveRound(table, round_, hands, jackpot, "bank" if from_bank else "house")
    posting.post(act, once=f"table {table} round {round_}")


@click.command()
@name_argument
@click.option("--counted", metavar="AMOUNT", help="The money in the box; what was wagered unless given.")
@posting_options
def day_end(posting: Posting, counted: str | None) -> None:
    """Count the box, make good the tray, and add the rest."""
    from feltworks.house.progressive.acts import DayEnd

    posting.post(DayEnd(None if counted is None else read_change("--counted", counted)))


@click.command()
@name_argument
@click.argument("amount", help="What is paid in.")
@click.option("--withdraw", is_flag=True, help="Take it out instead.")
@click.option("--seized", is_flag=True, help="It was seized for tax; the game stops.")
@posting_options
def deposit(posting: Posting, amount: str, withdraw: bool, seized: bool) -> None:
    """Pay into the bank account, or take out what the prizes do not need."""
    from feltworks.house.progressive.acts import Deposit, Seizure, Withdrawal

    if withdraw and seized:
        raise BadOption("--withdraw", "given with --seized", "one of the two")
    cents = read_change("AMOUNT", amount)
    act: Act = Seizure(cents) if seized else Withdrawal(cents) if withdraw else Deposit(cents)
    posting.post(act)


@click.command()
@name_argument
@posting_options
def deposit_check(posting: Posting) -> None:
    """Test that the bank account holds all prizes; the game stops where it lacks a cent."""
    from feltworks.house.progressive.acts import DepositTest

    if posting.post(DepositTest()).missing:
        raise Exit(1)


@click.command()
@name_argument
@click.argument("amount", help="The maximum, or none.")
@posting_options
def maximum(posting: Posting, amount: str) -> None:
    """Set the highest jackpot to be displayed, or lift the maximum."""
    from feltworks.house.progressive.acts import Maximum

    posting.post(Maximum(None if amount == "none" else read_change("AMOUNT", amount)))


@click.command()
@name_argument
@click.argument("amount", help="The change: -$30 lowers it by $30.")
@click.option("--reason", required=True, help="malfunction, above maximum, gross receipts or seed recovery.")
@click.option("--account", default="jackpot", help="jackpot, backup, second-backup or overflow.")
@posting_options
def adjust(posting: Posting, amount: str, reason: str, account: str) -> None:
    """Change a prize for one of the reasons of WAC 230-15-695."""
    from feltworks.house.progressive.acts import Adjustment

    posting.post(Adjustment(account, read_change("AMOUNT", amount), _reason(reason)))


def _reason(text: str) -> "Reason":
    from feltworks.house.progressive.acts import Reason

    known: tuple[Reason, ...] = get_args(Reason)
    for reason in known:
        if reason == text:
            return reason
    raise UnknownName("reason", text, known)


@click.command()
@name_argument
@click.option("--noticed", required=True, metavar="YYYY-MM-DD", help="When the notice was posted.")
@click.option("--authority", required=True, metavar="WORDS", help="The rule or approval of the plan.")
@click.option(
    "--to",
    "shares",
    required=True,
    multiple=True,
    metavar="ACCOUNT=AMOUNT:WHERE",
    help="Where prize money goes: players, gross receipts, seed recovery or progressive NAME.",
)
@posting_options
def remove(posting: Posting, noticed: str, authority: str, shares: tuple[str, ...]) -> None:
    """Take a progressive out of play; every cent has to go somewhere."""
    from feltworks.house.progressive.acts import Removal

    posting.post(Removal(read_day(noticed), authority, tuple(map(_share, shares))))


def _share(text: str) -> "Share":
    from feltworks.house.progressive.acts import Share

    match = _SHARE.fullmatch(text)
    if not match:
        raise BadOption("--to", text, "an account, an amount and a destination, as jackpot=$500:players")
    return Share(match[1], read_change("--to", match[2]), match[3].strip())
