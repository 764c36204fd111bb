"""Approvals: the conditions of every game's letter as a checklist, and the records two persons sign."""

import datetime
from typing import Annotated, Literal

from litestar import get, post
from litestar.datastructures import State
from litestar.params import FromQuery, JSONBody, QueryParameter
from msgspec import Struct

from feltworks import catalog
from feltworks.house.approvals import (
    ApprovalAct,
    ApprovalBook,
    ApprovalStatus,
    Step,
    complete_step,
    record_definition,
    withdraw_step,
)
from feltworks.house.duties import check_permitted
from feltworks.house.law import HouseKind
from feltworks.web.house.office import (
    CurrentUser,
    Day,
    NotSigned,
    QueryDay,
    Signer,
    Word,
    Words,
    check_witness,
    office_of,
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


@get("/approvals", sync_to_thread=True)
def approvals(
    state: State,
    person: CurrentUser,
    game: QueryGame = None,
    house: FromQuery[HouseKind] = "card room",
    day: QueryDay = None,
) -> list[GameStanding]:
    """The standing of every game, or of one."""
    check_permitted(person.name, person.role, "reading")
    if game is not None:
        catalog.check_game(game)
    book = ApprovalBook(office_of(state).database)
    names = [game] if game else list(catalog.games())
    return [_game_standing(book.status(name, house, day or today())) for name in names]


@post("/approvals", status_code=200, sync_to_thread=True)
def record(state: State, person: CurrentUser, data: JSONBody[ApprovalRecord]) -> GameStanding:
    """Record a step, its withdrawal or the approved definition; two persons sign."""
    check_permitted(person.name, person.role, "approval")
    catalog.check_game(data.game)
    office = office_of(state)
    act = _act(data)
    second = check_witness(office, person, data.second)
    if second is None:
        raise NotSigned("an approval needs two persons; the second one signs with a password")
    book = ApprovalBook(office.database)
    book.record(act, by=person.name, second=second, day=today(), explanation=data.because)
    return _game_standing(book.status(data.game, data.house, today()))


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
    return GameStanding(
        game=standing.game,
        title=catalog.rulebook(standing.game).title,
        house=standing.house,
        day=standing.day,
        letter=standing.approval.date if standing.approval else None,
        may_be_offered=standing.may_be_offered,
        may_pay_owner=standing.may_pay_owner,
        as_approved=standing.as_approved,
        wanting=standing.wanting,
        steps=[_approval_step(step) for step in standing.steps],
        proven=[ProvenCondition(condition.text, condition.clause) for condition in standing.proven],
        fingerprint=standing.fingerprint,
        approved_fingerprint=standing.approved_fingerprint,
        changed=list(standing.changed),
    )


def _approval_step(step: Step) -> ApprovalStep:
    done = step.met
    return ApprovalStep(
        step=step.step,
        of=step.of,
        asks=step.asks,
        clause=step.clause,
        bars=step.bars,
        open=step.is_open,
        met_by=done.met_by if done else None,
        on=done.on if done else None,
        until=done.until if done else None,
        reference=done.reference if done else None,
        signed=list(step.signed),
        trouble=step.trouble,
    )


HANDLERS = [approvals, record]
