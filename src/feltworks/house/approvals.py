"""May this game be offered here? The conditions of its letter as a checklist, and what changed since."""

import datetime
from collections.abc import Iterator, Mapping
from typing import Final, Literal

import msgspec
from msgspec import Struct

from feltworks import catalog
from feltworks.errors import BadDay, PostingRefused, UnknownName
from feltworks.fingerprint import changed_parts, definition, digest
from feltworks.house.profile import HouseKind as HouseKind
from feltworks.rules.rulebook.model import Approval, Condition, Rulebook

Bars = Literal["dealing", "paying the owner"]

# WA.3: whom a letter asks, by the kind of house; "everyone" is asked to deal the approved definition
_ASKED: Final[Mapping[HouseKind, tuple[str, ...]]] = {
    "card room": ("operator", "maker", "owner"),
    "tribal operation": ("tribal operation", "tribal maker", "owner"),
}
_PROVEN: Final = ("WA.1", "WA.4")  # conditions that the check of a table's order proves every time
DEFINITION: Final = "definition"


class Met(Struct, frozen=True, tag_field="act", tag="met"):
    """A step is done: by whom, on which day, and where that is written; `until` where it runs out."""

    game: str
    house: HouseKind
    step: str
    asked: str  # the digest of the condition as it read then
    met_by: str
    on: datetime.date
    reference: str
    until: datetime.date | None = None


class Withdrawn(Struct, frozen=True, tag_field="act", tag="withdrawn"):
    """What a step asks for does not hold any more."""

    game: str
    house: HouseKind
    step: str


class Recorded(Struct, frozen=True, tag_field="act", tag="recorded"):
    """The definition that the letter approves, part by part."""

    game: str
    house: HouseKind
    parts: Mapping[str, str]
    reference: str

    @property
    def fingerprint(self) -> str:
        return digest(dict(self.parts))


ApprovalAct = Met | Withdrawn | Recorded
decoded = msgspec.json.Decoder(ApprovalAct).decode


class Step(Struct, frozen=True):
    """One thing that somebody has to do, and whether it is done."""

    step: str
    of: str
    asks: str
    clause: str
    bars: Bars
    met: Met | None = None
    signed: tuple[str, ...] = ()
    trouble: str = ""  # why what was done does not count any more

    @property
    def is_open(self) -> bool:
        return self.met is None or bool(self.trouble)


class Standing(Struct, frozen=True):
    """How a game stands in this house on a day."""

    game: str
    house: HouseKind
    day: datetime.date
    approval: Approval | None
    steps: tuple[Step, ...]
    proven: tuple[Condition, ...]  # what the check of every table's order proves
    fingerprint: str
    approved_fingerprint: str | None
    changed: tuple[str, ...]

    @property
    def still_to_do(self) -> tuple[Step, ...]:
        return tuple(step for step in self.steps if step.is_open and step.bars == "dealing")

    @property
    def may_be_offered(self) -> bool:
        """Every step before the first deal is done; a changed definition is offered only as such."""
        return self.approval is not None and not self.still_to_do and self.approved_fingerprint is not None

    @property
    def may_pay_owner(self) -> bool:
        """Fu Bacc's owner may receive no proceeds until licensed (WA.3)."""
        return not any(step.is_open and step.bars == "paying the owner" for step in self.steps)

    @property
    def deviations(self) -> tuple[str, ...]:
        """WA.3: a modification may affect the approval, so what changed since is told."""
        return tuple(f"{part} has changed since the approval" for part in self.changed)

    @property
    def as_approved(self) -> bool:
        return self.approved_fingerprint is not None and not self.changed

    @property
    def wanting(self) -> list[str]:
        """What keeps the game from being offered, in words."""
        if self.approval is None:
            return ["the game has no approval"]
        lacks = [f"{step.step} ({step.asks.rstrip('.')})" for step in self.still_to_do]
        if self.approved_fingerprint is None:
            lacks.append(f"{DEFINITION} (the fingerprint of the approved definition is on record)")
        return lacks


def steps_asked(game: str, house: HouseKind) -> dict[str, Condition]:
    """WA.3: what the game's letter asks of this kind of house, each step under a name of its own.

    >>> list(steps_asked("fu-bacc", "card room"))
    ['operator-1', 'maker-1', 'owner-1']
    """
    found: dict[str, Condition] = {}
    approval = catalog.rulebook(game).approval
    for condition in approval.conditions if approval else ():
        if condition.of in _ASKED[house] and condition.clause not in _PROVEN:
            of = condition.of.replace(" ", "-")
            count = sum(step.rpartition("-")[0] == of for step in found)
            found[f"{of}-{count + 1}"] = condition
    return found


def met(
    game: str,
    house: HouseKind,
    step: str,
    *,
    met_by: str,
    on: datetime.date,
    reference: str,
    until: datetime.date | None = None,
    today: datetime.date,
) -> Met:
    """A step done, checked: it exists, names who did it and where that is written, on a day that fits."""
    asked = _asked(game, house, step)
    if not met_by.strip() or not reference.strip():
        raise PostingRefused(f"say who met {step} and the reference under which that is written")
    first = _letter(game).date
    if asked.of in ("operator", "tribal operation") and on < first:
        raise BadDay(on, f"the letter is of {first}, and {step} follows it")
    if on > today:
        raise BadDay(on, f"a step is recorded once it is done, so not after {today}")
    if until is not None and until < on:
        raise BadDay(until, f"what was met on {on} runs out on that day or later")
    return Met(game, house, step, digest(asked), met_by.strip(), on, reference.strip(), until)


def withdrawn(game: str, house: HouseKind, step: str) -> Withdrawn:
    """A step that does not hold any more."""
    _asked(game, house, step)
    return Withdrawn(game, house, step)


def recorded(game: str, house: HouseKind, reference: str) -> Recorded:
    """The definition as it stands now, to be put on record as the approved one."""
    _letter(game)
    if not reference.strip():
        raise PostingRefused("say under which reference this definition is approved")
    return Recorded(game, house, definition_now(game), reference.strip())


_LOADED: Final[dict[str, tuple[Rulebook, dict[str, str]]]] = {}


def definition_now(game: str) -> dict[str, str]:
    """The definition that this process deals by, part by part; read once, since it is loaded once."""
    book = catalog.rulebook(game)
    if game not in _LOADED or _LOADED[game][0] is not book:
        _LOADED[game] = book, definition(catalog.game(game))
    return _LOADED[game][1]


def standing(
    game: str, house: HouseKind, day: datetime.date, acts: Mapping[int, tuple[ApprovalAct, tuple[str, ...]]]
) -> Standing:
    """How the game stands after these acts, given in their order with who signed each."""
    now = definition_now(game)
    ours = [(act, who) for act, who in acts.values() if (act.game, act.house) == (game, house)]
    approved = next((act for act, _ in reversed(ours) if isinstance(act, Recorded)), None)
    book = catalog.rulebook(game)
    conditions = book.approval.conditions if book.approval else []
    concerned = ("everyone", *_ASKED[house])
    return Standing(
        game=game,
        house=house,
        day=day,
        approval=book.approval,
        steps=tuple(_steps(game, house, day, ours)),
        proven=tuple(each for each in conditions if each.of in concerned and each.clause in _PROVEN),
        fingerprint=digest(now),
        approved_fingerprint=approved.fingerprint if approved else None,
        changed=tuple(changed_parts(approved.parts, now)) if approved else (),
    )


def _steps(
    game: str, house: HouseKind, day: datetime.date, acts: list[tuple[ApprovalAct, tuple[str, ...]]]
) -> Iterator[Step]:
    for name, asked in steps_asked(game, house).items():
        bars: Bars = "paying the owner" if asked.of == "owner" else "dealing"
        blank = Step(name, asked.of, asked.text, asked.clause, bars)
        of_step = [pair for pair in acts if not isinstance(pair[0], Recorded) and pair[0].step == name]
        act, who = of_step[-1] if of_step else (None, ())
        if isinstance(act, Met):
            yield msgspec.structs.replace(blank, met=act, signed=who, trouble=_trouble(act, asked, day))
        else:
            yield blank


def _trouble(act: Met, asked: Condition, day: datetime.date) -> str:
    if act.asked != digest(asked):
        return "the condition reads differently now"
    if act.until is not None and act.until < day:
        return f"it ran out on {act.until}"
    return f"it holds from {act.on} on" if act.on > day else ""


def _asked(game: str, house: HouseKind, step: str) -> Condition:
    asked = steps_asked(game, house)
    if step not in asked:
        raise UnknownName("step", step, asked, of=f"{game} in a {house}")
    return asked[step]


def _letter(game: str) -> Approval:
    letter = catalog.rulebook(game).approval
    if letter is None:
        raise PostingRefused(f"{game} has no letter of approval, so there is nothing to record")
    return letter
