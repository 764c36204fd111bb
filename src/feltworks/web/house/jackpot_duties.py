"""Who may post what to a progressive, and what takes a second person, in the words of the house's duties."""

from collections.abc import Mapping
from typing import Final

from feltworks.errors import NotPermitted, UnknownName
from feltworks.house.duties import (
    ACCOUNTING,
    CAGE,
    DEALER,
    FLOOR,
    SECURITY,
    SURVEILLANCE,
    Action,
    Duty,
    Role,
)
from feltworks.house.users import Person, Users

BY, SECOND = "who posts it", "second person"
_OFFICE: Final[tuple[Role, ...]] = (ACCOUNTING,)
_PIT: Final[tuple[Role, ...]] = (FLOOR, ACCOUNTING)
_OTHERS: Final[tuple[Role, ...]] = (FLOOR, CAGE, SECURITY, ACCOUNTING)


def _alone(does: str, roles: tuple[Role, ...]) -> Action:
    return Action(does, (Duty(BY, roles),))


def _by_two(does: str, roles: tuple[Role, ...], seconds: tuple[Role, ...] = _OTHERS) -> Action:
    return Action(does, (Duty(BY, roles), Duty(SECOND, seconds)))


JACKPOT: Final[Mapping[str, Action]] = {
    "open": _by_two("open a progressive", _OFFICE),
    "seed": _alone("add seed to a jackpot", _OFFICE),
    "contribute": _alone("post losing progressive wagers", (FLOOR, DEALER, ACCOUNTING)),
    # WAC 230-15-320: a large payout is looked at by somebody who did not pay it
    "round": _by_two("record a progressive win", _PIT, (SECURITY, SURVEILLANCE, CAGE, ACCOUNTING, FLOOR)),
    "day end": _by_two("count the progressive's box", (ACCOUNTING, CAGE)),
    "deposit": _alone("pay into a progressive's bank account", (ACCOUNTING, CAGE)),
    "withdraw": _by_two("withdraw from a progressive's bank account", _OFFICE),
    "deposit test": _alone("test a progressive's bank account", _OFFICE),
    "seizure": _by_two("post a seizure", _OFFICE),
    "maximum": _by_two("impose a maximum on a jackpot", _OFFICE),
    "adjust": _by_two("change a prize", _OFFICE),  # WAC 230-15-695
    "remove": _by_two("take a progressive out of play", _OFFICE),
}


def jackpot_acts_of(role: str) -> list[str]:
    """The acts that a role may post."""
    return [name for name, action in JACKPOT.items() if role in action.duties[0].roles]


def check_jackpot_act(users: Users, act: str, by: Person, second: str | None) -> None:
    """Refuse an act to a role that has no part in it, or without the second person that it takes."""
    if act not in JACKPOT:
        raise UnknownName("act", act, JACKPOT)
    action = JACKPOT[act]
    _check(action, action.duties[0], by)
    if second is not None and len(action.duties) > 1:
        _check(action, action.duties[1], users.person(second))


def takes_two(act: str) -> bool:
    """Whether an act is posted before a second person."""
    return len(JACKPOT[act].duties) > 1


def _check(action: Action, duty: Duty, person: Person) -> None:
    if person.role not in duty.roles:
        raise NotPermitted(person.name, person.role, f"{action.does} as {duty.position}", duty.roles)
