"""Custody of drop boxes and their keys, and the hours at which boxes are pulled, held against the register.

What a house keeps elsewhere it enters nowhere, and nothing is refused for it.
"""

import datetime
from collections.abc import Iterator

from sqlalchemy import Connection

from feltworks.errors import NotNow
from feltworks.house.entries import HOURS
from feltworks.house.register import read_register, strike
from feltworks.house.tables.periods import Period
from feltworks.house.tables.tasks import TaskOrder


def pull_box(connection: Connection, period: Period, box: str, *, security: str, gambling: str) -> None:
    """WAC 230-15-090: the box that is pulled is the one that is signed out to the table; its entry ends with that."""
    table = period.table
    lines = read_register(connection, "box")
    here = [line for line in lines if line.entry.table == table or line.entry.name == table]
    standing = {line.entry.name: line for line in here if line.holds_on(period.day)}
    emergency = [name for name, line in standing.items() if line.entry.says == "emergency"]
    if box != table and box not in emergency:
        raise NotNow(
            f"box {box} is not signed out to table {table} as its emergency box: enter it in the register before it is "
            "used (WAC 230-15-090)"
        )
    if box == table and emergency:
        raise NotNow(f"emergency box {emergency[0]} is on table {table}; it is pulled by its own name (WAC 230-15-090)")
    line = standing.get(box)
    if any(other.entry.name == box for other in lines) and (line is None or line.entry.says == "on its way"):
        raise NotNow(
            f"box {box} is on record and not signed out to table {table}: enter that it is on the table before it is "
            "pulled (WAC 230-15-090)"
        )
    if line is not None:
        why = f"pulled from table {table}"
        strike(connection, line.number, why, by=security, second=gambling, day=period.day, action="custody")


def off_hours(connection: Connection, period: Period, now: datetime.datetime) -> Iterator[TaskOrder]:
    """WAC 230-15-590: outside the schedule a box is pulled at a change of shifts alone, and somebody looks at it."""
    lines = read_register(connection, "drop schedule")
    hours = [line.entry.says for line in lines if line.holds_on(period.day) and line.entry.table in ("", period.table)]
    if not hours or any(_is_within(text, now.time()) for text in hours):
        return
    at = f"{now:%H:%M} is outside the drop schedule ({', '.join(hours)})"
    if not period.shift:
        raise NotNow(f"{at}; off hours a box is pulled only at a change of shifts (WAC 230-15-590)")
    says = f"box of table {period.table}, shift {period.shift}, of {period.day}: {at}"
    yield TaskOrder("revision", f"{says}; look at the inventory slip of both supervisors (WAC 230-15-590)")


def _is_within(hours: str, now: datetime.time) -> bool:
    """Whether a time is within hours such as 23:30-00:30, which may go past midnight.

    >>> _is_within("23:30-00:30", datetime.time(0, 10)), _is_within("02:00-03:00", datetime.time(4))
    (True, False)
    """
    match = HOURS.fullmatch(hours)
    if match is None:  # written before hours were asked for
        return True
    first, last = datetime.time.fromisoformat(match[1]), datetime.time.fromisoformat(match[3])
    return first <= now <= last if first <= last else now >= first or now <= last
