"""Decides whether a game may be offered here: keeps the conditions of its letter as a checklist in a journal."""

import datetime
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Final, Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection

from feltworks import catalog
from feltworks.errors import BadAmount, BadDay, PostingRefused, UnknownName
from feltworks.fingerprint import changed_parts, definition, digest
from feltworks.house.closing import check_day_is_open
from feltworks.house.duties import check_signatures, known_name
from feltworks.house.journal.book import find_book, open_page, postings
from feltworks.house.law import HouseKind, check_not_future
from feltworks.house.storage.database import Database
from feltworks.house.users import roles
from feltworks.money import MOST_CENTS, Cents, dollars
from feltworks.rules.rulebook.model import Approval, Condition

Bars = Literal["dealing", "paying the owner"]

# WA.3: the parties a letter binds, by the kind of house; "everyone" has to deal the approved definition
_PARTIES: Final[Mapping[HouseKind, tuple[str, ...]]] = {
    "card room": ("operator", "maker", "owner"),
    "tribal operation": ("tribal operation", "tribal maker", "owner"),
}
_PROVEN: Final = ("WA.1", "WA.4")  # conditions that the check of each table order proves
DEFINITION: Final = "definition"


class StepCompletion(Struct, frozen=True, tag_field="act", tag="met"):
    """A step was completed: by whom, on which day, under which reference, and until when it holds."""

    game: str
    house: HouseKind
    step: str
    asked: str  # the digest of the condition at that time
    met_by: str
    on: datetime.date
    reference: str
    until: datetime.date | None = None


class StepWithdrawal(Struct, frozen=True, tag_field="act", tag="withdrawn"):
    """A completed step no longer holds."""

    game: str
    house: HouseKind
    step: str


class DefinitionRecord(Struct, frozen=True, tag_field="act", tag="recorded"):
    """The definition that the letter approves, part by part."""

    game: str
    house: HouseKind
    parts: Mapping[str, str]
    reference: str

    @property
    def fingerprint(self) -> str:
        return digest(dict(self.parts))


Matter = Literal["count team", "toke method", "imprest"]


class _HouseApproval(Struct, frozen=True, tag_field="act"):
    """An approval for the house and not for a game: its reference, and the days on which it is valid."""

    reference: str
    since: datetime.date
    until: datetime.date | None = None
    game: str = ""
    house: HouseKind = "card room"


class TeamApproval(_HouseApproval, frozen=True, tag="team of two"):
    """WAC 230-15-610: a count team of two is approved."""


class TokeApproval(_HouseApproval, frozen=True, tag="toke method"):
    """WAC 230-15-475: the method by which tokes are shared, written down and approved; its name is the reference."""


class ImprestApproval(_HouseApproval, frozen=True, tag="imprest"):
    """The amount at which cage or vault is kept is approved."""

    cents: Cents = 0  # 0 in approvals recorded before they had an amount


HouseApproval = TeamApproval | TokeApproval | ImprestApproval
ApprovalAct = StepCompletion | StepWithdrawal | DefinitionRecord | HouseApproval


class _MatterKind(Struct, frozen=True):
    """What is approved for the house, how its journal stores that, and the rule that asks for it."""

    does: str
    act: type[HouseApproval]
    rule: str


_MATTERS: Final[Mapping[Matter, _MatterKind]] = {
    "count team": _MatterKind("a count team of two", TeamApproval, "WAC 230-15-610"),
    "toke method": _MatterKind("a method of sharing tokes", TokeApproval, "WAC 230-15-475"),
    "imprest": _MatterKind("an imprest", ImprestApproval, "house rule: an imprest is approved before it is entered"),
}
decode_act = msgspec.json.Decoder(ApprovalAct).decode


class Step(Struct, frozen=True):
    """One step of the checklist, and whether it is done."""

    step: str
    of: str
    asks: str
    clause: str
    bars: Bars
    met: StepCompletion | None = None
    signed: tuple[str, ...] = ()
    trouble: str = ""  # why a completed step no longer counts

    @property
    def is_open(self) -> bool:
        return self.met is None or bool(self.trouble)


class ApprovalStatus(Struct, frozen=True):
    """Whether a game may be offered in this house on a day, step by step."""

    game: str
    house: HouseKind
    day: datetime.date
    approval: Approval | None
    steps: tuple[Step, ...]
    proven: tuple[Condition, ...]  # proven by the check of each table order
    fingerprint: str
    approved_fingerprint: str | None
    changed: tuple[str, ...]

    @property
    def still_to_do(self) -> tuple[Step, ...]:
        return tuple(step for step in self.steps if step.is_open and step.bars == "dealing")

    @property
    def may_be_offered(self) -> bool:
        """Whether every step before the first deal is done; a changed definition only counts as a deviation."""
        return self.approval is not None and not self.still_to_do and self.approved_fingerprint is not None

    @property
    def may_pay_owner(self) -> bool:
        """Fu Bacc's owner may receive no proceeds until licensed (WA.3)."""
        return not any(step.is_open and step.bars == "paying the owner" for step in self.steps)

    @property
    def deviations(self) -> tuple[str, ...]:
        """WA.3: a modification may affect the approval, so changes since then are listed."""
        return tuple(f"{part} has changed since the approval" for part in self.changed)

    @property
    def as_approved(self) -> bool:
        return self.approved_fingerprint is not None and not self.changed

    @property
    def wanting(self) -> list[str]:
        """What is missing before the game may be offered, in words."""
        if self.approval is None:
            return ["the game has no approval"]
        lacks = [f"{step.step} ({step.asks.rstrip('.')})" for step in self.still_to_do]
        if self.approved_fingerprint is None:
            lacks.append(f"{DEFINITION} (the fingerprint of the approved definition is on record)")
        return lacks


def required_steps(game: str, house: HouseKind) -> dict[str, Condition]:
    """WA.3: the conditions that the game's letter sets for this kind of house, by the names of their steps.

    >>> list(required_steps("fu-bacc", "card room"))
    ['operator-1', 'maker-1', 'owner-1']
    """
    steps: dict[str, Condition] = {}
    approval = catalog.rulebook(game).approval
    for condition in approval.conditions if approval else ():
        if condition.of in _PARTIES[house] and condition.clause not in _PROVEN:
            of = condition.of.replace(" ", "-")
            count = sum(step.rpartition("-")[0] == of for step in steps)
            steps[f"{of}-{count + 1}"] = condition
    return steps


def complete_step(
    game: str,
    house: HouseKind,
    step: str,
    *,
    met_by: str,
    on: datetime.date,
    reference: str,
    until: datetime.date | None = None,
    today: datetime.date,
) -> StepCompletion:
    """A completed step for the journal; refused without who met it, a reference and a valid day."""
    condition = _condition(game, house, step)
    if not met_by.strip() or not reference.strip():
        raise PostingRefused(f"say who met {step}, and the reference under which that is written (WA.3)")
    first = _letter(game).date
    if condition.of in ("operator", "tribal operation") and on < first:
        raise BadDay(on, f"the letter is of {first}, and {step} follows it (WA.3)")
    if on > today:
        raise BadDay(on, f"a step is recorded once it is done, so not after {today} (WA.3)")
    if until is not None and until < on:
        raise BadDay(until, f"what was met on {on} runs out on that day or later (WA.3)")
    return StepCompletion(game, house, step, digest(condition), met_by.strip(), on, reference.strip(), until)


def withdraw_step(game: str, house: HouseKind, step: str) -> StepWithdrawal:
    """The withdrawal of a step, for the journal."""
    _condition(game, house, step)
    return StepWithdrawal(game, house, step)


def record_definition(game: str, house: HouseKind, reference: str) -> DefinitionRecord:
    """The current definition as the approved one, for the journal."""
    _letter(game)
    if not reference.strip():
        raise PostingRefused("say under which reference this definition is approved (WAC 230-15-035)")
    return DefinitionRecord(game, house, definition_now(game), reference.strip())


@cache
def definition_now(game: str) -> Mapping[str, str]:
    """The definition that this process deals by, part by part; cached, as rules are loaded only once."""
    return definition(catalog.game(game))


def approval_status(
    game: str, house: HouseKind, day: datetime.date, acts: Mapping[int, tuple[ApprovalAct, tuple[str, ...]]]
) -> ApprovalStatus:
    """The status of a game after these acts, which come in order, each with the persons who signed it."""
    current = definition_now(game)
    ours = [(act, signers) for act, signers in acts.values() if (act.game, act.house) == (game, house)]
    approved = next((act for act, _ in reversed(ours) if isinstance(act, DefinitionRecord)), None)
    book = catalog.rulebook(game)
    conditions = book.approval.conditions if book.approval else []
    concerned = ("everyone", *_PARTIES[house])
    return ApprovalStatus(
        game=game,
        house=house,
        day=day,
        approval=book.approval,
        steps=tuple(_steps(game, house, day, ours)),
        proven=tuple(
            condition for condition in conditions if condition.of in concerned and condition.clause in _PROVEN
        ),
        fingerprint=digest(current),
        approved_fingerprint=approved.fingerprint if approved else None,
        changed=tuple(changed_parts(approved.parts, current)) if approved else (),
    )


def _steps(
    game: str, house: HouseKind, day: datetime.date, acts: list[tuple[ApprovalAct, tuple[str, ...]]]
) -> Iterator[Step]:
    for name, condition in required_steps(game, house).items():
        bars: Bars = "paying the owner" if condition.of == "owner" else "dealing"
        blank = Step(name, condition.of, condition.text, condition.clause, bars)
        of_step = [
            pair for pair in acts if isinstance(pair[0], StepCompletion | StepWithdrawal) and pair[0].step == name
        ]
        act, signers = of_step[-1] if of_step else (None, ())
        if isinstance(act, StepCompletion):
            yield replace(blank, met=act, signed=signers, trouble=_trouble(act, condition, day))
        else:
            yield blank


def _trouble(act: StepCompletion, condition: Condition, day: datetime.date) -> str:
    if act.asked != digest(condition):
        return "the condition has changed since"
    if act.until is not None and act.until < day:
        return f"it ran out on {act.until}"
    return f"it holds from {act.on} on" if act.on > day else ""


def _condition(game: str, house: HouseKind, step: str) -> Condition:
    steps = required_steps(game, house)
    if step not in steps:
        raise UnknownName("step", step, steps, of=f"{game} in a {house}")
    return steps[step]


def _letter(game: str) -> Approval:
    letter = catalog.rulebook(game).approval
    if letter is None:
        raise PostingRefused(f"{game} has no letter of approval, so there is nothing to record (WA.3)")
    return letter


BOOK: Final = "house approvals"


class ApprovalBook:
    """The journal of approvals in this house: steps completed or withdrawn, definitions recorded."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def record(self, act: ApprovalAct, *, by: str, second: str, day: datetime.date, explanation: str = "") -> int:
        """Post an act signed by two different persons; returns the number of its posting."""
        check_not_future(day)
        with self.database.transaction() as connection:
            check_day_is_open(connection, day)
            signatures = {"recorder": by, "second person": second}
            check_signatures("approval", signatures, roles(connection))
            page = open_page(connection, BOOK, "approvals")
            return page.post(
                "approval", act, day=day, by=by, witness=second, why=explanation or describe_act(act)
            ).number

    def status(self, game: str, house: HouseKind, day: datetime.date) -> ApprovalStatus:
        """The status of a game in this house on a day."""
        with self.database.snapshot() as connection:
            return read_status(connection, game, house, day)


def known_matter(text: str) -> Matter:
    """What may be approved for the house, by its name; hyphens count as blanks.

    >>> known_matter("toke-method")
    'toke method'
    """
    return known_name("approval for the house", text, _MATTERS)


def approve_for_house(
    matter: Matter, reference: str, since: datetime.date, until: datetime.date | None = None, cents: Cents = 0
) -> HouseApproval:
    """An approval for the house, checked, for the journal; an imprest has an amount."""
    kind = _MATTERS[matter]
    if (matter == "imprest") != (type(cents) is int and 0 < cents <= MOST_CENTS):
        raise BadAmount(
            f"approval of {kind.does}", cents, f"an imprest has its amount, nothing else has one ({kind.rule})"
        )
    if not reference.strip():
        raise PostingRefused(f"say under which reference {kind.does} is approved ({kind.rule})")
    if until is not None and until < since:
        raise BadDay(until, f"what is approved from {since} on runs out on that day or later ({kind.rule})")
    approval = kind.act(reference.strip(), since, until)
    return replace(approval, cents=cents) if isinstance(approval, ImprestApproval) else approval


def find_approval(
    connection: Connection, matter: Matter, reference: str, day: datetime.date, cents: Cents | None = None
) -> str:
    """The reference under which something is approved for the house on a day; empty where none is recorded.

    Refuses a given reference that is not recorded for the day, or not for this amount. Of several records with one
    reference the newest counts, so that an approval is ended by recording it again with its last day.
    """
    kind, reference = _MATTERS[matter], reference.strip()
    newest = {act.reference: act for act, _ in _read_acts(connection).values() if isinstance(act, kind.act)}
    valid = {name: act for name, act in newest.items() if act.since <= day and (act.until is None or day <= act.until)}
    if reference and reference not in valid:
        known = f"recorded for {day}: {', '.join(valid)}" if valid else f"none is recorded for {day}"
        raise PostingRefused(f"the approval {reference} of {kind.does} is not recorded; {known} ({kind.rule})")
    act = valid.get(reference)
    if isinstance(act, ImprestApproval) and act.cents != cents:
        raise BadAmount(matter, cents, f"{dollars(act.cents)} is approved under {reference} ({kind.rule})")
    return next(reversed(valid), "")


def _read_acts(connection: Connection) -> dict[int, tuple[ApprovalAct, tuple[str, ...]]]:
    number = find_book(connection, BOOK)
    journal = postings(connection, number) if number is not None else ()
    return {
        posting.number: (decode_act(posting.facts), tuple(filter(None, (posting.made_by, posting.witness))))
        for posting in journal
    }


def read_status(connection: Connection, game: str, house: HouseKind, day: datetime.date) -> ApprovalStatus:
    """The status of a game, read within an open transaction."""
    return approval_status(game, house, day, _read_acts(connection))


def describe_act(act: ApprovalAct) -> str:
    """An act in one line."""
    if isinstance(act, HouseApproval):
        does = next(kind.does for kind in _MATTERS.values() if isinstance(act, kind.act))
        return f"{does} is approved from {act.since} on: {act.reference}"
    text = f"{act.game} in a {act.house}: {type(act).__struct_config__.tag}"
    return text if not hasattr(act, "step") else f"{text} {act.step}"
