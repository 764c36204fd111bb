"""Approvals: the conditions of every game's letter as a checklist, and what two persons put on record."""

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
from feltworks.web.house.asking import AskedDay, Asker, Day, Word, Words, office_of, today
from feltworks.web.house.signing import NotSigned, Signing, witnessed

Game = Annotated[str | None, QueryParameter(max_length=60)]


class StepTold(Struct, frozen=True):
    """One thing somebody has to do before the first deal or before the owner is paid."""

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


class ConditionTold(Struct, frozen=True):
    """A condition that the check of every table's order proves."""

    text: str
    clause: str


class StandingTold(Struct, frozen=True):
    """How a game stands in this house on a day."""

    game: str
    title: str
    house: HouseKind
    day: datetime.date
    letter: datetime.date | None
    may_be_offered: bool
    may_pay_owner: bool
    as_approved: bool
    wanting: list[str]
    steps: list[StepTold]
    proven: list[ConditionTold]
    fingerprint: str
    approved_fingerprint: str | None
    changed: list[str]


class Record(Struct, frozen=True, forbid_unknown_fields=True):
    """Something to be put on record of an approval, before a second person."""

    game: Word
    act: Literal["met", "withdrawn", "definition"]
    second: Signing | None = None
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
    person: Asker,
    game: Game = None,
    house: FromQuery[HouseKind] = "card room",
    day: AskedDay = None,
) -> list[StandingTold]:
    """How every game stands, or one of them."""
    check_permitted(person.name, person.role, "reading")
    if game is not None:
        catalog.check_game(game)
    book = ApprovalBook(office_of(state).database)
    names = [game] if game else list(catalog.games())
    return [_told(book.status(name, house, day or today())) for name in names]


@post("/approvals", status_code=200, sync_to_thread=True)
def record(state: State, person: Asker, data: JSONBody[Record]) -> StandingTold:
    """Put a step, its withdrawal or the approved definition on record, before two persons."""
    check_permitted(person.name, person.role, "approval")
    catalog.check_game(data.game)
    office = office_of(state)
    act = _act(data)
    second = witnessed(office, person, data.second)
    if second is None:
        raise NotSigned("an approval is recorded before two persons; the second one signs with a password")
    book = ApprovalBook(office.database)
    book.record(act, by=person.name, second=second, day=today(), explanation=data.because)
    return _told(book.status(data.game, data.house, today()))


def _act(data: Record) -> ApprovalAct:
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


def _told(found: ApprovalStatus) -> StandingTold:
    return StandingTold(
        game=found.game,
        title=catalog.rulebook(found.game).title,
        house=found.house,
        day=found.day,
        letter=found.approval.date if found.approval else None,
        may_be_offered=found.may_be_offered,
        may_pay_owner=found.may_pay_owner,
        as_approved=found.as_approved,
        wanting=found.wanting,
        steps=[_step(each) for each in found.steps],
        proven=[ConditionTold(each.text, each.clause) for each in found.proven],
        fingerprint=found.fingerprint,
        approved_fingerprint=found.approved_fingerprint,
        changed=list(found.changed),
    )


def _step(each: Step) -> StepTold:
    done = each.met
    return StepTold(
        step=each.step,
        of=each.of,
        asks=each.asks,
        clause=each.clause,
        bars=each.bars,
        open=each.is_open,
        met_by=done.met_by if done else None,
        on=done.on if done else None,
        until=done.until if done else None,
        reference=done.reference if done else None,
        signed=list(each.signed),
        trouble=each.trouble,
    )
