"""The audit report: each printed figure and each open wording of the documents, with its value in money."""

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from feltworks import catalog
from feltworks.analysis.audit.audit import Audit, AuditedFigure, ComputedFigure, audit
from feltworks.analysis.audit.readings import AuditedReading
from feltworks.analysis.figures import per_hundred_rounds
from feltworks.money import Cents, dollars
from feltworks.reports.order import Identity, Order, identity
from feltworks.reports.text import join_names


class Readings(Struct, frozen=True):
    """Readings of one game, or those that several games have in the same words."""

    games: tuple[str, ...]
    all: tuple[AuditedReading, ...]

    @property
    def open(self) -> list[AuditedReading]:
        """The readings whose alternatives change an edge."""
        return [reading for reading in self.all if reading.effects]

    @property
    def quiet(self) -> list[AuditedReading]:
        return [reading for reading in self.all if not reading.effects]


class Difference(Struct, frozen=True):
    """A printed figure that differs: the house's win from a hundred rounds of $10 by both figures."""

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
    own: Readings  # those of this game alone
    titles: dict[str, str]
    edge_titles: dict[str, str]  # with the posted amount of the meter, if an edge depends on it

    @property
    def agreements(self) -> int:
        return sum(figure.agrees for figure in self.figures)

    @property
    def effective_readings(self) -> int:
        """How many readings change an edge."""
        return sum(bool(reading.effects) for reading in self.readings)


class SharedReadings(Struct, frozen=True):
    """Readings that several games share."""

    games: str
    readings: Readings
    titles: dict[str, str]


def audit_report(orders: list[Order]) -> tuple[list[GameAudit], list[SharedReadings]]:
    """The audit of these games, newly computed, and the readings that several of them share."""
    audited = audit(orders[0].game if len(orders) == 1 else None)
    names = {order.game for order in orders}
    groups = group_readings(reading for reading in audited.readings if reading.game in names)
    games = [_game(order, audited, groups) for order in orders]
    return games, [_shared_readings(games, group) for group in groups if len(group.games) > 1]


def _shared_readings(games: list[GameAudit], readings: Readings) -> SharedReadings:
    sharing = [game for game in games if game.order.game in readings.games]
    return SharedReadings(join_names(game.identity.title for game in sharing), readings, sharing[0].edge_titles)


def _game(order: Order, audited: Audit, groups: list[Readings]) -> GameAudit:
    approval = order.book.approval
    figures = tuple(figure for figure in audited.figures if figure.game == order.game)
    return GameAudit(
        order,
        identity(order),
        approval.document if approval else "",
        tuple(approval.remarks) if approval else (),
        figures,
        tuple(_differences(figures)),
        tuple(figure for figure in audited.computed if figure.game == order.game),
        tuple(reading for reading in audited.readings if reading.game == order.game),
        readings_of(order.game, groups),
        {name: entry.title for name, entry in order.book.wager.items()},
        {name: _posted_title(order, name) for name in order.book.wager},
    )


def _posted_title(order: Order, wager: str) -> str:
    """A wager's title; for a progressive, with the posted amount that its edge is computed at, its smallest seed."""
    entry = order.book.wager[wager]
    posted = None if entry.of else order.table_with(wager).least_posted([wager])
    return entry.title if posted is None else f"{entry.title} with {dollars(posted)} posted"


def _differences(figures: tuple[AuditedFigure, ...]) -> Iterator[Difference]:
    for figure in figures:
        if not figure.agrees and figure.quantity == "house_edge":  # other quantities are not money of a hundred rounds
            printed = Fraction(figure.published.rstrip("%")) / 100
            yield Difference(figure, per_hundred_rounds(printed), per_hundred_rounds(figure.computed))


def approved_games() -> tuple[str, ...]:
    """The approved games."""
    return tuple(name for name in catalog.games() if catalog.rulebook(name).approval)


def group_readings(readings: Iterable[AuditedReading]) -> list[Readings]:
    """The readings grouped by their games, in the order of the games."""
    equal: dict[str, list[AuditedReading]] = {}
    for reading in readings:
        equal.setdefault(_content(reading), []).append(reading)
    groups: dict[tuple[str, ...], list[AuditedReading]] = {}
    for same in equal.values():
        groups.setdefault(tuple(reading.game for reading in same), []).append(same[0])
    return [Readings(games, tuple(group)) for games, group in groups.items()]


def readings_of(game: str, groups: Sequence[Readings]) -> Readings:
    """The readings that only this game has."""
    return next((group for group in groups if group.games == (game,)), Readings((game,), ()))


def _content(reading: AuditedReading) -> str:
    """A reading without its game; readings with different edges differ."""
    return repr((reading.reading, [replace(effect, game="") for effect in reading.effects]))
