"""Is the journal whole? Seals, order and balances are recomputed from the postings themselves."""

from collections import defaultdict
from collections.abc import Callable, Iterator

from msgspec import Struct
from sqlalchemy import Connection, select

from feltworks.house.journal.posting import BEGINNING, Posting
from feltworks.house.journal.reading import book_number, postings
from feltworks.house.storage import tables
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
    b, a = tables.book.c, tables.account.c
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
