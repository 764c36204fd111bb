"""The theoretical win from exact edges, and how unlikely an actual win is, by table, game and dealer."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import erfc, sqrt
from typing import Any, Final, Literal

from msgspec import Struct
from sqlalchemy import Connection, select

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
from feltworks.errors import BadOption
from feltworks.house.closing import Span
from feltworks.house.configuration import TableCheck, check_table
from feltworks.house.storage.database import Database
from feltworks.house.storage.schema import book, signature
from feltworks.house.tables import periods
from feltworks.house.tables.accounts import BOOK
from feltworks.house.tables.acts import Stakes
from feltworks.house.tables.periods import Period
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of

BAND: Final = 1.96  # standard deviations to either side: 95 of 100 periods lie within


class ExactFigure(Struct, frozen=True):
    """A figure as a fraction and as a number."""

    exact: str
    value: float


def exact_figure(value: Fraction) -> ExactFigure:
    return ExactFigure(str(value), round(float(value), 2))


class Theory(Struct, frozen=True):
    """The expected win of a period, in cents, with its standard deviation.

    Wagers are assumed to be independent. Seats of one round share the dealer's cards, so the true
    deviation is somewhat larger.
    """

    wagered: Cents
    expected: Fraction
    deviation: float

    @property
    def band(self) -> tuple[float, float]:
        spread = BAND * self.deviation
        return float(self.expected) - spread, float(self.expected) + spread

    def surprise(self, win: Cents) -> float | None:
        """The distance of a win from the expected one, in standard deviations."""
        return (win - float(self.expected)) / self.deviation if self.deviation else None

    def __add__(self, other: "Theory") -> "Theory":
        deviation = sqrt(self.deviation**2 + other.deviation**2)
        return Theory(self.wagered + other.wagered, self.expected + other.expected, deviation)


NOTHING: Final = Theory(0, Fraction(0), 0.0)


class Edge(Struct, frozen=True):
    """The house edge and the variance of one wager, per unit of the opening wager."""

    edge: Fraction
    variance: Fraction


def theory(game: Game, stakes: Iterable[Stakes]) -> Theory:
    """The theoretical win of these wagers; progressive wagers have their own books and are left out.

    >>> fu_bacc = catalog.game("fu-bacc")
    >>> float(theory(fu_bacc, [Stakes("lucky-monkey", 500, 1_000)]).expected).__round__(2)
    29411.76
    """
    wagered, expected, variance = 0, Fraction(0), Fraction(0)
    for wagers in stakes:
        if meters_of(game.pays[wagers.wager].values()):
            continue
        edge = edge_of(game, wagers.wager)
        wagered += wagers.cents * wagers.count
        expected += edge.edge * wagers.cents * wagers.count
        variance += edge.variance * wagers.cents**2 * wagers.count
    return Theory(wagered, expected, sqrt(variance))


def edge_of(game: Game, wager: str) -> Edge:
    """The edge of a wager of this game: exact, except for blackjack's main wager, which is floating point."""
    terms = game.terms
    options = tuple(sorted(terms.options.items(), key=lambda pair: pair[0]))
    return _edge(terms.rulebook.name, options, tuple(sorted(terms.pay_tables.items())), wager)


@cache
def _edge(name: str, options: tuple[tuple[str, Any], ...], pay_tables: tuple[tuple[str, str], ...], wager: str) -> Edge:
    game = catalog.game(name, options=dict(options), pay_tables=dict(pay_tables))
    figures = analyze(Question(game, wager)).figures
    return Edge(Fraction(figures.house_edge), Fraction(figures.variance))


def game_of(check: TableCheck) -> Game:
    """The game of a checked table order."""
    options: Mapping[str, object] = check.options
    return catalog.game(check.order.game, options=options, pay_tables=check.pay_tables, limit=check.profile.wager_limit)


Subject = Literal["table", "game", "dealer"]
SUBJECTS: Final[tuple[Subject, ...]] = ("table", "game", "dealer")
RATE: Final = 0.01  # the fraction of reports on honest play that raise an alarm; our setting


class BoxResult(Struct, frozen=True):
    """A counted box whose wagers were entered: its win and its theoretical win."""

    table: str
    game: str
    dealer: str
    win: Cents
    theory: Theory


class HoldRow(Struct, frozen=True):
    """A table, game or dealer against the exact expectation; honest play differs as much with `chance`."""

    subject: Subject
    name: str
    boxes: int
    wagered: Cents
    win: Cents
    expected: ExactFigure
    band: tuple[float, float]
    distance: float  # from the expected win, in standard deviations
    chance: float
    surprising: bool


class HoldComparison(Struct, frozen=True):
    """The actual and the exact expected win of a period; amounts in cents."""

    period: str
    rate: float
    lines: list[HoldRow]
    alarms: int
    boxes_without_wagers: int


def hold_report(database: Database, span: Span, *, rate: float = RATE) -> HoldComparison:
    """Compare every counted box of a period whose wagers were entered."""
    if not 0 < rate < 1:
        raise BadOption("rate", rate, "a part between 0 and 1, such as 0.01")
    with database.snapshot() as connection:
        boxes = [box for box in periods.between(connection, span.first, span.last) if box.state == "counted"]
        results = list(_results(connection, boxes))
    lines = compare_boxes(results, rate)
    alarms = sum(line.surprising for line in lines)
    return HoldComparison(span.name, rate, lines, alarms, len(boxes) - len(results))


def _results(connection: Connection, boxes: Iterable[Period]) -> Iterator[BoxResult]:
    for box in boxes:
        if stakes := periods.stakes(connection, box.id):
            expected = theory(game_of(check_table(box.order)), stakes)
            yield BoxResult(box.table, box.game, _dealer(connection, box), box.sums.win, expected)


def _dealer(connection: Connection, box: Period) -> str:
    """The person who signed the opener as the dealer."""
    opener = box.last("opener")
    assert opener is not None
    s = signature.c
    here = select(book.c.id).where(book.c.name == BOOK).scalar_subquery()
    signed = select(s.person).where(s.book == here, s.number == opener.number, s.position == "dealer")
    return str(connection.execute(signed).scalar() or "")


def compare_boxes(results: Iterable[BoxResult], rate: float = RATE) -> list[HoldRow]:
    """The comparison of every table, game and dealer.

    The rate is divided by the number of lines, so that a longer report raises no more false alarms.
    """
    boxes = list(results)
    rows: list[HoldRow] = []
    for subject in SUBJECTS:
        names = sorted({getattr(box, subject) for box in boxes})
        for name in names:
            group = [box for box in boxes if getattr(box, subject) == name]
            rows.append(_compare(subject, name, group, rate / (len(names) * len(SUBJECTS))))
    return rows


def _compare(subject: Subject, name: str, boxes: Sequence[BoxResult], rate: float) -> HoldRow:
    win, expected = sum(box.win for box in boxes), sum((box.theory for box in boxes), NOTHING)
    distance, (low, high) = expected.surprise(win) or 0.0, expected.band
    chance = erfc(abs(distance) / sqrt(2))  # by the normal distribution
    figure, band = exact_figure(expected.expected), (round(low, 2), round(high, 2))
    return HoldRow(
        subject, name, len(boxes), expected.wagered, win, figure, band, distance, chance, surprising=chance < rate
    )
