"""A progressive in the database: its terms, its standing, how it is created, and how an act is added to its journal."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, insert, select, update

from feltworks.errors import BadDay, BadOption, PostingRefused, UnknownName
from feltworks.house.duties import find_like
from feltworks.house.journal.book import Chain, Page
from feltworks.house.journal.posting import BEGINNING, Entry, Posting, Voucher
from feltworks.house.law import Profile, check_not_future, profile_on
from feltworks.house.progressive import acts, office, play
from feltworks.house.progressive.acts import Opening
from feltworks.house.progressive.fund import CHART, TRAY, Fund, Standing
from feltworks.house.progressive.play import WON
from feltworks.house.progressive.terms import ProgressiveTerms, ProgressiveWager, decode_terms, encode
from feltworks.house.storage import schema
from feltworks.house.storage.database import PreparedSelect, Row
from feltworks.house.storage.schema import progressive
from feltworks.house.tables.tasks import TaskOrder
from feltworks.money import dollars


class _Way(Struct, frozen=True):
    """How acts of one kind are carried out, and their standard explanation, if they have one."""

    carry_out: Callable[[Fund, Any, date], object]
    says: str = ""


_WAYS: Final[Mapping[type[acts.Act], _Way]] = {
    acts.Opening: _Way(office.open_fund, "progressive opened and seeded"),
    acts.Seeding: _Way(office.add_seed),
    acts.BoxTally: _Way(play.enter_count, "first count of the box"),
    acts.DayEnd: _Way(play.end_day, "box counted at the day's end"),
    acts.Deposit: _Way(office.deposit, "accrued prizes deposited"),
    acts.Withdrawal: _Way(office.withdraw),
    acts.DepositTest: _Way(office.check_deposit, "bank account compared with the prizes"),
    acts.Seizure: _Way(office.seize),
    acts.Maximum: _Way(office.impose_maximum),
    acts.Adjustment: _Way(office.adjust),
    acts.RemovalNotice: _Way(office.announce_removal, "notice that the progressive is taken out of play"),
    acts.Removal: _Way(office.remove),
    acts.Receipt: _Way(office.receive),
}


def apply(fund: Fund, wager: ProgressiveWager, act: acts.Act, day: date) -> None:
    """Carry out an act on a fund; after a refusal the fund must be discarded."""
    if isinstance(act, acts.Contribution):
        play.contribute(fund, wager, act, day)
    elif isinstance(act, acts.ProgressiveRound):
        play.play_round(fund, wager, act, day)
    else:
        _WAYS[type(act)].carry_out(fund, act, day)


def default_explanation(act: acts.Act) -> str:
    """The standard explanation of an act; empty if a person has to explain it."""
    if isinstance(act, acts.Contribution | acts.ProgressiveRound):
        return f"round {act.round} at table {act.table}"
    return _WAYS[type(act)].says


def tasks_of(terms: ProgressiveTerms, act: acts.Act, entries: Sequence[Entry], day: date) -> Iterator[TaskOrder]:
    """The tasks that an act raises: large awards are verified, malfunctions reported."""
    if terms.edition == 1 or not isinstance(act, acts.ProgressiveRound | acts.Adjustment):
        return
    profile = profile_on(day, terms.house)
    if isinstance(act, acts.ProgressiveRound):
        where = f"in round {act.round} at table {act.table}"
        for entry in entries:
            if entry.reason == WON or entry.debit == TRAY:
                yield from _award_tasks(profile, entry, where)
    elif act.reason == "malfunction":
        hours = profile.number("malfunction-notice")
        says = f"{act.account} changed by {dollars(act.cents, signed=True)} after a malfunction: report it to "
        says += f"{profile.regulator} within {hours} hours ({profile.cites('WAC 230-06-054')})"
        yield TaskOrder("notice", says, timedelta(hours=hours))


def _award_tasks(profile: Profile, entry: Entry, where: str) -> Iterator[TaskOrder]:
    award = f"award of {dollars(entry.cents)} {where}"
    if entry.cents > profile["verify-above"].cents:
        rule = profile.cites("WAC 230-15-320")
        yield TaskOrder("verification", f"{award}: verify hand, wager, payout and player ({rule})")
    if entry.reason == WON and entry.cents >= profile["deck-check-from"].cents:
        rule = profile["deck-check-from"].source
        yield TaskOrder("deck check", f"{award}: show the hand, count the deck, seal both for seven days ({rule})")


def post_act(chain: Chain, fund: Fund, wager: ProgressiveWager, act: acts.Act, voucher: Voucher) -> Posting:
    """Carry out an act and add it to a chain or page."""
    apply(fund, wager, act, voucher.day)
    entries = fund.take_entries()
    return chain.add(acts.kind_of(act), encode(act), _explain(act, voucher, entries), entries)


def _explain(act: acts.Act, voucher: Voucher, entries: Sequence[Entry]) -> Voucher:
    """Require two persons if a prize is lowered, and an explanation; WAC 230-15-685: every change is explained."""
    if voucher.witness is None and any(entry.reason for entry in entries):
        raise PostingRefused("a prize is lowered before two persons; name the second one as well (house rule)")
    text = voucher.explanation or default_explanation(act)
    if not text.strip():
        raise PostingRefused("this needs an explanation in words (WAC 230-15-685)")
    return voucher if text == voucher.explanation else replace(voucher, explanation=text)


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
