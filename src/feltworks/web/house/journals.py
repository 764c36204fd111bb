"""Journals over HTTP, a page at a time, newest first; closed periods, summaries, and the win against expectation."""

import datetime
from typing import Annotated, Literal

from litestar import MediaType, Response, get, post
from litestar.params import FromQuery, JSONBody, QueryParameter
from msgspec import Struct
from sqlalchemy import ColumnElement, Connection, case, func, select

from feltworks.documents import document_of
from feltworks.house.closing import Closing, ClosingBook, Restoration, Span, parse_span
from feltworks.house.duties import check_permitted, check_reader, may_read
from feltworks.house.journal.beancount import export_lines
from feltworks.house.journal.book import book_number, postings
from feltworks.house.journal.posting import Posting
from feltworks.house.journal.seals import parse_seal
from feltworks.house.progressive.fund import JACKPOT
from feltworks.house.progressive.records import progressive_names
from feltworks.house.storage.schema import book, entry, posting
from feltworks.house.tables.hold import HoldComparison, hold_report
from feltworks.house.tables.report import PeriodSummary, summarize, summary_csv
from feltworks.house.users import Person
from feltworks.house.verification import audit
from feltworks.money import Cents
from feltworks.web.house.jackpots import JournalLine
from feltworks.web.house.office import (
    CurrentUser,
    QueryName,
    ReadableBooks,
    Signer,
    TheOffice,
    Word,
    Words,
    check_witness,
    parse_part,
    today,
)
from feltworks.web.responses import file_response

Before = Annotated[int | None, QueryParameter(ge=1, le=10**15)]
Most = Annotated[int, QueryParameter(ge=1, le=200)]
Days = Annotated[int, QueryParameter(ge=1, le=3660)]
# the amount that a line adds to the displayed jackpot
_ADDS = case((entry.c.credit == JACKPOT, entry.c.cents), else_=0) - case(
    (entry.c.debit == JACKPOT, entry.c.cents), else_=0
)


class JournalPosting(Struct, frozen=True):
    """One posting; `displayed` is the jackpot after it, in the book of a progressive."""

    number: int
    kind: str
    day: str
    made_at: str
    made_by: str
    witness: str | None
    explanation: str
    entries: list[JournalLine]
    seal: str
    displayed: Cents | None


class JournalPage(Struct, frozen=True):
    """A page of a journal, the newest posting first."""

    book: str
    last: int
    postings: list[JournalPosting]


class MeterPoint(Struct, frozen=True):
    """The displayed jackpot after a posting."""

    day: datetime.date
    number: int
    cents: Cents


class MeterWin(Struct, frozen=True):
    """An amount won from the jackpot."""

    day: datetime.date
    number: int
    cents: Cents
    says: str


class MeterHistory(Struct, frozen=True):
    """A jackpot over some days: at the end of each day, and before and after every win."""

    points: list[MeterPoint]
    wins: list[MeterWin]


class BookVerification(Struct, frozen=True):
    """The result of recomputing a book from its first posting."""

    book: str
    postings: int
    entries: int
    hash: str
    holds: bool
    troubles: list[str]
    notes: list[str]


@get("/books", sync_to_thread=True)
def books(readable: ReadableBooks, person: CurrentUser) -> list[str]:
    """The names of the books that this user may read."""
    with readable.snapshot() as connection:
        rows = connection.execute(select(book.c.name, book.c.kind).order_by(book.c.id))
        return [name for name, kind in rows if may_read(person.role, kind)]


@get("/journal", sync_to_thread=True)
def journal(
    readable: ReadableBooks,
    person: CurrentUser,
    named: QueryName,
    before: Before = None,
    most: Most = 25,
) -> JournalPage:
    """The newest postings of a book, or those before a number."""
    with readable.snapshot() as connection:
        number = _check_book(connection, named, person)
        newest = select(func.coalesce(func.max(posting.c.number), 0)).where(posting.c.book == number)
        last = int(connection.execute(newest).scalar_one())
        upto = last if before is None else min(last, before - 1)
        first = max(upto - most + 1, 1)
        page = list(postings(connection, number, first=first, last=upto)) if upto else []
        shown = (
            _jackpot_after(connection, number, page) if named in progressive_names(connection) else [None] * len(page)
        )
    newest_last = [
        document_of(JournalPosting, made, seal=made.hash.hex(), displayed=displayed)
        for made, displayed in zip(page, shown, strict=True)
    ]
    return JournalPage(named, last, newest_last[::-1])


def _jackpot_after(connection: Connection, number: int, page: list[Posting]) -> list[Cents | None]:
    """The jackpot after each of these postings."""
    if not page:
        return []
    stands = _sum(connection, entry.c.book == number, entry.c.number < page[0].number)
    shown: list[Cents | None] = []
    for made in page:
        stands += sum((line.credit == JACKPOT) * line.cents for line in made.entries)
        stands -= sum((line.debit == JACKPOT) * line.cents for line in made.entries)
        shown.append(stands)
    return shown


def _sum(connection: Connection, *where: ColumnElement[bool]) -> Cents:
    return int(connection.execute(select(func.coalesce(func.sum(_ADDS), 0)).where(*where)).scalar_one())


@get("/jackpots/meter", sync_to_thread=True)
def meter(readable: ReadableBooks, named: QueryName, days: Days = 30) -> MeterHistory:
    """The displayed jackpot over the last days, with all wins."""
    with readable.snapshot() as connection:
        number = book_number(connection, named)
        since = (today() - datetime.timedelta(days=days)).isoformat()
        return _meter(connection, number, since)


def _meter(connection: Connection, number: int, since: str) -> MeterHistory:
    joined = posting.join(entry, (entry.c.book == posting.c.book) & (entry.c.number == posting.c.number))
    won = func.sum(case(((entry.c.debit == JACKPOT) & (entry.c.reason == "won"), entry.c.cents), else_=0))
    columns = posting.c.number, posting.c.day, posting.c.explanation, func.sum(_ADDS), won
    rows = connection.execute(
        select(*columns)
        .select_from(joined)
        .where(posting.c.book == number, posting.c.day >= since)
        .group_by(posting.c.number, posting.c.day, posting.c.explanation)
        .order_by(posting.c.number)
    ).all()
    first = rows[0].number if rows else 1
    stands = _sum(connection, entry.c.book == number, entry.c.number < first)
    points: list[MeterPoint] = []
    wins: list[MeterWin] = []
    for at, day_, says, added, paid in rows:
        day = datetime.date.fromisoformat(day_)
        before, stands = stands, stands + int(added)
        if paid:
            wins.append(MeterWin(day, at, int(paid), says))
            points.append(MeterPoint(day, at - 1, before))
        elif points and points[-1].day == day and (not wins or wins[-1].number != points[-1].number):
            points.pop()
        points.append(MeterPoint(day, at, stands))
    return MeterHistory(points, wins)


Expected = Annotated[
    list[str] | None, QueryParameter(max_items=50, description="Seals noted elsewhere, each as BOOK:N:SEAL.")
]
PublicKey = Annotated[str | None, QueryParameter(max_length=200, description="The public key noted elsewhere.")]


@get("/verify", sync_to_thread=True)
def verify(readable: ReadableBooks, expect: Expected = None, public_key: PublicKey = None) -> list[BookVerification]:
    """Rebuild every book from its sealed postings; faults of the database itself come first.

    A posting whose seal was noted elsewhere still has to bear it.
    """
    audited = audit(readable, expect=[parse_seal(seal) for seal in expect or ()], public=public_key)
    of_database = BookVerification("database", 0, 0, "", not audited.database, audited.database, [])
    books = [document_of(BookVerification, book) for book in audited.books]
    return [of_database, *books] if audited.database else books


@get("/export", media_type=MediaType.TEXT, sync_to_thread=True)
def export(readable: ReadableBooks, person: CurrentUser, named: QueryName) -> Response[str]:
    """A book's journal as a file for Beancount."""
    with readable.snapshot() as connection:
        _check_book(connection, named, person)
        lines = "".join(f"{line}\n" for line in export_lines(connection, named))
    return file_response(lines, "text/plain", f"{named.replace(' ', '-')}.beancount")


def _check_book(connection: Connection, named: str, person: Person) -> int:
    """The number of a book that this user may read."""
    number = book_number(connection, named)
    kind = connection.execute(select(book.c.kind).where(book.c.id == number)).scalar_one()
    check_reader(person.name, person.role, kind)
    return number


Period = Annotated[str, QueryParameter(max_length=10)]
Rate = Annotated[str | None, QueryParameter(max_length=20)]


class ClosePeriod(Struct, frozen=True, forbid_unknown_fields=True):
    """A period to be closed, and the second person."""

    period: Word
    witness: Signer


@get("/hold", sync_to_thread=True)
def hold(readable: ReadableBooks, period: Period) -> HoldComparison:
    """The win of tables, games and dealers beside the exact expectation."""
    return hold_report(readable, parse_span(period))


@get("/closings", sync_to_thread=True)
def closings(readable: ReadableBooks) -> list[Span]:
    """Every period that is closed."""
    return ClosingBook(readable).closed_periods()


@post("/closings", status_code=200, sync_to_thread=True)
def close_period(office: TheOffice, person: CurrentUser, data: JSONBody[ClosePeriod]) -> Closing:
    """Close a period whose boxes are all counted; nothing more is posted for its days."""
    second = check_witness(office, person, data.witness)
    return ClosingBook(office.database).close(parse_span(data.period), by=person.name, second=second)


class RecordRestoration(Struct, frozen=True, forbid_unknown_fields=True):
    """The reason why newer books are lost, and the second person, from accounting."""

    because: Words
    second: Signer


@post("/restoration", status_code=200, sync_to_thread=True)
def restoration(office: TheOffice, person: CurrentUser, data: JSONBody[RecordRestoration]) -> Restoration:
    """Record that books were restored in place of newer ones, and which noted seals are lost with these."""
    check_permitted(person.name, person.role, "restoration")
    second = check_witness(office, person, data.second)
    return ClosingBook(office.database).record_restoration(data.because, by=person.name, second=second)


@get("/summary", sync_to_thread=True)
def summary(
    readable: ReadableBooks,
    period: Period,
    tax_rate: Rate = None,
    format: FromQuery[Literal["json", "csv"]] = "json",
) -> Response[PeriodSummary | str]:
    """The summary of a day, month, quarter or year."""
    rate = parse_part("tax rate", tax_rate) if tax_rate else None
    summed = summarize(readable, parse_span(period), tax_rate=rate)
    if format == "csv":
        return file_response(summary_csv(summed), "text/csv", f"summary-{summed.period}.csv")
    return Response(summed, media_type="application/json")


HANDLERS = [books, journal, meter, verify, export, closings, close_period, restoration, summary, hold]
