"""The register of the house over HTTP: entries, and striking one."""

import datetime
from typing import Annotated

from litestar import get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from feltworks.house.register import EntryKind, Register, RegisterEntry, RegisterLine
from feltworks.web.house.office import (
    CurrentUser,
    NotSigned,
    ReadableBooks,
    Signer,
    TheOffice,
    Word,
    Words,
    check_witness,
    today,
)


class NewEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """Something to be entered, and the second person."""

    kind: EntryKind
    name: Word
    says: Words
    witness: Signer
    reference: Words = ""
    until: datetime.date | None = None


class StrikeEntry(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry to be struck, why, and the second person."""

    entry: Annotated[int, Meta(ge=1, le=10**15)]
    because: Words
    witness: Signer


class RegisterPosting(Struct, frozen=True):
    """The posting that was made."""

    number: int


@get("/register", sync_to_thread=True)
def register(readable: ReadableBooks) -> list[RegisterLine]:
    """Every entry of the register, struck ones included."""
    return Register(readable).lines()


@post("/register", status_code=200, sync_to_thread=True)
def enter(office: TheOffice, person: CurrentUser, data: JSONBody[NewEntry]) -> RegisterPosting:
    """Enter something into the register."""
    second = check_witness(office, person, data.witness)
    if second is None:
        raise NotSigned("an entry is made before two persons")
    entry = RegisterEntry(data.kind, data.name, data.says, data.reference, data.until)
    number = Register(office.database).add(entry, by=person.name, second=second, day=today())
    return RegisterPosting(number)


@post("/register/strike", status_code=200, sync_to_thread=True)
def strike(office: TheOffice, person: CurrentUser, data: JSONBody[StrikeEntry]) -> RegisterPosting:
    """Strike an entry of the register."""
    second = check_witness(office, person, data.witness)
    if second is None:
        raise NotSigned("an entry is struck before two persons")
    number = Register(office.database).strike(data.entry, data.because, by=person.name, second=second, day=today())
    return RegisterPosting(number)


HANDLERS = [register, enter, strike]
