"""Numbered slips: writes them for a box in the right state and custody, and voids them, keeping their numbers."""

from collections.abc import Iterable, Iterator
from datetime import datetime, time
from typing import Final

from msgspec.structs import replace
from sqlalchemy import Connection, insert, select

from feltworks.errors import BadAmount, NotNow, PostingRefused, UnknownName
from feltworks.house.approvals import find_approval
from feltworks.house.configuration import check_table
from feltworks.house.counts import check_counters, first_counter, signers_of
from feltworks.house.duties import APART, Signature
from feltworks.house.entries import HOURS
from feltworks.house.journal.posting import Entry
from feltworks.house.register import check_inventory, read_register, serve_request, strike
from feltworks.house.storage.schema import entry, slip, slip_void
from feltworks.house.tables import periods
from feltworks.house.tables.accounts import lines, slips_of, sum_slips
from feltworks.house.tables.acts import (
    ROUNDS_A_DAY,
    Closer,
    Count,
    Credit,
    Drop,
    Fill,
    SlipKind,
    Void,
    check_plausible,
    kind_of,
)
from feltworks.house.tables.desk import Desk, Signatures, TablePosting
from feltworks.house.tables.hold import game_of
from feltworks.house.tables.periods import Period, Slip, State
from feltworks.house.tables.tasks import TaskOrder
from feltworks.money import Cents, dollars

_TEAM: Final = ("first counter", "second counter", "third counter")
SlipAct = Fill | Credit | Closer | Drop | Count
_NEEDS: Final[dict[SlipKind, State]] = {
    "fill": "open",
    "credit": "open",
    "closer": "open",
    "drop": "closed",
    "count": "pulled",
}


def post_slip(
    connection: Connection, act: SlipAct, signed: Signatures, key: str, *, revises: bool = False
) -> TablePosting:
    """Write a slip for the oldest box of its table in the right state."""
    ((kind, cents),) = slips_of(act)
    desk = Desk(connection, act.table)
    if again := desk.earlier(key, act):
        return again
    period = desk.period_in("recount" if revises else kind, _NEEDS[kind])
    act = replace(act, period=period.id)
    check_lock(period, revises=revises)
    if isinstance(act, Count):
        signed = {**first_counter(desk, period, act.first, signed), **signed}
    if isinstance(act, Count) and len(signed) < len(_TEAM) + 2 * revises:
        act = replace(act, team_approval=find_approval(connection, "count team", act.team_approval, period.day))
    signers = _signers(desk, act, period, signed, revises=revises)
    if isinstance(act, Credit):
        _check_tray(period, act)
    if isinstance(act, Fill | Credit | Closer):
        check_inventory(connection, kind, act.pieces, act.table)
    if isinstance(act, Closer | Count):
        _check_reach(period, kind, cents)
    if isinstance(act, Fill | Credit) and act.request:
        by = {signer.position: signer.person for signer in signers}
        who = {"by": by["floor supervisor"], "second": by["cage"]}
        serve_request(connection, act.request, kind, act.table, cents, act.pieces, **who)
    raises: list[TaskOrder] = []
    if isinstance(act, Drop):
        raises = list(off_hours(connection, period, datetime.fromisoformat(desk.page.moment).astimezone()))
        security, gambling = (signer.person for signer in signers)
        pull_box(connection, period, act.box, security=security, gambling=gambling)
    sums = period.sums + sum_slips([(kind, cents)])
    why = f"{kind} at table {act.table}" + (f", {dollars(cents)}" if cents else "")
    entries = lines(act, sums)
    posting = desk.write(act, period, signers, entries, key=key, explanation=why, raises=raises, revises=revises)
    return desk.result(posting, act, signers, desk.number_slip(kind, posting, period, cents))


def _check_tray(period: Period, act: Credit) -> None:
    """Refuse a credit larger than the booked tray: its opener and fills less earlier credits."""
    booked = period.sums.opener + period.sums.fills - period.sums.credits
    if act.cents > booked:
        raise BadAmount(
            "credit",
            act.cents,
            f"the tray of table {act.table} is booked with {dollars(booked)}; chips that players brought go "
            "to the cage by way of a closer (WAC 230-15-500, 230-15-530)",
        )


def _check_reach(period: Period, kind: SlipKind, cents: Cents) -> None:
    """Refuse a closer or a drop that makes the house win more than all wagers of a day can lose."""
    check_plausible(kind, cents)
    check = check_table(period.order)
    game = game_of(check)
    stakes = [pair for wager in check.wagers for pair in ((wager.wager, wager.most), *wager.follows.items())]
    a_round = check.seats * sum(game.most_at_stake(name, most) for name, most in stakes)
    won = (period.sums + sum_slips([(kind, cents)])).win
    if won > a_round * ROUNDS_A_DAY:
        raise BadAmount(
            kind,
            cents,
            f"the table would have won {dollars(won)}, and its wagers can lose {dollars(a_round * ROUNDS_A_DAY)} in "
            f"a day of {ROUNDS_A_DAY:,} rounds; a tray changes by wagers, fills and credits alone (WAC 230-15-500; "
            "the number of rounds is a house rule)",
        )


def _signers(desk: Desk, act: SlipAct, period: Period, signed: Signatures, *, revises: bool) -> tuple[Signature, ...]:
    if not isinstance(act, Count):
        return desk.signatures(kind_of(act), signed)
    # WAC 230-15-610: three count, or two with an approval
    optional = 1 if act.team_approval else 0
    signers = desk.signatures("recount" if revises else "count", signed, optional=optional)
    if revises:
        _check_independent(desk, period, signers)
    check_counters(desk, period, [signer.person for signer in signers if signer.position in _TEAM])
    return signers


# The states of a box in which a slip of each kind may be voided
_VOIDABLE_IN: Final[dict[SlipKind, tuple[State, ...]]] = {
    "opener": ("open",),
    "fill": ("open", "closed", "pulled"),
    "credit": ("open", "closed", "pulled"),
    "closer": ("closed",),
    "drop": ("pulled",),
    "count": ("counted",),
}


def is_locked(period: Period) -> bool:
    """Whether a box has been counted, even if that count is void: only a revision may change it."""
    return any(slip.kind == "count" for slip in period.slips)


def void_slip(
    connection: Connection,
    kind: SlipKind,
    serial: int,
    why: str,
    signed: Signatures,
    key: str,
    *,
    revises: bool = False,
) -> TablePosting:
    """Void a slip with an error; two persons sign, and a reason is required.

    A slip of a counted box is voided by a revision: it is signed by accounting and by somebody who signed
    nothing of the box, raises a task, and is marked in the report.
    """
    if not why.strip():
        raise PostingRefused("say why the slip is void (house rule: a void slip has its reason)")
    period = _period_of(connection, kind, serial)
    desk = Desk(connection, period.table)
    period = _period_of(connection, kind, serial)  # read again, now that the book is locked
    act = Void(period.table, period.id, kind, serial)
    if again := desk.earlier(key, act):
        return again
    voided = _check_voidable(connection, period, kind, serial)
    check_lock(period, revises=revises)
    signers = desk.signatures("revise" if revises else "void", signed)
    if revises:
        _check_independent(desk, period, signers)
    reversal = reverse_entries(connection, desk.page.book, voided.number)
    text = f"{kind} {serial} is void: {why.strip()}"
    says = f"box of table {period.table} on {period.day} was revised: {text}; look through it again"
    posting = desk.write(
        act,
        period,
        signers,
        reversal,
        key=key,
        explanation=text,
        raises=[TaskOrder("revision", says)] if revises else (),
        revises=revises,
    )
    of = {"book": desk.page.book, "number": posting.number}
    # An error slip is voided with its opener.
    slips = [paper for paper in period.slips if paper.number == voided.number]
    rows = [{**of, "kind": paper.kind, "serial": paper.serial} for paper in slips]
    connection.execute(insert(slip_void), rows)
    return desk.result(posting, act, signers, Slip(kind, serial, voided.number, voided.cents, void=True))


def check_lock(period: Period, *, revises: bool = False) -> None:
    """Refuse an ordinary act on a box that was counted, and a revision of one that was not."""
    if is_locked(period) and not revises:
        raise NotNow(
            f"the box of table {period.table} on {period.day} has been counted and is locked; accounting and "
            "somebody who signed nothing of it revise it with `felt house table revise` (house rule)"
        )
    if revises and not is_locked(period):
        raise NotNow(
            f"the box of table {period.table} on {period.day} is {period.state}; it is not locked, so a slip "
            "of it is voided in the ordinary way (house rule: a counted box alone is revised)"
        )


def _check_independent(desk: Desk, period: Period, signers: Iterable[Signature]) -> None:
    """Refuse an independent person who signed anything of the box."""
    signed = signers_of(desk, period)
    for signer in signers:
        if signer.position == "independent" and signer.person in signed:
            raise PostingRefused(
                f"{signer.person} signed slips of this box and cannot be the independent person ({APART})"
            )


def _period_of(connection: Connection, kind: SlipKind, serial: int) -> Period:
    if kind not in _VOIDABLE_IN:
        raise UnknownName("kind of slip to void", kind, _VOIDABLE_IN)
    number = connection.execute(select(slip.c.period).where(slip.c.kind == kind, slip.c.serial == serial)).scalar()
    if number is None:
        raise UnknownName(f"{kind} slip", serial, ["a number that has been given"])
    return periods.one(connection, number)


def _check_voidable(connection: Connection, period: Period, kind: SlipKind, serial: int) -> Slip:
    voided = next(other for other in period.slips if (other.kind, other.serial) == (kind, serial))
    if voided.void:
        raise NotNow(f"{kind} {serial} is void already (house rule: a slip is voided once)")
    if period.state not in _VOIDABLE_IN[kind]:
        raise NotNow(f"{kind} {serial} cannot be void any more: the box is {period.state} (house rule)")
    others = [other for other in period.slips if other.kind in ("fill", "credit") and not other.void]
    if kind == "opener" and others:
        raise NotNow(f"opener {serial} cannot be void while {others[0].kind} {others[0].serial} stands (house rule)")
    newest = next(periods.of_table(connection, period.table))
    if kind == "drop" and newest.id != period.id:
        raise NotNow(
            f"drop {serial} cannot be void: table {period.table} has been opened with another box (house rule)"
        )
    return voided


def reverse_entries(connection: Connection, book: int, number: int) -> list[Entry]:
    """The reversed entries of a posting, the last one first."""
    e = entry.c
    rows = select(e.credit, e.debit, e.cents).where(e.book == book, e.number == number)
    return [Entry(*row) for row in connection.execute(rows.order_by(e.line.desc()))]


def pull_box(connection: Connection, period: Period, box: str, *, security: str, gambling: str) -> None:
    """Check that the pulled box is the one signed out to the table, and strike its entry."""
    table = period.table
    lines = read_register(connection, "box")
    here = [line for line in lines if line.entry.table == table or line.entry.name == table]
    standing = {line.entry.name: line for line in here if line.holds_on(period.day)}
    emergency = [name for name, line in standing.items() if line.entry.says == "emergency"]
    if box != table and box not in emergency:
        raise NotNow(
            f"box {box} is not signed out to table {table} as its emergency box: enter it in the register before it is "
            "used (house rule for the marked boxes of WAC 230-15-090)"
        )
    if box == table and emergency:
        raise NotNow(f"emergency box {emergency[0]} is on table {table}; it is pulled by its own name (house rule)")
    line = standing.get(box)
    if any(other.entry.name == box for other in lines) and (line is None or line.entry.says == "on its way"):
        raise NotNow(
            f"box {box} is on record and not signed out to table {table}: enter that it is on the table before it is "
            "pulled (house rule: a box is pulled as it is signed out)"
        )
    if line is not None:
        why = f"pulled from table {table}"
        strike(connection, line.number, why, by=security, second=gambling, day=period.day, action="custody")


def off_hours(connection: Connection, period: Period, now: datetime) -> Iterator[TaskOrder]:
    """WAC 230-15-590: outside the schedule a box is pulled only at a change of shifts, which raises a task."""
    lines = read_register(connection, "drop schedule")
    hours = [line.entry.says for line in lines if line.holds_on(period.day) and line.entry.table in ("", period.table)]
    if not hours or any(_is_within(text, now.time()) for text in hours):
        return
    at = f"{now:%H:%M} is outside the drop schedule ({', '.join(hours)})"
    if not period.shift:
        raise NotNow(f"{at}; off hours a box is pulled only at a change of shifts (WAC 230-15-590)")
    says = f"box of table {period.table}, shift {period.shift}, of {period.day}: {at}"
    yield TaskOrder("revision", f"{says}; look at the inventory slip of both supervisors (WAC 230-15-590)")


def _is_within(hours: str, now: time) -> bool:
    """Whether a time is within hours such as 23:30-00:30, which may go past midnight.

    >>> _is_within("23:30-00:30", time(0, 10)), _is_within("02:00-03:00", time(4))
    (True, False)
    """
    match = HOURS.fullmatch(hours)
    if match is None:  # from before hours were required
        return True
    first, last = time.fromisoformat(match[1]), time.fromisoformat(match[3])
    return first <= now <= last if first <= last else now >= first or now <= last
