"""Compiled loops over one flop: the value of each holding of the player when cards are known.

Where one card of the dealer is known, cards are grouped into classes that are equivalent on a board: by rank, and
by whether a flush is possible in their suit. The results of each board are added up by class, and then subtracted
for cards that lie on that board.
"""

from typing import NamedTuple

import numpy as np

from feltworks.analysis.solvers.board.sweep import (
    SUITS,
    Holdings,
    Spot,
    count_dealers,
    make_room,
    meet_dealer,
    order_holdings,
    value_board,
)
from feltworks.machine.compiler import Flags, Integers, Ints, Number, compile_loop, inline


class RankKinds(NamedTuple):
    """A lookup table from a board's ranks to its kind."""

    weights: Ints  # by rank
    codes: Ints  # in ascending order: the sum of a board's weights
    kinds: Ints  # by index of the code


@inline
def _kind_of(ranks: RankKinds, board: Ints) -> Number:
    code = np.int64(0)
    for card in board:
        code += ranks.weights[card // SUITS]
    return ranks.kinds[np.searchsorted(ranks.codes, code)]


@inline
def _lay_flop(flop: Ints, board: Ints, lies: Flags) -> None:
    for at in range(len(flop)):
        board[at] = flop[at]
        lies[flop[at]] = True


@inline
def _weigh(one: int, other: int, free: Ints, known: Ints, number: int) -> int:
    """In how many ways two cards can be dealt when `number` of them are known cards."""
    if number == 0:
        return int(free[one] * free[other])
    if number == 1:
        return int(known[one] * free[other] + known[other] * free[one])
    return int(known[one] * known[other])


@inline
def _sum_ends(nets: Ints, run: int, met: Ints, worth: Ints) -> None:
    """By end: its total net, from the number of the dealer's holdings in each cell."""
    for end in range(len(worth)):
        total = np.int64(0)
        for cell in range(len(met)):
            total += nets[end, run, cell] * met[cell]
        worth[end] = total


@inline
def _add_choices(targets: Ints, plain: Ints, worth: Ints, times: int, sums: Ints) -> None:
    """Adds by target the best end with the knowledge, and the end chosen without it."""
    for target in range(len(targets)):
        best, most = targets[target, 0], worth[targets[target, 0]]
        for end in targets[target]:
            if end >= 0:
                best = end if plain[end] > plain[best] else best
                most = max(most, worth[end])
        sums[2, target] += plain[best]
        if times:
            sums[0, target] += times * most
            sums[1, target] += times * worth[best]


class Lot(NamedTuple):
    """What is known in some deals; arrays by card, 1 where that card is possible."""

    free: Ints  # for the player, the board and the rest of the dealer's hand
    flop: Ints  # the first known card of the flop
    dealers: Ints
    later: Ints  # the known cards of turn and river
    numbers: tuple[int, int, int]  # how many cards of flop, dealer, turn and river are known


@compile_loop
def value_flop(spot: Spot, ranks: RankKinds, flop: Ints, lot: Lot, sums: Ints, ways: Ints) -> None:
    """Adds up the value of every target on a flop with every holding, over all boards and dealer's holdings.

    `sums` by target and holding: the best ends with the lot known, over the deals it leaves; the ends chosen
    without it, over the same deals; and these over all deals. `ways` by holding counts the deals that the lot leaves.
    """
    nets, run_of, targets, free = spot.nets, spot.run_of, spot.targets, lot.free
    room, more = make_room(spot), make_room(spot)
    ones, others, values, order, places, below, worse, better, met = room
    known = Holdings(ones, others, values, order, places, more.below, more.worse, more.better, more.met)
    cards, weights = len(free), more.values
    lies, board = np.zeros(cards, np.bool_), np.zeros(5, np.int64)
    plain, worth = np.zeros(len(nets), np.int64), np.zeros(len(nets), np.int64)
    _lay_flop(flop, board, lies)
    for turn in range(cards):
        for river in range(turn + 1, cards):
            if lies[turn] or lies[river]:
                continue
            board[3], board[4] = turn, river
            count = value_board(spot, board, _kind_of(ranks, board), room)
            count_dealers(spot.cuts, room, count, None)
            times = _weigh(turn, river, free, lot.later, lot.numbers[2])
            if times:
                for at in range(count):
                    weights[at] = _weigh(ones[at], others[at], free, lot.dealers, lot.numbers[1])
                count_dealers(spot.cuts, known, count, weights)
            for own in range(count):
                if not free[ones[own]] or not free[others[own]]:
                    continue
                run, holding = run_of[values[own]], spot.holding_of[ones[own], others[own]]
                meet_dealer(below, worse[own], better[own], own, met)
                _sum_ends(nets, run, met, plain)
                if times:
                    meet_dealer(known.below, known.worse[own], known.better[own], own, known.met)
                    _sum_ends(nets, run, known.met, worth)
                    ways[holding] += times * known.met.sum()
                _add_choices(targets, plain, worth, times, sums[:, :, holding])


@inline
def _class_of(card: int, suit: int, ranks: int) -> int:
    """The class of a card on boards with a possible flush in `suit`; 4 means none."""
    return card // SUITS + ranks * (card % SUITS == suit)


@inline
def _flush_suit(board: Ints) -> int:
    """The suit in which a flush is possible; 4 if there is none."""
    held, suit = np.zeros(SUITS, np.int64), SUITS
    for card in board:
        held[card % SUITS] += 1
        if held[card % SUITS] == 3:
            suit = card % SUITS
    return suit


class Classes(NamedTuple):
    """Work arrays for the classes of cards that a board leaves, and for pairs of classes."""

    left: Ints  # by class: how many cards are left
    there: Integers  # the classes with cards left
    value_of: Ints  # by two classes: the value of such cards with the board
    ones: Integers  # by pair: its classes
    twos: Integers
    values: Ints
    order: Integers  # pairs in the order of their values
    places: Ints  # work array for sorting
    replies: Integers  # the classes of the dealer's other card, sorted by their value with the known one
    worse: Ints  # by index into the replies and end: the total of those before it, if they lose
    equal: Ints  # and if they tie
    better: Ints  # the total of it and those after it, if they win
    worth: Ints  # by end


@inline
def _make_classes(spot: Spot, ends: int) -> Classes:
    width = len(spot.holding_of) // SUITS * 2
    left, values = np.zeros(width, np.int64), np.zeros(width * width, np.int64)
    # Unsigned indices are faster: Numba checks signed ones for negative values
    there, replies = np.zeros((2, width), np.uint8)
    ones, twos, order = np.zeros((3, width * width), np.uint32)
    value_of, places = np.zeros((width, width), np.int64), np.zeros(len(spot.run_of) + 2, np.int64)
    worse, equal, better = np.zeros((3, width + 1, ends), np.int64)
    worth = np.zeros(ends, np.int64)
    return Classes(left, there, value_of, ones, twos, values, order, places, replies, worse, equal, better, worth)


@inline
def _list_classes(spot: Spot, board: Ints, kind: Number, lies: Flags, suit: int, room: Classes) -> tuple[int, int]:
    """Lists the classes of cards left, and their pairs sorted by value; returns the number of each."""
    left, there, value_of, ones, twos, values = room.left, room.there, room.value_of, room.ones, room.twos, room.values
    ranks, number, count = len(spot.tables.pair_of), 0, 0
    left[:] = 0
    for card in range(len(lies)):
        if not lies[card]:
            left[_class_of(card, suit, ranks)] += 1
    for each in range(len(left)):
        if left[each]:
            there[number] = each
            number += 1
    _value_pairs(spot, board, suit, kind, there[:number], value_of)
    for at in range(number):
        for to in range(at, number):
            ones[count], twos[count], values[count] = there[at], there[to], value_of[there[at], there[to]]
            count += 1
    order_holdings(values, count, room.places, room.order)
    return number, count


@inline
def _value_pairs(spot: Spot, board: Ints, suit: int, kind: Number, there: Integers, value_of: Ints) -> None:
    """Fills `value_of` by two classes with cards left: the value of such cards with the board."""
    by_ranks, by_suit, pair_of = spot.tables
    ranks, mask, row = len(pair_of), 0, by_ranks[kind]
    for card in board:
        if card % SUITS == suit:
            mask |= 1 << (card // SUITS)
    for one in there:
        for other in there:
            value = row[pair_of[one % ranks, other % ranks]]
            if suit < SUITS:
                suited = mask
                if one >= ranks:
                    suited |= 1 << (one - ranks)
                if other >= ranks:
                    suited |= 1 << (other - ranks)
                value = max(value, by_suit[suited])
            value_of[one, other] = value


@inline
def _order_replies(theirs: int, there: Integers, value_of: Ints, replies: Integers) -> None:
    """Sort the classes of the dealer's other card by the value that they make with the known one."""
    for at in range(len(there)):
        card, to = there[at], at
        while to > 0 and value_of[theirs, replies[to - 1]] > value_of[theirs, card]:
            replies[to] = replies[to - 1]
            to -= 1
        replies[to] = card


@inline
def _sum_replies(room: Classes, theirs: int, number: int, runs: Ints, rows: Ints) -> None:
    """Fills the running sums over the dealer's other cards by end, for worse, equal and better hands."""
    left, value_of, replies = room.left, room.value_of, room.replies
    worse, equal, better = room.worse, room.equal, room.better
    for end in range(rows.shape[1]):
        worse[0, end] = equal[0, end] = better[number, end] = 0
    for at in range(number):
        cell, times = 3 * runs[value_of[theirs, replies[at]]], left[replies[at]] - (replies[at] == theirs)
        for end in range(rows.shape[1]):
            worse[at + 1, end] = worse[at, end] + times * rows[cell, end]
            equal[at + 1, end] = equal[at, end] + times * rows[cell + 1, end]
    for at in range(number - 1, -1, -1):
        cell, times = 3 * runs[value_of[theirs, replies[at]]], left[replies[at]] - (replies[at] == theirs)
        for end in range(rows.shape[1]):
            better[at, end] = better[at + 1, end] + times * rows[cell + 2, end]


@inline
def _cell(theirs: int, mine: int, runs: Ints) -> int:
    """The cell of a dealer's value against the player's."""
    return int(3 * runs[theirs] + (theirs >= mine) + (theirs > mine))


@inline
def _value_class(
    spot: Spot, runs: Ints, nets: Ints, room: Classes, theirs: int, number: int, count: int, brought: Ints
) -> None:
    """Fills `brought` by the player's pair and target: its total against one known class and any other card."""
    value_of, ones, twos, values, order, replies = (
        room.value_of, room.ones, room.twos, room.values, room.order, room.replies
    )  # fmt: skip
    worse, equal, better, worth = room.worse, room.equal, room.better, room.worth
    targets, run_of = spot.targets, spot.run_of
    _order_replies(theirs, room.there[:number], value_of, replies)
    below, reached, run, last, rows = 0, 0, np.int64(-1), np.int64(-1), nets[0]
    for place in range(count):
        pair = order[place]
        value = values[pair]
        if run_of[value] != run:
            run = run_of[value]
            rows = nets[run]
            _sum_replies(room, theirs, number, runs, rows)
        if value != last:
            while below < number and value_of[theirs, replies[below]] < value:
                below += 1
            while reached < number and value_of[theirs, replies[reached]] <= value:
                reached += 1
            for end in range(len(worth)):
                worth[end] = worse[below, end] + equal[reached, end] - equal[below, end] + better[reached, end]
            last = value
        # Subtract the cases where the dealer's other card is one of the player's
        first = _cell(value_of[theirs, ones[pair]], value, runs)
        second = _cell(value_of[theirs, twos[pair]], value, runs)
        for target in range(len(targets)):
            most = np.int64(-(2**62))
            for end in targets[target]:
                if end >= 0:
                    most = max(most, worth[end] - rows[first, end] - rows[second, end])
            brought[pair, target] = most


@inline
def _add(sums: Ints, brought: Ints, times: int) -> None:
    for target in range(len(brought)):
        sums[target] += times * brought[target]


class Sums(NamedTuple):
    """Totals of boards by target, by flush suit, class of the known card and two classes of the player's cards."""

    whole: Ints  # all boards
    known: Ints  # by suit, card and the player's classes: the boards that contain the card, taken as the known one
    own: Ints  # by suit, card, known class and the other class: boards that contain the card, taken as the player's
    both: Ints  # by known card and holding: the boards that contain two of the three cards


@inline
def _add_holdings(
    both: Ints, card: int, beside: int, suit: int, lies: Flags, brought: Ints, times: int, holding_of: Ints
) -> None:
    """Add to the holdings of a card with any card of a class that is not on the board."""
    ranks = len(lies) // SUITS
    for other in range(beside % ranks * SUITS, beside % ranks * SUITS + SUITS):
        if not lies[other] and _class_of(other, suit, ranks) == beside:
            _add(both[holding_of[card, other]], brought, times)


@inline
def _note_board(
    turn: int, river: int, suit: int, theirs: int, one: int, two: int, lies: Flags, brought: Ints, times: int,
    holding_of: Ints, known: Ints, own: Ints, both: Ints,
) -> None:  # fmt: skip
    """Adds a board's totals to the corrections for classes of its own cards: for one card, and for both."""
    ranks = len(lies) // SUITS
    for card, other in ((turn, river), (river, turn)):
        mine, others = _class_of(card, suit, ranks), _class_of(other, suit, ranks)
        if theirs == mine:
            _add(known[card, one, two], brought, times)
        for way in range(1 + (one != two)):
            held, beside = (one, two) if way == 0 else (two, one)
            if held == mine:
                _add(own[card, theirs, beside], brought, times)
                if theirs == others:
                    _add_holdings(both[other], card, beside, suit, lies, brought, times, holding_of)
    low, high = _class_of(turn, suit, ranks), _class_of(river, suit, ranks)
    if (one == low and two == high) or (one == high and two == low):
        for card in range(len(lies)):
            if not lies[card] and _class_of(card, suit, ranks) == theirs:
                _add(both[card, holding_of[turn, river]], brought, times)


@compile_loop
def follow_flop(spot: Spot, kinds: RankKinds, runs: Ints, nets: Ints, flop: Ints, times_of: Ints, sums: Sums) -> None:
    """Adds up the total of every target over turns and rivers, with one card of the dealer known.

    `runs` by value of the dealer; `nets` by run, cell and end; `times_of` by two cards: how many turns and rivers
    they represent, up to suits.
    """
    ranks, cards = len(spot.tables.pair_of), len(spot.holding_of)
    lies, board, room = np.zeros(cards, np.bool_), np.zeros(5, np.int64), _make_classes(spot, nets.shape[2])
    there, ones, twos, both, holding_of = room.there, room.ones, room.twos, sums.both, spot.holding_of
    brought = np.zeros((len(ones), len(spot.targets)), np.int64)
    _lay_flop(flop, board, lies)
    for turn in range(cards):
        for river in range(turn + 1, cards):
            times = times_of[holding_of[turn, river]]
            if lies[turn] or lies[river] or not times:
                continue
            board[3], board[4] = turn, river
            lies[turn] = lies[river] = True
            suit = _flush_suit(board)
            on_board = _class_of(turn, suit, ranks), _class_of(river, suit, ranks)
            number, count = _list_classes(spot, board, _kind_of(kinds, board), lies, suit, room)
            whole, known, own = sums.whole[suit], sums.known[suit], sums.own[suit]
            for theirs in there[:number]:
                _value_class(spot, runs, nets, room, theirs, number, count, brought)
                for pair in range(count):
                    one, two = ones[pair], twos[pair]
                    _add(whole[theirs, one, two], brought[pair], times)
                    if theirs in on_board or one in on_board or two in on_board:
                        _note_board(
                            turn, river, suit, theirs, one, two, lies, brought[pair], times,
                            holding_of, known, own, both,
                        )  # fmt: skip
            lies[turn] = lies[river] = False


@compile_loop
def pool_flop(flop: Ints, sums: Sums, holding_of: Ints, orbit_of: Ints, pooled: Ints) -> None:
    """Adds up by target the totals of each known card and holding, over those that are equivalent on the flop.

    Boards with one of the three cards are subtracted; those with two were subtracted twice, so they are added back.
    """
    whole, known, own, both = sums
    cards, ranks = len(holding_of), len(holding_of) // SUITS
    lies = np.zeros(cards, np.bool_)
    for card in flop:
        lies[card] = True
    for theirs in range(cards):
        for one in range(cards):
            for two in range(one + 1, cards):
                if lies[theirs] or lies[one] or lies[two] or theirs in (one, two):
                    continue
                brought = pooled[orbit_of[theirs, holding_of[one, two]]]
                brought += both[theirs, holding_of[one, two]]
                for suit in range(SUITS + 1):
                    held = _class_of(theirs, suit, ranks)
                    first, second = _class_of(one, suit, ranks), _class_of(two, suit, ranks)
                    low, high = min(first, second), max(first, second)
                    for target in range(len(brought)):
                        brought[target] += (
                            whole[suit, held, low, high, target]
                            - known[suit, theirs, low, high, target]
                            - own[suit, one, held, second, target]
                            - own[suit, two, held, first, target]
                        )
