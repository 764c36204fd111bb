"""Strategy charts: the choice for a soft or hard total, or a pair, against an up card.

A hand of two equal cards is looked up under "pair" first. If a choice is not open to the hand, a pair falls
back to the entry of its total, and a total to `otherwise`, which is always stand or hit.

Basic strategy is the chart with the best average over the hands it is used for. A total's choices are averaged
over the unsplit hands that reach it under the chart itself: hit or stand over all hands with that decision,
doubling and surrender over first two cards that are not a pair. Each new chart can change which hands come up,
so this is repeated until nothing changes. Pairs have their own entries; their splits are valued exactly, with
all hands played by the chart.
"""

from collections.abc import Callable, Mapping

import numpy as np
from msgspec import Struct

from feltworks.analysis.figures import Number
from feltworks.analysis.solvers.numbers import Array, Bools, Ints, plain
from feltworks.analysis.solvers.shoe_game.hands import Hands, Open, Values
from feltworks.analysis.solvers.shoe_game.rules import DOUBLE, HIT, SPLIT, STAND, SURRENDER, UPS, DealerRules
from feltworks.analysis.solvers.shoe_game.solver import Conduct, Plan, ShoeGame
from feltworks.errors import UnknownName
from feltworks.hands.spot import CHOICES

KINDS = ("hard", "soft", "pair")
Key = tuple[str, int, int]  # the kind, its total (for a pair the value of one card), the up card; an ace is 1


class Advice(Struct, frozen=True):
    """The choice, the choice if that is not open, and the average worth of every choice."""

    choice: str
    otherwise: str = CHOICES[STAND]
    values: Mapping[str, Number] = {}


Chart = Mapping[Key, Advice]


class Codes(Struct):
    """A chart as arrays: by soft or hard, total and up card; pairs by value and up card."""

    first: Ints
    later: Ints
    pair: Ints


def no_codes() -> Codes:
    """An empty chart."""
    first, later = (np.zeros((2, 22, UPS), np.int64) for _ in range(2))
    return Codes(first, later, np.full((10, UPS), -1))


def codes_of(chart: Chart) -> Codes:
    """Convert a chart to arrays; a missing total stands, a missing pair is played as its total."""
    codes = no_codes()
    for (kind, total, up), advice in chart.items():
        if kind == "pair":
            codes.pair[total - 1, up - 1] = code(advice.choice)
        else:
            codes.first[KINDS.index(kind), total, up - 1] = code(advice.choice)
            codes.later[KINDS.index(kind), total, up - 1] = code(advice.otherwise)
    return codes


def code(choice: str) -> int:
    """The number of a choice."""
    if choice not in CHOICES:
        raise UnknownName("choice", choice, CHOICES)
    return CHOICES.index(choice)


def unsplit_acts(table: ShoeGame, codes: Codes) -> tuple[Ints, Bools]:
    """The chart's act for every unsplit hand, and which hands it surrenders.

    If only equal ranks are pairs, ten-value cards that are not split are played as 20.
    """
    hands, (choices, later) = table.hands, _by_totals(codes, table.hands)
    for value, row in enumerate(table.pair_row):
        if row and not table.rules.is_told_apart(value):
            of_pair = codes.pair[value]
            choices[row] = np.where((of_pair < 0) | (of_pair == SPLIT), choices[row], of_pair)
    return _possible(choices, later, hands, table.open), table.open.surrender & (choices == SURRENDER)


def split_acts(table: ShoeGame, codes: Codes) -> Ints:
    """The chart's acts for split hands, by their totals, also for a pair that is not split again."""
    choices, later = _by_totals(codes, table.split_hands)
    return _possible(choices, later, table.split_hands, table.split_open)


def _by_totals(codes: Codes, hands: Hands) -> tuple[Ints, Ints]:
    """The chart's choice for each hand's total, and its fallback."""
    key = hands.soft.astype(np.int64), hands.total
    return np.where((hands.size == 2)[:, None], codes.first[key], codes.later[key]), codes.later[key]


def _possible(choices: Ints, otherwise: Ints, hands: Hands, open_: Open) -> Ints:
    """Replace choices that are not open by their fallbacks; a single card is always drawn to."""
    doubles = (choices == DOUBLE) & open_.double
    acts = np.where(doubles, DOUBLE, np.where(choices > HIT, otherwise, choices))
    acts = np.where((acts == HIT) & ~open_.hit, STAND, acts)
    return np.where((hands.size < 2)[:, None], HIT, acts)


def conduct_of(table: ShoeGame, codes: Codes) -> Conduct:
    """The conduct of a chart: its pairs are split again as often as the table allows."""
    pairs = table.pairs
    hands = np.where(codes.pair[pairs.value, pairs.up] == SPLIT, table.most_hands[pairs.value], 0)
    return Conduct(*unsplit_acts(table, codes), split_acts(table, codes), hands)


def plan_of(table: ShoeGame, codes: Codes) -> Plan:
    """The plan of a chart."""
    return table.plan(conduct_of(table, codes))


def chart_of(rule: Callable[[str, int, int], str]) -> Chart:
    """A chart without doubles, splits and surrenders: stand or hit by kind, total and up card."""
    keys = [("hard", total) for total in range(4, 22)] + [("soft", total) for total in range(12, 22)]
    rows = {(kind, total, up): rule(kind, total, up) for kind, total in keys for up in range(1, UPS + 1)}
    return {key: Advice(choice, choice) for key, choice in rows.items()}


def mimic_the_dealer(rules: DealerRules) -> Chart:
    """Draw as the dealer does."""
    return chart_of(lambda kind, total, _: CHOICES[HIT if rules.draws(total, soft=kind == KINDS[1]) else STAND])


def never_bust() -> Chart:
    """Draw only where no card can bring the hand over 21, and stand on soft 18 or more."""
    stands = {"hard": 12, "soft": 18}
    return chart_of(lambda kind, total, _: CHOICES[STAND if total >= stands[kind] else HIT])


_ENOUGH = 12  # the most iterations; three or four are enough
_FAINT = 10**9  # the factor by which hands that the chart never reaches weigh less


class Weights(Struct, frozen=True):
    """How often each unsplit hand has a decision: on two cards that are not a pair, and hit or stand."""

    first: Array
    later: Array


class PairWorths(Struct, frozen=True):
    """The worth of every choice for every pair, and whether it is open; by choice, value and up card."""

    worth: list[Array]
    able: list[Bools]


def basic_chart(table: ShoeGame) -> Chart:
    """Basic strategy with the average worth of every choice; given no dealer's blackjack if the table peeks."""
    drawn = _drawing_frequencies(table)
    codes = _repeat_weighing(table, _first_guess(table, drawn), drawn)
    pairs = pair_worths(table, codes)
    settled = _repeat_weighing(table, Codes(codes.first, codes.later, _best_pairs(pairs)), drawn)
    if not _same_totals(settled, codes):
        pairs = pair_worths(table, settled)
    played, weights = _weigh(table, settled, drawn)
    return {**_total_lines(table, settled, played, weights), **_pair_lines(table, settled, pairs)}


def _same_totals(one: Codes, other: Codes) -> bool:
    return np.array_equal(one.first, other.first) and np.array_equal(one.later, other.later)


def _first_guess(table: ShoeGame, drawn: Array) -> Codes:
    """The start of the iteration: best play by exact cards, and one split of every pair."""
    best, codes = table.values(), no_codes()
    if len(table.pairs.value):
        gains = table.split_once(table.split_values()) > best.best[table.pair_rows(), table.pairs.up]
        codes.pair[table.pairs.value[gains], table.pairs.up[gains]] = SPLIT
    return _choose_codes(table, codes, best, _weights(table, codes, drawn))


def _repeat_weighing(table: ShoeGame, codes: Codes, drawn: Array) -> Codes:
    for _ in range(_ENOUGH):
        better = _choose_codes(table, codes, *_weigh(table, codes, drawn))
        if _same_totals(better, codes):
            break
        codes = better
    return codes


def _weigh(table: ShoeGame, codes: Codes, drawn: Array) -> tuple[Values, Weights]:
    """The worth of choices under the chart, and the hands' frequencies with a little weight for every hand."""
    acts, surrenders = unsplit_acts(table, codes)
    start = np.where(table.is_natural[:, None] | surrenders, 0, table.deals)
    pairs = table.pairs  # pairs that are split and surrendered hands are left out
    splits = codes.pair[pairs.value, pairs.up] == SPLIT
    np.subtract.at(start, (table.pair_rows()[splits], pairs.up[splits]), pairs.likely[splits])
    decided = table.decision_frequencies(acts, np.where(start > 0, start, 0))
    return table.values(acts), _weights(table, codes, decided + drawn / _FAINT)


def _drawing_frequencies(table: ShoeGame) -> Array:
    """How often each hand comes up for a player who always draws."""
    start = np.where(table.is_natural[:, None], 0, table.deals)
    return table.decision_frequencies(np.full(start.shape, HIT), start)


def _weights(table: ShoeGame, codes: Codes, decided: Array) -> Weights:
    hands = table.hands
    two = ((hands.size == 2) & ~table.is_natural)[:, None]
    pair = (hands.held.max(axis=1) == 2)[:, None]
    first = np.where(two, np.where(pair, decided / _FAINT, decided), 0)
    choices = codes.first[hands.soft.astype(np.int64), hands.total]
    unless_doubled = np.where((choices == DOUBLE) | (choices == SURRENDER), first / _FAINT, first)
    return Weights(first, np.where((hands.size > 2)[:, None], decided, unless_doubled))


def _by_total(table: ShoeGame, weight: Array, worth: Array) -> Array:
    """Sums over the hands of a total: soft or hard, total, up card."""
    sums = table.numbers.zeros(2, 22, UPS)
    np.add.at(sums, (table.hands.soft.astype(np.int64), table.hands.total), weight * worth)
    return sums


def _choose_codes(table: ShoeGame, codes: Codes, played: Values, weights: Weights) -> Codes:
    """Choose hit or stand by all hands of a total; surrender or double if that is better on two cards."""
    stand, hit = (_by_total(table, weights.later, worth) for worth in (played.stand, played.hit))
    later = np.where(hit > stand, HIT, STAND)
    worths = [_by_total(table, weights.first, worth) for worth in _worths(table, played)]
    first, best = later, np.where(later == HIT, worths[HIT], worths[STAND])
    for choice in (SURRENDER, DOUBLE):
        open_ = _is_open(table, choice)
        more = open_ & (worths[choice] > best)
        first, best = np.where(more, choice, first), np.where(more, worths[choice], best)
    return Codes(first, later, codes.pair)


def _worths(table: ShoeGame, played: Values) -> tuple[Array, ...]:
    """In the order of the choices: stand, hit, double, surrender."""
    return played.stand, played.hit, played.double, table.surrender


def _best_pairs(pairs: PairWorths) -> Ints:
    """Every pair's best choice; −1 where the shoe has no such pair."""
    best, worth = np.full((10, UPS), -1), np.zeros_like(pairs.worth[STAND])
    for choice in (STAND, HIT, SURRENDER, DOUBLE, SPLIT):
        more = pairs.able[choice] & ((best < 0) | (pairs.worth[choice] > worth))
        best, worth = np.where(more, choice, best), np.where(more, pairs.worth[choice], worth)
    return best


def pair_worths(table: ShoeGame, codes: Codes) -> PairWorths:
    """The worths of pairs played by this chart, including splits."""
    acts, surrenders = unsplit_acts(table, codes)
    played, rows = table.values(acts), table.pair_row
    worths = [worth[rows] for worth in _worths(table, played)]
    there = np.repeat((rows > 0)[:, None], UPS, axis=1)
    double, hit, surrender = (there & able[rows] for able in (table.open.double, table.open.hit, table.open.surrender))
    split, splits = np.zeros_like(worths[STAND]), np.zeros_like(there)
    if len(table.pairs.value):
        split, splits = _split_worth(table, codes, table.unsplit_worth(played, surrenders))
    return PairWorths([*worths, split], [there, hit, double, surrender, splits])


def _split_worth(table: ShoeGame, codes: Codes, by_hand: Array) -> tuple[Array, Bools]:
    """The worth of splitting by value and up card, averaged over kinds of the pair; and whether one may be split."""
    pairs, split = table.pairs, table.numbers.zeros(10, UPS)
    unsplit = by_hand[table.pair_rows(), pairs.up]
    _, worth, _ = table.split_best(table.split_values(split_acts(table, codes)), unsplit)
    likely = np.zeros_like(split)
    np.add.at(split, (pairs.value, pairs.up), pairs.likely * worth)
    np.add.at(likely, (pairs.value, pairs.up), pairs.likely)
    return split / np.where(likely > 0, likely, 1), likely > 0


def _total_lines(table: ShoeGame, codes: Codes, played: Values, weights: Weights) -> Chart:
    by_choice = []
    for choice, worth in enumerate(_worths(table, played)):
        weight = weights.later + weights.first / _FAINT if choice in (STAND, HIT) else weights.first
        net, left = table.without_blackjack(worth)
        by_choice.append((_by_total(table, weight, net), _by_total(table, weight, left)))
    able = {choice: _is_open(table, choice) for choice in (DOUBLE, SURRENDER)}
    lines: dict[Key, Advice] = {}
    for soft, total, up in zip(*np.nonzero(by_choice[STAND][1]), strict=True):
        open_ = [STAND, HIT, *(choice for choice in able if able[choice][soft, total, up])]
        sums = {CHOICES[c]: (by_choice[c][0][soft, total, up], by_choice[c][1][soft, total, up]) for c in open_}
        values = {choice: plain(net / left) for choice, (net, left) in sums.items() if left}
        chosen, later = codes.first[soft, total, up], codes.later[soft, total, up]
        lines[KINDS[soft], int(total), int(up) + 1] = Advice(CHOICES[chosen], CHOICES[later], values)
    return lines


def _is_open(table: ShoeGame, choice: int) -> Bools:
    """By total: whether a choice is open to any first two cards with this total."""
    may = table.open.double if choice == DOUBLE else table.open.surrender
    able: Bools = _by_total(table, np.ones_like(table.deals), may) > 0
    return able


def _pair_lines(table: ShoeGame, codes: Codes, pairs: PairWorths) -> Chart:
    lines: dict[Key, Advice] = {}
    for value, up in zip(*np.nonzero(pairs.able[STAND]), strict=True):
        row, values = table.pair_row[value : value + 1], {}
        for choice in np.flatnonzero([able[value, up] for able in pairs.able]):
            net, left = table.without_blackjack(pairs.worth[choice][value : value + 1], row)
            values[CHOICES[choice]] = plain(net[0, up] / left[0, up])
        soft, total = int(table.hands.soft[row[0]]), int(table.hands.total[row[0]])
        choice, otherwise = codes.pair[value, up], codes.later[soft, total, up]
        lines["pair", int(value) + 1, int(up) + 1] = Advice(CHOICES[choice], CHOICES[otherwise], values)
    return lines
