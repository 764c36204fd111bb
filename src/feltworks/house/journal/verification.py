"""Recomputes one book from its postings: seals, marks, times and balances; an inspector checks each posting further."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Final

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, func, select

from feltworks.house.journal.book import book_number, postings
from feltworks.house.journal.posting import BEGINNING, Posting
from feltworks.house.journal.seals import HouseKey
from feltworks.house.storage.schema import account, book
from feltworks.house.storage.schema import posting as posting_table
from feltworks.money import Cents

_CLOCK_SLACK: Final = timedelta(seconds=2)  # network time corrections are smaller
Inspector = Callable[[Posting], Iterator[str]]


class Verification(Struct, frozen=True):
    """The result of recomputing a book, and the faults found in it."""

    book: str
    postings: int
    entries: int
    hash: str
    troubles: list[str]
    notes: list[str] = []

    @property
    def holds(self) -> bool:
        return not self.troubles


def verify(connection: Connection, name: str, inspect: Inspector | None = None) -> Verification:
    """Recompute a book from its first posting; an inspector may check each posting further."""
    number = book_number(connection, name)
    sums: dict[str, Cents] = defaultdict(int)
    troubles: list[str] = []
    count = entries = 0
    last, clock = BEGINNING, Clock()
    mark: bytes | None = None
    key: HouseKey | None = connection.get_execution_options().get("house_key")
    for posting in postings(connection, number):
        count, entries = count + 1, entries + len(posting.entries)
        troubles += _seal_faults(posting, count, last)
        if key is not None and not key.bears_mark(name, posting.number, posting.hash, posting.mark):
            troubles.append(f"posting {posting.number} does not bear the mark of this house")
        troubles += clock.read(posting)
        for line in posting.entries:
            sums[line.debit] += line.cents
            sums[line.credit] -= line.cents
        if inspect is not None:
            try:
                troubles += inspect(posting)
            except (msgspec.DecodeError, ValueError) as trouble:
                troubles.append(f"posting {posting.number} has facts that cannot be read: {trouble}")
        last, mark = posting.hash, posting.mark
    p = posting_table.c
    is_outside = (p.book == number) & ((p.number < 1) | (p.number > count))
    if outside := connection.execute(select(func.count()).select_from(posting_table).where(is_outside)).scalar_one():
        troubles.append(f"{outside} postings are numbered outside 1 to {count}")
    if (head := connection.execute(select(book.c.mark).where(book.c.id == number)).scalar()) != mark:
        troubles.append(
            f"the book does not keep the mark of its last posting ({'none' if head is None else 'another'})"
        )
    troubles += _balance_faults(connection, number, count, last, sums)
    if key is not None and (before := key.unmarked.get(name)):
        clock.notes.append(f"postings up to {before} are from before these books had a key and bear no mark")
    if key is None:
        clock.notes.append("the key of these books is not on this computer, so marks were not checked")
    return Verification(name, count, entries, last.hex(), troubles, clock.notes)


class Clock:
    """Reads the times of postings, and notes where the computer's clock went back."""

    def __init__(self) -> None:
        self._latest: datetime | None = None
        self.notes: list[str] = []

    def read(self, posting: Posting) -> Iterator[str]:
        """Read the time of a posting; a time earlier than the posting before shows that the clock went back."""
        try:
            made = datetime.fromisoformat(posting.made_at)
        except ValueError:
            yield f"posting {posting.number} was made at no time that can be read: {posting.made_at!r}"
            return
        if self._latest is not None and made < self._latest - _CLOCK_SLACK:
            back = self._latest - made
            self.notes.append(f"the clock went back by {back} before posting {posting.number}")
        self._latest = made


def _seal_faults(posting: Posting, number: int, last: bytes) -> Iterator[str]:
    if posting.number != number:
        yield f"posting {number} is missing: {posting.number} stands in its place"
    if posting.previous != last:
        yield f"posting {posting.number} does not carry the seal of the one before"
    if posting.lines != len(posting.entries):
        yield f"posting {posting.number} announces other lines than its {len(posting.entries)}, or in another order"
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
    for name in sorted(balances.keys() | sums.keys(), key=str):
        if (stored := balances.get(name, 0)) != (due := sums.get(name, 0)):
            yield f"account {name} is stored at {stored} cents; its lines make {due}"
    if total := sum(balances.values()):
        yield f"the accounts add up to {total} cents and not to nothing"
