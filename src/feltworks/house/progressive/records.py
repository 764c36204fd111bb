"""A progressive in the database: its terms, its standing, and how it is created."""

from collections.abc import Sequence
from datetime import date

import msgspec
from sqlalchemy import Connection, insert, select, update

from feltworks.errors import BadDay, BadOption, PostingRefused, UnknownName
from feltworks.house.journal.book import Page
from feltworks.house.journal.posting import BEGINNING, Voucher
from feltworks.house.law import check_not_future
from feltworks.house.names import find_like
from feltworks.house.progressive.acts import Opening
from feltworks.house.progressive.dispatch import post_act
from feltworks.house.progressive.fund import CHART, Fund, Standing
from feltworks.house.progressive.terms import ProgressiveTerms, ProgressiveWager, decode_terms, encode
from feltworks.house.storage import schema
from feltworks.house.storage.schema import progressive
from feltworks.house.storage.statements import PreparedSelect, Row

KIND = "progressive"


def progressive_names(connection: Connection) -> list[str]:
    """The names of the progressives in these books."""
    rows = select(schema.book.c.name).where(schema.book.c.kind == KIND).order_by(schema.book.c.name)
    return list(connection.execute(rows).scalars())


def read_terms(connection: Connection, name: str) -> ProgressiveTerms:
    """Read the terms that a progressive was opened with."""
    joined = schema.progressive.join(schema.book, schema.book.c.id == schema.progressive.c.book)
    wanted = select(schema.progressive.c.terms).select_from(joined).where(schema.book.c.name == name)
    encoded_terms = connection.execute(wanted).scalar()
    if encoded_terms is None:
        raise UnknownName("progressive", name, progressive_names(connection) or ["one that is opened first"])
    return decode_terms(encoded_terms)


def create(connection: Connection, name: str, terms: ProgressiveTerms, voucher: Voucher) -> None:
    """Create the book and the accounts of a progressive, and post its seed."""
    is_plain = name.isprintable() and name == name.strip() and 0 < len(name) <= 60
    if not is_plain or name.startswith("house "):
        raise BadOption("name", name, "up to 60 printable characters that do not begin with house, as other books do")
    if like := find_like(name, connection.execute(select(schema.book.c.name)).scalars()):
        raise PostingRefused(f"there is a book {like} already; give this one another name (house rule: names differ)")
    added = insert(schema.book).values(name=name, kind=KIND, hash=BEGINNING).returning(schema.book.c.id)
    number = connection.execute(added).scalar_one()
    accounts = [{"book": number, "name": account.name, "kind": account.kind} for account in CHART.values()]
    connection.execute(insert(schema.account), accounts)
    fund = Fund(terms, Standing.at_opening(voucher.day), dict.fromkeys(CHART, 0))
    page = Page(connection, name)
    post_act(page, fund, ProgressiveWager(terms), Opening(terms), voucher)
    page.write()
    values = {"book": number, "terms": encode(terms), **msgspec.to_builtins(fund.standing)}
    connection.execute(insert(schema.progressive).values(values))


def check_day(voucher: Voucher) -> None:
    """Refuse a day that is not a plain date, or is in the future."""
    if type(voucher.day) is not date:
        raise BadDay(voucher.day, "a posting is dated with a calendar day")
    check_not_future(voucher.day)


_C = progressive.c
STANDING = PreparedSelect(select(*(_C[name] for name in Standing.__struct_fields__)).where(_C.book == 0))


def read_standing(connection: Connection, book: int) -> Standing:
    """Read the standing of the progressive of a book."""
    return parse_standing(STANDING.all(connection, book))


def parse_standing(rows: Sequence[Row]) -> Standing:
    """The standing of a progressive from its one row."""
    (values,) = rows
    return msgspec.convert(dict(zip(Standing.__struct_fields__, values, strict=True)), Standing)


def save_standing(connection: Connection, book: int, before: Standing, after: Standing) -> None:
    """Store the standing if it changed; most postings do not change it."""
    if after != before:
        connection.execute(update(progressive).where(_C.book == book).values(**msgspec.to_builtins(after)))
