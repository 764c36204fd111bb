"""`felt house users`: who may do what in the house."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import click

from feltworks.cli.group import CommandGroup
from feltworks.cli.house.books import database_option, log_in, open_books, read_password
from feltworks.cli.options import json_option
from feltworks.cli.output import Page, print_json
from feltworks.cli.tables import Table
from feltworks.errors import BadOption

if TYPE_CHECKING:
    from feltworks.house.users import Person, Users

users: Final = CommandGroup(
    "users",
    "Add users, give them roles and passwords, or list them. Passwords are asked for, never given here.",
)
user_argument = click.argument("user", required=False, help="The user.")
role_option = click.option(
    "--role", "role_name", default="", show_default=False, help="The role, as floor-supervisor."
)
by_option = click.option("--by", metavar="USER", help="Who does it: an administrator, or the user.")


@users.command()
@user_argument
@role_option
@by_option
@database_option
@json_option
def add(user: str | None, role_name: str, by: str | None, database: str, as_json: bool) -> None:
    """Add a user; the first one is an administrator and needs no other."""
    from feltworks.house.duties import known_role

    name, given_role = _user_name(user, "add"), known_role(role_name)
    people = log_in(open_books(database), [by] if by is not None else [])
    new_password = read_password(f"New password of {name}: ", again=True)
    _show([people.add(name, given_role, new_password, by=by)], as_json=as_json)


@users.command()
@user_argument
@role_option
@by_option
@database_option
@json_option
def role(user: str | None, role_name: str, by: str | None, database: str, as_json: bool) -> None:
    """Give a user another role."""
    from feltworks.house.duties import known_role

    new_role = known_role(role_name)
    _change(
        user, "role", by, database, as_json, lambda people, name, by: people.give_role(name, new_role, by=by)
    )


@users.command()
@user_argument
@by_option
@database_option
@json_option
def password(user: str | None, by: str | None, database: str, as_json: bool) -> None:
    """Give a user a new password."""

    def change(people: "Users", name: str, by: str) -> "Person":
        return people.set_password(name, read_password(f"New password of {name}: ", again=True), by=by)

    _change(user, "password", by, database, as_json, change)


@users.command()
@user_argument
@by_option
@database_option
@json_option
def unlock(user: str | None, by: str | None, database: str, as_json: bool) -> None:
    """Let a locked-out user log in again."""
    _change(user, "unlock", by, database, as_json, lambda people, name, by: people.unlock(name, by=by))


@users.command()
@user_argument
@by_option
@database_option
@json_option
def dismiss(user: str | None, by: str | None, database: str, as_json: bool) -> None:
    """Dismiss a user, who can no longer log in."""
    _change(user, "dismiss", by, database, as_json, lambda people, name, by: people.dismiss(name, by=by))


@users.command("list")
@database_option
@json_option
def list_users(database: str, as_json: bool) -> None:
    """List all users."""
    from feltworks.house.users import Users

    _show(Users(open_books(database)).everybody(), as_json=as_json)


def _user_name(user: str | None, act: str) -> str:
    if user is None:
        raise BadOption("USER", "nothing", f"the name of the user to {act}")
    return user


def _change(
    user: str | None,
    act: str,
    by: str | None,
    database: str,
    as_json: bool,
    change: "Callable[[Users, str, str], Person]",
) -> None:
    """Log the administrator in, change the user, and show the user."""
    name = _user_name(user, act)
    if by is None:
        raise BadOption("--by", "nothing", "an administrator of these books")
    _show([change(log_in(open_books(database), [by]), name, by)], as_json=as_json)


def _show(people: list["Person"], *, as_json: bool) -> None:
    if as_json:
        print_json({"users": people})
        return
    table = Table("User", "Role", "State")
    for person in people:
        state = f"locked out until {person.locked_until}" if person.locked_until else "active"
        table.add_row(person.name, person.role, state if person.active else "dismissed")
    Page().print(table)
