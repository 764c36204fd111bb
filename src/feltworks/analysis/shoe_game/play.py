"""Playing hands out: what each choice is worth, and how often play ends where."""

import numpy as np
from msgspec import Struct

from feltworks.analysis.shoe_game.dealer import Dealing
from feltworks.analysis.shoe_game.hands import Hands, Open, packed
from feltworks.analysis.shoe_game.numbers import Array, Ints, distinct
from feltworks.analysis.shoe_game.pays import HAND_OVER, NATURAL, OVER
from feltworks.analysis.shoe_game.seats import DOUBLE, HIT, STAND, UPS

_UP = np.arange(UPS)


class Values(Struct, frozen=True):
    """What standing, hitting and doubling bring, hand by up card; `acts` is what is done, `best` its worth.

    A dealer's blackjack is counted in, at what it takes.
    """

    stand: Array
    hit: Array
    double: Array
    acts: Ints
    best: Array


class Ends(Struct, frozen=True):
    """How often a hand is decided on, begun (`entry`), and stood on or doubled into (`end`).

    `entry` and `end` last by one wager or two on it.
    """

    decided: Array
    entry: Array
    end: Array


def chance(dealing: Dealing, hands: Hands, rows: Ints, value: int, gone: Ints) -> Array:
    """How likely this card is the next one: by hand, up card, and cards gone to other hands of the split."""
    mine = hands.origin[rows] == value
    left = (dealing.counts[value] - hands.held[rows, value])[:, None, None]
    left = left - np.equal(_UP, value)[:, None] - gone * mine[:, None, None]
    unseen = (dealing.total - 1 - hands.size[rows])[:, None, None] - gone
    whole = dealing.numbers.whole
    return dealing.numbers.ratio(whole(np.maximum(left, 0)), whole(np.maximum(unseen, 1)))


def values(
    dealing: Dealing,
    hands: Hands,
    law: Array,
    pays: Array,
    open_: Open,
    *,
    gone: int = 0,
    acts: Ints | None = None,
) -> Values:
    """The worth of every choice where each hand is played best, or by `acts` where they are given."""
    paid = pays[:, dealing.pays.class_of(hands.total)]
    stand, doubled = ((law * paid[stake][:, None, :]).sum(axis=-1) for stake in (0, 1))
    hit, double, best = (np.zeros_like(stand) for _ in range(3))
    done = np.zeros(stand.shape, np.int64)
    for rows in reversed(hands.layers):
        if len(rows):
            hit[rows], double[rows] = _drawing(dealing, hands, rows, gone, law, pays, best, doubled)
            if acts is None:
                done[rows] = _best_acts(stand[rows], hit[rows], double[rows], open_, rows, hands)
            else:
                done[rows] = acts[rows]
            best[rows] = np.choose(done[rows], [stand[rows], hit[rows], double[rows]])
    return Values(stand, hit, double, done, best)


def _drawing(
    dealing: Dealing,
    hands: Hands,
    rows: Ints,
    gone: int,
    law: Array,
    pays: Array,
    best: Array,
    doubled: Array,
) -> tuple[Array, Array]:
    """The worth of one card for each of these hands, played on and doubled.

    Cards that bring the hand over 21 are those that are left, with the dealer's blackjacks that are left.
    """
    over, over_natural = 1 - np.zeros_like(best[rows]), law[rows, :, NATURAL]
    hit, double = np.zeros_like(over), np.zeros_like(over)
    for value in _fitting(dealing, hands, rows):
        then = hands.after[rows, value]
        likely = chance(dealing, hands, rows, value, np.array([gone]))[:, :, 0]
        over = over - likely
        over_natural = over_natural - likely * law[then, :, NATURAL]
        hit += likely * best[then]
        double += likely * doubled[then]
    costs = pays[:, HAND_OVER, OVER], pays[:, HAND_OVER, NATURAL]
    lost = [(over - over_natural) * costs[0][stake] + over_natural * costs[1][stake] for stake in (0, 1)]
    return hit + lost[0], double + lost[1]


def _fitting(dealing: Dealing, hands: Hands, rows: Ints) -> list[int]:
    """The values that bring no hand of this layer over 21, as far as the shoe holds any."""
    return [value for value in range(min(10, 21 - int(hands.low[rows[0]]))) if dealing.counts[value]]


def _best_acts(stand: Array, hit: Array, double: Array, open_: Open, rows: Ints, hands: Hands) -> Ints:
    """Of equal choices the one that wagers less; a lone card of a split is always drawn to."""
    hits = open_.hit[rows] & ((hit > stand) | (hands.size[rows] < 2)[:, None])
    kept = np.where(hits, hit, stand)
    doubles = open_.double[rows] & (double > kept)
    return np.where(doubles, DOUBLE, np.where(hits, HIT, STAND))


def follow(dealing: Dealing, hands: Hands, acts: Ints, start: Array, gone: Ints) -> Ends:
    """Play the acts from these beginnings (hand, up card, cards gone, kind) to where they end."""
    weight = start.copy()
    end = np.zeros((*start.shape, 2), start.dtype)
    entry = np.zeros_like(end)
    for rows in hands.layers:
        live = rows[(weight[rows] != 0).any(axis=(1, 2, 3))] if len(rows) else rows
        if not len(live):
            continue
        here = weight[live]
        by_act = [np.where((acts[live] == act)[:, :, None, None], here, 0) for act in (STAND, HIT, DOUBLE)]
        end[live, ..., 0] += by_act[STAND]
        entry[live, ..., 1] = by_act[DOUBLE]
        draws = by_act[HIT].any(), by_act[DOUBLE].any()
        for value in _fitting(dealing, hands, live) if any(draws) else ():
            then = hands.after[live, value]
            likely = chance(dealing, hands, live, value, gone)[..., None]
            if draws[0]:
                weight[then] += by_act[HIT] * likely
            if draws[1]:
                end[then, ..., 1] += by_act[DOUBLE] * likely
    entry[..., 0] = start - entry[..., 1]
    return Ends(weight, entry, end)


def results(dealing: Dealing, hands: Hands, ends: Ends, gone: Ints, known: Array | None = None) -> Array:
    """The joint law of a hand's class and the dealer's result.

    By place of the origin, up card, cards gone, kind, wagers on it, class, dealer's result. Hands that went
    over 21 are those that were begun and did not end: their law is what is left of the law of beginnings.
    `known`: the dealer's law against every hand, where it is there already.
    """
    origins = distinct(hands.origin)
    kinds = ends.end.shape[3]
    pays, classes = dealing.pays, dealing.pays.class_of(hands.total)
    shape = (len(origins), UPS, len(gone), kinds, 2, pays.hand_classes, pays.width)
    found = np.zeros(shape, dealing.numbers.dtype)
    touched = ((ends.end != 0) | (ends.entry != 0)).any(axis=(3, 4))
    for up in range(UPS):
        row, column = np.nonzero(touched[:, up])
        if len(row):
            law = _law_of(dealing, hands, row, gone[column], up) if known is None else known[row, up]
            keys = np.searchsorted(origins, hands.origin[row]), column
            end, entry = ends.end[row, up, column], ends.entry[row, up, column]
            _add_to(found[:, up], (*keys, classes[row]), end, law)
            _add_to(found[:, up], (*keys, np.full(len(row), HAND_OVER)), entry - end, law)
    return found


def _law_of(dealing: Dealing, hands: Hands, row: Ints, gone: Ints, up: int) -> Array:
    taken = hands.held[row]
    split = np.flatnonzero(hands.origin[row] >= 0)
    taken[split, hands.origin[row[split]]] += gone[split]
    _, first, back = np.unique(packed(taken), return_index=True, return_inverse=True)
    return dealing.results(taken[first], up)[back]


def _add_to(found: Array, keys: tuple[Ints, Ints, Ints], weight: Array, law: Array) -> None:
    """Add weight × law (kind, wagers, result) where the keys (origin, gone, class) say."""
    order = np.lexsort(keys[::-1])
    sorted_keys = np.stack(keys)[:, order]
    begins = np.flatnonzero(np.r_[True, (np.diff(sorted_keys) != 0).any(axis=0)])
    parts = weight[order][..., None] * law[order][:, None, None, :]
    origin, gone, kind = sorted_keys[:, begins]
    found[origin, gone, :, :, kind] += np.add.reduceat(parts, begins)
