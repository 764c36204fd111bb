"""A progressive in the database: its terms, its standing, and how it is created."""

from collections.abc import Sequence
from datetime import date

import msgspec
from sqlalchemy import Connection, insert, select, update

from feltworks.errors import BadDay, PostingRefused, UnknownName
from feltworks.house.journal.book import Page
from feltworks.house.journal.posting import BEGINNING, Voucher
from feltworks.house.law import check_not_future
from feltworks.house.progressive.accounts import CHART
from feltworks.house.progressive.acts import Opening
from feltworks.house.progressive.dispatch import post_act
from feltworks.house.progressive.fund import Fund, Standing
from feltworks.house.progressive.terms import ProgressiveTerms, ProgressiveWager, decode_fraction, encode
from feltworks.house.storage import schema
from feltworks.house.storage.schema import progressive
from feltworks.house.storage.statements import PreparedSelect, Row

KIND = "progressive"


def progressive_names(connection: Connection) -> list[str]:
    """The progressives in these books."""
    rows = select(schema.book.c.name).where(schema.book.c.kind == KIND).order_by(schema.book.c.name)
    return list(connection.execute(rows).scalars())


def read_terms(connection: Connection, name: str) -> ProgressiveTerms:
    """The settings that a progressive was opened with."""
    joined = schema.progressive.join(schema.book, schema.book.c.id == schema.progressive.c.book)
    wanted = select(schema.progressive.c.terms).select_from(joined).where(schema.book.c.name == name)
    found = connection.execute(wanted).scalar()
    if found is None:
        raise UnknownName("progressive", name, progressive_names(connection) or ["one that is opened first"])
    return msgspec.json.decode(found, type=ProgressiveTerms, dec_hook=decode_fraction)


def create(connection: Connection, name: str, terms: ProgressiveTerms, signed: Voucher) -> None:
    """Open the book and its accounts and post the seed."""
    if not name.strip():
        raise PostingRefused("a progressive needs a name")
    added = insert(schema.book).values(name=name, kind=KIND, hash=BEGINNING).returning(schema.book.c.id)
    number = connection.execute(added).scalar_one()
    accounts = [{"book": number, "name": account.name, "kind": account.kind} for account in CHART.values()]
    connection.execute(insert(schema.account), accounts)
    fund = Fund(terms, Standing.opened(signed.day), dict.fromkeys(CHART, 0))
    page = Page(connection, name)
    post_act(page, fund, ProgressiveWager(terms), Opening(terms), signed)
    page.write()
    kept = {"book": number, "terms": encode(terms), **standing_row(fund.standing)}
    connection.execute(insert(schema.progressive).values(kept))


def check_day(signed: Voucher) -> None:
    """A day is a calendar day, not a moment and not text, and it has come."""
    if type(signed.day) is not date:
        raise BadDay(signed.day, "a posting is dated with a calendar day")
    check_not_future(signed.day)


_C = progressive.c
STANDING = PreparedSelect(
    select(_C.state, _C.day, _C.closed, _C.latest, _C.tested, _C.started, _C.maximum).where(_C.book == 0)
)


def read_standing(connection: Connection, book: int) -> Standing:
    """How the progressive of this book stands."""
    return parse_standing(STANDING.all(connection, book))


def parse_standing(rows: Sequence[Row]) -> Standing:
    """The one row of a progressive's standing, read."""
    ((state, day, closed, latest, tested, started, maximum),) = rows
    return Standing(
        state=state,
        day=date.fromisoformat(day) if day else None,
        closed=date.fromisoformat(closed),
        latest=date.fromisoformat(latest),
        tested=date.fromisoformat(tested),
        started=started,
        maximum=maximum,
    )


def save_standing(connection: Connection, book: int, before: Standing, after: Standing) -> None:
    """Write what has changed, which most postings leave alone."""
    if after != before:
        connection.execute(update(progressive).where(_C.book == book).values(**standing_row(after)))


def standing_row(standing: Standing) -> dict[str, object]:
    """A standing as columns."""
    return {
        "state": standing.state,
        "day": standing.day.isoformat() if standing.day else None,
        "closed": standing.closed.isoformat(),
        "latest": standing.latest.isoformat(),
        "tested": standing.tested.isoformat(),
        "started": standing.started,
        "maximum": standing.maximum,
    }
