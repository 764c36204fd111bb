"""`felt house users`: who may do what in the house."""

from typing import TYPE_CHECKING, Annotated

import typer

from feltworks.cli.house import asking
from feltworks.cli.house.asking import AsJson, Url
from feltworks.cli.output import console, new_table, print_json
from feltworks.errors import BadOption, UnknownName

if TYPE_CHECKING:
    from feltworks.house.storage.database import Database
    from feltworks.house.users import Person

_ACTS = ("add", "role", "password", "unlock", "dismiss", "list")


def users(
    act: Annotated[str, typer.Argument(metavar="ACT", help="add, role, password, unlock, dismiss or list.")],
    name: Annotated[str | None, typer.Argument(metavar="USER", help="The user.")] = None,
    role: Annotated[str | None, typer.Option(help="The role, as floor-supervisor.")] = None,
    by: Annotated[
        str | None, typer.Option(metavar="USER", help="Who does it: an administrator, or the user.")
    ] = None,
    database: Url = asking.DEFAULT_URL,
    as_json: AsJson = False,
) -> None:
    """Add users, give them roles and passwords, or list them. Passwords are asked for, never given here."""
    if act not in _ACTS:
        raise UnknownName("act", act, _ACTS, of="felt house users")
    books = asking.books(database)
    if act == "list":
        _print(_everybody(books), as_json=as_json)
    else:
        if name is None:
            raise BadOption("USER", "nothing", "the name of the user to " + act)
        _print([_carried_out(books, act, name, role, by)], as_json=as_json)


def _everybody(books: "Database") -> list["Person"]:
    from feltworks.house.users import Users

    return Users(books).everybody()


def _carried_out(books: "Database", act: str, name: str, role: str | None, by: str | None) -> "Person":
    from feltworks.cli.house.proving import proved, read_password
    from feltworks.house.duties import known_role

    wanted = known_role(role or "") if act in ("add", "role") else None
    people = proved(books, [by] if by is not None else [])
    if act == "add":
        assert wanted is not None
        return people.add(name, wanted, read_password(f"New password of {name}: ", again=True), by=by)
    if by is None:
        raise BadOption("--by", "nothing", "an administrator of these books")
    if act == "password":
        return people.set_password(name, read_password(f"New password of {name}: ", again=True), by=by)
    if act == "role":
        assert wanted is not None
        return people.give_role(name, wanted, by=by)
    return people.unlock(name, by=by) if act == "unlock" else people.dismiss(name, by=by)


def _print(people: list["Person"], *, as_json: bool) -> None:
    if as_json:
        print_json({"users": people})
        return
    table = new_table("User", "Role", "State")
    for person in people:
        locked = f"locked out until {person.locked_until}" if person.locked_until else "may come in"
        table.add_row(person.name, person.role, locked if person.active else "dismissed")
    console().print(table)
