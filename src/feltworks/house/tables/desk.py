"""The desk at which a table's slips are written: its book locked, signatures checked, numbers given."""

from collections.abc import Iterable, Mapping

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, func, insert, select

from feltworks.errors import NotNow, PostingRefused, UnknownName, one_of
from feltworks.house.duties import Signature, check_signatures
from feltworks.house.journal.book import EarlierPosting, Page, open_page
from feltworks.house.journal.posting import Entry, Posting, Voucher
from feltworks.house.storage.schema import signature, slip
from feltworks.house.tables import periods
from feltworks.house.tables.accounts import BOOK, KIND, table_accounts
from feltworks.house.tables.acts import Act, SlipKind, decode_act, encode_act, kind_of
from feltworks.house.tables.periods import Period, Slip, State
from feltworks.house.tables.tasks import Task, tasks
from feltworks.house.users import roles
from feltworks.money import Cents

_FOUND = {"period", "expected", "closer"}  # what the books themselves say in an act
Signatures = Mapping[str, str]  # position to person


class TablePosting(Struct, frozen=True):
    """What an act did: its posting, its slip, and the tasks that it raised."""

    number: int
    table: str
    period: int
    slip: Slip | None = None
    tasks: tuple[Task, ...] = ()
    signatures: tuple[Signature, ...] = ()
    repeated: bool = False


class Desk:
    """The book of the table games, locked until the transaction ends."""

    def __init__(self, connection: Connection, table: str) -> None:
        self.connection, self.table = connection, table
        self.page: Page = open_page(connection, BOOK, KIND, table_accounts(table))
        self.roles = roles(connection)

    def earlier(self, key: str, act: Act) -> TablePosting | None:
        """The same posted before under this key; anything else under it is a mistake."""
        found = self.page.earlier([key]).get(key) if key else None
        if found is None:
            return None
        before = decode_act(found.facts)
        if type(before) is not type(act) or _said(before) != _said(act):
            raise PostingRefused(
                f"the key {key} stands for posting {found.number} ({found.kind} on {found.day}), "
                "which is not the same; give a new key"
            )
        return self._again(found, before)

    def period_in(self, *states: State) -> Period:
        """The period of this table that is in one of these states; the oldest where there are several."""
        known = list(periods.of_table(self.connection, self.table))
        if not known:
            raise UnknownName("table with books", self.table, periods.tables(self.connection))
        fitting = [period for period in known if period.state in states]
        if not fitting:
            here = f"the box of table {self.table} is {known[0].state}"
            raise NotNow(f"{here}; this takes one that is {one_of(states)}")
        return fitting[-1]

    def signatures(self, action: str, signed: Signatures, *, optional: int = 0) -> tuple[Signature, ...]:
        """Everybody who has to sign, checked."""
        return check_signatures(action, signed, self.roles, optional=optional)

    def write(
        self,
        act: Act,
        period: Period,
        signers: Iterable[Signature],
        entries: Iterable[Entry] = (),
        *,
        key: str,
        explanation: str,
    ) -> Posting:
        """One posting with its signatures."""
        signers = tuple(signers)
        kind = kind_of(act)
        said = Voucher(
            key=key or f"{kind}/{self.page.number + 1}",
            day=period.day,
            by=signers[0].person,
            witness=signers[1].person if len(signers) > 1 else None,
            explanation=explanation,
        )
        posting = self.page.add(kind, encode_act(act, signers), said, entries)
        self.page.write()
        rows = [msgspec.structs.asdict(each) for each in signers]
        of = {"book": self.page.book, "number": posting.number}
        self.connection.execute(insert(signature), [{**of, **row} for row in rows])
        return posting

    def number_slip(self, kind: SlipKind, posting: Posting, period: Period, cents: Cents) -> Slip:
        """The next slip of its kind: numbers have no gap, since what is not kept has taken none."""
        last = select(func.coalesce(func.max(slip.c.serial), 0)).where(slip.c.kind == kind)
        serial = int(self.connection.execute(last).scalar_one()) + 1
        row = {"kind": kind, "serial": serial, "number": posting.number, "cents": cents}
        self.connection.execute(insert(slip).values(**row, book=self.page.book, period=period.id))
        return Slip(kind, serial, posting.number, cents)

    def posted(
        self, posting: Posting, act: Act, signers: Iterable[Signature], slip: Slip | None = None
    ) -> TablePosting:
        """What was done, for whoever asked for it."""
        raised = tuple(tasks(self.connection, posting=posting.number))
        return TablePosting(posting.number, act.table, act.period, slip, raised, tuple(signers))

    def _again(self, found: EarlierPosting, act: Act) -> TablePosting:
        of = periods.one(self.connection, act.period)
        kept = [each for each in of.slips if each.number == found.number and each.kind == found.kind]
        raised = tuple(tasks(self.connection, open_only=False, posting=found.number))
        return TablePosting(
            found.number, act.table, act.period, kept[0] if kept else None, raised, repeated=True
        )


def _said(act: Act) -> dict[str, object]:
    """What somebody said in an act, without what the books added."""
    return {key: value for key, value in msgspec.structs.asdict(act).items() if key not in _FOUND}
