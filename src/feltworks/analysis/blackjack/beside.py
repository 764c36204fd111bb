"""How the blackjack wager varies with the wagers beside it that the first three cards decide.

Given these three cards blackjack brings a certain amount on average; that is all a covariance asks for. The
amounts come from the shoe solver, so they are decimals, and what splitting a pair of ten-value cards brings
is the mean of its kinds.
"""

from fractions import Fraction

import numpy as np
from msgspec import Struct

from feltworks.analysis.blackjack.analysis import BlackjackAnalysis
from feltworks.analysis.joint import Joint, Moments
from feltworks.analysis.question import BLACKJACK, Question
from feltworks.analysis.shoe_game.numbers import Array, Number
from feltworks.analysis.shoe_game.rounds import RoundFigures
from feltworks.analysis.up_card.spot import UpCardSpot
from feltworks.games.blackjack import Blackjack
from feltworks.hands.blackjack import points
from feltworks.rules.round import face_up


class BesideBlackjack(Struct, frozen=True):
    """The blackjack wager's own figures, and how the whole spot varies."""

    figures: RoundFigures
    moments: Moments


def with_blackjack(question: Question, others: Joint | None, decided: list[str]) -> BesideBlackjack:
    """Means and covariances of a spot with blackjack on it, of which the up card decides some wagers.

    None stands where the dealer's whole hand decides both wagers: that law is not known here.
    """
    assert isinstance(question.game, Blackjack)
    table = BlackjackAnalysis(question.game, question.shoe)
    size = float(Fraction(question.stakes[BLACKJACK], question.unit))
    known = others.moments if others else Moments({}, {})
    mean = float(table.best.expectation) * size
    products = _mean_products(question, table, decided)
    found: dict[tuple[str, str], Number | None] = {
        (BLACKJACK, BLACKJACK): float(table.best.variance) * size**2
    }
    for name, other in known.means.items():
        value = products[name] * size - mean * float(other) if name in products else None
        found[BLACKJACK, name] = found[name, BLACKJACK] = value
    moments = Moments({BLACKJACK: mean, **known.means}, {**found, **known.covariances})
    return BesideBlackjack(table.best, moments)


def _mean_products(question: Question, table: BlackjackAnalysis, decided: list[str]) -> dict[str, float]:
    """The mean of what blackjack brings times what each of the other wagers brings, per unit of each."""
    assert isinstance(question.game, Blackjack)
    groups = {name: question.group_of(name) for name in decided}
    spot = UpCardSpot(question.game, {name: question.stakes[name] for name in decided}, question.shoe)
    worth, found = _worth(table), dict.fromkeys(decided, 0.0)
    for situation in spot.situations() if decided else ():
        seat = spot.played(situation.shown)[situation.best(question.serving)]
        first, second = face_up(seat.cards)
        row = table.table.hands.row(points(first) - 1, points(second) - 1)
        for up_card, count in spot.drawable((first, second)):
            likely = float(situation.probability) * count / (spot.shoe.total - 2)
            brought = likely * worth[row, points(up_card) - 1] / question.unit
            for line in spot.settled(seat, dict(spot.outcomes((first, second), up_card))):
                for name, group in groups.items():
                    if line[0] in group:
                        found[name] += brought * float(line[2])
    return found


def _worth(table: BlackjackAnalysis) -> Array:
    """What the spot brings given its first two cards and the up card, split pairs included."""
    game, plan = table.table, table.plan
    worth = game.kept(game.values(plan.acts), plan.surrenders)
    if len(plan.hands):
        rows, ups = game.pair_rows(), game.pairs.up
        gain = np.where(plan.hands > 0, game.pairs.likely * (plan.split_values - worth[rows, ups]), 0)
        worth = worth.copy()
        np.add.at(worth, (rows, ups), gain / game.deals[rows, ups])
    return worth
