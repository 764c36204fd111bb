"""Who may post what to a progressive, asked before a second person gives a password."""

from feltworks.errors import NotPermitted, UnknownName
from feltworks.house.duties import Action, Duty
from feltworks.house.progressive.permissions import BY_TWO, DUTIES
from feltworks.house.users import Person, Users


def jackpot_acts_of(role: str) -> list[str]:
    """The acts that a role may post; what a removal leaves to another progressive is posted with it."""
    return [name for name, each in DUTIES.items() if role in each.duties[0].roles and name != "receive"]


def check_jackpot_act(users: Users, act: str, by: Person, second: str | None) -> None:
    """Refuse an act to a role that has no part in it, or to be its second person."""
    if act not in DUTIES:
        raise UnknownName("act", act, DUTIES)
    first, other = DUTIES[act].duties
    _check(DUTIES[act], first, by)
    if second is not None:
        _check(DUTIES[act], other, users.person(second))


def takes_two(act: str) -> bool:
    """Whether an act is posted before a second person."""
    return act in BY_TWO


def _check(action: Action, duty: Duty, person: Person) -> None:
    if person.role not in duty.roles:
        raise NotPermitted(person.name, person.role, f"{action.does} as {duty.position}", duty.roles)
