"""The books of the card tables: every act on a table, each in one transaction.

A table is opened after a check of its order, its approval, its jackpot's funds, and its tray against the closer.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, insert, select

from feltworks.errors import BadDay, NotNow, PostingRefused
from feltworks.house.approvals import read_status
from feltworks.house.configuration import TableCheck, TableOrder, check_table
from feltworks.house.counts import enter_tally
from feltworks.house.duties import find_like
from feltworks.house.journal.book import read_head
from feltworks.house.law import HouseKind, Profile, check_not_future
from feltworks.house.progressive.fund import REMOVED, Fund
from feltworks.house.progressive.play import stop_reason
from feltworks.house.progressive.records import progressive_names, read_standing, read_terms
from feltworks.house.register import check_inventory
from feltworks.house.storage.database import Database
from feltworks.house.storage.schema import period as period_table
from feltworks.house.storage.schema import posting
from feltworks.house.tables import notes, periods
from feltworks.house.tables.accounts import Sums, lines, variance
from feltworks.house.tables.acts import (
    Chips,
    Closer,
    Count,
    Credit,
    Denominations,
    Drop,
    Fill,
    Opener,
    Payout,
    SlipKind,
    Stakes,
    check_pieces,
    check_table_name,
    decode_act,
    read_chips,
)
from feltworks.house.tables.desk import Desk, Signatures, TablePosting
from feltworks.house.tables.periods import Period
from feltworks.house.tables.slips import SlipAct, post_slip, void_slip
from feltworks.house.tables.tasks import NOTICE_WITHIN, Task, TaskOrder, tasks
from feltworks.money import Cents, dollars

PATTERN: Final = 3  # so many short openers in a row make a pattern; our setting, as the rule gives no number


def open_table(
    desk: Desk,
    check: TableCheck,
    tray: tuple[Cents, Denominations] | None,
    signed: Signatures,
    *,
    shift: str,
    key: str,
) -> TablePosting:
    """Open a table; a variance needs an error slip, and a large one also a notice to the commission."""
    counted, pieces = tray or _roll(desk, key)
    act = Opener(desk.table, 0, counted, None, None, shift, check.order, pieces=pieces)
    if again := desk.earlier(key, act):
        return again
    earlier = list(periods.of_table(desk.connection, desk.table))
    _check_free(desk, check, earlier, shift)
    check_inventory(desk.connection, "opener", pieces, desk.table)
    closer = earlier[0].last("closer") if earlier else None
    number, order, deviations = periods.next_id(desk.connection), check.order, _deviations(desk, check)
    opened = Period(number, desk.table, order.date, shift, order.game, order, deviations)
    act = replace(act, period=opened.id, deviations=opened.deviations)
    if closer is not None:
        act = replace(act, expected=closer.cents, closer=closer.serial)
    notices = _notices(act, earlier, opened, check.profile)
    return _post(desk, act, opened, signed, key, notices)


def _roll(desk: Desk, key: str) -> tuple[Cents, Denominations]:
    """WAC 230-15-535: the duplicate of the closer lies in the tray and is the next opener."""
    before = desk.page.find_earlier(key)
    if before is not None:
        facts = before.facts  # a repetition of the same act
    else:
        newest = next(periods.of_table(desk.connection, desk.table), None)
        closer = newest.last("closer") if newest else None
        if closer is None:
            raise PostingRefused(f"table {desk.table} has no closer to be opened from; count its tray (WAC 230-15-495)")
        p = posting.c
        here = (p.book == desk.page.book) & (p.number == closer.number)
        facts = desk.connection.execute(select(p.facts).where(here)).scalar_one()
    act = decode_act(facts)
    if not isinstance(act, Opener | Closer):
        raise PostingRefused(f"the key {key} stands for another act; give a new key (house rule: one key, one posting)")
    return act.counted, act.pieces


def _post(
    desk: Desk, act: Opener, opened: Period, signed: Signatures, key: str, notices: Iterable[TaskOrder]
) -> TablePosting:
    difference = variance(act)
    # WAC 230-15-495: security signs a variance as well
    signers = desk.signatures("error" if difference else "opener", signed)
    _store(desk, opened)
    why = f"opener at table {act.table}, {dollars(act.counted)}"
    if difference:
        why += f", which is {dollars(difference, signed=True)} against closer {act.closer}"
    made = desk.write(act, opened, signers, lines(act, Sums()), key=key, explanation=why, raises=notices)
    slip = desk.number_slip("opener", made, opened, act.counted)
    if difference:
        desk.number_slip("error", made, opened, difference)
    return desk.result(made, act, signers, slip)


def _check_free(desk: Desk, check: TableCheck, earlier: list[Period], shift: str) -> None:
    day, table = check.order.date, desk.table
    check_not_future(day)
    others = () if earlier else (name for name in periods.tables(desk.connection) if name != table)
    if like := find_like(table, others):
        raise PostingRefused(f"there is a table {like} already; give this one another name (house rule: names differ)")
    if earlier and earlier[0].state in ("open", "closed"):
        raise NotNow(
            f"the box of table {table} is {earlier[0].state}; close the table and pull its box first (house rule)"
        )
    if earlier and day < earlier[0].day:
        raise BadDay(
            day,
            f"table {table} was open on {earlier[0].day} already; give that day or a later one "
            "(house rule: the books move forward)",
        )
    if any(period.day == day and period.shift == shift for period in earlier):
        raise PostingRefused(
            f"table {table} has a box of {day}{f', shift {shift}' if shift else ''} already; "
            "a box pulled more than once a day bears its shift (WAC 230-15-090)"
        )
    _check_number_of_tables(desk, check)
    check_jackpots(desk.connection, check)


def _check_number_of_tables(desk: Desk, check: TableCheck) -> None:
    if "tables" not in check.profile:  # RCW 9.46.0282 counts the tables of card rooms
        return
    most = check.profile.number("tables")
    in_use = periods.open_tables(desk.connection)
    if in_use >= most:
        raise NotNow(f"{in_use} tables are open; {most} are allowed (RCW 9.46.0282)")


def _deviations(desk: Desk, check: TableCheck) -> tuple[str, ...]:
    """WA.3: refuse a table whose conditions are not met; returns its deviations from the approved sheet."""
    if check.refusals:
        may_not = f"table {desk.table} may not be opened: "
        raise PostingRefused(may_not + "; ".join(f"{refusal.says} ({refusal.rule})" for refusal in check.refusals))
    house = check.order.house
    status = read_status(desk.connection, check.order.game, house, check.order.date)
    if not status.may_be_offered:
        lacks = "; ".join(status.wanting)
        rule = check.profile.cites("WAC 230-15-035")
        raise PostingRefused(f"{check.order.game} may not be offered in this {house} yet ({rule}); it lacks {lacks}")
    return (*check.deviations, *status.deviations)


def _store(desk: Desk, opened: Period) -> None:
    row = {"id": opened.id, "table_name": opened.table, "day": opened.day.isoformat(), "shift": opened.shift}
    ordered = msgspec.json.encode(opened.order).decode()
    deviations = msgspec.json.encode(opened.deviations).decode()
    desk.connection.execute(
        insert(period_table).values(**row, game=opened.game, as_ordered=ordered, deviations=deviations)
    )


def _notices(act: Opener, earlier: Iterable[Period], opened: Period, profile: Profile) -> Iterator[TaskOrder]:
    """WAC 230-15-495: a large variance, or a pattern of shortages, is reported within 24 hours."""
    difference, notice = variance(act), profile["variance-notice"].cents
    whom = f"{profile.regulator} ({profile.cites('WAC 230-15-495')})"
    where = f"opener of table {act.table} on {opened.day}"
    if difference and abs(difference) >= notice:
        says = f"{where} differs by {dollars(difference, signed=True)}; {dollars(notice)} or more is reported"
        yield TaskOrder("notice", f"{says} to {whom}", NOTICE_WITHIN)
    elif difference < 0 and 1 + _short_in_a_row(earlier) >= PATTERN:
        says = f"{where} is short, as all of the last {PATTERN} were; a pattern is reported to {whom}"
        yield TaskOrder("notice", says, NOTICE_WITHIN)


def _short_in_a_row(earlier: Iterable[Period]) -> int:
    """How many of the newest openers of a table were short in a row."""
    count = 0
    for period in earlier:
        error = period.last("error")
        if error is None or error.cents >= 0:
            break
        count += 1
    return count


def check_jackpots(connection: Connection, check: TableCheck) -> None:
    """WAC 230-15-455: refuse a game whose progressive is not fully funded.

    SP.15 also allows an approved system of a third party, so a jackpot outside these books is not checked.
    """
    offered = {wager.wager for wager in check.wagers}
    stopped: dict[str, str] = {}
    for name in progressive_names(connection):
        terms = read_terms(connection, name)
        if terms.game == check.order.game and terms.wager in offered:
            book, _, balances = read_head(connection, name)
            fund = Fund(terms, read_standing(connection, book), balances)
            if fund.standing.state != REMOVED:
                stopped[name] = stop_reason(fund, check.order.date)
    if stopped and all(stopped.values()):
        name, why = next(iter(stopped.items()))
        raise NotNow(f"{check.order.game} feeds the progressive {name}; {why} (WAC 230-15-455)")


class TableBooks:
    """The tables of a house. Repeating an act under its key does not post it twice.

    `house` overrides the kind of house in an order.
    """

    def __init__(self, database: Database, *, house: HouseKind | None = None) -> None:
        self.database, self.house = database, house

    def open(
        self,
        order: TableOrder,
        table: str,
        counted: Chips | None,
        signed: Signatures,
        *,
        shift: str = "",
        key: str = "",
    ) -> TablePosting:
        """Open a table as ordered, if the law, the rules and the letter of its game allow it.

        Without a count the opener is rolled: it is the last closer, whose duplicate lies in the tray.
        """
        tray = None if counted is None else read_chips("opener", counted, 0)
        check_table_name(table)
        if shift:
            check_table_name(shift, "shift")
        check = check_table(replace(order, house=self.house or order.house))
        with self.database.transaction() as connection:
            desk = Desk(connection, table)
            return open_table(desk, check, tray, signed, shift=shift, key=key)

    def fill(self, table: str, chips: Chips, signed: Signatures, *, request: int = 0, key: str = "") -> TablePosting:
        """Bring chips from the cage to an open table; answers the request if one is named."""
        cents, pieces = read_chips("fill", chips, 1)
        return self._slip(Fill(table, 0, cents, pieces, request), signed, key)

    def credit(self, table: str, chips: Chips, signed: Signatures, *, request: int = 0, key: str = "") -> TablePosting:
        """Take chips from an open table to the cage; answers the request if one is named."""
        cents, pieces = read_chips("credit", chips, 1)
        return self._slip(Credit(table, 0, cents, pieces, request), signed, key)

    def close(self, table: str, counted: Chips, signed: Signatures, *, key: str = "") -> TablePosting:
        """Count the tray of an open table and lock it."""
        cents, pieces = read_chips("closer", counted, 0)
        return self._slip(Closer(table, 0, cents, pieces), signed, key)

    def drop(self, table: str, signed: Signatures, *, box: str = "", key: str = "") -> TablePosting:
        """Pull the box of a closed table; its name is the table's number unless an emergency box was in use."""
        if box:
            check_table_name(box, "box")
        return self._slip(Drop(table, 0, box or table), signed, key)

    def tally(self, table: str, count: Denominations, signed: Signatures, *, key: str = "") -> TablePosting:
        """Enter the first person's own count of a box; the books do not reveal it."""
        check_pieces(count)
        with self.database.transaction() as connection:
            return enter_tally(connection, table, count, signed, key)

    def count(
        self, table: str, count: Denominations, signed: Signatures, *, team_approval: str = "", key: str = ""
    ) -> TablePosting:
        """Enter the second person's own count of the oldest box; if it equals the first, the win is final."""
        check_pieces(count)
        return self._slip(Count(table, 0, count, count, team_approval), signed, key)

    def void(self, kind: SlipKind, serial: int, why: str, signed: Signatures, *, key: str = "") -> TablePosting:
        """Void a slip: keep its number, and move its money back."""
        with self.database.transaction() as connection:
            return void_slip(connection, kind, serial, why, signed, key)

    def revise(self, kind: SlipKind, serial: int, why: str, signed: Signatures, *, key: str = "") -> TablePosting:
        """Void a slip of a counted box; accounting signs with somebody who signed nothing of it."""
        with self.database.transaction() as connection:
            return void_slip(connection, kind, serial, why, signed, key, revises=True)

    def recount(self, table: str, count: Denominations, signed: Signatures, *, key: str = "") -> TablePosting:
        """Enter the second person's own count of a revised box, after a new first count."""
        check_pieces(count)
        return self._slip(Count(table, 0, count, count), signed, key, revises=True)

    def enter_wagers(self, table: str, stakes: Sequence[Stakes], signed: Signatures, *, key: str = "") -> TablePosting:
        """Enter wagers made at a table; its theoretical win is computed from them."""
        with self.database.transaction() as connection:
            return notes.enter_wagers(connection, table, stakes, signed, key)

    def enter_log(self, table: str, lines: Iterable[bytes], signed: Signatures) -> TablePosting:
        """Enter the wagers of a table from its log; each round counts once."""
        with self.database.transaction() as connection:
            return notes.enter_log(connection, table, lines, signed)

    def pay(self, payout: Payout, signed: Signatures, *, key: str = "") -> TablePosting:
        """Record a payout; a large one raises a task to verify it."""
        notes.check_payout(payout)
        with self.database.transaction() as connection:
            return notes.pay(connection, payout, signed, key)

    def finish(self, task: int, reference: str, signed: Signatures, *, key: str = "") -> TablePosting:
        """Mark a task as done."""
        with self.database.transaction() as connection:
            return notes.finish_task(connection, task, reference, signed, key)

    def tasks(self, *, open_only: bool = True) -> list[Task]:
        """The open tasks, or all of them."""
        with self.database.snapshot() as connection:
            return tasks(connection, open_only=open_only)

    def period(self, table: str) -> Period | None:
        """The newest period of a table."""
        with self.database.snapshot() as connection:
            return next(periods.of_table(connection, table), None)

    def _slip(self, act: SlipAct, signed: Signatures, key: str, *, revises: bool = False) -> TablePosting:
        with self.database.transaction() as connection:
            return post_slip(connection, act, signed, key, revises=revises)
