"""A void slip: its copies are marked, its number stays, and what it moved is moved back."""

from typing import Final

from sqlalchemy import Connection, insert, select

from feltworks.errors import NotNow, PostingRefused, UnknownName
from feltworks.house.accounting import periods
from feltworks.house.accounting.acts import SlipKind, Void
from feltworks.house.accounting.desk import Desk, Posted, Signatures
from feltworks.house.accounting.periods import Period, Slip, State
from feltworks.house.journal.posting import Entry
from feltworks.house.storage.floor_tables import slip, slip_void
from feltworks.house.storage.tables import entry

# How far a box may have come when a slip of it is still voided
_WHILE: Final[dict[SlipKind, tuple[State, ...]]] = {
    "opener": ("open",),
    "fill": ("open", "closed", "pulled"),
    "credit": ("open", "closed", "pulled"),
    "closer": ("closed",),
    "drop": ("pulled",),
    "count": ("counted",),
}


def void_slip(
    connection: Connection, kind: SlipKind, serial: int, why: str, signed: Signatures, key: str
) -> Posted:
    """Void a slip with an error in it, before two persons, with the reason in words."""
    if not why.strip():
        raise PostingRefused("say why the slip is void")
    period = _period_of(connection, kind, serial)
    desk = Desk(connection, period.table)
    period = _period_of(connection, kind, serial)  # read again, now that nobody else writes
    act = Void(period.table, period.id, kind, serial)
    if again := desk.earlier(key, act):
        return again
    found = _voidable(connection, period, kind, serial)
    signers = desk.signatures("void", signed)
    back = _reversed(connection, desk.page.book, found.number)
    said = f"{kind} {serial} is void: {why.strip()}"
    posting = desk.write(act, period, signers, back, key=key, explanation=said)
    of = {"book": desk.page.book, "number": posting.number}
    # An error slip goes with its opener.
    marked = [each for each in period.slips if each.number == found.number]
    rows = [{**of, "kind": each.kind, "serial": each.serial} for each in marked]
    connection.execute(insert(slip_void), rows)
    return desk.posted(posting, act, signers, Slip(kind, serial, found.number, found.cents, void=True))


def _period_of(connection: Connection, kind: SlipKind, serial: int) -> Period:
    if kind not in _WHILE:
        raise UnknownName("kind of slip to void", kind, _WHILE)
    found = connection.execute(
        select(slip.c.period).where(slip.c.kind == kind, slip.c.serial == serial)
    ).scalar()
    if found is None:
        raise UnknownName(f"{kind} slip", serial, ["a number that has been given"])
    return periods.one(connection, found)


def _voidable(connection: Connection, period: Period, kind: SlipKind, serial: int) -> Slip:
    found = next(each for each in period.slips if (each.kind, each.serial) == (kind, serial))
    if found.void:
        raise NotNow(f"{kind} {serial} is void already")
    if period.state not in _WHILE[kind]:
        raise NotNow(f"{kind} {serial} cannot be void any more: the box is {period.state}")
    others = [each for each in period.slips if each.kind in ("fill", "credit") and not each.void]
    if kind == "opener" and others:
        raise NotNow(f"opener {serial} cannot be void while {others[0].kind} {others[0].serial} stands")
    newest = next(periods.of_table(connection, period.table))
    if kind == "drop" and newest.id != period.id:
        raise NotNow(f"drop {serial} cannot be void: table {period.table} has been opened with another box")
    return found


def _reversed(connection: Connection, book: int, number: int) -> list[Entry]:
    """The lines of a posting the other way round, the last one first."""
    e = entry.c
    rows = select(e.credit, e.debit, e.cents).where(e.book == book, e.number == number)
    return [Entry(*row) for row in connection.execute(rows.order_by(e.line.desc()))]
