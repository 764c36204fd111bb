"""How the blackjack wager comes out and varies together with the wagers that the first three cards decide.

These cards decide the other wagers and begin the round, so the round is followed once from all of them, told
apart by how the others came out. The amounts come from the shoe solver, so they are decimals; and where only
equal ranks may be split, a split pair of ten-value cards counts as the mean of its kinds.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction

import numpy as np
from msgspec import Struct

from feltworks.analysis.blackjack.analysis import BlackjackAnalysis
from feltworks.analysis.figures import outcome_name
from feltworks.analysis.joint import Joint, Moments, Together
from feltworks.analysis.question import BLACKJACK, Answer, Question
from feltworks.analysis.referee import Settled
from feltworks.analysis.shoe_game.chart import codes_of, plan_of
from feltworks.analysis.shoe_game.numbers import Array, Number
from feltworks.analysis.shoe_game.rounds import Deals, RoundFigures, figures, figures_by_kind
from feltworks.analysis.shoe_game.solver import Plan, ShoeGame
from feltworks.analysis.situations import Situation
from feltworks.analysis.up_card.spot import UpCardSpot
from feltworks.games.blackjack import Blackjack
from feltworks.hands.blackjack import points
from feltworks.rules.round import face_up


class BesideBlackjack(Struct, frozen=True):
    """The blackjack wager's own figures, how the whole spot varies, and how it comes out.

    `rows` lists blackjack with the wagers that the up card decides: the whole spot, or part of it.
    """

    figures: RoundFigures
    moments: Moments
    rows: tuple[Together, ...]


def with_blackjack(
    question: Question, answer: Answer, others: Joint | None, decided: Sequence[str]
) -> BesideBlackjack:
    """A spot with blackjack on it, of which the up card decides some wagers.

    No covariance stands where the dealer's whole hand decides both wagers: that law is not known here.
    """
    assert isinstance(question.game, Blackjack)
    table = answer.notes.get("table") or BlackjackAnalysis(question.game, question.shoe)
    assert isinstance(table, BlackjackAnalysis)
    plan = _plan(table, answer)
    own, rows = figures(table.table, plan), tuple(_together(question, answer, table.table, plan, decided))
    size = Fraction(question.stakes[BLACKJACK], question.unit)
    mean, known = own.expectation * size, others.moments if others else Moments({}, {})
    found: dict[tuple[str, str], Number | None] = {(BLACKJACK, BLACKJACK): own.variance * size**2}
    for name, other in known.means.items():
        value = _mean_product(rows, name) - mean * other if name in decided else None
        found[BLACKJACK, name] = found[name, BLACKJACK] = value
    moments = Moments({BLACKJACK: mean, **known.means}, {**found, **known.covariances})
    return BesideBlackjack(own, moments, rows)


def _plan(table: BlackjackAnalysis, answer: Answer) -> Plan:
    chart = answer.notes.get("chart")
    return table.plan if chart is None else plan_of(table.table, codes_of(chart))  # type: ignore[arg-type]


def _mean_product(rows: Iterable[Together], name: str) -> Number:
    return sum(row.probability * row.nets[BLACKJACK] * row.nets[name] for row in rows)


def _together(
    question: Question, answer: Answer, table: ShoeGame, plan: Plan, decided: Sequence[str]
) -> Iterator[Together]:
    """Every way blackjack and the decided wagers come out together, the best for the player first."""
    if not decided:
        return
    spot = UpCardSpot(table.game, {name: question.stakes[name] for name in decided}, table.shoe)
    dealt = _dealt(spot, table, _choices(question, answer, spot))
    kinds = sorted({kind for _, _, kind in dealt.hands})
    found: dict[tuple[tuple[str, ...], tuple[Fraction, ...]], Number] = {}
    for settled, rows in zip(kinds, figures_by_kind(table, plan, dealt.deals(table, kinds)), strict=True):
        others, brought = _others(question, settled, decided)
        for row in rows:
            mine = row.net * question.stakes[BLACKJACK] / question.unit
            key = (row.name, *others), (mine, *brought)
            found[key] = found.get(key, 0) + row.probability
    every = [BLACKJACK, *decided]
    for (names, nets), likely in sorted(found.items(), key=lambda each: (-sum(each[0][1]), each[1])):
        yield Together(dict(zip(every, names, strict=True)), dict(zip(every, nets, strict=True)), likely)


def _choices(question: Question, answer: Answer, spot: UpCardSpot) -> Iterator[tuple[Situation, str]]:
    """The first two cards and what is answered to the wagers that ask there, as the answer plays them."""
    if answer.situations:
        yield from zip(answer.situations, answer.choices, strict=True)
        return
    for situation in spot.situations():
        yield situation, situation.best(question.serving)


def _others(question: Question, settled: Settled, decided: Sequence[str]) -> tuple[list[str], list[Fraction]]:
    """How each of the other wagers came out with what follows from it, and what it netted."""
    parts = [[line for line in settled if line[0] in question.group_of(name)] for name in decided]
    names = [outcome_name([(line[0], line[1]) for line in lines]) for lines in parts]
    return names, [sum((line[2] for line in lines), Fraction(0)) / question.unit for lines in parts]


class _Dealt(Struct, frozen=True):
    """In how many ways first two cards, up card and the others' results come: by hand, and by pair."""

    hands: Counter[tuple[int, int, Settled]]
    pairs: Counter[tuple[int, int, Settled]]

    def deals(self, table: ShoeGame, kinds: Sequence[Settled]) -> Deals:
        place = {kind: index for index, kind in enumerate(kinds)}
        hands = np.zeros((*table.deals.shape, len(kinds)), np.int64)
        values = np.zeros((10, table.deals.shape[1], len(kinds)), np.int64)
        for ways, counted in ((hands, self.hands), (values, self.pairs)):
            for (row, up, kind), number in counted.items():
                ways[row, up, place[kind]] = number
        pairs, whole = table.pairs, table.numbers.whole
        deals = table.numbers.ratio(whole(hands), whole(np.full(1, hands.sum())))
        of_value = table.numbers.ratio(whole(values), whole(np.full(1, hands.sum())))[pairs.value, pairs.up]
        return Deals(deals, of_value * _shares(table)[:, None])


def _shares(table: ShoeGame) -> Array:
    """The part each kind of pair has in the pairs of its value against an up card."""
    pairs = table.pairs
    every = table.numbers.zeros(10, table.deals.shape[1])
    np.add.at(every, (pairs.value, pairs.up), pairs.likely)
    return pairs.likely / every[pairs.value, pairs.up]


def _dealt(spot: UpCardSpot, table: ShoeGame, choices: Iterator[tuple[Situation, str]]) -> _Dealt:
    found = _Dealt(Counter(), Counter())
    first_two = spot.shoe.total * (spot.shoe.total - 1)
    for situation, choice in choices:
        seat = spot.played(situation.shown)[choice]
        first, second = face_up(seat.cards)
        low, high = sorted((points(first) - 1, points(second) - 1))
        row, ways = table.hands.row(low, high), int(situation.probability * first_two)
        is_pair = low == high and (first.rank == second.rank or table.game.spot_rules.splits_on_value)
        for up_card, count in spot.drawable((first, second)):
            settled = spot.settled(seat, dict(spot.outcomes((first, second), up_card)))
            up = points(up_card) - 1
            found.hands[row, up, settled] += ways * count
            if is_pair:
                found.pairs[low, up, settled] += ways * count
    return found
