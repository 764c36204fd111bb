"""Logging in and out: a session of its own for every login, and nothing carried over but the guest's name."""

import secrets

from litestar import get, post, put
from litestar.datastructures import State
from litestar.params import JSONBody
from msgspec import Struct

from feltworks.house.duties import ACTIONS, may
from feltworks.house.users import Person
from feltworks.web.budget import Budgets, address_of, charge
from feltworks.web.guests import greeted
from feltworks.web.house.asking import Asker, Connection, Password, Word, login_of, office_of
from feltworks.web.house.jackpot_duties import jackpot_acts_of


class LogIn(Struct, frozen=True, forbid_unknown_fields=True):
    """A name and what proves it."""

    name: Word
    password: Password


class NewPassword(Struct, frozen=True, forbid_unknown_fields=True):
    """One's own password, changed by who knows the old one."""

    old: Password
    new: Password


class Whoever(Struct, frozen=True):
    """Somebody logged in: who they are here, and which actions of the house they have a part in."""

    name: str
    role: str
    may: list[str]
    jackpot: list[str]


class Positions(Struct, frozen=True):
    """One signature an action takes: the position, and the roles that may sign in it."""

    position: str
    roles: list[str]


class ActionTold(Struct, frozen=True):
    """An action of the house with every signature that it takes, each by another person."""

    name: str
    does: str
    positions: list[Positions]


@post("/login", status_code=200)
async def log_in(request: Connection, state: State, data: JSONBody[LogIn]) -> Whoever:
    """Log in. Whatever session the browser had before is worth nothing to anybody afterwards."""
    office = office_of(state)
    budgets: Budgets = state.budgets
    attempts = budgets.logins.of(address_of(request.scope))
    charge(attempts, what="wrong passwords")
    person = await office.prove(data.name, data.password)
    attempts.give_back()
    before = greeted(request)
    office.logins.end(before.get("login"))
    request.set_session(
        {
            "id": secrets.token_hex(16),
            "name": before["name"],
            "user": person.name,
            "roles": [person.role],
            "login": office.logins.begin(person.name),
        }
    )
    return whoever(person)


@post("/logout", status_code=200, sync_to_thread=True)
def log_out(request: Connection, state: State) -> dict[str, bool]:
    """Log out: the login ends here, so that a copied cookie is of no use."""
    office_of(state).logins.end(login_of(request))
    name = greeted(request)["name"]
    request.set_session({"id": secrets.token_hex(16), "name": name})
    return {"out": True}


@get("/me", sync_to_thread=True)
def me(person: Asker) -> Whoever:
    """Who is logged in?"""
    return whoever(person)


@put("/me/password")
async def change_password(
    request: Connection, state: State, person: Asker, data: JSONBody[NewPassword]
) -> Whoever:
    """Change one's own password; it logs one out everywhere else."""
    office = office_of(state)
    await office.prove(person.name, data.old)
    await office.hash(office.users.set_password, person.name, data.new, by=person.name)
    office.logins.end_all(person.name, but=login_of(request))
    return whoever(person)


@get("/actions", sync_to_thread=False)
def actions() -> list[ActionTold]:
    """Who may do what in the house, and who has to sign it."""
    return [
        ActionTold(name, each.does, [Positions(duty.position, list(duty.roles)) for duty in each.duties])
        for name, each in ACTIONS.items()
    ]


def whoever(person: Person) -> Whoever:
    """A person with everything their role has a part in."""
    own = [name for name in ACTIONS if may(person.role, name)]
    return Whoever(person.name, person.role, own, jackpot_acts_of(person.role))
