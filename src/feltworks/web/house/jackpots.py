"""Progressives over HTTP: where their money lies, and what is posted to them by whom."""

import datetime
from fractions import Fraction
from typing import Annotated
from uuid import uuid4

from litestar import get, post
from litestar.datastructures import State
from litestar.params import JSONBody
from msgspec import Meta, Struct, field

from feltworks.errors import BadOption
from feltworks.house.duties import check_permitted
from feltworks.house.journal.posting import Entry, Voucher
from feltworks.house.law import HouseKind
from feltworks.house.progressive import acts
from feltworks.house.progressive.accounts import CHART
from feltworks.house.progressive.ledger import Ledger, LedgerPosting
from feltworks.house.progressive.records import progressive_names
from feltworks.house.progressive.terms import ProgressiveTerms, smallest_seed
from feltworks.house.users import Person
from feltworks.money import Cents
from feltworks.web.house.asking import Amount, Asker, Day, Word, Words, office_of, today
from feltworks.web.house.jackpot_duties import check_jackpot_act, takes_two
from feltworks.web.house.office import Office
from feltworks.web.house.signing import NotSigned, Signing, witnessed

Part = Annotated[str, Meta(max_length=20, pattern=r"^\d{1,6}(/[1-9]\d{0,5}|\.\d{1,6})?$")]
Posted = (
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


class AccountTold(Struct, frozen=True):
    """An account as people speak of it."""

    name: str
    title: str
    kind: str
    cents: Cents


class JackpotTold(Struct, frozen=True):
    """A progressive: how it stands, where its money lies, and the settings it was opened with."""

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
    accounts: list[AccountTold]
    approval: str
    seed: Cents
    increment: Cents
    by_hand: bool


class OpenJackpot(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A progressive to be opened with its seed; parts are written 1/3 or 0.1."""

    name: Word
    approval: Words
    house: HouseKind = "card room"
    witness: Signing | None = None
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
    """An act to be posted; those that take two name the second person, with a password."""

    name: Word
    act: Posted
    witness: Signing | None = None
    because: Words = ""
    day: Day | None = None
    key: Word = ""


class LineTold(Struct, frozen=True):
    """One line in double entry."""

    debit: str
    credit: str
    cents: Cents
    reason: str | None


class BookedTold(Struct, frozen=True):
    """What a posting moved, and how the progressive stands after it."""

    number: int
    repeated: bool
    entries: list[LineTold]
    jackpot: JackpotTold


@get("/jackpots", sync_to_thread=True)
def jackpots(state: State, person: Asker) -> list[JackpotTold]:
    """Every progressive of these books."""
    check_permitted(person.name, person.role, "reading")
    database = office_of(state).database
    with database.snapshot() as connection:
        known = progressive_names(connection)
    return [told(Ledger(database, name)) for name in known]


@post("/jackpots", status_code=200, sync_to_thread=True)
def open_jackpot(state: State, person: Asker, data: JSONBody[OpenJackpot]) -> JackpotTold:
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
    signed = _signed(person, second, data.because, data.day, data.key)
    return told(Ledger.open(office.database, data.name, terms, signed))


@post("/jackpots/post", status_code=200, sync_to_thread=True)
def post_to_jackpot(state: State, person: Asker, data: JSONBody[PostToJackpot]) -> BookedTold:
    """Post something to a progressive; when this answers it is on disk."""
    office = office_of(state)
    kind = str(type(data.act).__struct_config__.tag)
    second = _second(office, kind, person, data.witness)
    ledger = Ledger(office.database, data.name)
    booked: LedgerPosting = ledger.post(data.act, _signed(person, second, data.because, data.day, data.key))
    return BookedTold(booked.number, booked.repeated, lines(booked.entries), told(ledger))


def _second(office: Office, act: str, by: Person, witness: Signing | None) -> str | None:
    """The second person, proven, where the act takes one; first of all whether it is for this role."""
    check_jackpot_act(office.users, act, by, None)
    if witness is None and takes_two(act):
        raise NotSigned("this is posted before two persons; the second one signs with a password")
    second = witnessed(office, by, witness)
    check_jackpot_act(office.users, act, by, second)
    return second


def _signed(by: Person, second: str | None, because: str, day: Day | None, key: str) -> Voucher:
    return Voucher(
        key=key or uuid4().hex, day=day or today(), by=by.name, witness=second, explanation=because
    )


def _part(option: str, text: str) -> Fraction:
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise BadOption(option, text, "a part such as 1/3 or 0.1") from None


def told(ledger: Ledger) -> JackpotTold:
    """A progressive as the page reads it."""
    found, terms = ledger.balances(), ledger.terms
    standing = found.standing
    return JackpotTold(
        name=found.name,
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
        jackpot=found.accounts["jackpot"],
        owed=found.owed,
        missing=found.missing,
        postings=found.postings,
        accounts=[AccountTold(a.name, a.title, a.kind, found.accounts[a.name]) for a in CHART.values()],
        approval=terms.approval,
        seed=terms.seed,
        increment=terms.increment,
        by_hand=terms.by_hand,
    )


def lines(entries: tuple[Entry, ...]) -> list[LineTold]:
    """Entries with their fields named."""
    return [LineTold(each.debit, each.credit, each.cents, each.reason) for each in entries]


HANDLERS = [jackpots, open_jackpot, post_to_jackpot]
