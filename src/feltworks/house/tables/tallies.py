"""Counts entered blind and separately by two people (WAC 230-15-615).

The first count is kept as a digest made with the key of the house: the journal shows that it was entered and
by whom, and nobody can read from it what was counted. The second person's count either equals it or not.
"""

from hmac import compare_digest

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, select

from feltworks.errors import NotNow, PostingRefused
from feltworks.house.journal.key import HouseKey
from feltworks.house.storage.schema import posting
from feltworks.house.tables.acts import Denominations, Tally, decode_act, decode_sealed, total
from feltworks.house.tables.desk import Desk, Signatures, TablePosting
from feltworks.house.tables.periods import Period
from feltworks.house.tables.slips import check_lock


def enter_tally(connection: Connection, table: str, count: Denominations, signed: Signatures, key: str) -> TablePosting:
    """Enter the first person's count of the oldest pulled box; a later one takes its place."""
    desk = Desk(connection, table)
    period = desk.period_in("pulled")
    act = Tally(table, period.id, _digest(connection, period, count))
    if again := desk.earlier(key, replace(act, period=0)):
        return again
    check_lock(period)
    signers = desk.signatures("tally", signed)
    why = f"first count of the box of table {table}"
    return desk.result(desk.write(act, period, signers, key=key, explanation=why), act, signers)


def check_tally(connection: Connection, table: str, count: Denominations, signed: Signatures) -> Signatures:
    """The first counter, where the second count equals the first; the refusal shows nothing of either."""
    desk = Desk(connection, table)
    period = desk.period_in("pulled")
    first = _last_tally(connection, desk.page.book, period)
    if first is None:
        raise NotNow(f"the box of table {table} has no first count yet; enter it with `felt house table tally`")
    act, person = first
    if signed.get("first counter", person) != person:
        raise PostingRefused(f"{person} entered the first count and is the first counter of this box (WAC 230-15-615)")
    if not compare_digest(act.digest, _digest(connection, period, count)):
        raise PostingRefused("the two counts differ; both persons count the box again, each alone (WAC 230-15-615)")
    return {"first counter": person}


def _last_tally(connection: Connection, book: int, period: Period) -> tuple[Tally, str] | None:
    p = posting.c
    tallies = (
        select(p.facts)
        .where(p.book == book, p.day == period.day.isoformat(), p.kind == "tally")
        .order_by(p.number.desc())
    )
    for facts in connection.execute(tallies).scalars():
        act = decode_act(facts)
        if isinstance(act, Tally) and act.period == period.id:
            return act, decode_sealed(facts).signed[0].person
    return None


def _digest(connection: Connection, period: Period, count: Denominations) -> str:
    key: HouseKey = connection.get_execution_options()["house_key"]
    pieces = sorted((cents, number) for cents, number in count.items() if number)
    return key.mark(f"tally of box {period.id}", total(count), msgspec.json.encode(pieces)).hex()
