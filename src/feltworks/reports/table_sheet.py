"""The figures of a whole table: every pay table and deck count, wagers together, pace and money."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from math import log, sqrt
from typing import Final

from msgspec import Struct

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze, first_deal_wagers
from feltworks.analysis.figures import Number
from feltworks.analysis.joint import Moments, joint
from feltworks.analysis.progress import Progress
from feltworks.analysis.shape import shoe_game_of
from feltworks.analysis.solvers.shoe_game.joint import joint_figures
from feltworks.errors import FeltError
from feltworks.money import Cents
from feltworks.reports.order import Order
from feltworks.rules.pay_table import meters_of

_DECKS, _SOFT_17 = "decks", "soft17"
PACE: Final = 60  # rounds per hour, an assumption stated in the paper
AVERAGE: Final[Cents] = 10_00  # on every wager without a fixed amount, also an assumption
BUY_IN: Final = 20  # wagers in a spot's buy-in for an hour, also an assumption
RUIN: Final = 0.01  # probability of losing the bankroll


class MatrixRow(Struct, frozen=True):
    """The edges of one pay table under one rule of the dealer, by deck count."""

    pay_table: str
    rule: str  # on the dealer's soft 17, if it matters
    edges: tuple[Number, ...]


class Matrix(Struct, frozen=True):
    """A wager's house edge for every pay table, deck count and soft-17 rule."""

    title: str
    decks: tuple[int, ...]
    rows: tuple[MatrixRow, ...]


class Correlation(Struct, frozen=True):
    """The correlation of two wagers on one spot."""

    one: str
    other: str
    value: float


class JointSpread(Struct, frozen=True):
    """All wagers of the table on one spot for equal amounts, the hand played for the main wager."""

    titles: tuple[str, ...]
    correlations: tuple[Correlation, ...]
    deviation: float  # of the spot's result, per unit of each wager
    apart: float  # the same if the wagers were independent


class CappedRaise(Struct, frozen=True):
    """A wager at the legal limit whose derived wager is capped (AD.8)."""

    title: str
    follows: str
    opened: Cents
    house_edge: Number
    uncapped: Number


class Economy(Struct, frozen=True):
    """A wager's value to the house at the stated pace, and the bankroll it requires."""

    title: str
    wager: Cents
    per_hundred: Number  # cents won from one spot in a hundred rounds
    per_hour: Number  # cents won from a full table
    action: Number  # win per unit of all money wagered
    hold: Number  # win per unit of the buy-ins, at most 1
    bankroll: float | None  # cents that one spot wins with probability 1 in 100; None if the house loses


class TableSheet(Struct, frozen=True):
    """The figures of the whole table."""

    matrices: tuple[Matrix, ...]
    together: JointSpread | None
    capped: tuple[CappedRaise, ...]
    economy: tuple[Economy, ...]
    seats: int
    pace: int = PACE
    buy_in: int = BUY_IN


def table_sheet(order: Order, progress: Progress | None = None) -> TableSheet:
    """Compute the figures of the table as ordered."""
    return TableSheet(
        tuple(_matrices(order)),
        _joint_spread(order, progress),
        tuple(_capped_raises(order)),
        tuple(_economy(order)),
        order.spots,
    )


def _matrices(order: Order) -> Iterator[Matrix]:
    for wager in order.wagers:
        if not meters_of(order.table_with(wager).pays[wager].values()):
            yield _matrix(order, wager)
            # Insurance: the house offers it during the round, so it is decided separately and has its own edge
            derived = (name for name in order.group(wager)[1:] if order.book.wager[name].offered_by)
            yield from (_matrix(order, name) for name in derived)


def _matrix(order: Order, wager: str) -> Matrix:
    option = order.book.option.get(_DECKS)
    numbers = range(option.range[0], option.range[1] + 1) if option and option.range else None
    decks = tuple(numbers or [order.table.terms.decks])
    rules = _rules_that_matter(order, wager)
    tables = list(order.book.pay_table[wager])
    rows = [
        MatrixRow(table, rule, tuple(_edge(order, wager, table, rule, number) for number in decks))
        for table in tables
        for rule in rules
    ]
    return Matrix(order.book.wager[wager].title, decks, tuple(rows))


def _rules_that_matter(order: Order, wager: str) -> list[str]:
    """Both soft-17 rules if the wager's edge depends on them."""
    option = order.book.option.get(_SOFT_17)
    if option is None:
        return [""]
    table, decks = order.table.terms.pay_tables[wager], order.table.terms.decks
    rules = [str(value) for value in option.values or ()]
    edges = {_edge(order, wager, table, rule, decks) for rule in rules}
    return rules if len(edges) > 1 else [""]


def _edge(order: Order, wager: str, table: str, rule: str, decks: int) -> Number:
    options = dict(order.options_with(order.book.wager[wager].of or wager))
    options |= {_SOFT_17: rule} if rule else {}
    options |= {_DECKS: decks} if _DECKS in order.book.option else {}
    game = catalog.shared_game(order.game, options=options, pay_tables={**order.pay_tables, wager: table})
    return analyze(Question(game, wager)).figures.house_edge


def _joint_spread(order: Order, progress: Progress | None = None) -> JointSpread | None:
    """The joint variation of all wagers on a spot, if their exact law is known."""
    main, *others = order.offered
    others = [name for name in others if not order.book.wager[name].fixed]
    if not others:
        return None
    question = Question(order.table, main, dict.fromkeys(others))
    try:
        moments = _moments(question, progress)
    except FeltError:  # own games may have no solver for all wagers together
        return None
    if moments is None:
        return None
    deviations = {name: sqrt(moments.covariances[name, name]) for name in moments.means}
    titles = {name: order.book.wager[name].title for name in deviations}
    correlations = tuple(
        Correlation(
            titles[one],
            titles[other],
            float(moments.covariances[one, other]) / (deviations[one] * deviations[other]),
        )
        for one, other in combinations(deviations, 2)
    )
    apart = sqrt(sum(value**2 for value in deviations.values()))
    return JointSpread(tuple(titles.values()), correlations, sqrt(moments.variance), apart)


def _moments(question: Question, progress: Progress | None) -> Moments | None:
    answer = analyze(question, progress)
    together = joint(question, answer.law) if answer.law else None
    if shoe_game_of(question.game):
        return joint_figures(question, answer, together, first_deal_wagers(question)).moments
    return together.moments if together else None


def _capped_raises(order: Order) -> Iterator[CappedRaise]:
    """AD.8: a raise has to keep within the legal limit, so a wager at the limit is raised by less."""
    limit = order.profile.wager_limit
    for wager in order.offered:
        for name in order.group(wager)[1:]:
            entry = order.book.wager[name]
            if entry.up_to and entry.factor > 1:
                game = catalog.shared_game(order.game, options=order.options, pay_tables=order.pay_tables, limit=limit)
                capped = analyze(Question(game, wager, opened=limit)).figures.house_edge
                uncapped = analyze(Question(order.table, wager)).figures.house_edge
                yield CappedRaise(order.book.wager[wager].title, entry.title, limit, capped, uncapped)


def _economy(order: Order) -> Iterator[Economy]:
    """The theoretical win at the stated pace; progressives have their own part."""
    seats = order.spots
    for wager in order.wagers:
        game = order.table_with(wager)
        if meters_of(game.pays[wager].values()):
            continue
        figures = analyze(Question(game, wager)).figures
        entry = order.book.wager[wager]
        size = entry.least if entry.fixed else AVERAGE
        edge = figures.house_edge
        variance = float(figures.standard_deviation) ** 2
        # a walk with this drift and variance ever falls so deep with the probability exp(-2 x drift x depth / variance)
        bankroll = -log(RUIN) * variance / (2 * float(edge)) * size if edge > 0 else None
        yield Economy(
            entry.title,
            size,
            edge * size * 100,
            edge * size * seats * PACE,
            figures.element_of_risk,
            min(edge * PACE / BUY_IN, Fraction(1)),
            bankroll,
        )
