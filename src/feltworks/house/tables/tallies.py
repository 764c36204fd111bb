"""Counts of a box, entered blind and separately by two people (WAC 230-15-615).

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


def enter_tally(connection: Connection, table: str, count: Denominations, signed: Signatures, key: str) -> TablePosting:
    """Enter the first person's count of the oldest pulled box; a later one takes its place."""
    desk = Desk(connection, table)
    period = desk.period_in("tally", "pulled")
    act = Tally(table, period.id, digest(connection, f"box {period.id}", count))
    if again := desk.earlier(key, replace(act, period=0)):
        return again
    signers = desk.signatures("tally", signed)
    why = f"first count of the box of table {table}"
    revises = _counted(period) > 0
    return desk.result(desk.write(act, period, signers, key=key, explanation=why, revises=revises), act, signers)


def first_counter(desk: Desk, period: Period, count: Denominations, signed: Signatures) -> dict[str, str]:
    """The first counter, where the second count equals the first; the refusal shows nothing of either."""
    first = _last_tally(desk.connection, desk.page.book, period)
    if first is None:
        raise NotNow(
            f"the box of table {period.table} has no first count yet; one person enters it alone with "
            "`felt house table tally`, and another enters the second count (WAC 230-15-615)"
        )
    act, person = first
    if signed.get("first counter", person) != person:
        raise PostingRefused(f"{person} entered the first count and is the first counter of this box (WAC 230-15-615)")
    if not compare_digest(act.digest, digest(desk.connection, f"box {period.id}", count)):
        raise PostingRefused("the two counts differ; both persons count the box again, each alone (WAC 230-15-615)")
    return {"first counter": person}


def _last_tally(connection: Connection, book: int, period: Period) -> tuple[Tally, str] | None:
    """The newest first count of a box; after a count that was revised it is made again."""
    p = posting.c
    tallies = (
        select(p.facts)
        .where(p.book == book, p.day == period.day.isoformat(), p.kind == "tally", p.number > _counted(period))
        .order_by(p.number.desc())
    )
    for facts in connection.execute(tallies).scalars():
        act = decode_act(facts)
        if isinstance(act, Tally) and act.period == period.id:
            return act, decode_sealed(facts).signed[0].person
    return None


def _counted(period: Period) -> int:
    """The posting of the box's last count, which a revision made void; 0 where it was never counted."""
    return max((slip.number for slip in period.slips if slip.kind == "count"), default=0)


def digest(connection: Connection, box: str, count: Denominations) -> str:
    """What is kept of a count: it says whether another is the same, and to nobody without the key anything else."""
    key: HouseKey = connection.get_execution_options()["house_key"]
    pieces = sorted((cents, number) for cents, number in count.items() if number)
    return key.mark(f"tally of {box}", total(count), msgspec.json.encode(pieces)).hex()
