"""What is kept and signed beside the slips: wagers made, large payouts, and tasks done."""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, insert

from feltworks.errors import BadAmount, PostingRefused, UnknownName
from feltworks.house.accounting import periods
from feltworks.house.accounting.acts import Done, Payout, Stakes, Wagers
from feltworks.house.accounting.amounts import check_cents
from feltworks.house.accounting.desk import Desk, Posted, Signatures
from feltworks.house.accounting.periods import Period, State
from feltworks.house.accounting.table_log import logged
from feltworks.house.accounting.tasks import finish, open_task, raise_task
from feltworks.house.configuration import check_table
from feltworks.house.profile import profile_on
from feltworks.house.storage.floor_tables import stake
from feltworks.money import dollars

_MOST_COUNT: Final = 10**9
_WAGERED: Final[tuple[State, ...]] = ("open", "closed", "pulled")  # a counted box is final


def enter_wagers(
    connection: Connection, table: str, stakes: Sequence[Stakes], signed: Signatures, key: str
) -> Posted:
    """Wagers made at a table, from which its theoretical win follows."""
    desk, act = Desk(connection, table), Wagers(table, 0, tuple(stakes))
    if again := desk.earlier(key, act):
        return again
    period = desk.period_in(*_WAGERED)
    return _enter(desk, period, act, signed, key, f"wagers made at table {table}")


def enter_log(connection: Connection, table: str, lines: Iterable[bytes], signed: Signatures) -> Posted:
    """The wagers of a table's own log, as far as they are not entered yet."""
    desk = Desk(connection, table)
    period = desk.period_in(*_WAGERED)
    found = logged(connection, desk.page.book, check_table(period.order), lines)
    why = f"wagers of {found.rounds} rounds in the log of table {table}"
    return _enter(desk, period, Wagers(table, 0, found.stakes), signed, found.key, why)


def _enter(desk: Desk, period: Period, act: Wagers, signed: Signatures, key: str, why: str) -> Posted:
    _check_stakes(period, act.stakes)
    act, signers = replace(act, period=period.id), desk.signatures("wagers", signed)
    posting = desk.write(act, period, signers, key=key, explanation=why)
    of = {"book": desk.page.book, "number": posting.number, "period": period.id}
    rows = [{**of, "line": n, **msgspec.structs.asdict(each)} for n, each in enumerate(act.stakes, 1)]
    desk.connection.execute(insert(stake), rows)
    return desk.posted(posting, act, signers)


def pay(connection: Connection, payout: Payout, signed: Signatures, key: str) -> Posted:
    """WAC 230-15-320: above so much a payout is verified by surveillance."""
    desk = Desk(connection, payout.table)
    if again := desk.earlier(key, payout):
        return again
    period = desk.period_in("open")
    _check_wager(period, payout.wager)
    act, signers = replace(payout, period=period.id), desk.signatures("payout", signed)
    says = f"{dollars(payout.cents)} on {payout.wager} to {payout.player}"
    posting = desk.write(act, period, signers, key=key, explanation=f"payout of {says}")
    profile = profile_on(period.day, period.order.house)
    if payout.cents > profile["verify-above"].cents:
        asks = f"verify hand ({payout.hand}), wager ({dollars(payout.wagered)}), payout and player"
        asks = f"{says} at table {payout.table}: {asks} ({profile.cites('WAC 230-15-320')})"
        raise_task(connection, desk.page.book, posting, period.id, "verification", asks)
    return desk.posted(posting, act, signers)


def finish_task(connection: Connection, number: int, reference: str, signed: Signatures, key: str) -> Posted:
    """The notice is given, or the payout verified, and it is said where that is written."""
    if not reference.strip():
        raise PostingRefused("say under which reference the task was done")
    desk = Desk(connection, open_task(connection, number).table)
    found = open_task(connection, number)  # read again: while we waited for the book it may have been done
    period = periods.one(connection, found.period)
    act = Done(found.table, period.id, number, reference.strip())
    signers = desk.signatures(found.kind, signed)
    posting = desk.write(act, period, signers, key=key, explanation=f"task {number} done: {act.reference}")
    finish(connection, desk.page.book, posting, number)
    return desk.posted(posting, act, signers)


def check_payout(payout: Payout) -> None:
    """Refuse a payout that does not say who won how much with what."""
    check_cents("payout", payout.cents, 1)
    check_cents("wager", payout.wagered, 1)
    if not payout.player.strip() or not payout.hand.strip():
        raise PostingRefused("a payout names the player and the hand")


def _check_stakes(period: Period, stakes: Sequence[Stakes]) -> None:
    if not stakes:
        raise PostingRefused("name at least one wager that was made")
    for each in stakes:
        _check_wager(period, each.wager)
        check_cents(f"{each.wager} wager", each.cents, 1)
        if type(each.count) is not int or not 0 < each.count <= _MOST_COUNT:
            raise BadAmount(f"number of {each.wager} wagers", str(each.count), f"1 to {_MOST_COUNT:,}")


def _check_wager(period: Period, wager: str) -> None:
    """Only what the table offers can have been wagered on; what follows from a wager counts with it."""
    offered = [each.wager for each in check_table(period.order).wagers]
    if wager not in offered:
        raise UnknownName("wager", wager, offered, of=f"table {period.table}")
