"""Numbered slips: written for a box in the right state, or voided with their numbers kept."""

from typing import Final

from msgspec.structs import replace
from sqlalchemy import Connection, insert, select

from feltworks.errors import NotNow, PostingRefused, UnknownName
from feltworks.house.duties import Signature
from feltworks.house.journal.posting import Entry
from feltworks.house.storage.schema import entry, signature, slip, slip_void
from feltworks.house.tables import periods
from feltworks.house.tables.accounts import lines, sum_slips
from feltworks.house.tables.acts import Closer, Count, Credit, Drop, Fill, SlipKind, Void, kind_of
from feltworks.house.tables.desk import Desk, Signatures, TablePosting
from feltworks.house.tables.periods import Period, Slip, State
from feltworks.money import Cents, dollars

SlipAct = Fill | Credit | Closer | Drop | Count
_NEEDS: Final[dict[SlipKind, State]] = {
    "fill": "open",
    "credit": "open",
    "closer": "open",
    "drop": "closed",
    "count": "pulled",
}
# WAC 230-15-610: a person who signed the records of a box may not count it
_RECORDS: Final = ("opener", "closer", "fill", "credit", "error")


def post_slip(
    connection: Connection, act: SlipAct, kind: SlipKind, cents: Cents, signed: Signatures, key: str
) -> TablePosting:
    """Write a slip for the oldest box of its table in the right state."""
    desk = Desk(connection, act.table)
    if again := desk.earlier(key, act):
        return again
    period = desk.period_in(_NEEDS[kind])
    act = replace(act, period=period.id)
    signers = _signers(desk, act, period, signed)
    sums = period.sums + sum_slips([(kind, cents)])
    why = f"{kind} at table {act.table}" + (f", {dollars(cents)}" if cents else "")
    posting = desk.write(act, period, signers, lines(act, sums), key=key, explanation=why)
    return desk.result(posting, act, signers, desk.number_slip(kind, posting, period, cents))


def _signers(desk: Desk, act: SlipAct, period: Period, signed: Signatures) -> tuple[Signature, ...]:
    if not isinstance(act, Count):
        return desk.signatures(kind_of(act), signed)
    # WAC 230-15-610: three count, or two where that is approved
    signers = desk.signatures("count", signed, optional=1 if act.team_approval.strip() else 0)
    excluded = _signers_of_records(desk.connection, desk.page.book, period)
    if busy := [signer.person for signer in signers if signer.person in excluded]:
        raise PostingRefused(
            f"{' and '.join(busy)} signed slips of this box and cannot count it (WAC 230-15-610)"
        )
    return signers


def _signers_of_records(connection: Connection, book: int, period: Period) -> set[str]:
    numbers = [slip.number for slip in period.slips if slip.kind in _RECORDS]
    s = signature.c
    return set(connection.execute(select(s.person).where(s.book == book, s.number.in_(numbers))).scalars())


# The states of a box in which a slip of it may still be voided
_VOIDABLE_IN: Final[dict[SlipKind, tuple[State, ...]]] = {
    "opener": ("open",),
    "fill": ("open", "closed", "pulled"),
    "credit": ("open", "closed", "pulled"),
    "closer": ("closed",),
    "drop": ("pulled",),
    "count": ("counted",),
}


def void_slip(
    connection: Connection, kind: SlipKind, serial: int, why: str, signed: Signatures, key: str
) -> TablePosting:
    """Void a slip with an error; two persons sign, and the reason is given in words."""
    if not why.strip():
        raise PostingRefused("say why the slip is void")
    period = _period_of(connection, kind, serial)
    desk = Desk(connection, period.table)
    period = _period_of(connection, kind, serial)  # read again, now that the book is locked
    act = Void(period.table, period.id, kind, serial)
    if again := desk.earlier(key, act):
        return again
    voided = _check_voidable(connection, period, kind, serial)
    signers = desk.signatures("void", signed)
    reversal = _reverse_entries(connection, desk.page.book, voided.number)
    text = f"{kind} {serial} is void: {why.strip()}"
    posting = desk.write(act, period, signers, reversal, key=key, explanation=text)
    of = {"book": desk.page.book, "number": posting.number}
    # An error slip goes with its opener.
    slips = [paper for paper in period.slips if paper.number == voided.number]
    rows = [{**of, "kind": paper.kind, "serial": paper.serial} for paper in slips]
    connection.execute(insert(slip_void), rows)
    return desk.result(posting, act, signers, Slip(kind, serial, voided.number, voided.cents, void=True))


def _period_of(connection: Connection, kind: SlipKind, serial: int) -> Period:
    if kind not in _VOIDABLE_IN:
        raise UnknownName("kind of slip to void", kind, _VOIDABLE_IN)
    number = connection.execute(
        select(slip.c.period).where(slip.c.kind == kind, slip.c.serial == serial)
    ).scalar()
    if number is None:
        raise UnknownName(f"{kind} slip", serial, ["a number that has been given"])
    return periods.one(connection, number)


def _check_voidable(connection: Connection, period: Period, kind: SlipKind, serial: int) -> Slip:
    voided = next(other for other in period.slips if (other.kind, other.serial) == (kind, serial))
    if voided.void:
        raise NotNow(f"{kind} {serial} is void already")
    if period.state not in _VOIDABLE_IN[kind]:
        raise NotNow(f"{kind} {serial} cannot be void any more: the box is {period.state}")
    others = [other for other in period.slips if other.kind in ("fill", "credit") and not other.void]
    if kind == "opener" and others:
        raise NotNow(f"opener {serial} cannot be void while {others[0].kind} {others[0].serial} stands")
    newest = next(periods.of_table(connection, period.table))
    if kind == "drop" and newest.id != period.id:
        raise NotNow(f"drop {serial} cannot be void: table {period.table} has been opened with another box")
    return voided


def _reverse_entries(connection: Connection, book: int, number: int) -> list[Entry]:
    """The entries of a posting reversed, the last one first."""
    e = entry.c
    rows = select(e.credit, e.debit, e.cents).where(e.book == book, e.number == number)
    return [Entry(*row) for row in connection.execute(rows.order_by(e.line.desc()))]
