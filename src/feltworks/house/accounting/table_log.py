"""The wagers of a table that the program itself ran, out of its log; every round counts once."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from sqlalchemy import Connection, select

from feltworks.errors import LogError, PostingRefused
from feltworks.house.accounting.acts import Stakes
from feltworks.house.configuration import TableCheck
from feltworks.house.storage.tables import posting
from feltworks.money import Cents
from feltworks.table.events import Closed, Opened
from feltworks.table.log import BEGINNING, Entry, entries, seal_of


class Logged(Struct, frozen=True):
    """What of a log is to be entered: its wagers, and under which key the journal remembers how far."""

    stakes: tuple[Stakes, ...]
    rounds: int
    key: str


def logged(connection: Connection, book: int, found: TableCheck, lines: Iterable[bytes]) -> Logged:
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
    return Logged(_stakes(opened for opened, _ in fresh), len(fresh), f"{name}{fresh[-1][1]}")


def _entered(connection: Connection, book: int, name: str) -> int:
    """The last line of this log that the journal has; all of its keys begin alike."""
    p = posting.c
    keys = connection.execute(select(p.key).where(p.book == book, p.key.startswith(name))).scalars()
    return max((int(key.removeprefix(name)) for key in keys), default=0)


def _ended(read: Sequence[Entry], upto: int) -> list[tuple[Opened, int]]:
    """Rounds that were played to their end after a line, each with its last line; void ones count nothing."""
    found: list[tuple[Opened, int]] = []
    opened: Opened | None = None
    for entry in read:
        if isinstance(entry.event, Opened):
            opened = entry.event
        elif isinstance(entry.event, Closed) and opened is not None and entry.n > upto:
            found.append((opened, entry.n))
    return found


def _check_same_table(opened: Opened, found: TableCheck) -> None:
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


def _stakes(rounds: Iterable[Opened]) -> tuple[Stakes, ...]:
    """Opening wagers by size; tokes are taken and paid from the tray as well (LB.10)."""
    counted: Counter[tuple[str, Cents]] = Counter()
    for opened in rounds:
        for seat in opened.seats:
            counted.update([*seat.wagers.items(), *seat.tokes.items()])
    return tuple(Stakes(wager, cents, count) for (wager, cents), count in sorted(counted.items()))
