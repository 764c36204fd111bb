"""Recomputes the books from their postings: seals, balances, slips, signatures, users, progressives."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import Final

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, func, select

from feltworks.errors import FeltError, UnknownName
from feltworks.house.duties import Signature
from feltworks.house.journal.book import book_number, postings
from feltworks.house.journal.posting import BEGINNING, Posting
from feltworks.house.progressive.accounts import CHART
from feltworks.house.progressive.acts import Opening, decoded
from feltworks.house.progressive.dispatch import apply
from feltworks.house.progressive.fund import Fund, Standing
from feltworks.house.progressive.records import KIND as PROGRESSIVE
from feltworks.house.progressive.records import read_standing
from feltworks.house.progressive.terms import Wagered
from feltworks.house.storage import schema
from feltworks.house.storage.database import Database
from feltworks.house.storage.schema import account, book, person, signature, slip
from feltworks.house.tables import periods
from feltworks.house.tables.accounts import BOOK, WIN, play
from feltworks.house.tables.accounts import KIND as TABLES
from feltworks.house.tables.acts import signed_in
from feltworks.house.tables.tokes import KIND as TOKES
from feltworks.house.users import KIND as USERS
from feltworks.house.users import Change
from feltworks.money import Cents

Inspector = Callable[[Posting], Iterator[str]]


class Verified(Struct, frozen=True):
    """What was looked at and what is wrong with it."""

    book: str
    postings: int
    entries: int
    hash: str
    troubles: list[str]

    @property
    def holds(self) -> bool:
        return not self.troubles


def verify(connection: Connection, name: str, inspect: Inspector | None = None) -> Verified:
    """Recompute a book from its first posting on; an inspector may look at every posting besides."""
    number = book_number(connection, name)
    sums: dict[str, Cents] = defaultdict(int)
    troubles: list[str] = []
    count = entries = 0
    last = BEGINNING
    for posting in postings(connection, number):
        count, entries = count + 1, entries + len(posting.entries)
        troubles += _broken(posting, count, last)
        for line in posting.entries:
            sums[line.debit] += line.cents
            sums[line.credit] -= line.cents
        if inspect is not None:
            troubles += inspect(posting)
        last = posting.hash
    troubles += _unequal(connection, number, count, last, sums)
    return Verified(name, count, entries, last.hex(), troubles)


def _broken(posting: Posting, number: int, last: bytes) -> Iterator[str]:
    if posting.number != number:
        yield f"posting {number} is missing: {posting.number} stands in its place"
    if posting.previous != last:
        yield f"posting {posting.number} does not carry the seal of the one before"
    if not posting.is_sealed:
        yield f"posting {posting.number} is not what was sealed"


def _unequal(
    connection: Connection, number: int, count: int, last: bytes, sums: dict[str, Cents]
) -> Iterator[str]:
    b, a = schema.book.c, schema.account.c
    head = connection.execute(select(b.number, b.hash).where(b.id == number)).one()
    if (head.number, bytes(head.hash)) != (count, last):
        yield f"the book says that posting {head.number} is its last, but it ends with {count}"
    rows = connection.execute(select(a.name, a.cents).where(a.book == number))
    kept: dict[str, Cents] = dict(map(tuple, rows))
    for name in sorted(kept.keys() | sums.keys()):
        if kept.get(name, 0) != sums.get(name, 0):
            yield f"account {name} is kept at {kept.get(name, 0)} cents; its lines make {sums.get(name, 0)}"
    if total := sum(kept.values()):
        yield f"the accounts add up to {total} cents and not to nothing"


def verify_tables(database: Database, name: str) -> Verified:
    """The book of the table games: besides its balances and seals, its numbers, wins and signatures."""
    with database.reading() as connection:
        found = verify_signed(connection, name)
        troubles = [*found.troubles, *_gaps(connection), *_wins(connection)]
    return Verified(found.book, found.postings, found.entries, found.hash, troubles)


def verify_tokes(database: Database, name: str) -> Verified:
    """The book of tokes, with its signatures."""
    with database.reading() as connection:
        return verify_signed(connection, name)


def verify_signed(connection: Connection, name: str) -> Verified:
    """A book whose postings are signed as their sealed facts say."""
    s = signature.c
    of = book_number(connection, name)
    kept: dict[int, set[Signature]] = {}
    rows = select(s.number, s.position, s.person, s.role).where(s.book == of)
    for number, *said in connection.execute(rows):
        kept.setdefault(number, set()).add(Signature(*said))
    return verify(connection, name, lambda posting: _unsigned(posting, kept.get(posting.number, set())))


def _unsigned(posting: Posting, kept: set[Signature]) -> Iterator[str]:
    if not kept or kept != set(signed_in(posting.facts).signed):
        yield f"posting {posting.number} bears other signatures than it was sealed with"


def _gaps(connection: Connection) -> Iterator[str]:
    s = slip.c
    counted = select(s.kind, func.count(), func.max(s.serial)).group_by(s.kind).order_by(s.kind)
    for kind, count, last in connection.execute(counted):
        if count != last:
            yield f"{last - count} of the {kind} slips up to {last} are missing"


def _wins(connection: Connection) -> Iterator[str]:
    """What all counted boxes won is what the accounts say, and no table without a box has money out."""
    a = account.c
    of = select(book.c.id).where(book.c.name == BOOK).scalar_subquery()
    kept: dict[str, Cents] = dict(map(tuple, connection.execute(select(a.name, a.cents).where(a.book == of))))
    won = 0
    for table in periods.tables(connection):
        every = periods.every_of(connection, table)
        won += sum(each.sums.win for each in every if each.state == "counted")
        out = -sum(each.sums.win for each in every if each.state != "counted")
        if kept.get(play(table), 0) != out:
            yield f"{play(table)} is kept at {kept.get(play(table), 0)} cents; its slips make {out}"
    if -kept.get(WIN, 0) != won:
        yield f"the win is kept at {-kept.get(WIN, 0)} cents; the slips make {won}"


class Retraced:
    """A progressive carried out again from its opening, posting by posting."""

    def __init__(self) -> None:
        self.fund: Fund | None = None
        self._wagered: Wagered | None = None

    def inspect(self, posting: Posting) -> Iterator[str]:
        """Carry the posting's act out and compare."""
        try:
            lines = self._lines(posting)
        except (FeltError, ValueError) as trouble:
            yield f"posting {posting.number} cannot have been posted: {trouble}"
            return
        if lines != posting.entries:
            yield f"posting {posting.number} has other lines than its act ({posting.kind}) brings about"

    def _lines(self, posting: Posting) -> tuple[object, ...]:
        act, day = decoded(posting.facts), date.fromisoformat(posting.day)
        if isinstance(act, Opening):
            self._wagered = Wagered(act.terms)
            self.fund = Fund(act.terms, Standing.opened(day), dict.fromkeys(CHART, 0))
        if self.fund is None or self._wagered is None:
            raise ValueError("it stands before the opening")
        apply(self.fund, self._wagered, act, day)
        return tuple(self.fund.lines())


def verify_progressive(database: Database, name: str) -> Verified:
    """Recompute seals, balances, lines and state of one progressive."""
    retraced = Retraced()
    with database.reading() as connection:
        verified = verify(connection, name, retraced.inspect)
        kept = read_standing(connection, book_number(connection, name))
    if retraced.fund is not None and retraced.fund.standing != kept:
        verified.troubles.append("its state is not the one that its postings lead to")
    return verified


_decode = msgspec.json.Decoder(Change).decode
_DISMISSED = "dismissed"


def verify_users(database: Database, name: str) -> Verified:
    """The journal of users, and whether everybody is what it says."""
    told: dict[str, str] = {}
    with database.reading() as connection:
        found = verify(connection, name, lambda posting: _follow(posting, told))
        rows = connection.execute(select(person.c.name, person.c.role, person.c.active)).all()
    kept = {row.name: row.role if row.active else _DISMISSED for row in rows}
    troubles = [
        f"user {each} is kept as {kept.get(each, 'nobody')}; the journal says {told.get(each, 'nobody')}"
        for each in sorted(kept.keys() | told.keys())
        if kept.get(each) != told.get(each)
    ]
    return Verified(found.book, found.postings, found.entries, found.hash, [*found.troubles, *troubles])


def _follow(posting: Posting, told: dict[str, str]) -> Iterator[str]:
    change = _decode(posting.facts)
    if change.role is not None:
        told[change.user] = change.role
    elif change.change == _DISMISSED:
        told[change.user] = _DISMISSED
    return iter(())


def verify_books(database: Database, names: Sequence[str] = ()) -> list[Verified]:
    """Recompute these books, or all of them."""
    with database.reading() as connection:
        rows = connection.execute(select(book.c.name, book.c.kind).order_by(book.c.id))
        kinds: dict[str, str] = dict(map(tuple, rows))
    for name in names:
        if name not in kinds:
            raise UnknownName("book", name, kinds)
    return [_verified(database, name, kinds[name]) for name in names or kinds]


_CLOSELY: Final[Mapping[str, Callable[[Database, str], Verified]]] = {
    PROGRESSIVE: verify_progressive,
    TABLES: verify_tables,
    TOKES: verify_tokes,
    USERS: verify_users,
}


def _verified(database: Database, name: str, kind: str) -> Verified:
    if kind in _CLOSELY:
        return _CLOSELY[kind](database, name)
    with database.reading() as connection:
        return verify(connection, name)
