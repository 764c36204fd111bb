"""`felt house users`: the users of the house, their roles and passwords."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import click
from msgspec import Struct

from feltworks.cli.house.books import database_option, log_in, open_books, read_password
from feltworks.cli.main import CommandGroup
from feltworks.cli.options import json_option, option_group, words_option
from feltworks.cli.output import Page, Table, print_json
from feltworks.errors import BadOption

if TYPE_CHECKING:
    from feltworks.house.users import Person, Users

users: Final = CommandGroup(
    "users",
    "Add users, give them roles and passwords, or list them. Passwords are asked for, never given here.",
)
_role_option = words_option("--role", "role_name", metavar="TEXT", help="The role, as floor-supervisor.")


class UserOptions(Struct, frozen=True):
    """The user to change, and who makes the change."""

    user: str | None
    by: str | None
    second: str | None
    database: str
    as_json: bool

    @property
    def name(self) -> str:
        if self.user is None:
            raise BadOption("USER", "nothing", "the name of the user")
        return self.user

    def new_password(self) -> str:
        return read_password(f"New password of {self.name}: ", again=True)

    def change(self, change: "Callable[[Users, str, str], Person]", *, may_be_temporary: bool = False) -> None:
        """Log in the administrator and the second person, change the user, and show the result."""
        name = self.name
        if self.by is None:
            raise BadOption("--by", "nothing", "an administrator of these books")
        signers = filter(None, [self.by, self.second])
        people = log_in(open_books(self.database), signers, may_be_temporary=may_be_temporary)
        _show([change(people, name, self.by)], as_json=self.as_json)


user_options = option_group(
    "options",
    UserOptions,
    [
        click.argument("user", required=False, help="The user."),
        click.option("--by", metavar="USER", help="Who does it: an administrator, or the user."),
        click.option(
            "--second",
            metavar="USER",
            help="The second person for a new user, a role or a password: accounting or another administrator.",
        ),
        database_option,
        json_option,
    ],
)


@users.command()
@_role_option
@user_options
def add(options: UserOptions, role_name: str) -> None:
    """Add a user before a second person; the first one is an administrator and needs no other."""
    from feltworks.house.duties import known_role

    name, given_role = options.name, known_role(role_name)
    people = log_in(open_books(options.database), filter(None, [options.by, options.second]))
    person = people.add(name, given_role, options.new_password(), by=options.by, second=options.second)
    _show([person], as_json=options.as_json)


@users.command()
@_role_option
@user_options
def role(options: UserOptions, role_name: str) -> None:
    """Give a user another role, before a second person."""
    from feltworks.house.duties import known_role

    new_role = known_role(role_name)
    options.change(lambda people, name, by: people.give_role(name, new_role, by=by, second=options.second))


@users.command()
@user_options
def password(options: UserOptions) -> None:
    """Change your own password, or give a user a new one before a second person."""

    def change(people: "Users", name: str, by: str) -> "Person":
        return people.set_password(name, options.new_password(), by=by, second=options.second)

    options.change(change, may_be_temporary=options.by == options.user)


@users.command()
@user_options
def unlock(options: UserOptions) -> None:
    """Let a locked-out user log in again."""
    options.change(lambda people, name, by: people.unlock(name, by=by))


@users.command()
@user_options
def dismiss(options: UserOptions) -> None:
    """Dismiss a user, who can no longer log in."""
    options.change(lambda people, name, by: people.dismiss(name, by=by))


@users.command("list")
@database_option
@json_option
def list_users(database: str, as_json: bool) -> None:
    """List all users."""
    from feltworks.house.users import Users

    _show(Users(open_books(database)).everybody(), as_json=as_json)


def _show(people: list["Person"], *, as_json: bool) -> None:
    if as_json:
        print_json({"users": people})
        return
    table = Table("User", "Role", "State")
    for person in people:
        state = f"locked out until {person.locked_until}" if person.locked_until else "active"
        state = "has to change the password" if person.temporary else state
        table.add_row(person.name, person.role, state if person.active else "dismissed")
    Page().print(table)
