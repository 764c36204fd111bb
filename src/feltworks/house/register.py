"""The register of the house: licences, excluded persons, equipment, cards, chips, keys and incidents.

Every entry is a posting signed by two persons. An entry is never changed: it is struck, and another follows.
"""

import datetime
from collections.abc import Iterable
from typing import Final, Literal, get_args

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, select

from feltworks.errors import BadDay, NotNow, PostingRefused, UnknownName
from feltworks.house.duties import check_signatures
from feltworks.house.journal.book import open_page, postings
from feltworks.house.journal.posting import Voucher
from feltworks.house.law import check_not_future
from feltworks.house.storage.database import Database
from feltworks.house.storage.schema import book
from feltworks.house.users import roles

BOOK: Final = "house register"
KIND: Final = "register"
EntryKind = Literal["licence", "excluded person", "equipment", "cards", "chips", "key", "incident"]
KINDS: Final[tuple[EntryKind, ...]] = get_args(EntryKind)
LICENCE: Final = "licence"
EXCLUDED: Final = "excluded person"


class RegisterEntry(Struct, frozen=True, tag_field="act", tag="entry"):
    """Something the house keeps a record of: who or what, the facts, a reference, and until when it holds."""

    kind: EntryKind
    name: str
    says: str
    reference: str = ""
    until: datetime.date | None = None


class Strike(Struct, frozen=True, tag_field="act", tag="strike"):
    """An entry no longer holds: a licence given back, cards destroyed, an incident settled."""

    entry: int
    why: str


class RegisterLine(Struct, frozen=True):
    """An entry with its number, its day, who signed it, and why it was struck."""

    number: int
    day: datetime.date
    entry: RegisterEntry
    signed: tuple[str, ...]
    struck: str = ""

    def holds_on(self, day: datetime.date) -> bool:
        return not self.struck and (self.entry.until is None or day <= self.entry.until)


_decode = msgspec.json.Decoder(RegisterEntry | Strike).decode


def known_kind(text: str) -> EntryKind:
    """A kind of entry by its name, hyphens read as blanks.

    >>> known_kind("excluded-person")
    'excluded person'
    """
    for kind in KINDS:
        if kind == text.replace("-", " "):
            return kind
    raise UnknownName("kind of entry", text, KINDS)


class Register:
    """The register of a house."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def add(self, entry: RegisterEntry, *, by: str, second: str, day: datetime.date) -> int:
        """Enter something; returns the number of the posting."""
        if not entry.name.strip() or not entry.says.strip():
            raise PostingRefused("an entry of the register names somebody or something, and says what of it")
        if entry.until is not None and entry.until < day:
            raise BadDay(entry.until, f"what is entered on {day} holds until that day or later")
        return self._post(entry, f"{entry.kind}: {entry.name}, {entry.says}", by, second, day)

    def strike(self, number: int, why: str, *, by: str, second: str, day: datetime.date) -> int:
        """Strike an entry, with the reason."""
        if not why.strip():
            raise PostingRefused("say why the entry is struck")
        lines = {line.number: line for line in self.lines()}
        if number not in lines:
            raise UnknownName("entry of the register", number, lines)
        if lines[number].struck:
            raise NotNow(f"entry {number} is struck already")
        return self._post(Strike(number, why.strip()), f"entry {number} struck: {why}", by, second, day)

    def lines(self, kind: EntryKind | None = None) -> list[RegisterLine]:
        """Every entry, struck ones included, the oldest first."""
        with self.database.snapshot() as connection:
            return [line for line in read_register(connection) if kind in (None, line.entry.kind)]

    def _post(self, act: RegisterEntry | Strike, why: str, by: str, second: str, day: datetime.date) -> int:
        check_not_future(day)
        with self.database.transaction() as connection:
            check_signatures("register", {"recorder": by, "second person": second}, roles(connection))
            page = open_page(connection, BOOK, KIND)
            key = f"register/{page.number + 1}"
            voucher = Voucher(key=key, day=day, by=by, witness=second, explanation=why)
            posting = page.add(KIND, msgspec.json.encode(act).decode(), voucher, ())
            page.write()
            return posting.number


def read_register(connection: Connection) -> list[RegisterLine]:
    """Every entry, read within a transaction."""
    number = connection.execute(select(book.c.id).where(book.c.name == BOOK)).scalar()
    lines: dict[int, RegisterLine] = {}
    for posting in postings(connection, number) if number is not None else ():
        act = _decode(posting.facts)
        if isinstance(act, Strike):
            lines[act.entry] = msgspec.structs.replace(lines[act.entry], struck=act.why)
        else:
            signed = tuple(filter(None, (posting.made_by, posting.witness)))
            day = datetime.date.fromisoformat(posting.day)
            lines[posting.number] = RegisterLine(posting.number, day, act, signed)
    return list(lines.values())


def check_licences(connection: Connection, people: Iterable[str], day: datetime.date) -> None:
    """Refuse a signature of somebody whose licence is on record and does not hold on the day.

    A house that keeps licences elsewhere enters none, and nobody is refused.
    """
    licences = [line for line in read_register(connection) if line.entry.kind == LICENCE]
    for person in people:
        own = [line for line in licences if line.entry.name == person]
        if own and not any(line.holds_on(day) for line in own):
            last = own[-1]
            ended = f"was struck: {last.struck}" if last.struck else f"ran out on {last.entry.until}"
            raise PostingRefused(
                f"{person} may not sign on {day}: the licence {ended} (entry {last.number} of the register)"
            )


def check_not_excluded(connection: Connection, player: str, day: datetime.date) -> None:
    """WAC 230-23-020: a person on the list of excluded persons is not seated and not paid."""
    for line in read_register(connection):
        is_same = line.entry.name.casefold() == player.strip().casefold()
        if line.entry.kind == EXCLUDED and is_same and line.holds_on(day):
            raise PostingRefused(
                f"{player.strip()} is excluded (entry {line.number} of the register): not seated, and "
                "winnings are not paid (WAC 230-23-020)"
            )
