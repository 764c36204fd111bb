"""The theoretical win of a table: from the exact edge of every wager, with its standard deviation."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from math import sqrt
from typing import Any, Final

from msgspec import Struct

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
from feltworks.house.configuration import TableCheck
from feltworks.house.tables.acts import Stakes
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of

BAND: Final = 1.96  # standard deviations to either side: 95 of 100 periods are within


class Theory(Struct, frozen=True):
    """The expected win of a period, in cents, with its standard deviation.

    Wagers are taken as independent of one another. Seats of one round share the dealer's cards, so the
    true deviation is somewhat larger.
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
    """The theoretical win of these wagers; progressive wagers are left out, as they have their own books.

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
    """The edge of a wager of this game: exact, except for blackjack's own, which is floating point."""
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
