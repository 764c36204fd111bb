"""Writes postings to the book of the tables: locks it, checks signatures, numbers slips."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date

import msgspec
from msgspec import Struct
from sqlalchemy import Connection, func, insert, select

from feltworks.errors import NotNow, UnknownName, one_of
from feltworks.house.closing import check_day_is_open
from feltworks.house.duties import Signature, check_signatures
from feltworks.house.duties import action as find_action
from feltworks.house.journal.book import EarlierPosting, Page, open_page
from feltworks.house.journal.posting import Entry, Posting
from feltworks.house.register import check_on_duty
from feltworks.house.storage.schema import signature, slip
from feltworks.house.tables import periods
from feltworks.house.tables.accounts import BOOK, KIND, table_accounts
from feltworks.house.tables.acts import Act, RaisedTask, SlipKind, decode_act, kind_of, sealed_facts
from feltworks.house.tables.periods import Period, Slip, State
from feltworks.house.tables.tasks import Task, TaskOrder, number_tasks, store_tasks, tasks
from feltworks.house.users import roles
from feltworks.money import Cents

_DERIVED = {
    "period",
    "expected",
    "closer",
    "deviations",
    "team_approval",
}  # fields of an act that the books fill in
# What is signed at the table; boxes are counted, revisions and tasks done elsewhere and later
_AT_TABLE = ("opener", "error", "closer", "fill", "credit", "drop", "void", "wagers", "payout")
Signatures = Mapping[str, str]  # the person in each position


class TablePosting(Struct, frozen=True):
    """The result of an act: its posting, its slip, and the tasks it raised."""

    number: int
    table: str
    period: int
    slip: Slip | None = None
    tasks: tuple[Task, ...] = ()
    signatures: tuple[Signature, ...] = ()
    repeated: bool = False


class Desk:
    """The book of the tables, locked until the transaction ends."""

    def __init__(self, connection: Connection, table: str, *, is_table: bool = True) -> None:
        self.connection, self.table = connection, table
        self.page: Page = open_page(connection, BOOK, KIND, table_accounts(table) if is_table else None)
        self.roles = roles(connection)

    def earlier(self, key: str, act: Act) -> TablePosting | None:
        """The earlier result of the same act under this key; refuse another act under it."""
        posting = self.page.find_earlier(key)
        if posting is None:
            return None
        before = decode_act(posting.facts)
        if type(before) is not type(act) or _given_fields(before) != _given_fields(act):
            posting.refuse(key)
        return self._earlier_result(posting, before)

    def period_in(self, action: str, *states: State) -> Period:
        """The oldest uncounted period of this table in one of these states, which the action requires."""
        fitting = (box for box in periods.uncounted(self.connection, self.table) if box.state in states)
        if oldest := next(fitting, None):
            return oldest
        newest = next(periods.of_table(self.connection, self.table), None)
        if newest is None:
            known = periods.tables(self.connection) or ["one that is opened first (WAC 230-15-495)"]
            raise UnknownName("table with books", self.table, known)
        here = f"the box of table {self.table} is {newest.state}"
        does = find_action(action)
        raise NotNow(f"{here}; to {does.does} needs one that is {one_of(states)} ({does.rule})")

    def signatures(self, action: str, signed: Signatures, *, optional: int = 0) -> tuple[Signature, ...]:
        """Check the signatures of an action, the licences of the signers, and the shifts of those at the table."""
        signers = check_signatures(action, signed, self.roles, optional=optional)
        check_on_duty(self.connection, signers, self.page.today, self.table if action in _AT_TABLE else "")
        return signers

    def write(
        self,
        act: Act,
        period: Period | None,
        signers: Iterable[Signature],
        entries: Iterable[Entry] = (),
        *,
        key: str,
        explanation: str,
        raises: Iterable[TaskOrder] = (),
        revises: bool = False,
    ) -> Posting:
        """Store a posting with its signatures and tasks; only a revision may post to a closed day."""
        if period is not None and not revises:
            check_day_is_open(self.connection, period.day)
        signers, raised = tuple(signers), number_tasks(self.connection, self.page.moment, raises)
        kind = kind_of(act)
        day = period.day if period else self.page.today
        posting = post_signed(self.page, kind, act, signers, entries, raised=raised, day=day, key=key, why=explanation)
        store_tasks(self.connection, self.page.book, posting, raised, subject=self.table, period=act.period or None)
        return posting

    def number_slip(self, kind: SlipKind, posting: Posting, period: Period, cents: Cents) -> Slip:
        """Number the next slip of its kind; numbers have no gaps, since a failed transaction uses none."""
        last = select(func.coalesce(func.max(slip.c.serial), 0)).where(slip.c.kind == kind)
        serial = int(self.connection.execute(last).scalar_one()) + 1
        row = {"kind": kind, "serial": serial, "number": posting.number, "cents": cents}
        self.connection.execute(insert(slip).values(**row, book=self.page.book, period=period.id))
        return Slip(kind, serial, posting.number, cents)

    def result(
        self, posting: Posting, act: Act, signers: Iterable[Signature], slip: Slip | None = None
    ) -> TablePosting:
        """The result of a posting."""
        raised = tuple(tasks(self.connection, posting=(self.page.book, posting.number)))
        return TablePosting(posting.number, act.table, act.period, slip, raised, tuple(signers))

    def _earlier_result(self, earlier: EarlierPosting, act: Act) -> TablePosting:
        papers = periods.one(self.connection, act.period).slips if act.period else ()
        slips = [slip for slip in papers if slip.number == earlier.number and slip.kind == earlier.kind]
        raised = tuple(tasks(self.connection, open_only=False, posting=(self.page.book, earlier.number)))
        return TablePosting(earlier.number, act.table, act.period, slips[0] if slips else None, raised, repeated=True)


def post_signed(
    page: Page,
    kind: str,
    act: Struct,
    signers: Sequence[Signature],
    entries: Iterable[Entry],
    *,
    raised: Iterable[RaisedTask] = (),
    day: date,
    key: str,
    why: str,
) -> Posting:
    """Post an act and store its signatures; the first two signers make the posting."""
    by, *others = (signer.person for signer in signers)
    facts, second = sealed_facts(act, signers, raised), others[0] if others else None
    posting = page.post(kind, facts, entries, day=day, by=by, witness=second, key=key, why=why)
    of = {"book": page.book, "number": posting.number}
    page.connection.execute(insert(signature), [{**of, **msgspec.structs.asdict(signer)} for signer in signers])
    return posting


def _given_fields(act: Act) -> dict[str, object]:
    """The given fields of an act, without those that the books fill in."""
    return {key: value for key, value in msgspec.structs.asdict(act).items() if key not in _DERIVED}
