"""One numbered slip: for a box in the right state, signed by everybody it takes, in double entry."""

from typing import Final

from msgspec.structs import replace
from sqlalchemy import Connection, select

from feltworks.errors import PostingRefused
from feltworks.house.accounting.acts import Closer, Count, Credit, Drop, Fill, SlipKind, kind_of
from feltworks.house.accounting.chart import lines
from feltworks.house.accounting.desk import Desk, Posted, Signatures
from feltworks.house.accounting.periods import Period, State
from feltworks.house.accounting.win import summed
from feltworks.house.duties import Signature
from feltworks.house.storage.floor_tables import signature
from feltworks.money import Cents, dollars

SlipAct = Fill | Credit | Closer | Drop | Count
_NEEDS: Final[dict[SlipKind, State]] = {
    "fill": "open",
    "credit": "open",
    "closer": "open",
    "drop": "closed",
    "count": "pulled",
}
# WAC 230-15-610: who prepared or approved the records of a box does not count it
_RECORDS: Final = ("opener", "closer", "fill", "credit", "error")


def post_slip(
    connection: Connection, act: SlipAct, kind: SlipKind, cents: Cents, signed: Signatures, key: str
) -> Posted:
    """Write a slip for the oldest box of its table that it fits."""
    desk = Desk(connection, act.table)
    if again := desk.earlier(key, act):
        return again
    period = desk.period_in(_NEEDS[kind])
    act = replace(act, period=period.id)
    signers = _signers(desk, act, period, signed)
    sums = period.sums + summed([(kind, cents)])
    why = f"{kind} at table {act.table}" + (f", {dollars(cents)}" if cents else "")
    posting = desk.write(act, period, signers, lines(act, sums), key=key, explanation=why)
    return desk.posted(posting, act, signers, desk.number_slip(kind, posting, period, cents))


def _signers(desk: Desk, act: SlipAct, period: Period, signed: Signatures) -> tuple[Signature, ...]:
    if not isinstance(act, Count):
        return desk.signatures(kind_of(act), signed)
    # WAC 230-15-610: three count, or two where that is approved
    signers = desk.signatures("count", signed, optional=1 if act.team_approval.strip() else 0)
    prepared = _prepared(desk.connection, desk.page.book, period)
    if busy := [each.person for each in signers if each.person in prepared]:
        raise PostingRefused(
            f"{' and '.join(busy)} signed slips of this box and cannot count it (WAC 230-15-610)"
        )
    return signers


def _prepared(connection: Connection, book: int, period: Period) -> set[str]:
    numbers = [slip.number for slip in period.slips if slip.kind in _RECORDS]
    s = signature.c
    return set(connection.execute(select(s.person).where(s.book == book, s.number.in_(numbers))).scalars())
