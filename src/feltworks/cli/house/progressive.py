"""`felt house open`, `win`, `day-end` and the other acts on a progressive jackpot."""

import re
from datetime import date
from fractions import Fraction
from typing import TYPE_CHECKING

import click
from click.exceptions import Exit

from feltworks.cli.house.books import open_books, tribal_option
from feltworks.cli.house.journal import (
    PostingOptions,
    balances_document,
    name_argument,
    posting_options,
    show_balances,
)
from feltworks.cli.house.tables import COUNTS, Counts
from feltworks.cli.options import CHANGE, DAY, PART, TextType, read_change, words_option
from feltworks.cli.output import print_json
from feltworks.errors import BadOption
from feltworks.money import Cents

if TYPE_CHECKING:
    from feltworks.house.law import HouseKind
    from feltworks.house.progressive.acts import Share

_SHARE = re.compile(r"([a-z-]+)=([^:]+):(.+)")


@click.command("open")
@name_argument
@click.option("--approval", required=True, metavar="WORDS", help="The approved accounting process or system (SP.15).")
@click.option("--seed", type=CHANGE, help="The seed; the least that the rules allow unless given.")
@click.option(
    "--increment",
    default="0",
    type=CHANGE,
    help="What each losing wager adds at once; 0 runs the jackpot by hand.",
)
@click.option("--recovery", default="1", type=PART, help="The part of each addition that pays back the seed.")
@click.option("--backups", default=2, metavar="N", help="Backup jackpots to start: 0, 1 or 2.")
@click.option("--to-backup", default="1", type=PART, help="The part of an addition that goes to a started backup.")
@click.option("--fee", default="0", type=PART, help="The fee on what is left in the box.")
@words_option("--fee-approval", help="What allows the fee.")
@click.option("--carry-shortfall", is_flag=True, help="Recover tray awards on later days too.")
@click.option("--no-tray-recovery", is_flag=True, help="The house bears the awards from the tray.")
@click.option("--notice-days", type=int, metavar="N", help="How long a notice hangs before a removal.")
@tribal_option
@posting_options
def open_progressive(
    posting: PostingOptions,
    approval: str,
    seed: Cents | None,
    increment: Cents,
    recovery: Fraction,
    backups: int,
    to_backup: Fraction,
    fee: Fraction,
    fee_approval: str,
    carry_shortfall: bool,
    no_tray_recovery: bool,
    notice_days: int | None,
    house: "HouseKind | None",
) -> None:
    """Open a progressive with its seed and settings."""
    from feltworks.house.progressive.ledger import Ledger
    from feltworks.house.progressive.terms import ProgressiveTerms, smallest_seed

    terms = ProgressiveTerms(
        approval=approval,
        house=house or "card room",
        seed=smallest_seed() if seed is None else seed,
        increment=increment,
        recovery=recovery,
        fee=fee,
        fee_approval=fee_approval,
        recovers_tray=not no_tray_recovery,
        carries_shortfall=carry_shortfall,
        backups=backups,
        to_backup=to_backup,
        notice_days=notice_days,
    )
    terms.check()
    books = open_books(posting.database)
    signed = posting.sign(books)
    balances = Ledger.open(books, posting.name, terms, signed).balances()
    if posting.as_json:
        print_json({"key": signed.key, "day": signed.day, "balances": balances_document(balances)})
    else:
        show_balances(balances)


@click.command()
@name_argument
@click.argument("amount", type=CHANGE, help="What is added to the jackpot.")
@click.option("--from-overflow", is_flag=True, help="Take it from prize money above the maximum.")
@posting_options
def seed(posting: PostingOptions, amount: Cents, from_overflow: bool) -> None:
    """Add seed to the jackpot, or prize money that is not displayed."""
    from feltworks.house.progressive.acts import Seeding

    posting.post(Seeding(from_overflow=amount) if from_overflow else Seeding(amount))


@click.command()
@name_argument
@click.argument("wagers", type=int, help="How many wagers lost.")
@click.option("--table", required=True, help="The table.")
@click.option("--round", "round_", required=True, help="The round, as the table numbers it.")
@posting_options
def contribute(posting: PostingOptions, wagers: int, table: str, round_: str) -> None:
    """Post the losing wagers of a round, which go into the second drop box."""
    from feltworks.house.progressive.acts import Contribution

    posting.post(Contribution(table, round_, wagers))


@click.command()
@name_argument
@click.argument("hands", nargs=-1, required=True, metavar="HAND...", help="Five cards, as '7c Jc Qc Kc Ac'.")
@click.option("--table", required=True, help="The table.")
@click.option("--round", "round_", required=True, help="The round, as the table numbers it.")
@click.option("--posted", type=CHANGE, help="The jackpot posted when the round began; unless given, the current one.")
@click.option("--from-bank", is_flag=True, help="Pay jackpot shares from the bank account, not the cage.")
@posting_options
def win(
    posting: PostingOptions,
    hands: tuple[str, ...],
    table: str,
    round_: str,
    posted: Cents | None,
    from_bank: bool,
) -> None:
    """Post a round with winners: every hand that has the wager."""
    from feltworks.house.progressive.acts import ProgressiveRound

    posting.post(ProgressiveRound(table, round_, hands, posted, "bank" if from_bank else "house"))


@click.command()
@name_argument
@click.option("--counted", type=CHANGE, help="The sum of the count, where it is to be checked.")
@click.option("--count", "pieces", type=COUNTS, help="Your own count, piece by piece, as 12x100,5x20.")
@posting_options
def day_end(posting: PostingOptions, counted: Cents | None, pieces: Counts | None) -> None:
    """Enter the second count of the box, make good the tray, and add the rest."""
    from feltworks.house.progressive.acts import DayEnd

    posting.post(DayEnd(counted, pieces or {}))


@click.command()
@name_argument
@click.option("--count", "pieces", required=True, type=COUNTS, help="Your own count, as 12x100,5x20.")
@posting_options
def tally(posting: PostingOptions, pieces: Counts) -> None:
    """Enter the first count of a progressive's box, which nobody else can read."""
    posting.post(lambda ledger, voucher: ledger.tally(pieces, voucher))


@click.command()
@name_argument
@click.argument("amount", type=CHANGE, help="What is paid in.")
@click.option("--withdraw", is_flag=True, help="Take it out instead.")
@click.option("--seized", is_flag=True, help="It was seized for tax; the game stops.")
@posting_options
def deposit(posting: PostingOptions, amount: Cents, withdraw: bool, seized: bool) -> None:
    """Pay into the bank account, or take out what the prizes do not need."""
    from feltworks.house.progressive.acts import Deposit, Seizure, Withdrawal

    if withdraw and seized:
        raise BadOption("--withdraw", "given with --seized", "one of the two")
    act = Seizure if seized else Withdrawal if withdraw else Deposit
    posting.post(act(amount))


@click.command()
@name_argument
@posting_options
def deposit_check(posting: PostingOptions) -> None:
    """Test that the bank account holds all prizes; the game stops where it lacks a cent."""
    from feltworks.house.progressive.acts import DepositTest

    if posting.post(DepositTest()).missing:
        raise Exit(1)


@click.command()
@name_argument
@click.argument("amount", help="The maximum, or none.")
@posting_options
def maximum(posting: PostingOptions, amount: str) -> None:
    """Set the highest jackpot to be displayed, or lift the maximum."""
    from feltworks.house.progressive.acts import Maximum

    posting.post(Maximum(None if amount == "none" else read_change("AMOUNT", amount)))


@click.command()
@name_argument
@click.argument("amount", type=CHANGE, help="The change: -$30 lowers it by $30.")
@click.option("--reason", required=True, help="malfunction, above maximum, gross receipts or seed recovery.")
@click.option("--account", default="jackpot", help="jackpot, backup, second-backup or overflow.")
@posting_options
def adjust(posting: PostingOptions, amount: Cents, reason: str, account: str) -> None:
    """Change a prize for one of the reasons of WAC 230-15-695."""
    from feltworks.house.duties import known_name
    from feltworks.house.progressive.acts import REASONS, Adjustment

    posting.post(Adjustment(account, amount, known_name("reason", reason, REASONS)))


def _read_share(option: str, text: str) -> "Share":
    from feltworks.house.progressive.acts import Share
    from feltworks.house.progressive.office import PLAYERS

    match = _SHARE.fullmatch(text)
    if not match:
        raise BadOption(option, text, "an account, an amount and a destination, as jackpot=$500:players")
    where, payee = match[3].strip(), ""
    if where.partition(" ")[0] == PLAYERS:
        where, _, payee = where.partition(" ")
    return Share(match[1], read_change(option, match[2]), where, payee.strip())


@click.command()
@name_argument
@click.option("--authority", required=True, metavar="WORDS", help="The rule or approval it follows.")
@posting_options
def notice(posting: PostingOptions, authority: str) -> None:
    """Post the notice that a progressive will be taken out of play."""
    from feltworks.house.progressive.acts import RemovalNotice

    posting.post(RemovalNotice(authority))


@click.command()
@name_argument
@click.option("--noticed", type=DAY, required=True, help="When the notice was posted.")
@click.option("--authority", required=True, metavar="WORDS", help="The rule or approval of the plan.")
@click.option(
    "--to",
    "shares",
    required=True,
    multiple=True,
    type=TextType("ACCOUNT=AMOUNT:WHERE", _read_share),
    help="Where prize money goes: players NAME, gross receipts, seed recovery or progressive NAME.",
)
@posting_options
def remove(posting: PostingOptions, noticed: date, authority: str, shares: "tuple[Share, ...]") -> None:
    """Take a progressive out of play; every cent has to go somewhere."""
    from feltworks.house.progressive.acts import Removal

    posting.post(Removal(noticed, authority, shares))
