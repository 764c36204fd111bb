"""Signatures in the browser: whoever is logged in signs by that, everybody else by a password."""

from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta, Struct

from feltworks.errors import FeltError, LoginRefused
from feltworks.house.duties import check_permitted
from feltworks.house.users import Person
from feltworks.web.house.asking import Password, Word
from feltworks.web.house.office import Office


class NotSigned(FeltError):
    """A signature that somebody has to give in person is not proven."""


class Signing(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody who signs; the password is theirs, and left out by whoever is logged in."""

    person: Word
    password: Password | None = None


Signings = Annotated[dict[Word, Signing], Meta(max_length=8)]


def signatures(office: Office, by: Person, action: str, signed: Mapping[str, Signing]) -> dict[str, str]:
    """Positions with who signs in them, each proven; the books check who may sign where."""
    check_permitted(by.name, by.role, action)
    if by.name not in [each.person for each in signed.values()]:
        raise NotSigned(f"{by.name} is logged in and has to be one of those who sign")
    for each in signed.values():
        _prove(office, by, each)
    return {position: each.person for position, each in signed.items()}


def witnessed(office: Office, by: Person, witness: Signing | None) -> str | None:
    """The second person of an act that takes two, proven."""
    if witness is None:
        return None
    if witness.person == by.name:
        raise NotSigned(f"{by.name} posts this and cannot be the second person as well")
    _prove(office, by, witness)
    return witness.person


def _prove(office: Office, by: Person, each: Signing) -> None:
    if each.person == by.name and each.password is None:
        return
    if each.password is None:
        raise NotSigned(f"{each.person} signs in person, with a password")
    try:
        office.proven(each.person, each.password)
    except LoginRefused as refused:
        raise NotSigned(f"the signature of {each.person}: {refused}") from None
