"""The audit report: each printed figure and each open wording of the documents, and their worth in money."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from feltworks import catalog
from feltworks.analysis.audit.audit import Audit, AuditedFigure, ComputedFigure, audit
from feltworks.analysis.audit.printed import per_hundred_rounds
from feltworks.analysis.audit.readings import AuditedReading
from feltworks.money import Cents
from feltworks.reports.identity import Identity, identity
from feltworks.reports.order import Order


class Difference(Struct, frozen=True):
    """A printed figure that does not follow: what a hundred rounds of $10 bring the house by either."""

    figure: AuditedFigure
    printed: Cents
    computed: Cents


class GameAudit(Struct, frozen=True):
    """One document's part of the audit."""

    order: Order
    identity: Identity
    document: str
    remarks: tuple[str, ...]
    figures: tuple[AuditedFigure, ...]
    differences: tuple[Difference, ...]
    computed: tuple[ComputedFigure, ...]
    readings: tuple[AuditedReading, ...]
    titles: dict[str, str]

    @property
    def agreeing(self) -> int:
        return sum(each.agrees for each in self.figures)

    @property
    def open_readings(self) -> list[AuditedReading]:
        """Those whose other ways to read change an edge."""
        return [each for each in self.readings if each.effects]

    @property
    def quiet_readings(self) -> list[AuditedReading]:
        return [each for each in self.readings if not each.effects]


def audit_report(orders: list[Order]) -> list[GameAudit]:
    """The audit of some games, computed afresh."""
    found = audit(orders[0].game if len(orders) == 1 else None)
    return [_game(order, found) for order in orders]


def _game(order: Order, found: Audit) -> GameAudit:
    approval = order.book.approval
    figures = tuple(each for each in found.figures if each.game == order.game)
    return GameAudit(
        order,
        identity(order),
        approval.document if approval else "",
        tuple(approval.remarks) if approval else (),
        figures,
        tuple(_differences(figures)),
        tuple(each for each in found.computed if each.game == order.game),
        tuple(each for each in found.readings if each.game == order.game),
        {name: entry.title for name, entry in order.book.wager.items()},
    )


def _differences(figures: tuple[AuditedFigure, ...]) -> Iterator[Difference]:
    for each in figures:
        if not each.agrees:
            filed = Fraction(each.published.rstrip("%")) / 100
            yield Difference(each, per_hundred_rounds(filed), per_hundred_rounds(each.computed))


def all_games() -> tuple[str, ...]:
    """The games that were approved."""
    return tuple(name for name in catalog.games() if catalog.rulebook(name).approval)
