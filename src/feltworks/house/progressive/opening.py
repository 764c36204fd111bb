"""A progressive begins: its book, its accounts and its seed, all at once."""

from collections.abc import Sequence
from datetime import date

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, insert, select

from feltworks.errors import BadDay, PostingRefused, UnknownName
from feltworks.house.days import check_has_come
from feltworks.house.journal.page import Page
from feltworks.house.journal.posting import BEGINNING, Entry, Posting, Signed
from feltworks.house.progressive.acts import Act, Opening, kind_of
from feltworks.house.progressive.applying import apply, explained
from feltworks.house.progressive.chart import CHART
from feltworks.house.progressive.fund import Fund, Standing
from feltworks.house.progressive.standing import row
from feltworks.house.progressive.terms import Terms, Wagered, encoded, read_part
from feltworks.house.storage import tables

KIND = "progressive"


def names(connection: Connection) -> list[str]:
    """The progressives in these books."""
    rows = select(tables.book.c.name).where(tables.book.c.kind == KIND).order_by(tables.book.c.name)
    return list(connection.execute(rows).scalars())


def read_terms(connection: Connection, name: str) -> Terms:
    """The settings that a progressive was opened with."""
    joined = tables.progressive.join(tables.book, tables.book.c.id == tables.progressive.c.book)
    wanted = select(tables.progressive.c.terms).select_from(joined).where(tables.book.c.name == name)
    found = connection.execute(wanted).scalar()
    if found is None:
        raise UnknownName("progressive", name, names(connection) or ["one that is opened first"])
    return msgspec.json.decode(found, type=Terms, dec_hook=read_part)


def create(connection: Connection, name: str, terms: Terms, signed: Signed) -> None:
    """Open the book and its accounts and post the seed."""
    if not name.strip():
        raise PostingRefused("a progressive needs a name")
    added = insert(tables.book).values(name=name, kind=KIND, hash=BEGINNING).returning(tables.book.c.id)
    number = connection.execute(added).scalar_one()
    accounts = [{"book": number, "name": account.name, "kind": account.kind} for account in CHART.values()]
    connection.execute(insert(tables.account), accounts)
    fund = Fund(terms, Standing.opened(signed.day), dict.fromkeys(CHART, 0))
    page = Page(connection, name)
    add_to(page, fund, Wagered(terms), Opening(terms), signed)
    page.write()
    kept = {"book": number, "terms": encoded(terms), **row(fund.standing)}
    connection.execute(insert(tables.progressive).values(kept))


def add_to(page: Page, fund: Fund, wagered: Wagered, act: Act, signed: Signed) -> Posting:
    """Carry an act out and write it on the page."""
    apply(fund, wagered, act, signed.day)
    entries = fund.lines()
    return page.add(kind_of(act), encoded(act), _checked(act, signed, entries), entries)


def _checked(act: Act, signed: Signed, entries: Sequence[Entry]) -> Signed:
    """WAC 230-15-695: a prize is lowered before two persons, and every change is explained."""
    if signed.witness is None and any(entry.reason for entry in entries):
        raise PostingRefused("a prize is lowered before two persons; name the second one as well")
    said = signed.explanation or explained(act)
    if not said.strip():
        raise PostingRefused("this needs an explanation in words (WAC 230-15-685)")
    return signed if said == signed.explanation else replace(signed, explanation=said)


def check_day(signed: Signed) -> None:
    """A day is a calendar day, not a moment and not text, and it has come."""
    if type(signed.day) is not date:
        raise BadDay(signed.day, "a posting is dated with a calendar day")
    check_has_come(signed.day)
