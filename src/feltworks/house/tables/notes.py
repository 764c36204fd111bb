"""Signed records beside the slips: wagers entered by hand or from a log, large payouts, tasks done."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection, insert, select

from feltworks.errors import BadAmount, LogError, PostingRefused, UnknownName
from feltworks.house.configuration import TableCheck, check_table
from feltworks.house.law import profile_on
from feltworks.house.storage.schema import posting, stake
from feltworks.house.tables import periods
from feltworks.house.tables.acts import Payout, Stakes, TaskDone, Wagers, check_cents
from feltworks.house.tables.desk import Desk, Signatures, TablePosting
from feltworks.house.tables.periods import Period, State
from feltworks.house.tables.tasks import mark_done, open_task, raise_task
from feltworks.money import Cents, dollars
from feltworks.table.events import RoundClosed, RoundOpened
from feltworks.table.log import BEGINNING, Entry, entries, seal_of

_MOST_COUNT: Final = 10**9
_WAGERED: Final[tuple[State, ...]] = ("open", "closed", "pulled")  # a counted box is final


def enter_wagers(
    connection: Connection, table: str, stakes: Sequence[Stakes], signed: Signatures, key: str
) -> TablePosting:
    """Wagers made at a table, from which its theoretical win follows."""
    desk, act = Desk(connection, table), Wagers(table, 0, tuple(stakes))
    if again := desk.earlier(key, act):
        return again
    period = desk.period_in(*_WAGERED)
    return _enter(desk, period, act, signed, key, f"wagers made at table {table}")


def enter_log(connection: Connection, table: str, lines: Iterable[bytes], signed: Signatures) -> TablePosting:
    """The wagers of a table's own log, as far as they are not entered yet."""
    desk = Desk(connection, table)
    period = desk.period_in(*_WAGERED)
    found = read_log_wagers(connection, desk.page.book, check_table(period.order), lines)
    why = f"wagers of {found.rounds} rounds in the log of table {table}"
    return _enter(desk, period, Wagers(table, 0, found.stakes), signed, found.key, why)


def _enter(desk: Desk, period: Period, act: Wagers, signed: Signatures, key: str, why: str) -> TablePosting:
    _check_stakes(period, act.stakes)
    act, signers = replace(act, period=period.id), desk.signatures("wagers", signed)
    posting = desk.write(act, period, signers, key=key, explanation=why)
    of = {"book": desk.page.book, "number": posting.number, "period": period.id}
    rows = [{**of, "line": n, **msgspec.structs.asdict(each)} for n, each in enumerate(act.stakes, 1)]
    desk.connection.execute(insert(stake), rows)
    return desk.posted(posting, act, signers)


def pay(connection: Connection, payout: Payout, signed: Signatures, key: str) -> TablePosting:
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


def finish_task(
    connection: Connection, number: int, reference: str, signed: Signatures, key: str
) -> TablePosting:
    """The notice is given, or the payout verified, and it is said where that is written."""
    if not reference.strip():
        raise PostingRefused("say under which reference the task was done")
    desk = Desk(connection, open_task(connection, number).table)
    found = open_task(connection, number)  # read again: while we waited for the book it may have been done
    period = periods.one(connection, found.period)
    act = TaskDone(found.table, period.id, number, reference.strip())
    signers = desk.signatures(found.kind, signed)
    posting = desk.write(act, period, signers, key=key, explanation=f"task {number} done: {act.reference}")
    mark_done(connection, desk.page.book, posting, number)
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


class LogWagers(Struct, frozen=True):
    """What of a log is to be entered: its wagers, and under which key the journal remembers how far."""

    stakes: tuple[Stakes, ...]
    rounds: int
    key: str


def read_log_wagers(
    connection: Connection, book: int, found: TableCheck, lines: Iterable[bytes]
) -> LogWagers:
    """The wagers of all rounds that have ended since this log was last entered."""
    kept = list(lines)
    read = entries(kept)
    if read[0].seal != BEGINNING:
        raise LogError("the log begins in the middle of another; give the whole log of the table")
    name = f"log {seal_of(kept[0])} to "
    fresh = _ended(read, _entered(connection, book, name))
    if not fresh:
        raise PostingRefused("every round of this log that has ended is entered already")
    for opened, _ in fresh:
        _check_same_table(opened, found)
    return LogWagers(_stakes(opened for opened, _ in fresh), len(fresh), f"{name}{fresh[-1][1]}")


def _entered(connection: Connection, book: int, name: str) -> int:
    """The last line of this log that the journal has; all of its keys begin alike."""
    p = posting.c
    keys = connection.execute(select(p.key).where(p.book == book, p.key.startswith(name))).scalars()
    return max((int(key.removeprefix(name)) for key in keys), default=0)


def _ended(read: Sequence[Entry], upto: int) -> list[tuple[RoundOpened, int]]:
    """Rounds that were played to their end after a line, each with its last line; void ones count nothing."""
    found: list[tuple[RoundOpened, int]] = []
    opened: RoundOpened | None = None
    for entry in read:
        if isinstance(entry.event, RoundOpened):
            opened = entry.event
        elif isinstance(entry.event, RoundClosed) and opened is not None and entry.n > upto:
            found.append((opened, entry.n))
    return found


def _check_same_table(opened: RoundOpened, found: TableCheck) -> None:
    """A log of another table would be measured by the wrong edges."""
    if opened.game != found.order.game:
        raise PostingRefused(f"the log is of {opened.game}; this table was opened with {found.order.game}")
    logs: tuple[Mapping[str, object], ...] = (opened.options, opened.pay_tables)
    for dealt, ordered in zip(logs, (found.options, found.pay_tables), strict=True):
        for name in sorted((ordered.keys() | dealt.keys()) - {"spots"}):  # seats change no edge
            if _plain(dealt.get(name)) != _plain(ordered.get(name)):
                said = f"{name} {_plain(dealt.get(name))} in round {opened.round}"
                raise PostingRefused(
                    f"the log has {said}; this table was opened with {_plain(ordered.get(name))}"
                )


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _stakes(rounds: Iterable[RoundOpened]) -> tuple[Stakes, ...]:
    """Opening wagers by size; tokes are taken and paid from the tray as well (LB.10)."""
    counted: Counter[tuple[str, Cents]] = Counter()
    for opened in rounds:
        for seat in opened.seats:
            counted.update([*seat.wagers.items(), *seat.tokes.items()])
    return tuple(Stakes(wager, cents, count) for (wager, cents), count in sorted(counted.items()))
