"""The compiled loops over all boards up to suits; every holding is valued once for each board.

The dealer's holdings are counted in sorted order: those below a value, less those that hold one of the
player's cards. No number exceeds the number of deals times the highest pay, which the caller bounds.
"""

from typing import NamedTuple

import numpy as np

from feltworks.machine.compiler import Bytes, Integers, Ints, Number, compile_loop, inline

SUITS = 4
FLOPS = np.array([[a, b, c] for a in range(5) for b in range(a + 1, 5) for c in range(b + 1, 5)], dtype=np.int64)


class BoardTables(NamedTuple):
    """The lookup tables of `SevenCards` for the best five of a board and two cards."""

    by_ranks: Ints  # by kind of board and pair of ranks
    by_suit: Ints  # by bit mask of the ranks of one suit
    pair_of: Ints  # by two ranks


class Spot(NamedTuple):
    """The input arrays of the sweeps of a spot."""

    boards: Ints  # the cards of every board, up to suits
    weights: Ints  # by board: the number of equivalent boards
    kinds: Ints  # by board: the kind of its ranks
    tables: BoardTables
    holding_of: Ints  # by two cards
    cuts: Ints  # the dealer's values at which results change, and one above all values
    run_of: Ints  # by player's value: its run of values with equal results
    nets: Ints  # by end, run of the player and cell
    targets: Ints  # by target: the ends to choose from when the whole board is seen, padded with -1
    flop_of: Ints  # by three cards
    change_of: Ints  # by three cards: the permutation of suits that maps the flop to its class's cards
    changed: Ints  # by permutation of suits and holding: the holding
    rooms: Ints  # by target: the index of its stored choices; -1 if they are not stored


class CellLabels(NamedTuple):
    """The cell of a chart for every holding on every board; its column goes by the board alone."""

    rows: int
    column_of: Ints  # by board
    board_value: Ints  # by board: the value of its own five cards
    category_of: Ints  # by value
    row_of: Ints  # by value: the row of a hand of a better category than the board's own
    kicker_row_of: Ints  # by board and rank: the row of any other hand, by its higher own card


class Holdings(NamedTuple):
    """Work arrays for the holdings that a board leaves, by their number on this board."""

    ones: Ints  # the lower card
    others: Ints
    values: Ints
    order: Ints  # holdings sorted by value
    places: Ints  # work array for sorting
    below: Ints  # by cut: the dealer's holdings below it
    worse: Ints  # dealer's holdings that lose against this one
    better: Ints  # dealer's holdings that do not beat it
    met: Ints  # dealer's holdings against one holding, by cell


@inline
def make_room(spot: Spot) -> Holdings:
    """Work arrays for the holdings of any board."""
    room, cuts = len(spot.holding_of) ** 2 // 2, len(spot.cuts)
    ones, others, values, order, worse, better = np.zeros((6, room), dtype=np.int64)
    places, below = np.zeros(len(spot.run_of) + 2, dtype=np.int64), np.zeros((cuts, room), dtype=np.int64)
    return Holdings(ones, others, values, order, places, below, worse, better, np.zeros(3 * cuts, dtype=np.int64))


@inline
def _value_holdings(board: Ints, kind: Number, tables: BoardTables, room: Holdings) -> int:
    """Fills in the cards and value of every holding that the board leaves; returns their number."""
    by_ranks, by_suit, pair_of = tables
    ones, others, values = room.ones, room.others, room.values
    cards, count = SUITS * len(pair_of), 0
    lies = np.zeros(cards, dtype=np.bool_)
    masks, held = np.zeros(SUITS, dtype=np.int64), np.zeros(SUITS, dtype=np.int64)
    for card in board:
        lies[card] = True
        masks[card % SUITS] |= 1 << (card // SUITS)
        held[card % SUITS] += 1
    suit = -1
    for each in range(SUITS):
        if held[each] >= 3:
            suit = each
    row = by_ranks[kind]
    for one in range(cards):
        if lies[one]:
            continue
        for other in range(one + 1, cards):
            if lies[other]:
                continue
            value = row[pair_of[one // SUITS, other // SUITS]]
            if suit >= 0:
                mask = masks[suit]
                if one % SUITS == suit:
                    mask |= 1 << (one // SUITS)
                if other % SUITS == suit:
                    mask |= 1 << (other // SUITS)
                value = max(value, by_suit[mask])
            ones[count], others[count], values[count] = one, other, value
            count += 1
    return count


@inline
def order_holdings(values: Ints, count: int, places: Ints, order: Integers) -> None:
    """Sorts holdings by value with a counting sort; `places` has an element for every value."""
    low, high = values[0], values[0]
    for at in range(count):
        low, high = min(low, values[at]), max(high, values[at])
    for value in range(low, high + 2):
        places[value] = 0
    for at in range(count):
        places[values[at] + 1] += 1
    for value in range(low, high + 1):
        places[value + 1] += places[value]
    for at in range(count):
        order[places[values[at]]] = at
        places[values[at]] += 1


@inline
def count_dealers(cuts: Ints, room: Holdings, count: int, ways: Ints | None) -> None:
    """Counts, for each holding, the dealer's holdings below each cut, those worse, and those not better.

    `ways` is the weight of each holding as the dealer's; None: 1.
    """
    ones, others, values, order, _, below, worse, better, _ = room
    cards = others[count - 1] + 1
    lower = np.zeros(cards + 1, dtype=np.int64)  # by card: lower holdings that have it; last: all lower holdings
    at, cut = 0, 0
    while True:
        while cut < len(cuts) and (at == count or cuts[cut] <= values[order[at]]):
            for each in range(count):
                own = 0 if values[each] >= cuts[cut] else 1 if ways is None else ways[each]
                below[cut, each] = lower[cards] - lower[ones[each]] - lower[others[each]] + own
            cut += 1
        if at == count:
            return
        value, end = values[order[at]], at
        while end < count and values[order[end]] == value:
            each = order[end]
            worse[each] = lower[cards] - lower[ones[each]] - lower[others[each]]
            end += 1
        for place in range(at, end):
            each = order[place]
            times = 1 if ways is None else ways[each]
            lower[ones[each]] += times
            lower[others[each]] += times
            lower[cards] += times
        for place in range(at, end):
            each = order[place]
            own = 1 if ways is None else ways[each]
            better[each] = lower[cards] - lower[ones[each]] - lower[others[each]] + own
        at = end


@inline
def value_board(spot: Spot, board: Ints, kind: Number, room: Holdings) -> int:
    """Values and sorts the holdings that a board leaves; returns their number."""
    count = _value_holdings(board, kind, spot.tables, room)
    order_holdings(room.values, count, room.places, room.order)
    return count


@inline
def meet_dealer(below: Ints, worse: Number, better: Number, each: int, met: Ints) -> None:
    """Counts the dealer's holdings by run and by whether they are worse than, equal to or better than this one."""
    low = 0
    for run in range(len(below)):
        high = below[run, each]
        less = min(high, worse) - min(low, worse)
        more = max(high, better) - max(low, better)
        met[3 * run], met[3 * run + 1], met[3 * run + 2] = less, high - low - less - more, more
        low = high


@inline
def _best_leaf(nets: Ints, run: Number, met: Ints, leaves: Ints) -> tuple[int, int]:
    """The leaf with the highest worth against these holdings, the first of equal ones, and its worth."""
    best, most = -1, 0
    for leaf in leaves:
        if leaf < 0:
            break
        worth = 0
        for cell in range(len(met)):
            worth += nets[leaf, run, cell] * met[cell]
        if best < 0 or worth > most:
            best, most = leaf, worth
    return best, most


@compile_loop
def count_runs(spot: Spot, counted: Ints) -> None:
    """Counts holdings over all boards by the run of their values, which is enough for a wager on one hand."""
    room = make_room(spot)
    for number in range(len(spot.boards)):
        count = value_board(spot, spot.boards[number], spot.kinds[number], room)
        for each in range(count):
            counted[spot.run_of[room.values[each]]] += spot.weights[number]


@compile_loop
def sweep_worth(
    spot: Spot, begin: int, end: int, flop_targets: Ints, on_flop: Ints, at_once: Ints, chosen: Bytes
) -> None:
    """Sums the worth of every target by holding over some boards, for some targets also by flop and holding.

    `chosen` gets the index of the best leaf by board and holding, as packed bits, for targets that store choices.
    """
    bits = chosen.shape[2] * 8 // spot.changed.shape[1]
    boards, weights, run_of, nets = spot.boards, spot.weights, spot.run_of, spot.nets
    targets, rooms, room = spot.targets, spot.rooms, make_room(spot)
    ones, others, values, _, _, below, worse, better, met = room
    holdings, worths = np.zeros(len(values), dtype=np.int64), np.zeros((len(targets), len(values)), dtype=np.int64)
    for number in range(begin, end):
        count = value_board(spot, boards[number], spot.kinds[number], room)
        count_dealers(spot.cuts, room, count, None)
        for each in range(count):
            meet_dealer(below, worse[each], better[each], each, met)
            holding = holdings[each] = spot.holding_of[ones[each], others[each]]
            for target in range(len(targets)):
                leaf, worth = _best_leaf(nets, run_of[values[each]], met, targets[target])
                if rooms[target] >= 0:
                    place = 0
                    while targets[target, place] != leaf:
                        place += 1
                    bit = holding * bits
                    chosen[rooms[target], number, bit // 8] |= np.uint8(place << bit % 8)
                worths[target, each] = worth * weights[number]
                at_once[target, holding] += worths[target, each]
        if len(flop_targets):
            _add_to_flops(spot, boards[number], holdings[:count], worths, flop_targets, on_flop)


@inline
def _add_to_flops(spot: Spot, board: Ints, holdings: Ints, worths: Ints, flop_targets: Ints, on_flop: Ints) -> None:
    """Adds the worths on a board to each of its flops, with suits renamed as in the flop's class."""
    for flop in FLOPS:
        a, b, c = board[flop[0]], board[flop[1]], board[flop[2]]
        change = spot.changed[spot.change_of[a, b, c]]
        for place in range(len(flop_targets)):
            row, worth_of = on_flop[place, spot.flop_of[a, b, c]], worths[flop_targets[place]]
            for each in range(len(holdings)):
                row[change[holdings[each]]] += worth_of[each]


@inline
def _count_targets(spot: Spot, board: Ints, holdings: Ints, first: Ints, then: Ints, times: Ints) -> None:
    """By target and holding: the number of the board's flops from which play leads to the target."""
    times[:, : len(holdings)] = 0
    for flop in FLOPS:
        a, b, c = board[flop[0]], board[flop[1]], board[flop[2]]
        change, place = spot.changed[spot.change_of[a, b, c]], spot.flop_of[a, b, c]
        for each in range(len(holdings)):
            target = first[holdings[each]]
            if target < 0:
                target = then[~target, place, change[holdings[each]]]
            times[target, each] += 1


@compile_loop
def sweep_law(spot: Spot, begin: int, end: int, first: Ints, then: Ints, chosen: Bytes, counted: Ints) -> None:
    """Counts the results of rounds on some boards: `first` has the target of a holding, or ~ a point on the flop.

    `then` has the target there, by point, flop and holding; `chosen` the leaf of targets that store choices;
    others take the best. Every board is counted once for each flop.
    """
    bits = chosen.shape[2] * 8 // spot.changed.shape[1]
    boards, weights, run_of, nets = spot.boards, spot.weights, spot.run_of, spot.nets
    targets, rooms, room = spot.targets, spot.rooms, make_room(spot)
    ones, others, values, _, _, below, worse, better, met = room
    holdings, times = np.zeros(len(values), dtype=np.int64), np.zeros((len(targets), len(values)), dtype=np.int64)
    for number in range(begin, end):
        count = value_board(spot, boards[number], spot.kinds[number], room)
        count_dealers(spot.cuts, room, count, None)
        for each in range(count):
            holdings[each] = spot.holding_of[ones[each], others[each]]
        _count_targets(spot, boards[number], holdings[:count], first, then, times)
        for each in range(count):
            meet_dealer(below, worse[each], better[each], each, met)
            run = run_of[values[each]]
            for target in range(len(targets)):
                if not times[target, each]:
                    continue
                if rooms[target] >= 0:
                    bit = holdings[each] * bits
                    packed = chosen[rooms[target], number, bit // 8] >> np.uint8(bit % 8)
                    leaf = targets[target, packed & ((1 << bits) - 1)]
                else:
                    leaf, _ = _best_leaf(nets, run, met, targets[target])
                for cell in range(len(met)):
                    counted[leaf, run, cell] += met[cell] * times[target, each] * weights[number]


@compile_loop
def sweep_cells(
    spot: Spot,
    first: Ints,
    then: Ints,
    target: int,
    labels: CellLabels,
    ways: Ints,
    sums: Ints,
    best: Ints,
) -> None:
    """Counts by cell and choice of a target how often it is best, and sums its worth and that of the best choice.

    Only deals that come to the target count, where the flop is played by `then`; every board counts once a flop.
    """
    leaves, room = spot.targets[target, : ways.shape[1]], make_room(spot)
    ones, others, values, _, _, below, worse, better, met = room
    holdings = np.zeros(len(values), dtype=np.int64)
    times = np.zeros((len(spot.targets), len(values)), dtype=np.int64)
    for number in range(len(spot.boards)):
        count = value_board(spot, spot.boards[number], spot.kinds[number], room)
        count_dealers(spot.cuts, room, count, None)
        for each in range(count):
            holdings[each] = spot.holding_of[ones[each], others[each]]
        _count_targets(spot, spot.boards[number], holdings[:count], first, then, times)
        column, category = labels.column_of[number], labels.category_of[labels.board_value[number]]
        for each in range(count):
            many = times[target, each] * spot.weights[number]
            if not many:
                continue
            meet_dealer(below, worse[each], better[each], each, met)
            run, row = spot.run_of[values[each]], labels.kicker_row_of[number, others[each] // SUITS]
            if labels.category_of[values[each]] > category:
                row = labels.row_of[values[each]]
            cell = column * labels.rows + row
            leaf, most = _best_leaf(spot.nets, run, met, leaves)
            best[cell] += most * many
            for place in range(len(leaves)):
                worth = 0
                for against in range(len(met)):
                    worth += spot.nets[leaves[place], run, against] * met[against]
                sums[cell, place] += worth * many
                if leaves[place] == leaf:
                    ways[cell, place] += many


@compile_loop
def value_boards(spot: Spot, begin: int, with_one: Ints, owns: Ints, values: Ints, outs: Ints) -> None:
    """By board, from `begin` on, and holding: its value, -1 if they share a card, and the dealer's outs.

    Outs are the single cards that make a better hand with the board. `owns` gets the cards of the holdings.
    """
    room, by_suit, cards = make_room(spot), spot.tables.by_suit, len(spot.holding_of)
    ones, others, valued = room.ones, room.others, room.values
    single = np.zeros(cards, dtype=np.int64)
    for number in range(len(values)):
        board, kind = spot.boards[begin + number], spot.kinds[begin + number]
        count = value_board(spot, board, kind, room)
        for card in range(cards):
            mask = 1 << (card // SUITS)
            single[card] = with_one[kind, card // SUITS]
            for other in board:
                if other % SUITS == card % SUITS:
                    mask |= 1 << (other // SUITS)
                if other == card:
                    single[card] = -1
            if single[card] >= 0:
                single[card] = max(single[card], by_suit[mask])
        values[number, :] = -1
        for each in range(count):
            holding = spot.holding_of[ones[each], others[each]]
            values[number, holding] = valued[each]
            owns[number, holding, 0], owns[number, holding, 1] = ones[each], others[each]
            better = -np.int64(single[ones[each]] > valued[each]) - np.int64(single[others[each]] > valued[each])
            for card in range(cards):
                better += single[card] > valued[each]
            outs[number, holding] = better
