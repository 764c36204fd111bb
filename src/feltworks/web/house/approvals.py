"""Approvals over HTTP: the checklist of every game's letter, and the check of a table before it opens."""

import datetime
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from litestar import get, post
from litestar.params import FromQuery, JSONBody, QueryParameter
from msgspec import Meta, Struct

from feltworks import catalog
from feltworks.documents import document_of
from feltworks.house.approvals import (
    ApprovalAct,
    ApprovalBook,
    ApprovalStatus,
    HouseApproval,
    Matter,
    approve_for_house,
    complete_step,
    record_definition,
    withdraw_step,
)
from feltworks.house.configuration import TableCheck, TableOrder, WagerCheck, check_table
from feltworks.house.duties import check_permitted
from feltworks.house.law import HouseKind
from feltworks.money import Cents
from feltworks.web.house.office import (
    Amount,
    CurrentUser,
    Day,
    NotSigned,
    QueryDay,
    ReadableBooks,
    Signer,
    TheOffice,
    Word,
    Words,
    check_witness,
    today,
)

QueryGame = Annotated[str | None, QueryParameter(max_length=60)]


class ApprovalStep(Struct, frozen=True):
    """A step that has to be done before the first deal, or before the owner is paid."""

    step: str
    of: str
    asks: str
    clause: str
    bars: str
    open: bool
    met_by: str | None
    on: datetime.date | None
    until: datetime.date | None
    reference: str | None
    signed: list[str]
    trouble: str


class ProvenCondition(Struct, frozen=True):
    """A condition that the configuration check proves for every table."""

    text: str
    clause: str


class GameStanding(Struct, frozen=True):
    """Whether a game may be offered in this house on a day, and what is missing."""

    game: str
    title: str
    house: HouseKind
    day: datetime.date
    letter: datetime.date | None
    may_be_offered: bool
    may_pay_owner: bool
    as_approved: bool
    wanting: list[str]
    steps: list[ApprovalStep]
    proven: list[ProvenCondition]
    fingerprint: str
    approved_fingerprint: str | None
    changed: list[str]


class ApprovalRecord(Struct, frozen=True, forbid_unknown_fields=True):
    """A record about an approval, signed by a second person."""

    game: Word
    act: Literal["met", "withdrawn", "definition"]
    second: Signer | None = None
    house: HouseKind = "card room"
    step: Word = ""
    met_by: Words = ""
    on: Day | None = None
    until: Day | None = None
    reference: Words = ""
    because: Words = ""


class HouseApprovalRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """An approval for the house and not for a game, from a day on; today unless given. An imprest has its amount."""

    matter: Matter
    reference: Words
    second: Signer
    since: Day | None = None
    until: Day | None = None
    cents: Amount = 0


@get("/approvals", sync_to_thread=True)
def approvals(
    readable: ReadableBooks,
    game: QueryGame = None,
    house: FromQuery[HouseKind] = "card room",
    day: QueryDay = None,
) -> list[GameStanding]:
    """The standing of every game, or of one."""
    if game is not None:
        catalog.check_game(game)
    book = ApprovalBook(readable)
    names = [game] if game else list(catalog.games())
    return [_game_standing(book.status(name, house, day or today())) for name in names]


@post("/approvals", status_code=200, sync_to_thread=True)
def record(office: TheOffice, person: CurrentUser, data: JSONBody[ApprovalRecord]) -> GameStanding:
    """Record a step, its withdrawal or the approved definition; two persons sign."""
    check_permitted(person.name, person.role, "approval")
    catalog.check_game(data.game)
    act = _act(data)
    if data.second is None:
        raise NotSigned("an approval needs two persons; the second one signs with a password")
    second = check_witness(office, person, data.second)
    book = ApprovalBook(office.database)
    book.record(act, by=person.name, second=second, day=today(), explanation=data.because)
    return _game_standing(book.status(data.game, data.house, today()))


@post("/approvals/house", status_code=200, sync_to_thread=True)
def approve(office: TheOffice, person: CurrentUser, data: JSONBody[HouseApprovalRequest]) -> HouseApproval:
    """Record an approval for the house: of a count team of two, a method of sharing tokes, an imprest."""
    check_permitted(person.name, person.role, "approval")
    act = approve_for_house(data.matter, data.reference, data.since or today(), data.until, data.cents)
    second = check_witness(office, person, data.second)
    ApprovalBook(office.database).record(act, by=person.name, second=second, day=min(act.since, today()))
    return act


def _act(data: ApprovalRecord) -> ApprovalAct:
    if data.act == "definition":
        return record_definition(data.game, data.house, data.reference)
    if data.act == "withdrawn":
        return withdraw_step(data.game, data.house, data.step)
    return complete_step(
        data.game,
        data.house,
        data.step,
        met_by=data.met_by,
        on=data.on or today(),
        reference=data.reference,
        until=data.until,
        today=today(),
    )


def _game_standing(standing: ApprovalStatus) -> GameStanding:
    return document_of(
        GameStanding,
        standing,
        title=catalog.rulebook(standing.game).title,
        letter=standing.approval.date if standing.approval else None,
        steps=[document_of(ApprovalStep, step, step.met, open=step.is_open) for step in standing.steps],
    )


# The check of a table before it opens.


Positive = Annotated[int, Meta(ge=1, le=10**9)]


class LimitRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The posted limits of one wager; those left out are set by the rules and the law."""

    minimum: Positive | None = None
    maximum: Positive | None = None
    alone: Positive | None = None


class OrderRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """A table to be opened."""

    game: Word
    date: Day | None = None
    options: Annotated[dict[Word, Any], Meta(max_length=60)] = {}
    pay_tables: Annotated[dict[Word, Word], Meta(max_length=20)] = {}
    limits: Annotated[dict[Word, LimitRequest], Meta(max_length=20)] = {}
    seats: Annotated[int, Meta(ge=1, le=99)] | None = None
    aggregate: Annotated[dict[Word, Positive], Meta(max_length=20)] = {}
    house: HouseKind = "card room"


class RefusedRule(Struct, frozen=True):
    """Why the table may not open: the rule, and the wager it is about."""

    rule: str
    says: str
    wager: str | None


class WagerRange(Struct, frozen=True):
    """One wager of the table: its limits, the wagers that follow from it, and its top odds."""

    wager: str
    title: str
    clause: str
    least: Cents
    most: Cents
    most_lawful: Cents
    follows: Mapping[str, Cents]
    top_odds: str
    least_aggregate: Cents | None


class LargePrize(Struct, frozen=True):
    """A prize at the highest wager."""

    wager: str
    outcome: str
    odds: str
    wagered: Cents
    cents: Cents


class UnverifiedValue(Struct, frozen=True):
    """A value of the law that was not read in the rule itself, with its source."""

    subject: str
    value: str
    source: str


class CheckResult(Struct, frozen=True):
    """The result of the check; amounts in cents."""

    game: str
    date: datetime.date
    opens: bool
    refusals: list[RefusedRule]
    as_approved: bool
    deviations: list[str]
    seats: int
    wager_limit: Cents
    games_per_hand: int
    wagers: list[WagerRange]
    most_of_a_spot: Cents
    most_of_a_deal: Cents
    largest_prizes: list[LargePrize]
    reserve: Cents
    reserve_above: Cents | None
    options: Mapping[str, Any]
    pay_tables: Mapping[str, str]
    unverified: list[UnverifiedValue]


@post("/check", status_code=200, sync_to_thread=True)
def check(person: CurrentUser, data: JSONBody[OrderRequest]) -> CheckResult:
    """Check a table before it opens: lawful wagers, games, payout limits, exposure and reserve."""
    check_permitted(person.name, person.role, "reading")
    return check_result(check_table(table_order(data)))


def table_order(order: OrderRequest) -> TableOrder:
    """The table order of a request, in the form that the house checks."""
    catalog.check_game(order.game)
    return document_of(TableOrder, order, date=order.date or today())


def check_result(check: TableCheck) -> CheckResult:
    """The document of a check."""
    profile = check.profile
    return document_of(
        CheckResult,
        check,
        check.order,
        refusals=[
            document_of(RefusedRule, refusal, wager=_wager_of(refusal.says, check)) for refusal in check.refusals
        ],
        wager_limit=profile.wager_limit,
        games_per_hand=profile.number("games-per-hand"),
        wagers=[_wager_range(check, wager) for wager in check.wagers],
        largest_prizes=[document_of(LargePrize, prize, odds=str(prize.odds)) for prize in check.prizes[:5]],
        reserve_above=profile["reserve-above"].cents if "reserve-above" in profile.values else None,
        unverified=[
            UnverifiedValue(subject, str(dated.value), dated.sure)
            for subject, dated in sorted(profile.unverified.items())
        ],
    )


def _wager_of(says: str, check: TableCheck) -> str | None:
    """The wager of a refusal, found by its title at the beginning of the sentence."""
    titles = sorted(check.wagers, key=lambda wager: -len(wager.title))
    return next((wager.wager for wager in titles if says.startswith(f"{wager.title} ")), None)


def _wager_range(check: TableCheck, wager: WagerCheck) -> WagerRange:
    clause = catalog.rulebook(check.order.game).wager[wager.wager].clause
    return document_of(WagerRange, wager, clause=clause, top_odds=f"{wager.top_odds} to 1")


HANDLERS = [approvals, record, approve, check]
