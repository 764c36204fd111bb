"""Recomputes the books from their postings: seals, balances, slips, signatures, users, progressives."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, func, select

from feltworks.errors import FeltError, UnknownName
from feltworks.house.duties import Signature
from feltworks.house.journal.book import book_number, postings
from feltworks.house.journal.posting import BEGINNING, Posting
from feltworks.house.progressive.accounts import CHART
from feltworks.house.progressive.acts import Opening, decode_act
from feltworks.house.progressive.dispatch import apply
from feltworks.house.progressive.fund import Fund, Standing
from feltworks.house.progressive.records import KIND as PROGRESSIVE
from feltworks.house.progressive.records import read_standing
from feltworks.house.progressive.terms import ProgressiveWager
from feltworks.house.storage.database import Database
from feltworks.house.storage.schema import account, book, person, signature, slip
from feltworks.house.tables import periods
from feltworks.house.tables.accounts import BOOK, WIN, play_account
from feltworks.house.tables.accounts import KIND as TABLES
from feltworks.house.tables.acts import decode_signatures
from feltworks.house.tables.tokes import KIND as TOKES
from feltworks.house.users import KIND as USERS
from feltworks.house.users import Change
from feltworks.money import Cents

Inspector = Callable[[Posting], Iterator[str]]


class Verification(Struct, frozen=True):
    """What was recomputed of a book, and the faults found in it."""

    book: str
    postings: int
    entries: int
    hash: str
    troubles: list[str]

    @property
    def holds(self) -> bool:
        return not self.troubles


def verify(connection: Connection, name: str, inspect: Inspector | None = None) -> Verification:
    """Recompute a book from its first posting; an inspector may check each posting further."""
    number = book_number(connection, name)
    sums: dict[str, Cents] = defaultdict(int)
    troubles: list[str] = []
    count = entries = 0
    last = BEGINNING
    for posting in postings(connection, number):
        count, entries = count + 1, entries + len(posting.entries)
        troubles += _seal_faults(posting, count, last)
        for line in posting.entries:
            sums[line.debit] += line.cents
            sums[line.credit] -= line.cents
        if inspect is not None:
            troubles += inspect(posting)
        last = posting.hash
    troubles += _balance_faults(connection, number, count, last, sums)
    return Verification(name, count, entries, last.hex(), troubles)


def _seal_faults(posting: Posting, number: int, last: bytes) -> Iterator[str]:
    if posting.number != number:
        yield f"posting {number} is missing: {posting.number} stands in its place"
    if posting.previous != last:
        yield f"posting {posting.number} does not carry the seal of the one before"
    if not posting.is_sealed:
        yield f"posting {posting.number} is not what was sealed"


def _balance_faults(
    connection: Connection, number: int, count: int, last: bytes, sums: dict[str, Cents]
) -> Iterator[str]:
    b, a = book.c, account.c
    head = connection.execute(select(b.number, b.hash).where(b.id == number)).one()
    if (head.number, bytes(head.hash)) != (count, last):
        yield f"the book says that posting {head.number} is its last, but it ends with {count}"
    rows = connection.execute(select(a.name, a.cents).where(a.book == number))
    balances: dict[str, Cents] = dict(map(tuple, rows))
    for name in sorted(balances.keys() | sums.keys()):
        if (stored := balances.get(name, 0)) != (due := sums.get(name, 0)):
            yield f"account {name} is kept at {stored} cents; its lines make {due}"
    if total := sum(balances.values()):
        yield f"the accounts add up to {total} cents and not to nothing"


def verify_tables(database: Database, name: str) -> Verification:
    """Verify the book of the table games: balances, seals, slip numbers, wins and signatures."""
    with database.snapshot() as connection:
        checked = verify_signed_book(connection, name)
        troubles = [*checked.troubles, *_missing_slips(connection), *_win_faults(connection)]
    return replace(checked, troubles=troubles)


def verify_tokes(database: Database, name: str) -> Verification:
    """Verify the book of tokes with its signatures."""
    with database.snapshot() as connection:
        return verify_signed_book(connection, name)


def verify_signed_book(connection: Connection, name: str) -> Verification:
    """Verify a book in which each posting has to carry the signatures among its sealed facts."""
    s = signature.c
    of = book_number(connection, name)
    stored: dict[int, set[Signature]] = {}
    rows = select(s.number, s.position, s.person, s.role).where(s.book == of)
    for number, *columns in connection.execute(rows):
        stored.setdefault(number, set()).add(Signature(*columns))
    return verify(
        connection, name, lambda posting: _signature_faults(posting, stored.get(posting.number, set()))
    )


def _signature_faults(posting: Posting, stored: set[Signature]) -> Iterator[str]:
    if not stored or stored != set(decode_signatures(posting.facts).signed):
        yield f"posting {posting.number} bears other signatures than it was sealed with"


def _missing_slips(connection: Connection) -> Iterator[str]:
    s = slip.c
    counted = select(s.kind, func.count(), func.max(s.serial)).group_by(s.kind).order_by(s.kind)
    for kind, count, last in connection.execute(counted):
        if count != last:
            yield f"{last - count} of the {kind} slips up to {last} are missing"


def _win_faults(connection: Connection) -> Iterator[str]:
    """Compare the win of all counted boxes and the money out at each table with the accounts."""
    a = account.c
    of = select(book.c.id).where(book.c.name == BOOK).scalar_subquery()
    rows = connection.execute(select(a.name, a.cents).where(a.book == of))
    balances: dict[str, Cents] = dict(map(tuple, rows))
    won = 0
    for table in periods.tables(connection):
        boxes = periods.every_of(connection, table)
        won += sum(period.sums.win for period in boxes if period.state == "counted")
        out = -sum(period.sums.win for period in boxes if period.state != "counted")
        if (stored := balances.get(play_account(table), 0)) != out:
            yield f"{play_account(table)} is kept at {stored} cents; its slips make {out}"
    if (stored := -balances.get(WIN, 0)) != won:
        yield f"the win is kept at {stored} cents; the slips make {won}"


class Retrace:
    """Carries out the acts of a progressive again, from its opening on."""

    def __init__(self) -> None:
        self.fund: Fund | None = None
        self._wager: ProgressiveWager | None = None

    def inspect(self, posting: Posting) -> Iterator[str]:
        """Carry out the act of a posting and compare its lines."""
        try:
            lines = self._lines(posting)
        except (FeltError, ValueError) as trouble:
            yield f"posting {posting.number} cannot have been posted: {trouble}"
            return
        if lines != posting.entries:
            yield f"posting {posting.number} has other lines than its act ({posting.kind}) brings about"

    def _lines(self, posting: Posting) -> tuple[object, ...]:
        act, day = decode_act(posting.facts), date.fromisoformat(posting.day)
        if isinstance(act, Opening):
            self._wager = ProgressiveWager(act.terms)
            self.fund = Fund(act.terms, Standing.at_opening(day), dict.fromkeys(CHART, 0))
        if self.fund is None or self._wager is None:
            raise ValueError("it comes before the opening")
        apply(self.fund, self._wager, act, day)
        return tuple(self.fund.take_entries())


def verify_progressive(database: Database, name: str) -> Verification:
    """Recompute seals, balances, lines and state of one progressive."""
    retrace = Retrace()
    with database.snapshot() as connection:
        verified = verify(connection, name, retrace.inspect)
        stored = read_standing(connection, book_number(connection, name))
    if retrace.fund is not None and retrace.fund.standing != stored:
        verified.troubles.append("its state is not the one that its postings lead to")
    return verified


_decode = msgspec.json.Decoder(Change).decode
_DISMISSED = "dismissed"


def verify_users(database: Database, name: str) -> Verification:
    """Verify the journal of users, and that each user has the role it says."""
    roles: dict[str, str] = {}
    with database.snapshot() as connection:
        checked = verify(connection, name, lambda posting: _follow(posting, roles))
        rows = connection.execute(select(person.c.name, person.c.role, person.c.active)).all()
    stored = {row.name: row.role if row.active else _DISMISSED for row in rows}
    troubles = [
        f"user {user} is kept as {stored.get(user, 'nobody')}; the journal says {roles.get(user, 'nobody')}"
        for user in sorted(stored.keys() | roles.keys())
        if stored.get(user) != roles.get(user)
    ]
    return replace(checked, troubles=[*checked.troubles, *troubles])


def _follow(posting: Posting, roles: dict[str, str]) -> Iterator[str]:
    change = _decode(posting.facts)
    if change.role is not None:
        roles[change.user] = change.role
    elif change.change == _DISMISSED:
        roles[change.user] = _DISMISSED
    return iter(())


def verify_books(database: Database, names: Sequence[str] = ()) -> list[Verification]:
    """Recompute these books, or all of them."""
    with database.snapshot() as connection:
        rows = connection.execute(select(book.c.name, book.c.kind).order_by(book.c.id))
        kinds: dict[str, str] = dict(map(tuple, rows))
    for name in names:
        if name not in kinds:
            raise UnknownName("book", name, kinds)
    return [_verify_book(database, name, kinds[name]) for name in names or kinds]


_CHECKS: Final[Mapping[str, Callable[[Database, str], Verification]]] = {
    PROGRESSIVE: verify_progressive,
    TABLES: verify_tables,
    TOKES: verify_tokes,
    USERS: verify_users,
}


def _verify_book(database: Database, name: str, kind: str) -> Verification:
    if kind in _CHECKS:
        return _CHECKS[kind](database, name)
    with database.snapshot() as connection:
        return verify(connection, name)
