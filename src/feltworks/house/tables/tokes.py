"""The book of the dealers' tokes, kept apart from the money of the house."""

import datetime
from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, select

from feltworks.errors import BadAmount, BadDay, NotPermitted, PostingRefused, UnknownName
from feltworks.house.approvals import find_approval
from feltworks.house.closing import check_day_is_open
from feltworks.house.duties import APART, SHARES_TOKES, check_signatures
from feltworks.house.journal.book import Page, days_of, open_page
from feltworks.house.journal.posting import Entry
from feltworks.house.law import check_not_future
from feltworks.house.register import check_on_duty
from feltworks.house.storage.database import Database
from feltworks.house.storage.schema import account, book, entry, posting
from feltworks.house.tables import periods
from feltworks.house.tables.acts import check_cents, check_plausible, check_table_name
from feltworks.house.tables.desk import Signatures, post_signed
from feltworks.house.users import roles
from feltworks.money import Cents, dollars

BOOK: Final = "house tokes"
KIND: Final = "tokes"
CONTAINER, SHARES = "container", "shares"
ACCOUNTS: Final = {CONTAINER: "asset", SHARES: "owed"}


class TokeIntake(Struct, frozen=True, tag_field="act", tag="tokes"):
    """WAC 230-15-475: tokes are shown openly and locked into the container."""

    table: str
    cents: Cents


class TokePayout(Struct, frozen=True, tag_field="act", tag="tokes paid"):
    """Tokes are shared among entitled employees by a written method."""

    shares: Mapping[str, Cents]
    method: str


TokeAct = TokeIntake | TokePayout
decode_toke = msgspec.json.Decoder(TokeAct).decode


def toke_lines(act: TokeAct) -> tuple[Entry, ...]:
    """The line of an act in double entry."""
    if isinstance(act, TokeIntake):
        return (Entry(CONTAINER, SHARES, act.cents),)
    return (Entry(SHARES, CONTAINER, sum(act.shares.values())),)


class TokeBook:
    """The toke container: tokes taken in, and shared out."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def take(self, table: str, cents: Cents, signed: Signatures, *, day: datetime.date, key: str = "") -> int:
        """Take tokes into the container; returns the number of the posting."""
        check_not_future(day)
        check_cents("toke", cents, 1)
        check_plausible("toke", cents)
        check_table_name(table)
        why = f"tokes at table {table}"
        with self.database.transaction() as connection:
            page = open_page(connection, BOOK, KIND, ACCOUNTS)
            _check_opened(connection, table, day)
            return _post(connection, page, TokeIntake(table, cents), signed, day, key, why)

    def pay(
        self,
        shares: Mapping[str, Cents],
        method: str,
        signed: Signatures,
        *,
        day: datetime.date,
        key: str = "",
    ) -> int:
        """Share tokes out among entitled persons, up to the content of the container."""
        check_not_future(day)
        total = _check_shares(shares, method)
        if signed.get("witness") in shares:
            raise PostingRefused(f"{signed['witness']} shares in these tokes and cannot be their witness ({APART})")
        if set(shares) <= set(signed.values()):
            raise PostingRefused(f"{' and '.join(shares)} cannot sign all of the tokes over alone ({APART})")
        with self.database.transaction() as connection:
            page = open_page(connection, BOOK, KIND, ACCOUNTS)
            act = TokePayout(shares, method)
            if not page.earlier([key]):
                _check_sharers(roles(connection), shares)
                find_approval(connection, "toke method", method, day)
                days = days_of(connection, page.book)
                if days and day.isoformat() < days[1]:
                    raise BadDay(day, f"tokes were posted on {days[1]} already (house rule: the books move forward)")
                if total > (held := page.balances()[CONTAINER]):
                    raise BadAmount("sum of shares", total, f"the container holds {dollars(held)} (house rule)")
            return _post(connection, page, act, signed, day, key, f"tokes shared by {method}")

    def balance(self) -> Cents:
        """The amount in the container."""
        with self.database.snapshot() as connection:
            a = account.c
            of = select(book.c.id).where(book.c.name == BOOK).scalar_subquery()
            cents = connection.execute(select(a.cents).where(a.book == of, a.name == CONTAINER)).scalar()
            return int(cents or 0)


def tokes_on(connection: Connection, day: datetime.date, last: datetime.date | None = None) -> Cents:
    """The tokes taken in on a day, or from one day to another."""
    joined = entry.join(posting, (posting.c.book == entry.c.book) & (posting.c.number == entry.c.number))
    joined = joined.join(book, book.c.id == entry.c.book)
    wanted = select(entry.c.cents).select_from(joined)
    within = posting.c.day.between(day.isoformat(), (last or day).isoformat())
    of_days = wanted.where(book.c.name == BOOK, within, entry.c.debit == CONTAINER)
    return sum(connection.execute(of_days).scalars())


def _check_opened(connection: Connection, table: str, day: datetime.date) -> None:
    """WAC 230-15-475: refuse tokes from a table that had no box by then, as it had not dealt."""
    boxes = periods.of_table(connection, table)
    if not any(box.day <= day for box in boxes):
        known = periods.tables(connection) or ["one that is opened first (WAC 230-15-495)"]
        raise UnknownName("table with books", table, known)


def _check_shares(shares: Mapping[str, Cents], method: str) -> Cents:
    if not shares or not method.strip():
        raise PostingRefused("name everybody who shares, and the method by which tokes are shared (WAC 230-15-475)")
    for person, cents in shares.items():
        check_cents(f"share of {person}", cents, 1)
    return sum(shares.values())


def _check_sharers(known: Mapping[str, str], shares: Mapping[str, Cents]) -> None:
    for person in shares:
        if person not in known:
            raise UnknownName("user", person, known)
        if known[person] not in SHARES_TOKES:
            raise NotPermitted(person, known[person], "share in tokes", SHARES_TOKES, "WAC 230-15-475")


def _post(
    connection: Connection,
    page: Page,
    act: TokeAct,
    signed: Signatures,
    day: datetime.date,
    key: str,
    why: str,
) -> int:
    kind = str(type(act).__struct_config__.tag)
    if before := page.find_earlier(key):
        if before.kind != kind or decode_toke(before.facts) != act:
            before.refuse(key)
        return before.number
    check_day_is_open(connection, day)
    signers = check_signatures(kind, signed, roles(connection))
    check_on_duty(connection, signers, page.today, act.table if isinstance(act, TokeIntake) else "")
    return post_signed(page, kind, act, signers, toke_lines(act), day=day, key=key, why=why).number
