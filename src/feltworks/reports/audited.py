"""The audit report: each printed figure and each open wording of the documents, and their worth in money."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec import Struct

from feltworks import catalog
from feltworks.analysis.audit.audit import Audit, AuditedFigure, ComputedFigure, audit
from feltworks.analysis.audit.figure_text import per_hundred_rounds
from feltworks.analysis.audit.readings import AuditedReading
from feltworks.money import Cents
from feltworks.reports.identity import Identity, identity
from feltworks.reports.order import Order
from feltworks.reports.shared_readings import Readings, by_games, of
from feltworks.reports.words import listed


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
    own: Readings  # those no other game of the report has alike
    titles: dict[str, str]

    @property
    def agreeing(self) -> int:
        return sum(each.agrees for each in self.figures)

    @property
    def moving(self) -> int:
        """How many of its readings move money."""
        return sum(bool(each.effects) for each in self.readings)


class Shared(Struct, frozen=True):
    """What several documents leave open alike."""

    games: str
    readings: Readings
    titles: dict[str, str]


def audit_report(orders: list[Order]) -> tuple[list[GameAudit], list[Shared]]:
    """The audit of some games, computed afresh, and what several of them read alike."""
    found = audit(orders[0].game if len(orders) == 1 else None)
    asked = {order.game for order in orders}
    readings = by_games(each for each in found.readings if each.game in asked)
    games = [_game(order, found, readings) for order in orders]
    return games, [_shared(games, each) for each in readings if len(each.games) > 1]


def _shared(games: list[GameAudit], readings: Readings) -> Shared:
    alike = [game for game in games if game.order.game in readings.games]
    return Shared(listed(game.identity.title for game in alike), readings, alike[0].titles)


def _game(order: Order, found: Audit, readings: list[Readings]) -> GameAudit:
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
        of(order.game, readings),
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
