"""Carries out every act of a progressive again, and compares its lines, tasks, terms and state."""

from collections.abc import Iterator
from datetime import date, datetime

from msgspec.structs import replace
from sqlalchemy import select

from feltworks.errors import FeltError
from feltworks.house.journal.book import book_number
from feltworks.house.journal.posting import Posting
from feltworks.house.journal.verification import Verification, verify
from feltworks.house.progressive.acts import Act, Opening, decode_act
from feltworks.house.progressive.fund import CHART, Fund, Standing
from feltworks.house.progressive.records import apply, read_standing, read_terms, tasks_of
from feltworks.house.progressive.terms import ProgressiveWager
from feltworks.house.rebuild import RowCheck
from feltworks.house.storage.database import Database
from feltworks.house.storage.schema import task


class Retrace:
    """Carries out the acts of a progressive again, beginning with its opening."""

    def __init__(self, name: str, tasks: RowCheck) -> None:
        self.fund: Fund | None = None
        self.says: list[str | None] = []  # sentences of its tasks, in the order in which they were raised
        self._name = name
        self._tasks = tasks
        self._wager: ProgressiveWager | None = None

    def inspect(self, posting: Posting) -> Iterator[str]:
        """Carry out the act of a posting and compare its lines."""
        try:
            act, day = decode_act(posting.facts), date.fromisoformat(posting.day)
            lines = self._lines(act, day)
        except (FeltError, ValueError) as trouble:
            yield f"posting {posting.number} cannot have been posted: {trouble}"
            return
        if lines != posting.entries:
            yield f"posting {posting.number} has other lines than its act ({posting.kind}) brings about"
        assert self.fund is not None
        orders = tuple(tasks_of(self.fund.terms, act, posting.entries, day))
        raised = datetime.fromisoformat(posting.made_at)
        dues = [(raised + o.within).isoformat(timespec="milliseconds") if o.within else None for o in orders]
        rows = [(o.kind, o.says, due, posting.made_at) for o, due in zip(orders, dues, strict=True)]
        self.says += [order[1] for order in rows]
        yield from self._tasks.compare(posting.number, [(*row, self._name, None) for row in rows])

    def _lines(self, act: Act, day: date) -> tuple[object, ...]:
        if isinstance(act, Opening):
            self._wager = ProgressiveWager(act.terms)
            self.fund = Fund(act.terms, Standing.at_opening(day), dict.fromkeys(CHART, 0))
        if self.fund is None or self._wager is None:
            raise ValueError("it comes before the opening")
        apply(self.fund, self._wager, act, day)
        return tuple(self.fund.take_entries())


def verify_progressive(database: Database, name: str) -> Verification:
    """Recompute seals, balances, lines and state of one progressive."""
    with database.snapshot() as connection:
        columns = ("kind", "says", "due_at", "raised_at", "subject", "period")
        of = book_number(connection, name)
        tasks = RowCheck(connection, task, of, "task", columns)
        retrace = Retrace(name, tasks)
        verified = verify(connection, name, retrace.inspect)
        verified.troubles.extend(tasks.finish())
        numbered = connection.execute(select(task.c.says).where(task.c.book == of).order_by(task.c.id)).scalars()
        if list(numbered) != retrace.says:
            verified.troubles.append("its tasks are not numbered in the order in which they were raised")
        try:
            stored = read_standing(connection, book_number(connection, name))
            terms = read_terms(connection, name)
        except (FeltError, ValueError) as trouble:
            return replace(verified, troubles=[*verified.troubles, f"its terms and state cannot be read: {trouble}"])
    if retrace.fund is None:
        verified.troubles.append("it has no opening")
        return verified
    if retrace.fund.terms != terms:
        verified.troubles.append("its terms are not those that it was opened with")
    if retrace.fund.standing != stored:
        verified.troubles.append("its state is not the one that its postings lead to")
    return verified
