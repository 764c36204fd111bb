"""The cards by which a player's hands end over a limit, or are surrendered, and in how many orders."""

from collections import Counter
from collections.abc import Mapping

import numpy as np

from feltworks.analysis.shoe_game.chart import FixedPlay
from feltworks.analysis.shoe_game.dealers_hand import Counts
from feltworks.analysis.shoe_game.hands import Hands
from feltworks.analysis.shoe_game.joint_draws import Taken
from feltworks.analysis.shoe_game.numbers import Bools, Ints
from feltworks.analysis.shoe_game.seats import DOUBLE, HIT
from feltworks.analysis.shoe_game.solver import ShoeGame
from feltworks.analysis.shoe_game.tallies import Tally, packed, summed, tally

Ways = Mapping[Counts, int]  # cards a player takes, by value: in how many orders


def over_limit(
    table: ShoeGame, conduct: FixedPlay, up: int, over: range, *, one_is_enough: bool
) -> list[Taken]:
    """The cards by which a player of this conduct ends over the limit against this up card.

    LB.12: of split hands all have to be over it, or one is enough.
    """
    start, unlike = _unsplit(table, conduct, up, ~conduct.surrenders[:, up])
    acts = conduct.acts[:, up]
    ends = [_ends(table.hands, acts, rows, over) for rows in (start, unlike)]
    found = [Taken(summed([(1, _tally(ends[0])), (1, _tally(ends[1], 2))]))]
    for value in np.flatnonzero(conduct.hands[:, up]).tolist():
        found += _split_over(table, conduct, up, over, value, one_is_enough)
    return [taken for taken in found if len(taken.free.codes)]


def surrendered(table: ShoeGame, conduct: FixedPlay, up: int) -> list[Taken]:
    """The first two cards that a player of this conduct surrenders."""
    parts = _unsplit(table, conduct, up, conduct.surrenders[:, up])
    ways = [{_held(table.hands, row): orders for row, orders in rows.items()} for rows in parts]
    taken = summed([(1, _tally(ways[0])), (1, _tally(ways[1], 2))])
    return [Taken(taken)] if len(taken.codes) else []


def _tally(ways: Ways, of_rank: int = 0) -> Tally:
    return tally({packed(held, of_rank): orders for held, orders in ways.items()})


def _unsplit(
    table: ShoeGame, conduct: FixedPlay, up: int, wanted: Bools
) -> tuple[dict[int, int], dict[int, int]]:
    """First two cards that are wanted and not split, with their orders.

    Where only equal ranks are split, ten-value pairs stay among them; what to take off of each rank comes
    second.
    """
    start, unlike = _first_cards(table, wanted), {}
    for value in np.flatnonzero(conduct.hands[:, up]).tolist():
        row = int(table.pair_row[value])
        if table.rules.is_told_apart(value):
            unlike = {row: -start[row]} if row in start else {}
        else:
            start.pop(row, None)
    return start, unlike


def _first_cards(table: ShoeGame, wanted: Bools) -> dict[int, int]:
    """First two cards with the orders they can come in; a blackjack is none of them."""
    hands = table.hands
    rows = np.flatnonzero((hands.size == 2) & ~table.is_natural & wanted)
    return {int(row): 1 if hands.held[row].max() == 2 else 2 for row in rows}


def _held(hands: Hands, row: int) -> Counts:
    return tuple(int(count) for count in hands.held[row])


def _ends(hands: Hands, acts: Ints, start: Mapping[int, int], over: range) -> Ways:
    """From these beginnings: the cards of hands that end with a total in this range, by their orders."""
    waiting, found = dict(start), Counter[Counts]()
    for rows in hands.layers:
        for row in rows.tolist():
            ways = waiting.pop(row, 0)
            if not ways or acts[row] not in (HIT, DOUBLE):
                continue
            for value, then in enumerate(hands.after[row].tolist()):
                if int(hands.low[row]) + value + 1 in over:
                    held = _held(hands, row)
                    found[*held[:value], held[value] + 1, *held[value + 1 :]] += ways
                elif then >= 0 and acts[row] == HIT:
                    waiting[then] = waiting.get(then, 0) + ways
    return dict(found)


def _split_over(
    table: ShoeGame, conduct: FixedPlay, up: int, over: range, value: int, one_is_enough: bool
) -> list[Taken]:
    """A pair split: those hands over the limit that the reading asks for.

    A closed hand had another second card than the pair's: any second card less the pair's. Where only equal
    ranks are split, these cards of the pair have to be of one rank.
    """
    hands, acts, most = table.split_hands, conduct.split_acts[:, up], int(conduct.hands[value, up])
    rank = int(table.rules.is_told_apart(value))
    after = hands.after[hands.row(value, origin=value)].tolist()
    any_second = _ends(hands, acts, {row: 1 for row in after if row >= 0}, over)
    paired = _ends(hands, acts, {after[value]: 1} if after[value] >= 0 else {}, over)
    free = _tally(any_second, rank)
    closed = summed([(1, free), (-1, _tally(paired, 2 * rank))])
    if not one_is_enough or not any_second:
        return [Taken(free, closed, most)]
    # One is enough: all ways less those in which no hand is over it.
    pair = [tuple(cards * (place == value) for place in range(10)) for cards in (1, 2)]
    any_free = _tally({pair[0]: 1}, rank)
    any_closed = summed([(1, any_free), (-1, _tally({pair[1]: 1}, 2 * rank))])
    none_over = summed([(1, any_free), (-1, free)]), summed([(1, any_closed), (-1, closed)])
    return [Taken(any_free, any_closed, most), Taken(*none_over, most, times=-1)]
