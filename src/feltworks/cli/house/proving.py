"""Whoever signs proves it by a password: asked for at a terminal, else a line each on standard input."""

import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from feltworks.cli.house.ordering import pairs
from feltworks.errors import LoginRefused

if TYPE_CHECKING:
    from feltworks.house.journal.posting import Voucher
    from feltworks.house.storage.database import Database
    from feltworks.house.users import Users

Sign = Annotated[
    list[str] | None,
    typer.Option("--sign", metavar="POSITION=USER", help="Who signs, as dealer=ann; each gives a password."),
]


def signatures(said: list[str] | None) -> dict[str, str]:
    """Positions with who signs in them; hyphens stand for blanks."""
    return {position.replace("-", " "): person for position, person in pairs("--sign", said)}


def proved(database: "Database", people: Iterable[str]) -> "Users":
    """The users of these books, after each of these people has given a password."""
    from feltworks.house.users import Users

    users, people = Users(database), list(dict.fromkeys(people))
    if people and not users.everybody():
        begin = "`felt house users add NAME --role administrator` adds the first"
        raise LoginRefused(f"nobody is known in these books yet; {begin}")
    for name in people:
        users.log_in(name, read_password(f"Password of {name}: "))
    return users


def prove(database: "Database", signed: "Voucher") -> None:
    """Whoever posts something, and the second person, are who they say."""
    proved(database, filter(None, [signed.by, signed.witness]))


def read_password(prompt: str, *, again: bool = False) -> str:
    """A password, never shown; a new one is typed twice."""
    if not sys.stdin.isatty():
        line = sys.stdin.readline()
        if not line:
            raise LoginRefused("a password is missing: write one a line to standard input, in their order")
        return line.rstrip("\r\n")
    from getpass import getpass

    typed = getpass(prompt)
    if again and getpass("Once more: ") != typed:
        raise LoginRefused("the two passwords differ; nothing was changed")
    return typed
