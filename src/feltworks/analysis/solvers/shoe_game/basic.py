"""Basic strategy: the chart of totals and pairs that is best on average over the hands it is used for.

A total's choices are weighed over the unsplit hands that come to it when the chart itself is played: hit or
stand over all that come to that question, doubling and surrender over first two cards that are no pair.
Each weighing can change which hands come up, so it is repeated until nothing changes. Pairs have lines of
their own; their splits are valued exactly, with all hands played by the chart.
"""

import numpy as np
from msgspec import Struct

from feltworks.analysis.solvers.numbers import Array, Bools, Ints, plain
from feltworks.analysis.solvers.shoe_game.chart import (
    CHOICES,
    KINDS,
    Advice,
    Chart,
    Codes,
    Key,
    no_codes,
    split_acts,
    unsplit_acts,
)
from feltworks.analysis.solvers.shoe_game.felts import DOUBLE, HIT, SPLIT, STAND, SURRENDER, UPS
from feltworks.analysis.solvers.shoe_game.hands import Values
from feltworks.analysis.solvers.shoe_game.solver import ShoeGame

_ENOUGH = 12  # weighings; three or four settle it
_FAINT = 10**9  # how much less a hand weighs that the chart itself never brings up


class Weights(Struct, frozen=True):
    """How often each unsplit hand comes to the question: two cards that are no pair, and hit or stand."""

    first: Array
    later: Array


class PairWorths(Struct, frozen=True):
    """What every choice brings for every pair, and whether it is open; both by choice, value and up card."""

    worth: list[Array]
    able: list[Bools]


def basic_chart(table: ShoeGame) -> Chart:
    """Basic strategy with the average worth of every choice, given no blackjack where the table peeks."""
    codes, pairs = _basic_codes(table)
    acts, surrenders = unsplit_acts(table, codes)
    weights = _weights(
        table, codes, _hand_frequencies(table, codes, acts, surrenders) + _drawing_frequencies(table) / _FAINT
    )
    return {**_total_lines(table, codes, table.values(acts), weights), **_pair_lines(table, codes, pairs)}


def _basic_codes(table: ShoeGame) -> tuple[Codes, PairWorths]:
    codes = _repeat_weighing(table, _first_guess(table))
    pairs = pair_worths(table, codes)
    settled = _repeat_weighing(table, Codes(codes.first, codes.later, _best_pairs(pairs)))
    if np.array_equal(settled.first, codes.first) and np.array_equal(settled.later, codes.later):
        return settled, pairs
    return settled, pair_worths(table, settled)


def _first_guess(table: ShoeGame) -> Codes:
    """By the best play of exact cards, and by one split of every pair."""
    best, codes = table.values(), no_codes()
    if len(table.pairs.value):
        gains = table.split_once(table.split_values()) > best.best[table.pair_rows(), table.pairs.up]
        codes.pair[table.pairs.value[gains], table.pairs.up[gains]] = SPLIT
    return _choose_codes(table, codes, best, _weights(table, codes, _drawing_frequencies(table)))


def _repeat_weighing(table: ShoeGame, codes: Codes) -> Codes:
    faint = _drawing_frequencies(table) / _FAINT
    for _ in range(_ENOUGH):
        acts, surrenders = unsplit_acts(table, codes)
        weights = _weights(table, codes, _hand_frequencies(table, codes, acts, surrenders) + faint)
        better = _choose_codes(table, codes, table.values(acts), weights)
        if better.same_as(codes):
            break
        codes = better
    return codes


def _drawing_frequencies(table: ShoeGame) -> Array:
    """How often a hand would come up for a player who always draws."""
    start = np.where(table.is_natural[:, None], 0, table.deals)
    return table.decision_frequencies(np.full(start.shape, HIT), start)


def _hand_frequencies(table: ShoeGame, codes: Codes, acts: Ints, surrenders: Bools) -> Array:
    """How often a hand comes up when this chart is played; splits and surrenders begin no hand here."""
    start = np.where(table.is_natural[:, None] | surrenders, 0, table.deals)
    pairs = table.pairs
    splits = codes.pair[pairs.value, pairs.up] == SPLIT
    np.subtract.at(start, (table.pair_rows()[splits], pairs.up[splits]), pairs.likely[splits])
    return table.decision_frequencies(acts, np.where(start > 0, start, 0))


def _weights(table: ShoeGame, codes: Codes, decided: Array) -> Weights:
    hands = table.hands
    two = ((hands.size == 2) & ~table.is_natural)[:, None]
    pair = (hands.held.max(axis=1) == 2)[:, None]
    first = np.where(two, np.where(pair, decided / _FAINT, decided), 0)
    choices = codes.first[hands.soft.astype(np.int64), hands.total]
    asked = np.where((choices == DOUBLE) | (choices == SURRENDER), first / _FAINT, first)
    return Weights(first, np.where((hands.size > 2)[:, None], decided, asked))


def _by_total(table: ShoeGame, weight: Array, worth: Array) -> Array:
    """Sums over the hands of a total: soft or hard, total, up card."""
    sums = table.numbers.zeros(2, 22, UPS)
    np.add.at(sums, (table.hands.soft.astype(np.int64), table.hands.total), weight * worth)
    return sums


def _choose_codes(table: ShoeGame, codes: Codes, played: Values, weights: Weights) -> Codes:
    """Hit or stand by all hands of a total; surrender or double where that brings more on two cards."""
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
    """Pairs played by this chart, their splits included."""
    acts, surrenders = unsplit_acts(table, codes)
    played, rows = table.values(acts), table.pair_row
    worths = [worth[rows] for worth in _worths(table, played)]
    there = np.repeat((rows > 0)[:, None], UPS, axis=1)
    double, hit, surrender = (
        there & able[rows] for able in (table.open.double, table.open.hit, table.open.surrender)
    )
    split, splits = np.zeros_like(worths[STAND]), np.zeros_like(there)
    if len(table.pairs.value):
        split, splits = _split_worth(table, codes, table.unsplit_worth(played, surrenders))
    return PairWorths([*worths, split], [there, hit, double, surrender, splits])


def _split_worth(table: ShoeGame, codes: Codes, kept: Array) -> tuple[Array, Bools]:
    """By value and up card, over all kinds of the pair; and whether there is one to split."""
    pairs, split = table.pairs, table.numbers.zeros(10, UPS)
    unsplit = kept[table.pair_rows(), pairs.up]
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
        sums = {
            CHOICES[c]: (by_choice[c][0][soft, total, up], by_choice[c][1][soft, total, up]) for c in open_
        }
        values = {choice: plain(net / left) for choice, (net, left) in sums.items() if left}
        chosen, later = codes.first[soft, total, up], codes.later[soft, total, up]
        lines[KINDS[soft], int(total), int(up) + 1] = Advice(CHOICES[chosen], CHOICES[later], values)
    return lines


def _is_open(table: ShoeGame, choice: int) -> Bools:
    """By total: whether a choice is open to any first two cards that make it."""
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
