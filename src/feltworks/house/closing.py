"""Closes days, months, quarters and years: all boxes are counted, the seals are signed, nothing more is posted."""

import datetime
from calendar import monthrange
from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, func, insert, select

from feltworks.errors import BadOption, NotNow, PostingRefused
from feltworks.house.duties import check_signatures
from feltworks.house.journal.book import Page, find_book, open_page, postings_of_kinds, seal_fault
from feltworks.house.journal.posting import Posting
from feltworks.house.journal.seals import HouseKey, NotedSeal, is_signed, note_seal, noted_seals, parse_seal
from feltworks.house.law import check_not_future
from feltworks.house.storage.database import Database, PreparedSelect
from feltworks.house.storage.migration import read_house
from feltworks.house.storage.schema import book, closing, period, progressive
from feltworks.house.tables import periods
from feltworks.house.users import roles

BOOK: Final = "house closings"
KIND: Final = "closings"
SpanKind = Literal["day", "month", "quarter", "year"]


class Span(Struct, frozen=True):
    """A day, month, quarter or year, by its name and its days."""

    name: str
    kind: SpanKind
    first: datetime.date
    last: datetime.date

    def days(self) -> Iterator[datetime.date]:
        """Every day of the span."""
        for number in range((self.last - self.first).days + 1):
            yield self.first + datetime.timedelta(days=number)


def parse_span(text: str) -> Span:
    """Read 2024-01-31, 2024-01, 2024-Q1 or 2024.

    >>> parse_span("2024-Q1").last
    datetime.date(2024, 3, 31)
    """
    year, _, rest = text.partition("-")
    try:
        if not rest:
            return _months(text, "year", int(year), 1, 12)
        if rest[0] in "Qq" and rest[1:] in ("1", "2", "3", "4"):
            quarter = int(rest[1:])
            return _months(f"{year}-Q{quarter}", "quarter", int(year), 3 * quarter - 2, 3 * quarter)
        if len(rest) == 2:
            return _months(text, "month", int(year), int(rest), int(rest))
        day = datetime.date.fromisoformat(text)
    except (ValueError, IndexError):
        takes = "a day, month, quarter or year: 2024-01-31, 2024-01, 2024-Q1, 2024"
        raise BadOption("period", text, takes) from None
    return Span(text, "day", day, day)


def _months(name: str, kind: SpanKind, year: int, first: int, last: int) -> Span:
    end = datetime.date(year, last, monthrange(year, last)[1])
    return Span(name, kind, datetime.date(year, first, 1), end)


class Head(Struct, frozen=True, array_like=True):
    """The last posting of a book, and its seal."""

    number: int
    seal: str


class Closing(Struct, frozen=True, tag_field="act", tag="closing"):
    """A period is closed; the heads of all books are signed with the key of the house."""

    name: str
    kind: SpanKind
    first: datetime.date
    last: datetime.date
    heads: Mapping[str, Head]
    signature: str = ""

    @property
    def document(self) -> bytes:
        """The document that is signed: all fields but the signature."""
        return msgspec.json.encode(msgspec.structs.replace(self, signature=""))


class Restoration(Struct, frozen=True, tag_field="act", tag="restoration"):
    """The books were restored from a backup; lists the noted seals that were lost with the newer books."""

    lost: tuple[str, ...]


decode_act = msgspec.json.Decoder(Closing | Restoration).decode


class ClosingBook:
    """The closed periods of a house."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def close(self, span: Span, *, by: str, second: str) -> Closing:
        """Close a period whose boxes are all counted; refuses to close it twice."""
        check_not_future(span.last)
        with self.database.transaction() as connection:
            signed = {"accounting": by, "second person": second}
            check_signatures("closing", signed, roles(connection))
            page = open_page(connection, BOOK, KIND)
            heads = _lock_heads(connection)
            _check_closable(connection, span)
            key: HouseKey = connection.get_execution_options()["house_key"]
            unsigned = Closing(span.name, span.kind, span.first, span.last, heads)
            closed = msgspec.structs.replace(unsigned, signature=key.sign(unsigned.document))
            sealed = self._store(connection, page, closed, by, second)
            books = read_house(connection).books
        if not self.database.is_in_memory:
            note_seal(books, NotedSeal(BOOK, sealed.number, sealed.hash.hex()))
        return closed

    def _store(self, connection: Connection, page: Page, closed: Closing, by: str, second: str) -> Posting:
        text = f"{closed.kind} {closed.name} closed"
        posting = page.post(KIND, closed, day=closed.last, by=by, witness=second, why=text, key=closed.name)
        connection.execute(insert(closing).values(closing_row(page.book, posting, closed)))
        return posting

    def record_restoration(self, why: str, *, by: str, second: str) -> Restoration:
        """Record that the books were restored, with every noted seal that is no longer in them."""
        if not why.strip():
            raise PostingRefused("say why the books were restored (house rule: what is lost has its reason)")
        noted = self.database.last_seals.all() if self.database.last_seals else []
        with self.database.transaction() as connection:
            check_signatures("restoration", {"administrator": by, "accounting": second}, roles(connection))
            page = open_page(connection, BOOK, KIND)
            lost = sorted(lost_seals(connection, noted))
            if not lost:
                raise NotNow("these books have every posting whose seal was noted (house rule: nothing is lost twice)")
            act = Restoration(tuple(lost))
            page.post("restoration", act, day=datetime.date.today(), by=by, witness=second, why=why.strip())
        return act

    def closed_periods(self) -> list[Span]:
        """The closed periods, in the order of their days."""
        with self.database.snapshot() as connection:
            return closed_spans(connection)


def lost_seals(connection: Connection, last: Iterable[str]) -> dict[str, str]:
    """The noted seals, of closings and of the last postings, that the books lack, each with its fault.

    Seals that a restoration lists are not faults, since their loss is explained.
    """
    number = find_book(connection, BOOK)
    rows = postings_of_kinds(connection, number, ["restoration"]) if number is not None else ()
    named = {seal for row in rows for seal in msgspec.json.decode(row.facts, type=Restoration).lost}
    faults = {line: _noted_fault(connection, line) for line in (*noted_seals(read_house(connection).books), *last)}
    return {line: fault for line, fault in faults.items() if fault and line not in named}


def _noted_fault(connection: Connection, line: str) -> str:
    try:
        return seal_fault(connection, parse_seal(line))
    except BadOption:
        return f"a seal beside the key cannot be read: {line!r}"


def closing_row(book_id: int, posting: Posting, closed: Closing) -> dict[str, object]:
    """The row of a closed period."""
    return {
        "name": closed.name,
        "kind": closed.kind,
        "first": closed.first.isoformat(),
        "last": closed.last.isoformat(),
        "book": book_id,
        "number": posting.number,
    }


def closed_spans(connection: Connection) -> list[Span]:
    """The closed periods, read within a transaction."""
    c, of = closing.c, datetime.date.fromisoformat
    rows = select(c.name, c.kind, c.first, c.last).order_by(c.last, c.first.desc())
    return [Span(name, kind, of(first), of(last)) for name, kind, first, last in connection.execute(rows)]


# The closed periods that end on a day or later; prepared, so that it shares a round trip with other statements
CLOSED_FROM: Final = PreparedSelect(select(closing.c.name).where(closing.c.last >= ""))


def check_day_is_open(connection: Connection, day: datetime.date) -> None:
    """Refuse an entry for a day that is closed."""
    c = closing.c
    within = select(c.name).where(c.first <= day.isoformat(), c.last >= day.isoformat()).limit(1)
    name = connection.execute(within).scalar()
    if name is not None:
        raise NotNow(
            f"{day} is closed ({name}), so nothing more is posted for it; "
            "accounting revises a count of it with `felt house table revise` (house rule: closed days stay closed)"
        )


def _check_closable(connection: Connection, span: Span) -> None:
    if span.name in {closed.name for closed in closed_spans(connection)}:
        raise NotNow(f"{span.name} is closed already (house rule: closed days stay closed)")
    if (earlier := _first_open_day(connection, span.first)) is not None:
        raise NotNow(
            f"{span.name} cannot be closed: tables were open on {earlier}, which is not closed yet "
            "(house rule: periods close one after the other)"
        )
    boxes = periods.between(connection, span.first, span.last)
    if waiting := [box for box in boxes if box.state not in ("void", "counted")]:
        box = waiting[0]
        raise NotNow(
            f"{span.name} cannot be closed: the box of table {box.table} on {box.day} is {box.state}; "
            "every box is counted first (house rule: what is closed is final)"
        )
    c = progressive.c
    joined = progressive.join(book, book.c.id == c.book)
    open_days = select(book.c.name, c.day).select_from(joined).where(c.day <= span.last.isoformat())
    for name, day in connection.execute(open_days):
        raise NotNow(f"{span.name} cannot be closed: the day {day} of the progressive {name} is still open (SP.16)")


def _first_open_day(connection: Connection, before: datetime.date) -> str | None:
    """The first day before this one that has a box and is not closed."""
    c, p = closing.c, period.c
    is_closed = select(c.name).where(c.first <= p.day, c.last >= p.day).exists()
    days = select(func.min(p.day)).where(p.day < before.isoformat(), ~is_closed)
    first: str | None = connection.execute(days).scalar()
    return first


def _lock_heads(connection: Connection) -> dict[str, Head]:
    """Lock every book but this one and read its last posting; waits for current writers and holds up new ones."""
    rows = select(book.c.name, book.c.number, book.c.hash).where(book.c.name != BOOK).order_by(book.c.name)
    rows = rows.with_for_update()
    return {name: Head(number, bytes(seal).hex()) for name, number, seal in connection.execute(rows)}


def public_key(connection: Connection) -> str | None:
    """The public key that checks the signatures of closed periods."""
    public: str | None = read_house(connection).public_key
    return public


def signature_faults(closed: Closing, number: int, public: str | None) -> Iterator[str]:
    """Check the signature of a closed period."""
    if public is None or not is_signed(closed.document, closed.signature, public):
        yield f"posting {number}: {closed.name} is not signed with the key of this house"
