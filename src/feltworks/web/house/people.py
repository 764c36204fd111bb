"""Logins, the people of the house and their roles, and the people and tables of a demo house."""

from functools import partial
from typing import Final, Literal

from litestar import get, post, put
from litestar.datastructures import State
from litestar.params import JSONBody
from msgspec import Struct
from msgspec.structs import replace

from feltworks import catalog
from feltworks.errors import BadOption, LoginRefused
from feltworks.house.approvals import ApprovalBook, complete_step, record_definition
from feltworks.house.configuration import TableOrder, check_table
from feltworks.house.duties import ACTIONS, Role, check_permitted, may
from feltworks.house.law import HouseKind
from feltworks.house.storage.database import Database
from feltworks.house.tables.books import TableBooks
from feltworks.house.users import Person, Users
from feltworks.table.limits import WagerLimit
from feltworks.web.house.jackpots import jackpot_acts_of
from feltworks.web.house.office import (
    CurrentUser,
    NotSigned,
    Office,
    Password,
    Signer,
    TheOffice,
    Word,
    login_of,
    today,
)
from feltworks.web.visitors import (
    Budgets,
    Connection,
    address_of,
    charge,
    ensure_session,
    new_session,
    set_session,
)


class LogIn(Struct, frozen=True, forbid_unknown_fields=True):
    """A user's name and password, and a new password if somebody else had set it."""

    name: Word
    password: Password
    new: Password | None = None


class NewPassword(Struct, frozen=True, forbid_unknown_fields=True):
    """A change of the user's own password."""

    old: Password
    new: Password


class LoggedInUser(Struct, frozen=True):
    """The logged-in user: the role, and the actions of the house in which the role takes part."""

    name: str
    role: str
    may: list[str]
    jackpot: list[str]


class Position(Struct, frozen=True):
    """A signature that an action needs: its position, and the roles that may sign there."""

    position: str
    roles: list[str]


class HouseAction(Struct, frozen=True):
    """An action of the house with the signatures it needs, each by a different person."""

    name: str
    does: str
    positions: list[Position]


@post("/login", status_code=200)
async def log_in(request: Connection, state: State, office: TheOffice, data: JSONBody[LogIn]) -> LoggedInUser:
    """Log in with a new session; the session of before becomes worthless."""
    budgets: Budgets = state.budgets
    attempts = budgets.logins.of(address_of(request.scope))
    charge(attempts, what="wrong passwords")
    person = await office.check_password(data.name, data.password)
    attempts.give_back()
    if person.temporary:
        person = await _set_first_password(office, person, data.new)
    before = ensure_session(request)
    office.logins.end(before.login)
    key = office.logins.begin(person.name)
    set_session(request, replace(new_session(before.name), user=person.name, roles=[person.role], login=key))
    return logged_in_user(person)


async def _set_first_password(office: Office, person: Person, new: str | None) -> Person:
    """Change a password that somebody else set, which is required at first use."""
    if new is None:
        raise LoginRefused("your password was set by somebody else; log in once more and give a new one")
    return await office.run_hashing(office.users.set_password, person.name, new, by=person.name)


@post("/logout", status_code=200, sync_to_thread=True)
def log_out(request: Connection, office: TheOffice) -> dict[str, bool]:
    """Log out: the login ends on the server, so that a copied cookie is worthless."""
    office.logins.end(login_of(request))
    set_session(request, new_session(ensure_session(request).name))
    return {"out": True}


@get("/me", sync_to_thread=True)
def me(person: CurrentUser) -> LoggedInUser:
    """The logged-in user."""
    return logged_in_user(person)


@put("/me/password")
async def change_password(
    request: Connection, office: TheOffice, person: CurrentUser, data: JSONBody[NewPassword]
) -> LoggedInUser:
    """Change one's own password, and log out at all other browsers."""
    await office.check_password(person.name, data.old)
    await office.run_hashing(office.users.set_password, person.name, data.new, by=person.name)
    office.logins.end_all(person.name, but=login_of(request))
    return logged_in_user(person)


@get("/actions", sync_to_thread=False)
def actions() -> list[HouseAction]:
    """All actions of the house with the roles that may sign them."""
    return [
        HouseAction(name, action.does, [Position(duty.position, list(duty.roles)) for duty in action.duties])
        for name, action in ACTIONS.items()
    ]


def logged_in_user(person: Person) -> LoggedInUser:
    """The document of a user, with the actions of the user's role."""
    own = [name for name in ACTIONS if may(person.role, name)]
    return LoggedInUser(person.name, person.role, own, jackpot_acts_of(person.role))


class NewPerson(Struct, frozen=True, forbid_unknown_fields=True):
    """A new user with a first password."""

    name: Word
    role: Role
    password: Password
    witness: Signer | None = None  # the second person, once these books have one


class ChangePerson(Struct, frozen=True, forbid_unknown_fields=True):
    """A change of a user: a role, a password, the end of a lock-out, or a dismissal."""

    name: Word
    act: Literal["role", "password", "unlock", "dismiss"]
    role: Role | None = None
    password: Password | None = None
    witness: Signer | None = None  # the second person, for a new role or password


@get("/people", sync_to_thread=True)
def people(office: TheOffice, person: CurrentUser) -> list[Person]:
    """All present and former users of these books."""
    check_permitted(person.name, person.role, "users")
    return office.users.everybody()


@get("/names", sync_to_thread=True)
def names(office: TheOffice, person: CurrentUser) -> list[Person]:
    """The active users who may sign: their names and roles only."""
    check_permitted(person.name, person.role, "reading")
    return [Person(user.name, user.role) for user in office.users.everybody() if user.active]


@post("/people", status_code=200)
async def add(office: TheOffice, person: CurrentUser, data: JSONBody[NewPerson]) -> Person:
    """Add a user."""
    check_permitted(person.name, person.role, "users")
    second = await _second(office, data.witness)
    return await office.run_hashing(
        office.users.add, data.name, data.role, data.password, by=person.name, second=second
    )


@post("/people/change", status_code=200)
async def change(office: TheOffice, person: CurrentUser, data: JSONBody[ChangePerson]) -> Person:
    """Change a user; a dismissal or a new password logs the user out."""
    check_permitted(person.name, person.role, "users")
    second = await _second(office, data.witness)
    changed = await office.run_hashing(_change, office.users, data, person.name, second)
    if data.act in ("password", "dismiss"):
        office.logins.end_all(data.name)
    return changed


async def _second(office: Office, witness: Signer | None) -> str | None:
    """The name of the second person, after checking the password."""
    if witness is None:
        return None
    if witness.password is None:
        raise NotSigned("the second person signs with a password")
    try:
        return (await office.run_hashing(office.sign, witness.person, witness.password)).name
    except LoginRefused as error:
        raise NotSigned(f"the signature of {witness.person}: {error}") from None


def _change(users: Users, data: ChangePerson, by: str, second: str | None) -> Person:
    if data.act == "unlock":
        return users.unlock(data.name, by=by)
    if data.act == "dismiss":
        return users.dismiss(data.name, by=by)
    if data.act == "role":
        if data.role is None:
            raise BadOption("role", "nothing", "the new role")
        return users.give_role(data.name, data.role, by=by, second=second)
    if data.password is None:
        raise BadOption("password", "nothing", "the new password")
    return users.set_password(data.name, data.password, by=by, second=second)


# The demo house.


PASSWORD: Final = "the demo house"
PEOPLE: Final[dict[str, Role]] = {
    "ada": "administrator",
    "ines": "accounting",
    "flo": "floor supervisor",
    "dee": "dealer",
    "cal": "cage",
    "sam": "security",
    "sue": "surveillance",
    "reg": "regulator",
    "art": "accounting",
    "ben": "dealer",
}
HOUSE: Final[HouseKind] = "card room"


class DemoPerson(Struct, frozen=True):
    """A user of the demo house."""

    name: str
    role: str


class DemoHouse(Struct, frozen=True):
    """The people of a demo house and their common password."""

    password: str
    people: list[DemoPerson]


@get("/demo", sync_to_thread=False)
def demo(state: State) -> DemoHouse | None:
    """The people of the demo house; nothing at any other house."""
    people = [DemoPerson(name, role) for name, role in PEOPLE.items()]
    return DemoHouse(PASSWORD, people) if state.is_demo else None


def furnish(database: Database) -> None:
    """Add all users, approve the first game that such a house may offer, and open two tables of it."""
    _hire(Users(database))
    order = next(order for name in catalog.games() if not check_table(order := _order(name)).refusals)
    _approve(ApprovalBook(database), order.game)
    _open_tables(TableBooks(database), order)


def _order(game: str) -> TableOrder:
    wagers = catalog.rulebook(game).wager
    limits = {name: WagerLimit(5_00, 100_00) for name, entry in wagers.items() if entry.kind == "main"}
    return TableOrder(game, today(), limits=limits, house=HOUSE)


def _hire(users: Users) -> None:
    first, second = list(PEOPLE)[:2]
    for number, (name, role) in enumerate(PEOPLE.items()):
        password = f"{PASSWORD} at first" if number else PASSWORD
        users.add(name, role, password, by=first, second=second if number > 1 else None)
        if number:
            users.set_password(name, PASSWORD, by=name)  # a password set by others is temporary


def _approve(book: ApprovalBook, game: str) -> None:
    record = partial(book.record, by="ines", second="ada", day=today())
    for step in book.status(game, HOUSE, today()).steps:
        name = step.step
        act = complete_step(game, HOUSE, name, met_by="the house", on=today(), reference="demo", today=today())
        record(act)
    record(record_definition(game, HOUSE, "demo"))


def _open_tables(books: TableBooks, order: TableOrder) -> None:
    pit = {"floor supervisor": "flo", "dealer": "dee"}
    for table in ("1", "2"):
        books.open(order, table, 10_000_00, pit)
    books.fill("1", 1_500_00, {**pit, "cage": "cal", "security": "sam"})


HANDLERS: Final = [log_in, log_out, me, change_password, actions, people, names, add, change, demo]
