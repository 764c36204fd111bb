"""People and roles: looked after by an administrator; a change of role or a dismissal counts at once."""

from typing import Literal

from litestar import get, post
from litestar.datastructures import State
from litestar.params import JSONBody
from msgspec import Struct

from feltworks.errors import BadOption
from feltworks.house.duties import Role, check_permitted
from feltworks.house.users import Person, Users
from feltworks.web.house.asking import Asker, Password, Word, office_of


class NewPerson(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody to be added, with a first password."""

    name: Word
    role: Role
    password: Password


class ChangePerson(Struct, frozen=True, forbid_unknown_fields=True):
    """A change of somebody: a role, a password, the end of a lock-out, or a dismissal."""

    name: Word
    act: Literal["role", "password", "unlock", "dismiss"]
    role: Role | None = None
    password: Password | None = None


@get("/people", sync_to_thread=True)
def people(state: State, person: Asker) -> list[Person]:
    """Everybody who is or was a user of these books."""
    check_permitted(person.name, person.role, "users")
    return office_of(state).users.everybody()


@get("/names", sync_to_thread=True)
def names(state: State, person: Asker) -> list[Person]:
    """Who may sign: active users with their roles, and nothing else of them."""
    check_permitted(person.name, person.role, "reading")
    return [Person(each.name, each.role) for each in office_of(state).users.everybody() if each.active]


@post("/people", status_code=200)
async def add(state: State, person: Asker, data: JSONBody[NewPerson]) -> Person:
    """Add somebody."""
    check_permitted(person.name, person.role, "users")
    office = office_of(state)
    return await office.hash(office.users.add, data.name, data.role, data.password, by=person.name)


@post("/people/change", status_code=200)
async def change(state: State, person: Asker, data: JSONBody[ChangePerson]) -> Person:
    """Change somebody; who was dismissed or has a new password is logged out."""
    check_permitted(person.name, person.role, "users")
    office = office_of(state)
    changed = await office.hash(_changed, office.users, data, person.name)
    if data.act in ("password", "dismiss"):
        office.logins.end_all(data.name)
    return changed


def _changed(users: Users, data: ChangePerson, by: str) -> Person:
    if data.act == "unlock":
        return users.unlock(data.name, by=by)
    if data.act == "dismiss":
        return users.dismiss(data.name, by=by)
    if data.act == "role":
        if data.role is None:
            raise BadOption("role", "nothing", "the new role")
        return users.give_role(data.name, data.role, by=by)
    if data.password is None:
        raise BadOption("password", "nothing", "the new password")
    return users.set_password(data.name, data.password, by=by)


HANDLERS = [people, names, add, change]
