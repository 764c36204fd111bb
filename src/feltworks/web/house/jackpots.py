"""Progressives over HTTP: their balances, and the acts posted to them."""

import datetime
from typing import Annotated

import msgspec
from litestar import get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct, field

from feltworks.documents import document_of
from feltworks.errors import NotPermitted
from feltworks.house.duties import Action, Duty
from feltworks.house.journal.posting import Voucher
from feltworks.house.law import HouseKind
from feltworks.house.progressive import acts
from feltworks.house.progressive.acts import BY_TWO, DUTIES
from feltworks.house.progressive.fund import CHART
from feltworks.house.progressive.ledger import Ledger, LedgerPosting
from feltworks.house.progressive.records import progressive_names
from feltworks.house.progressive.terms import ProgressiveTerms, decode_fraction, smallest_seed
from feltworks.house.users import Person
from feltworks.money import Cents
from feltworks.web.house.office import (
    Amount,
    CurrentUser,
    Day,
    NotSigned,
    Office,
    Pieces,
    ReadableBooks,
    Signer,
    TheOffice,
    Word,
    Words,
    check_witness,
    today,
)


def jackpot_acts_of(role: str) -> list[str]:
    """The acts that a role may post; a receipt is posted with its removal, never by itself."""
    return [name for name, act in DUTIES.items() if role in act.duties[0].roles and name != "receive"]


class TallyJackpot(Struct, frozen=True, tag_field="act", tag="tally", forbid_unknown_fields=True):
    """The first person's own count of the box: how many pieces of each amount in cents."""

    count: Pieces


class CountJackpot(Struct, frozen=True, tag_field="act", tag="day end", forbid_unknown_fields=True):
    """The second person's own count of the box at the end of a day; empty if no wager was made."""

    count: Pieces = {}


Part = Annotated[str, Meta(max_length=20, pattern=r"^\d{1,6}(/[1-9]\d{0,5}|\.\d{1,6})?$")]
JackpotAct = (
    acts.Seeding
    | acts.Contribution
    | acts.ProgressiveRound
    | TallyJackpot
    | CountJackpot
    | acts.Deposit
    | acts.Withdrawal
    | acts.DepositTest
    | acts.Seizure
    | acts.Maximum
    | acts.Adjustment
    | acts.RemovalNotice
    | acts.Removal
)


class AccountBalance(Struct, frozen=True):
    """An account with its title and balance."""

    name: str
    title: str
    kind: str
    cents: Cents


class JackpotStatus(Struct, frozen=True):
    """A progressive: its state, its balances and its settings."""

    name: str
    game: str
    wager: str
    state: str
    day: datetime.date | None
    closed: datetime.date
    tested: datetime.date
    test_due: datetime.date
    maximum: Cents | None
    backups: int
    backups_started: int
    jackpot: Cents
    owed: Cents
    missing: Cents
    postings: int
    accounts: list[AccountBalance]
    approval: str
    seed: Cents
    increment: Cents
    by_hand: bool


class _JackpotRequest(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The facts of every posting to a progressive: the second person, the day and the reason."""

    name: Word
    witness: Signer | None = None
    because: Words = ""
    day: Day | None = None
    key: Word = ""


class OpenJackpot(_JackpotRequest, frozen=True, kw_only=True):
    """A progressive to be opened; parts are written 1/3 or 0.1."""

    approval: Words
    house: HouseKind = "card room"
    seed: Amount = field(default_factory=smallest_seed)
    increment: Amount = 0
    recovery: Part = "1"
    fee: Part = "0"
    fee_approval: Words = ""
    backups: Annotated[int, Meta(ge=0, le=2)] = 2
    to_backup: Part = "1"
    carries_shortfall: bool = False
    recovers_tray: bool = True
    notice_days: Annotated[int, Meta(ge=0, le=3650)] | None = None


class PostToJackpot(_JackpotRequest, frozen=True, kw_only=True):
    """An act to be posted; if it needs two persons, the second one signs with a password."""

    act: JackpotAct


class JournalLine(Struct, frozen=True):
    """One line in double entry."""

    debit: str
    credit: str
    cents: Cents
    reason: str | None


class PostingResult(Struct, frozen=True):
    """The lines of a posting, and the progressive after it."""

    number: int
    repeated: bool
    entries: list[JournalLine]
    jackpot: JackpotStatus


@get("/jackpots", sync_to_thread=True)
def jackpots(readable: ReadableBooks) -> list[JackpotStatus]:
    """Every progressive of these books."""
    with readable.snapshot() as connection:
        known = progressive_names(connection)
    return [jackpot_status(Ledger(readable, name)) for name in known]


@post("/jackpots", status_code=200, sync_to_thread=True)
def open_jackpot(office: TheOffice, person: CurrentUser, data: JSONBody[OpenJackpot]) -> JackpotStatus:
    """Open a progressive with its seed and settings."""
    second = _second(office, "open", person, data.witness)
    terms = msgspec.convert(data, ProgressiveTerms, from_attributes=True, dec_hook=decode_fraction)
    voucher = _voucher(person, second, data)
    return jackpot_status(Ledger.open(office.database, data.name, terms, voucher))


@post("/jackpots/post", status_code=200, sync_to_thread=True)
def post_to_jackpot(office: TheOffice, person: CurrentUser, data: JSONBody[PostToJackpot]) -> PostingResult:
    """Post an act to a progressive; when this answers, it is on disk."""
    kind = str(type(data.act).__struct_config__.tag)
    second = _second(office, kind, person, data.witness)
    ledger = Ledger(office.database, data.name)
    posting = _post(ledger, data.act, _voucher(person, second, data, data.act))
    return document_of(PostingResult, posting, jackpot=jackpot_status(ledger))


def _post(ledger: Ledger, act: JackpotAct, voucher: Voucher) -> LedgerPosting:
    if isinstance(act, TallyJackpot):
        return ledger.tally(act.count, voucher)
    return ledger.post(acts.DayEnd(first=act.count) if isinstance(act, CountJackpot) else act, voucher)


def _second(office: Office, act: str, by: Person, witness: Signer | None) -> str | None:
    """Check the poster's role, then the second person's password and role; None if there is no second person."""
    action = DUTIES[act]
    _check_role(action, action.duties[0], by)
    if witness is None and act in BY_TWO:
        raise NotSigned("this needs two persons: the second one signs with a password")
    second = check_witness(office, by, witness) if witness else None
    if second is not None:
        _check_role(action, action.duties[1], office.users.person(second))
    return second


def _check_role(action: Action, duty: Duty, person: Person) -> None:
    if person.role not in duty.roles:
        raise NotPermitted(person.name, person.role, f"{action.does} as {duty.position}", duty.roles, action.rule)


def _voucher(by: Person, second: str | None, data: _JackpotRequest, act: JackpotAct | None = None) -> Voucher:
    day = data.day or today()
    return Voucher(
        key=data.key or acts.key_of(act, day),
        day=day,
        by=by.name,
        witness=second,
        explanation=data.because,
    )


def jackpot_status(ledger: Ledger) -> JackpotStatus:
    """The document of a progressive."""
    balances, terms = ledger.balances(), ledger.terms
    standing = balances.standing
    return document_of(
        JackpotStatus,
        standing,
        balances,
        terms,
        test_due=standing.tested + datetime.timedelta(days=terms.deposit_days),
        backups_started=standing.started,
        jackpot=balances.accounts["jackpot"],
        accounts=[
            document_of(AccountBalance, account, cents=balances.accounts[account.name]) for account in CHART.values()
        ],
    )


HANDLERS = [jackpots, open_jackpot, post_to_jackpot]
