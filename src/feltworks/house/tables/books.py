"""The books of the card tables: every act on a table, each in one transaction."""

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from feltworks.house.configuration import TableOrder, check_table
from feltworks.house.counts import enter_tally
from feltworks.house.law import HouseKind
from feltworks.house.storage.database import Database
from feltworks.house.tables import notes, periods
from feltworks.house.tables.acts import (
    Chips,
    Closer,
    Count,
    Credit,
    Denominations,
    Drop,
    Fill,
    Payout,
    SlipKind,
    Stakes,
    check_pieces,
    check_table_name,
    read_chips,
)
from feltworks.house.tables.desk import Desk, Signatures, TablePosting
from feltworks.house.tables.opener import open_table
from feltworks.house.tables.periods import Period
from feltworks.house.tables.slips import SlipAct, post_slip, void_slip
from feltworks.house.tables.tasks import Task, tasks


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
