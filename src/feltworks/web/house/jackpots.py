"""Progressives over HTTP: their balances, and the acts that are posted to them."""

import datetime
from fractions import Fraction
from typing import Annotated
from uuid import uuid4

from litestar import get, post
from litestar.datastructures import State
from litestar.params import JSONBody
from msgspec import Meta, Struct, field

from feltworks.errors import BadOption, NotPermitted, UnknownName
from feltworks.house.duties import Action, Duty, check_permitted
from feltworks.house.journal.posting import Entry, Voucher
from feltworks.house.law import HouseKind
from feltworks.house.progressive import acts
from feltworks.house.progressive.accounts import CHART
from feltworks.house.progressive.ledger import Ledger, LedgerPosting
from feltworks.house.progressive.permissions import BY_TWO, DUTIES
from feltworks.house.progressive.records import progressive_names
from feltworks.house.progressive.terms import ProgressiveTerms, smallest_seed
from feltworks.house.users import Person, Users
from feltworks.money import Cents
from feltworks.web.house.office import (
    Amount,
    CurrentUser,
    Day,
    NotSigned,
    Office,
    Signer,
    Word,
    Words,
    check_witness,
    office_of,
    today,
)


def jackpot_acts_of(role: str) -> list[str]:
    """The acts that a role may post; a receipt is posted together with the removal it comes from."""
    return [name for name, act in DUTIES.items() if role in act.duties[0].roles and name != "receive"]


def check_jackpot_act(users: Users, act: str, by: Person, second: str | None) -> None:
    """Refuse an act whose poster or second person has the wrong role."""
    if act not in DUTIES:
        raise UnknownName("act", act, DUTIES)
    first, other = DUTIES[act].duties
    _check(DUTIES[act], first, by)
    if second is not None:
        _check(DUTIES[act], other, users.person(second))


def takes_two(act: str) -> bool:
    """Whether an act needs a second person."""
    return act in BY_TWO


def _check(action: Action, duty: Duty, person: Person) -> None:
    if person.role not in duty.roles:
        raise NotPermitted(person.name, person.role, f"{action.does} as {duty.position}", duty.roles)


Part = Annotated[str, Meta(max_length=20, pattern=r"^\d{1,6}(/[1-9]\d{0,5}|\.\d{1,6})?$")]
JackpotAct = (
    acts.Seeding
    | acts.Contribution
    | acts.ProgressiveRound
    | acts.DayEnd
    | acts.Deposit
    | acts.Withdrawal
    | acts.DepositTest
    | acts.Seizure
    | acts.Maximum
    | acts.Adjustment
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


class OpenJackpot(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A progressive to be opened; parts are written 1/3 or 0.1."""

    name: Word
    approval: Words
    house: HouseKind = "card room"
    witness: Signer | None = None
    seed: Amount = field(default_factory=smallest_seed)
    increment: Amount = 0
    recovery: Part = "1"
    backups: Annotated[int, Meta(ge=0, le=2)] = 2
    to_backup: Part = "1"
    carries_shortfall: bool = False
    recovers_tray: bool = True
    notice_days: Annotated[int, Meta(ge=0, le=3650)] | None = None
    because: Words = ""
    day: Day | None = None
    key: Word = ""


class PostToJackpot(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """An act to be posted; where two persons are needed, the second one signs with a password."""

    name: Word
    act: JackpotAct
    witness: Signer | None = None
    because: Words = ""
    day: Day | None = None
    key: Word = ""


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
def jackpots(state: State, person: CurrentUser) -> list[JackpotStatus]:
    """Every progressive of these books."""
    check_permitted(person.name, person.role, "reading")
    database = office_of(state).database
    with database.snapshot() as connection:
        known = progressive_names(connection)
    return [jackpot_status(Ledger(database, name)) for name in known]


@post("/jackpots", status_code=200, sync_to_thread=True)
def open_jackpot(state: State, person: CurrentUser, data: JSONBody[OpenJackpot]) -> JackpotStatus:
    """Open a progressive with its seed and settings."""
    office = office_of(state)
    second = _second(office, "open", person, data.witness)
    terms = ProgressiveTerms(
        approval=data.approval,
        house=data.house,
        seed=data.seed,
        increment=data.increment,
        recovery=_part("recovery", data.recovery),
        recovers_tray=data.recovers_tray,
        carries_shortfall=data.carries_shortfall,
        backups=data.backups,
        to_backup=_part("to_backup", data.to_backup),
        notice_days=data.notice_days,
    )
    signed = _signature(person, second, data.because, data.day, data.key)
    return jackpot_status(Ledger.open(office.database, data.name, terms, signed))


@post("/jackpots/post", status_code=200, sync_to_thread=True)
def post_to_jackpot(state: State, person: CurrentUser, data: JSONBody[PostToJackpot]) -> PostingResult:
    """Post an act to a progressive; when this answers, it is on disk."""
    office = office_of(state)
    kind = str(type(data.act).__struct_config__.tag)
    second = _second(office, kind, person, data.witness)
    ledger = Ledger(office.database, data.name)
    booked: LedgerPosting = ledger.post(
        data.act, _signature(person, second, data.because, data.day, data.key)
    )
    return PostingResult(
        booked.number, booked.repeated, journal_lines(booked.entries), jackpot_status(ledger)
    )


def _second(office: Office, act: str, by: Person, witness: Signer | None) -> str | None:
    """The second person, proven, where the act needs one; the poster's role is checked first."""
    check_jackpot_act(office.users, act, by, None)
    if witness is None and takes_two(act):
        raise NotSigned("this is posted before two persons; the second one signs with a password")
    second = check_witness(office, by, witness)
    check_jackpot_act(office.users, act, by, second)
    return second


def _signature(by: Person, second: str | None, because: str, day: Day | None, key: str) -> Voucher:
    return Voucher(
        key=key or uuid4().hex, day=day or today(), by=by.name, witness=second, explanation=because
    )


def _part(option: str, text: str) -> Fraction:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise BadOption(option, text, "a part such as 1/3 or 0.1") from None


def jackpot_status(ledger: Ledger) -> JackpotStatus:
    """A progressive as a document."""
    balances, terms = ledger.balances(), ledger.terms
    standing = balances.standing
    return JackpotStatus(
        name=balances.name,
        game=terms.game,
        wager=terms.wager,
        state=standing.state,
        day=standing.day,
        closed=standing.closed,
        tested=standing.tested,
        test_due=standing.tested + datetime.timedelta(days=terms.deposit_days),
        maximum=standing.maximum,
        backups=terms.backups,
        backups_started=standing.started,
        jackpot=balances.accounts["jackpot"],
        owed=balances.owed,
        missing=balances.missing,
        postings=balances.postings,
        accounts=[AccountBalance(a.name, a.title, a.kind, balances.accounts[a.name]) for a in CHART.values()],
        approval=terms.approval,
        seed=terms.seed,
        increment=terms.increment,
        by_hand=terms.by_hand,
    )


def journal_lines(entries: tuple[Entry, ...]) -> list[JournalLine]:
    """Journal entries as documents."""
    return [JournalLine(entry.debit, entry.credit, entry.cents, entry.reason) for entry in entries]


HANDLERS = [jackpots, open_jackpot, post_to_jackpot]
