"""How whole rounds come out under a plan: the outcome table, and the figures that follow from it.

Unsplit rounds are exact. The hands of a split share the dealer's result, and each hand's law given that
result and the number of hands is exact too; between hands of one split nothing else is carried over. So the
mean is that of the plan, and the spread of split rounds leaves out the cards one hand takes from another.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import product

import numpy as np
from msgspec import Struct

from feltworks.analysis.figures import FigureTable, Number
from feltworks.analysis.solvers.numbers import EXACT, Array, distinct, plain
from feltworks.analysis.solvers.shoe_game.felts import Pay
from feltworks.analysis.solvers.shoe_game.hands import follow, results
from feltworks.analysis.solvers.shoe_game.pays import HAND_OVER, NATURAL, PayRow, PayRows, Pays
from feltworks.analysis.solvers.shoe_game.solver import Plan, ShoeGame
from feltworks.analysis.solvers.shoe_game.splits import Pattern, SplitHandLaw, patterns, split_hand_law

RESIDUE = 1e-14  # of all, what adding and taking away in decimals can leave of nothing
# By what was wagered, what is won and how many hands are beyond a limit, where there is such a class of them:
# how likely with each of the dealer's results.
Spread = dict[tuple[Fraction, Fraction, int], Array]


class RoundOutcome(Struct, frozen=True):
    """One way a round can come out, per unit opened with."""

    name: str
    probability: Number
    net: Fraction
    wagered: Fraction


class RoundFigures(FigureTable[Number], frozen=True, dict=True):
    """The figures of the blackjack wager; in decimals, unless its solver works in fractions."""

    outcomes: tuple[RoundOutcome, ...]

    def _sum(self, parts: Iterable[Number]) -> Number:
        return sum(parts)


class Deals(Struct, frozen=True):
    """How likely the first three cards are: by hand and up card, and by pair that may be split; by kind last.

    A kind is whatever else these cards decide, such as the outcome of a bonus wager.
    """

    hands: Array
    pairs: Array


def figures(table: ShoeGame, plan: Plan) -> RoundFigures:
    """The outcome table of this plan, best outcomes first."""
    deals = Deals(table.deals[..., None], table.pairs.likely[:, None])
    return RoundFigures(tuple(next(figures_by_kind(table, plan, deals))))


def figures_by_kind(table: ShoeGame, plan: Plan, deals: Deals) -> Iterator[list[RoundOutcome]]:
    """The outcomes of this plan together with each kind of deal: their probabilities make one over all."""
    gathered: dict[tuple[str, Fraction, Fraction], Array] = {}
    for name, wagered, net, likely in (*_unsplit(table, plan, deals), *_split(table, plan, deals)):
        key = name, net, wagered
        gathered[key] = gathered.get(key, 0) + likely
    least = deals.hands.sum(axis=(0, 1)) * (0 if table.numbers is EXACT else RESIDUE)
    for kind, faint in enumerate(least):
        rows = [
            RoundOutcome(name, plain(p[kind]), net, wagered)
            for (name, net, wagered), p in gathered.items()
            if p[kind] > faint
        ]
        yield sorted(rows, key=lambda row: (-row.net, row.probability, row.name))


WeighedOutcome = tuple[str, Fraction, Fraction, Array]  # name, wagered, net, how likely with each kind


def _unsplit(table: ShoeGame, plan: Plan, dealt: Deals) -> Iterator[WeighedOutcome]:
    deals = dealt.hands.copy()
    if len(plan.hands):
        taken = np.where((plan.hands > 0)[:, None], dealt.pairs, 0)
        np.subtract.at(deals, (table.pair_rows(), table.pairs.up), taken)
    natural = np.where(table.is_natural[:, None, None], deals, 0)
    surrendered = np.where(plan.surrenders[..., None], deals, 0)
    yield from _count_row(table.pays.natural, _against(natural, table.law))
    yield from _count_row(table.pays.surrendered, _against(surrendered, table.law))
    start = (deals - natural - surrendered)[:, :, None, :]
    gone = np.zeros(1, np.int64)
    ends = follow(table.dealing, table.hands, plan.acts, start, gone)
    law = results(table.dealing, table.hands, ends, gone, table.law)[0].sum(axis=(0, 1))
    for wagers, rows in enumerate(table.pays.alone):
        for held, row in enumerate(rows):
            yield from _count_row(row, law[:, wagers, held].T)


def _against(deals: Array, law: Array) -> Array:
    """How likely each of the dealer's results is with each kind, over all of these deals."""
    rows = np.flatnonzero(deals.any(axis=(1, 2)))
    chances: Array = (law[rows][..., None] * deals[rows][:, :, None, :]).sum(axis=(0, 1))
    return chances


def _count_row(row: PayRow, likely: Array) -> Iterator[WeighedOutcome]:
    for pay, probability in zip(row, likely, strict=True):
        yield round_name(pay), pay.wagered, pay.net, probability


def round_name(pay: Pay) -> str:
    """What a round is called that was paid like this."""
    return pay.outcome + (", doubled" if pay.wagered > 1 else "")


def _split(table: ShoeGame, plan: Plan, deals: Deals) -> Iterator[WeighedOutcome]:
    if not plan.hands.any():
        return
    law = split_hand_law(table.dealing, table.pairs, table.of_pairs(plan.split_law))
    for most in distinct(plan.hands[plan.hands > 0]):
        likely = np.where((plan.hands == most)[:, None], deals.pairs, 0)
        for pattern in patterns(most):
            yield from _pattern(table, law, pattern, pattern.orders * likely)


def _pattern(table: ShoeGame, law: SplitHandLaw, pattern: Pattern, likely: Array) -> Iterator[WeighedOutcome]:
    """All hands of one pattern together, and what a dealer's blackjack takes before there are any."""
    peeks = table.rules.peeks
    if peeks:
        naturals = (dealers_part(law, pattern)[:, NATURAL, None] * likely).sum(axis=0)
        yield from _count_row((table.pays.first[0][HAND_OVER][NATURAL],), naturals[None])
    for (wagered, net, _), probability in pattern_spread(table.pays, law, pattern, peeks).items():
        by_kind = (probability.sum(axis=1)[:, None] * likely).sum(axis=0)
        yield split_name(pattern), wagered, net, by_kind


def split_name(pattern: Pattern) -> str:
    """What a round is called whose pair became so many hands."""
    return f"split into {pattern.hands} hands"


def _kinds(law: SplitHandLaw, pattern: Pattern) -> Counter[Callable[[Pattern], Array]]:
    hands = {law.closed_hand: pattern.closed, law.free_hand: pattern.free}
    return Counter({hand: number for hand, number in hands.items() if number})


def dealers_part(law: SplitHandLaw, pattern: Pattern) -> Array:
    """How likely the pattern is with each of the dealer's results, pair by pair."""
    part: Array = next(iter(_kinds(law, pattern)))(pattern).sum(axis=(1, 2))
    return part


def pattern_spread(pays: Pays, law: SplitHandLaw, pattern: Pattern, peeks: bool) -> Spread:
    """All hands of one pattern together: the first that is left answers for the original wager."""
    dealer = dealers_part(law, pattern)
    if peeks:
        dealer[:, NATURAL] = 0
    owed: Spread = {(Fraction(0), Fraction(0), 0): dealer}
    paid: Spread = {}
    for kind, hands in _kinds(law, pattern).items():
        over, left, later = _spreads(pays, kind(pattern))
        for _ in range(hands):
            owed, paid = _join(owed, over), _merge(_join(owed, left), _join(paid, later))
    return _merge(owed, paid)


def _spreads(pays: Pays, law: Array) -> tuple[Spread, Spread, Spread]:
    """A hand that goes over 21, or is the first that does not, and any hand after that one."""
    beyond = range(pays.hand_classes, law.shape[2])
    over, left = [HAND_OVER, *beyond], [c for c in range(pays.hand_classes) if c != HAND_OVER]
    parts = (pays.first, over), (pays.first, left), (pays.later, over + left)
    over_21, first, later = (_spread(rows, law, classes, beyond) for rows, classes in parts)
    return over_21, first, later


def _spread(pays: PayRows, law: Array, classes: Iterable[int], beyond: range) -> Spread:
    """What a hand of these classes wagers and wins, given the dealer's result: pair by pair."""
    given = law.sum(axis=(1, 2))
    given = np.where(given == 0, 1, given)
    spread: Spread = {}
    for wagers, held, result in product(range(2), classes, range(law.shape[-1])):
        likely = law[:, wagers, held, result]
        if likely.any():
            pay = pays[wagers][held][result]
            part = spread.setdefault((pay.wagered, pay.net, int(held in beyond)), np.zeros_like(given))
            part[:, result] += likely / given[:, result]
    return spread


def _merge(one: Spread, other: Spread) -> Spread:
    spread = dict(one)
    for key, likely in other.items():
        spread[key] = spread[key] + likely if key in spread else likely
    return spread


def _join(one: Spread, other: Spread) -> Spread:
    spread: Spread = {}
    for (wagered, net, beyond), likely in one.items():
        for (more_wagered, more_net, more_beyond), given in other.items():
            key = wagered + more_wagered, net + more_net, beyond + more_beyond
            part = likely * given
            spread[key] = spread[key] + part if key in spread else part
    return spread
