"""Practical rules for hands that split: short lists made from a chart, each played out to its cost.

The search is `rule_search` again, over the cells of the chart weighed by how often they come up; what a list
really costs is then computed by playing the chart it amounts to. Numbers are floating point here.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction

import numpy as np

from feltworks.analysis.progress import Progress, Track, part_of
from feltworks.analysis.solvers.numbers import Array
from feltworks.analysis.solvers.shoe_game.chart import CHOICES, Advice, Chart, codes_of, unsplit_acts
from feltworks.analysis.solvers.shoe_game.felts import HIT, SPLIT, UPS
from feltworks.analysis.solvers.shoe_game.table import TableAnalysis
from feltworks.analysis.strategy.optimal import SolvedSight
from feltworks.analysis.strategy.phrases import Vocabulary, simplest_first
from feltworks.analysis.strategy.practical import Ladder, PracticalStrategy, efficient_lists, rule_lists
from feltworks.cards import Card, card
from feltworks.hands.blackjack import points, total
from feltworks.rules.sights.sight import Bound, Feature, Phrase, PlayerView, both, ranges

CellKey = tuple[str, int, int, bool]  # kind, total or value, up card; whether these are the first two cards
_FINE = 10**6  # weights and worths in whole millionths are enough to find rules by
_LATER = CHOICES[: HIT + 1]
_ACE = 11


def chart_words() -> Vocabulary:
    """Hard and soft totals, pairs, the up card, and a hand against an up card."""
    hard = [each for each in ranges("hard", 4, 21, "on hard {}") if _is_memorable(each, 9, 16)]
    soft = [each for each in ranges("soft", 12, 21, "on soft {}") if _is_memorable(each, 13, 18)]
    pairs = [Phrase(f"a pair of {_plural(value)}", (Bound("pair", value, value),)) for value in range(2, 12)]
    pairs += [Phrase(f"any pair up to {_plural(value)}", (Bound("pair", 2, value),)) for value in range(3, 11)]
    pairs.append(Phrase("any pair", (Bound("pair", 2, _ACE),)))
    ups = [each for each in ranges("up card", 2, _ACE, "against {}") if _is_memorable(each, 2, 6)]
    ups = [Phrase(each.words.replace(str(_ACE), "an ace"), each.bounds, each.burden) for each in ups]
    hands = [*hard, *soft, *pairs]
    phrases = simplest_first([*hands, *ups, *(both(hand, up) for hand in hands for up in ups)])
    return Vocabulary(_FEATURES, phrases, speaks_of={CHOICES[SPLIT]: "pair"})


def _is_memorable(phrase: Phrase, low: int, high: int) -> bool:
    """One number, or a range within the totals that are played differently."""
    bound = phrase.bounds[0]
    return phrase.burden == 1 or low <= bound.least <= bound.most <= high


def _plural(value: int) -> str:
    return _card(value).rank.plural


def _card(value: int) -> Card:
    return card({10: "Td", _ACE: "Ad"}.get(value, f"{value}d"))


def _value(face: Card) -> int:
    return _ACE if points(face) == 1 else points(face)


def _hard(view: PlayerView) -> int:
    held = total(view.cards)
    return 0 if held.soft else held.points


def _soft(view: PlayerView) -> int:
    held = total(view.cards)
    return held.points if held.soft else 0


def _pair(view: PlayerView) -> int:
    values = {_value(face) for face in view.cards}
    return values.pop() if len(view.cards) == 2 and len(values) == 1 else 0


_FEATURES: Mapping[str, Feature] = {
    "hard": _hard,
    "soft": _soft,
    "pair": _pair,
    "up card": lambda view: _value(view.dealer[0]),
}

_PLAYING = 2  # playing the lists takes so many times as long as finding them


def chart_ladder(table: TableAnalysis, most_rules: int, progress: Progress | None = None) -> Ladder:
    """Lists of rules for the main wager, each cheaper than the one before; the chart is the end."""
    words = chart_words()
    best, chart = table.best.house_edge, table.basic_strategy
    lists, _ = rule_lists(list(_cells(table)), words, most_rules, part_of(progress, 0, 1 + _PLAYING))
    listed_strategies, track = [], Track(part_of(progress, 1 / _PLAYING, 1 / _PLAYING + 1))
    for _, (rules, otherwise, _) in track.branches([(1, one) for one in lists]):
        listed = PracticalStrategy(rules, otherwise, 0.0, 0.0, words)
        edge = table.figures_under(chart_of_rules(listed, chart)).house_edge
        listed_strategies.append(PracticalStrategy(rules, otherwise, edge - best, edge, words))
    return Ladder(efficient_lists(listed_strategies), table.figures_under(chart).house_edge - best, most_rules)


def chart_of_rules(listed: PracticalStrategy, offered: Chart) -> Chart:
    """A list of rules as a chart, with the cells of another chart."""
    chart = {}
    for (kind, held, up), advice in offered.items():
        first = PlayerView(_hand(kind, held), (_card(_up(up)),), tuple(advice.values))
        later = PlayerView(first.cards, first.dealer, _LATER)
        chart[kind, held, up] = Advice(listed(first), listed(later))
    return chart


def _up(up: int) -> int:
    return _ACE if up == 1 else up


def _hand(kind: str, held: int) -> tuple[Card, ...]:
    """Cards that make a total; a pair only for the kind `pair`."""
    if kind == "pair":
        return (_card(_up(held)),) * 2
    if kind == "soft":
        return (_card(_ACE), _card(held - 11)) if held > 12 else (_card(_ACE),) * 2
    for low in range(2, 11):
        if low < held - low <= 10:
            return _card(low), _card(held - low)
    return _card(2), _card(2), *(_card(part) for part in _parts(held - 4))


def _parts(left: int) -> Iterator[int]:
    while left > 10:
        yield 9
        left -= 9
    if left > 1:
        yield left


def _cells(table: TableAnalysis) -> Iterator[SolvedSight]:
    """The chart's cells as situations: first two cards, pairs, and longer hands that only hit or stand."""
    chart = table.basic_strategy
    for (kind, held, up, is_first), weight in _weights(table, chart).items():
        advice = chart.get((kind, held, up))
        if advice is None or not weight:
            continue
        values = {name: advice.values[name] for name in advice.values if is_first or name in _LATER}
        yield _cell(PlayerView(_hand(kind, held), (_card(_up(up)),), tuple(values)), weight, values)


def _cell(view: PlayerView, weight: float, values: Mapping[str, Fraction | float]) -> SolvedSight:
    rounded = {name: Fraction(round(value * _FINE), _FINE) for name, value in values.items()}
    best = max(rounded, key=lambda name: rounded[name])
    likely = Fraction(round(weight * _FINE), _FINE)
    return SolvedSight(view, likely, rounded, {best: Fraction(1)}, rounded[best])


def _weights(table: TableAnalysis, chart: Chart) -> dict[CellKey, float]:
    """How often each cell comes up when basic strategy is played."""
    game, hands = table.table, table.table.hands
    acts, _ = unsplit_acts(game, codes_of(chart))
    start = np.where(game.is_natural[:, None], 0, game.deals)
    decided: Array = game.decision_frequencies(acts, start)
    weights: dict[CellKey, float] = {}
    for row in np.flatnonzero(hands.size >= 2).tolist():
        is_pair = hands.size[row] == 2 and hands.held[row].max() == 2
        kind = "pair" if is_pair else "soft" if hands.soft[row] else "hard"
        held = int(hands.held[row].argmax()) + 1 if is_pair else int(hands.total[row])
        for up in range(UPS):
            key = (kind, held, up + 1, bool(hands.size[row] == 2))
            weights[key] = weights.get(key, 0.0) + float(decided[row, up])
    return weights
