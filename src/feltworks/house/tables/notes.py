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
    """Enter wagers made at a table; its theoretical win is computed from them."""
    desk, act = Desk(connection, table), Wagers(table, 0, tuple(stakes))
    if again := desk.earlier(key, act):
        return again
    period = desk.period_in(*_WAGERED)
    return _enter(desk, period, act, signed, key, f"wagers made at table {table}")


def enter_log(connection: Connection, table: str, lines: Iterable[bytes], signed: Signatures) -> TablePosting:
    """Enter the wagers of a table's log that are not entered yet."""
    desk = Desk(connection, table)
    period = desk.period_in(*_WAGERED)
    wagers = read_log_wagers(connection, desk.page.book, check_table(period.order), lines)
    why = f"wagers of {wagers.rounds} rounds in the log of table {table}"
    return _enter(desk, period, Wagers(table, 0, wagers.stakes), signed, wagers.key, why)


def _enter(desk: Desk, period: Period, act: Wagers, signed: Signatures, key: str, why: str) -> TablePosting:
    _check_stakes(period, act.stakes)
    act, signers = replace(act, period=period.id), desk.signatures("wagers", signed)
    posting = desk.write(act, period, signers, key=key, explanation=why)
    of = {"book": desk.page.book, "number": posting.number, "period": period.id}
    rows = [{**of, "line": n, **msgspec.structs.asdict(stakes)} for n, stakes in enumerate(act.stakes, 1)]
    desk.connection.execute(insert(stake), rows)
    return desk.result(posting, act, signers)


def pay(connection: Connection, payout: Payout, signed: Signatures, key: str) -> TablePosting:
    """WAC 230-15-320: record a payout; above a limit surveillance verifies it."""
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
    return desk.result(posting, act, signers)


def finish_task(
    connection: Connection, number: int, reference: str, signed: Signatures, key: str
) -> TablePosting:
    """Record that a notice was given or a payout verified, with its reference."""
    if not reference.strip():
        raise PostingRefused("say under which reference the task was done")
    desk = Desk(connection, open_task(connection, number).table)
    task = open_task(connection, number)  # read again: it may have been done while we waited for the lock
    period = periods.one(connection, task.period)
    act = TaskDone(task.table, period.id, number, reference.strip())
    signers = desk.signatures(task.kind, signed)
    posting = desk.write(act, period, signers, key=key, explanation=f"task {number} done: {act.reference}")
    mark_done(connection, desk.page.book, posting, number)
    return desk.result(posting, act, signers)


def check_payout(payout: Payout) -> None:
    """Refuse a payout without its amounts, its player or its hand."""
    check_cents("payout", payout.cents, 1)
    check_cents("wager", payout.wagered, 1)
    if not payout.player.strip() or not payout.hand.strip():
        raise PostingRefused("a payout names the player and the hand")


def _check_stakes(period: Period, stakes: Sequence[Stakes]) -> None:
    if not stakes:
        raise PostingRefused("name at least one wager that was made")
    for wagers in stakes:
        _check_wager(period, wagers.wager)
        check_cents(f"{wagers.wager} wager", wagers.cents, 1)
        if type(wagers.count) is not int or not 0 < wagers.count <= _MOST_COUNT:
            raise BadAmount(f"number of {wagers.wager} wagers", str(wagers.count), f"1 to {_MOST_COUNT:,}")


def _check_wager(period: Period, wager: str) -> None:
    """Refuse a wager that the table does not offer; wagers that follow from another count with it."""
    offered = [entry.wager for entry in check_table(period.order).wagers]
    if wager not in offered:
        raise UnknownName("wager", wager, offered, of=f"table {period.table}")


class LogWagers(Struct, frozen=True):
    """The wagers of a log still to be entered, and the key that records how far it was read."""

    stakes: tuple[Stakes, ...]
    rounds: int
    key: str


def read_log_wagers(
    connection: Connection, book: int, check: TableCheck, lines: Iterable[bytes]
) -> LogWagers:
    """The wagers of all rounds that ended since this log was last entered."""
    given = list(lines)
    log = entries(given)
    if log[0].seal != BEGINNING:
        raise LogError("the log does not start with its first line; give the whole log of the table")
    name = f"log {seal_of(given[0])} to "
    fresh = _finished_rounds(log, _last_entered_line(connection, book, name))
    if not fresh:
        raise PostingRefused("every round of this log that has ended is entered already")
    for opened, _ in fresh:
        _check_same_table(opened, check)
    return LogWagers(_stakes(opened for opened, _ in fresh), len(fresh), f"{name}{fresh[-1][1]}")


def _last_entered_line(connection: Connection, book: int, name: str) -> int:
    """The last line of this log that was entered, from the keys of its postings."""
    p = posting.c
    keys = connection.execute(select(p.key).where(p.book == book, p.key.startswith(name))).scalars()
    return max((int(key.removeprefix(name)) for key in keys), default=0)


def _finished_rounds(log: Sequence[Entry], upto: int) -> list[tuple[RoundOpened, int]]:
    """Rounds finished after a line, each with the number of its last line; void rounds are left out."""
    rounds: list[tuple[RoundOpened, int]] = []
    opened: RoundOpened | None = None
    for entry in log:
        if isinstance(entry.event, RoundOpened):
            opened = entry.event
        elif isinstance(entry.event, RoundClosed) and opened is not None and entry.n > upto:
            rounds.append((opened, entry.n))
    return rounds


def _check_same_table(opened: RoundOpened, check: TableCheck) -> None:
    """Refuse a log with another game or other options: its edges would be wrong."""
    if opened.game != check.order.game:
        raise PostingRefused(f"the log is of {opened.game}; this table was opened with {check.order.game}")
    logs: tuple[Mapping[str, object], ...] = (opened.options, opened.pay_tables)
    for logged, ordered in zip(logs, (check.options, check.pay_tables), strict=True):
        for name in sorted((ordered.keys() | logged.keys()) - {"spots"}):  # seats change no edge
            if _plain(logged.get(name)) != _plain(ordered.get(name)):
                option = f"{name} {_plain(logged.get(name))} in round {opened.round}"
                raise PostingRefused(
                    f"the log has {option}; this table was opened with {_plain(ordered.get(name))}"
                )


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _stakes(rounds: Iterable[RoundOpened]) -> tuple[Stakes, ...]:
    """Count opening wagers by size; tokes are included, as the tray takes and pays them too (LB.10)."""
    counted: Counter[tuple[str, Cents]] = Counter()
    for opened in rounds:
        for seat in opened.seats:
            counted.update([*seat.wagers.items(), *seat.tokes.items()])
    return tuple(Stakes(wager, cents, count) for (wager, cents), count in sorted(counted.items()))
