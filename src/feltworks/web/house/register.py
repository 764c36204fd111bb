"""The register of the house over HTTP: entries, striking one, and the floor of a day."""

import datetime
from typing import Annotated

import msgspec
from litestar import get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from feltworks.house.entries import KINDS, EntryKind, Kind, RegisterEntry, RegisterLine
from feltworks.house.floor import FloorDay, floor_day
from feltworks.house.register import Register
from feltworks.web.house.office import (
    Amount,
    Count,
    CurrentUser,
    NotSigned,
    Pieces,
    QueryDay,
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
    table: Word = ""
    cents: Amount = 0
    pieces: Pieces = {}
    count: Count = 0


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
    entry = msgspec.convert(data, RegisterEntry, from_attributes=True)
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


@get("/register/kinds", sync_to_thread=False)
def kinds() -> dict[str, Kind]:
    """The kinds of entries, with the facts that each takes."""
    return {str(kind): facts for kind, facts in KINDS.items()}


@get("/today", sync_to_thread=True)
def floor_today(readable: ReadableBooks, day: QueryDay = None) -> FloorDay:
    """The floor of a day: alerts, tables against their expectation, tasks, people and stock."""
    return floor_day(readable, day or today())


HANDLERS = [register, kinds, enter, strike, floor_today]
