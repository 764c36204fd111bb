"""Opens a table: its order lawful and approved, its jackpot funded, its tray checked against the closer."""

from typing import Final

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection, insert

from feltworks.errors import BadDay, NotNow, PostingRefused
from feltworks.house.approvals import read_status
from feltworks.house.configuration import TableCheck
from feltworks.house.journal.book import read_head
from feltworks.house.journal.posting import Posting
from feltworks.house.law import Profile, check_not_future
from feltworks.house.progressive.fund import REMOVED, Fund
from feltworks.house.progressive.play import stop_reason
from feltworks.house.progressive.records import progressive_names, read_standing, read_terms
from feltworks.house.storage.schema import period as period_table
from feltworks.house.tables import periods
from feltworks.house.tables.accounts import Sums, lines, variance
from feltworks.house.tables.acts import Opener
from feltworks.house.tables.desk import Desk, Signatures, TablePosting
from feltworks.house.tables.periods import Period
from feltworks.house.tables.tasks import raise_task
from feltworks.money import Cents, dollars

PATTERN: Final = 3  # our setting: so many openers short in a row are a pattern; the rule gives no number


def open_table(
    desk: Desk,
    found: TableCheck,
    counted: Cents,
    signed: Signatures,
    *,
    shift: str,
    key: str,
) -> TablePosting:
    """Open a table; a discrepancy takes an error slip, and a large one the notice to the commission."""
    act = Opener(desk.table, 0, counted, None, None)
    if again := desk.earlier(key, act):
        return again
    earlier = list(periods.of_table(desk.connection, desk.table))
    _check_free(desk, found, earlier, shift)
    closer = earlier[0].last("closer") if earlier else None
    opened = _new_period(desk, found, shift, _deviations(desk, found))
    act = replace(act, period=opened.id)
    if closer is not None:
        act = replace(act, expected=closer.cents, closer=closer.serial)
    return _post(desk, act, opened, signed, key, found.profile)


def _post(
    desk: Desk, act: Opener, opened: Period, signed: Signatures, key: str, profile: Profile
) -> TablePosting:
    difference = variance(act)
    # WAC 230-15-495: a discrepancy is signed by security as well
    signers = desk.signatures("error" if difference else "opener", signed)
    _keep(desk, opened)
    why = f"opener at table {act.table}, {dollars(act.counted)}"
    if difference:
        why += f", which is {dollars(difference, signed=True)} against closer {act.closer}"
    posting = desk.write(act, opened, signers, lines(act, Sums()), key=key, explanation=why)
    slip = desk.number_slip("opener", posting, opened, act.counted)
    if difference:
        desk.number_slip("error", posting, opened, difference)
        _raise_notices(desk, act, opened, posting, profile)
    return desk.posted(posting, act, signers, slip)


def _check_free(desk: Desk, found: TableCheck, earlier: list[Period], shift: str) -> None:
    day, table = found.order.date, desk.table
    check_not_future(day)
    if earlier and earlier[0].state in ("open", "closed"):
        raise NotNow(
            f"the box of table {table} is {earlier[0].state}; close the table and pull its box first"
        )
    if earlier and day < earlier[0].day:
        raise BadDay(day, f"table {table} was open on {earlier[0].day} already; give that day or a later one")
    if any(each.day == day and each.shift == shift for each in earlier):
        raise PostingRefused(
            f"table {table} has a box of {day}{f', shift {shift}' if shift else ''} already; "
            "a box pulled more than once a day bears its shift (WAC 230-15-090)"
        )
    _check_number_of_tables(desk, found)
    check_jackpots(desk.connection, found)


def _check_number_of_tables(desk: Desk, found: TableCheck) -> None:
    if "tables" not in found.profile:  # RCW 9.46.0282 counts the tables of card rooms
        return
    most = found.profile.number("tables")
    in_use = periods.open_tables(desk.connection)
    if in_use >= most:
        raise NotNow(f"{in_use} tables are open; {most} are allowed (RCW 9.46.0282)")


def _deviations(desk: Desk, found: TableCheck) -> tuple[str, ...]:
    """WA.3: opened only with every condition met; what differs from the approved sheet is told with it."""
    if found.refusals:
        said = "; ".join(f"{each.says} ({each.rule})" for each in found.refusals)
        raise PostingRefused(f"table {desk.table} may not be opened: {said}")
    house = found.order.house
    standing = read_status(desk.connection, found.order.game, house, found.order.date)
    if not standing.may_be_offered:
        lacks = "; ".join(standing.wanting)
        raise PostingRefused(f"{found.order.game} may not be offered in this {house} yet; it lacks {lacks}")
    return (*found.deviations, *standing.deviations)


def _new_period(desk: Desk, found: TableCheck, shift: str, deviations: tuple[str, ...]) -> Period:
    order = found.order
    return Period(
        periods.next_id(desk.connection), desk.table, order.date, shift, order.game, order, deviations
    )


def _keep(desk: Desk, opened: Period) -> None:
    row = {"id": opened.id, "table_name": opened.table, "day": opened.day.isoformat(), "shift": opened.shift}
    ordered = msgspec.json.encode(opened.order).decode()
    deviations = msgspec.json.encode(opened.deviations).decode()
    desk.connection.execute(
        insert(period_table).values(**row, game=opened.game, as_ordered=ordered, deviations=deviations)
    )


def _raise_notices(desk: Desk, act: Opener, opened: Period, posting: Posting, profile: Profile) -> None:
    """WAC 230-15-495: a large variance, or a pattern of shortages, is reported within 24 hours."""
    difference, notice = variance(act), profile["variance-notice"].cents
    whom = f"{profile.regulator} ({profile.cites('WAC 230-15-495')})"
    where, book = f"opener of table {act.table} on {opened.day}", desk.page.book
    if abs(difference) >= notice:
        says = f"{where} differs by {dollars(difference, signed=True)}; {dollars(notice)} or more is reported"
        raise_task(desk.connection, book, posting, opened.id, "notice", f"{says} to {whom}")
    elif difference < 0 and _short_in_a_row(desk) >= PATTERN:
        says = f"{where} is short, as all of the last {PATTERN} were; a pattern is reported to {whom}"
        raise_task(desk.connection, book, posting, opened.id, "notice", says)


def _short_in_a_row(desk: Desk) -> int:
    """How many of the newest openers of this table were short, one after the other."""
    count = 0
    for each in periods.of_table(desk.connection, desk.table):
        error = each.last("error")
        if error is None or error.cents >= 0:
            break
        count += 1
    return count


def check_jackpots(connection: Connection, found: TableCheck) -> None:
    """WAC 230-15-455: games whose progressive is short of its funds are not operated.

    SP.15 allows an approved system of a third party too, so books without the jackpot say nothing.
    """
    offered = {each.wager for each in found.wagers}
    fed: dict[str, str] = {}
    for name in progressive_names(connection):
        terms = read_terms(connection, name)
        if terms.game == found.order.game and terms.wager in offered:
            book, _, balances = read_head(connection, name)
            fund = Fund(terms, read_standing(connection, book), balances)
            if fund.standing.state != REMOVED:
                fed[name] = stop_reason(fund, found.order.date)
    if fed and all(fed.values()):
        name, why = next(iter(fed.items()))
        raise NotNow(f"{found.order.game} feeds the progressive {name}; {why}")
