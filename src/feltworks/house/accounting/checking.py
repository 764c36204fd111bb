"""Are the books of the tables whole? Numbers, wins and signatures are recomputed from the postings."""

from collections.abc import Iterator

from sqlalchemy import Connection, func, select

from feltworks.house.accounting import periods
from feltworks.house.accounting.acts import signed_in
from feltworks.house.accounting.chart import BOOK, WIN, play
from feltworks.house.duties import Signature
from feltworks.house.journal.posting import Posting
from feltworks.house.journal.reading import book_number
from feltworks.house.journal.verify import Verified, verify
from feltworks.house.storage.database import Database
from feltworks.house.storage.floor_tables import signature, slip
from feltworks.house.storage.tables import account, book
from feltworks.money import Cents


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
