"""The compiled loops that sweep all boards up to suits: every holding is valued once a board.

The dealer's holdings are counted by their order: those below a value, less those that hold one of the
player's cards. No number exceeds the deals of the deck times the highest pay, which the caller bounds.
"""

from typing import NamedTuple

import numpy as np

from feltworks.machine.compiler import Bytes, Ints, Number, compile_loop, inline

SUITS = 4
FLOPS = np.array([[a, b, c] for a in range(5) for b in range(a + 1, 5) for c in range(b + 1, 5)], dtype=np.int64)


class BoardTables(NamedTuple):
    """What the best five of a board and two cards are worth, as `SevenCards` lists it."""

    by_ranks: Ints  # by kind of board and pair of ranks
    by_suit: Ints  # by the ranks of one suit, as bits
    pair_of: Ints  # by two ranks


@inline
def value_holdings(
    board: Ints, kind: int, by_ranks: Ints, by_suit: Ints, pair_of: Ints, ones: Ints, others: Ints, values: Ints
) -> int:
    """Fills the cards of every holding that the board leaves, and its value; gives how many there are."""
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
def order_holdings(values: Ints, count: int, places: Ints, order: Ints) -> None:
    """Puts holdings in the order of their values by counting; `places` has room for every value."""
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
def _count_dealers(
    ones: Ints,
    others: Ints,
    values: Ints,
    count: int,
    order: Ints,
    cuts: Ints,
    below: Ints,
    worse: Ints,
    better: Ints,
) -> Number:
    """For each holding the dealer's holdings below each cut, those worse, and those not better.

    Gives how many the dealer can hold against any one holding.
    """
    cards = 0
    for at in range(count):
        cards = max(cards, others[at] + 1)
    seen, at_cut = np.zeros(cards, dtype=np.int64), np.zeros(cards, dtype=np.int64)
    at, cut = 0, 0
    while at < count:
        value = values[order[at]]
        while cut < len(cuts) and cuts[cut] <= value:
            at_cut[:] = seen
            for each in range(count):
                below[cut, each] = at - at_cut[ones[each]] - at_cut[others[each]] + (values[each] < cuts[cut])
            cut += 1
        end = at
        while end < count and values[order[end]] == value:
            each = order[end]
            worse[each] = at - seen[ones[each]] - seen[others[each]]
            end += 1
        for place in range(at, end):
            each = order[place]
            seen[ones[each]] += 1
            seen[others[each]] += 1
        for place in range(at, end):
            each = order[place]
            better[each] = end - seen[ones[each]] - seen[others[each]] + 1
        at = end
    total = count - seen[ones[0]] - seen[others[0]] + 1
    while cut < len(cuts):
        for each in range(count):
            below[cut, each] = total
        cut += 1
    return total


@inline
def _meet(below: Ints, worse: int, better: int, total: int, each: int, met: Ints) -> None:
    """The dealer's holdings by run and by whether they are worse, equal or better than this one."""
    cuts, low = len(below), 0
    for run in range(cuts + 1):
        high = below[run, each] if run < cuts else total
        less = min(high, worse) - min(low, worse)
        more = max(high, better) - max(low, better)
        met[3 * run], met[3 * run + 1], met[3 * run + 2] = less, high - low - less - more, more
        low = high


@inline
def _best_leaf(nets: Ints, run: int, met: Ints, leaves: Ints) -> tuple[int, int]:
    """The leaf that is worth most against these holdings, the first of equal ones, and its worth."""
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
def count_runs(boards: Ints, weights: Ints, kinds: Ints, tables: BoardTables, run_of: Ints, counted: Ints) -> None:
    """Counts holdings by the run of their values, over all boards: all that a wager on one hand asks for."""
    by_ranks, by_suit, pair_of = tables
    room = (SUITS * len(pair_of)) ** 2 // 2
    ones, others = np.zeros(room, dtype=np.int64), np.zeros(room, dtype=np.int64)
    values = np.zeros(room, dtype=np.int64)
    for number in range(len(boards)):
        count = value_holdings(boards[number], kinds[number], by_ranks, by_suit, pair_of, ones, others, values)
        for each in range(count):
            counted[run_of[values[each]]] += weights[number]


@compile_loop
def sweep_worth(
    boards: Ints,
    weights: Ints,
    kinds: Ints,
    tables: BoardTables,
    holding_of: Ints,
    cuts: Ints,
    run_of: Ints,
    nets: Ints,
    targets: Ints,
    flop_of: Ints,
    change_of: Ints,
    changed: Ints,
    flop_targets: Ints,
    on_flop: Ints,
    at_once: Ints,
    rooms: Ints,
    chosen: Bytes,
) -> None:
    """Adds up what every target is worth by holding over all boards, and some also by flop and holding.

    `chosen` gets the place of the best leaf by board and holding, packed into bytes, for targets with a room.
    """
    bits = chosen.shape[2] * 8 // changed.shape[1]
    by_ranks, by_suit, pair_of = tables
    room = changed.shape[1]
    ones, others = np.zeros(room, dtype=np.int64), np.zeros(room, dtype=np.int64)
    values, order = np.zeros(room, dtype=np.int64), np.zeros(room, dtype=np.int64)
    places = np.zeros(len(run_of) + 2, dtype=np.int64)
    below = np.zeros((len(cuts), room), dtype=np.int64)
    worse, better = np.zeros(room, dtype=np.int64), np.zeros(room, dtype=np.int64)
    met = np.zeros(3 * (len(cuts) + 1), dtype=np.int64)
    holdings = np.zeros(room, dtype=np.int64)
    worths = np.zeros((len(targets), room), dtype=np.int64)
    for number in range(len(boards)):
        board = boards[number]
        count = value_holdings(board, kinds[number], by_ranks, by_suit, pair_of, ones, others, values)
        order_holdings(values, count, places, order)
        total = _count_dealers(ones, others, values, count, order, cuts, below, worse, better)
        for each in range(count):
            _meet(below, worse[each], better[each], total, each, met)
            holdings[each] = holding_of[ones[each], others[each]]
            for target in range(len(targets)):
                leaf, worth = _best_leaf(nets, run_of[values[each]], met, targets[target])
                if rooms[target] >= 0:
                    place = 0
                    while targets[target, place] != leaf:
                        place += 1
                    bit = holdings[each] * bits
                    chosen[rooms[target], number, bit // 8] |= np.uint8(place << bit % 8)
                worths[target, each] = worth * weights[number]
                at_once[target, holdings[each]] += worths[target, each]
        if not len(flop_targets):
            continue
        for flop in FLOPS:
            a, b, c = board[flop[0]], board[flop[1]], board[flop[2]]
            change = changed[change_of[a, b, c]]
            for place in range(len(flop_targets)):
                row, worth_of = on_flop[place, flop_of[a, b, c]], worths[flop_targets[place]]
                for each in range(count):
                    row[change[holdings[each]]] += worth_of[each]


@compile_loop
def sweep_law(
    boards: Ints,
    weights: Ints,
    kinds: Ints,
    tables: BoardTables,
    holding_of: Ints,
    cuts: Ints,
    run_of: Ints,
    nets: Ints,
    targets: Ints,
    flop_of: Ints,
    change_of: Ints,
    changed: Ints,
    first: Ints,
    then: Ints,
    rooms: Ints,
    chosen: Bytes,
    counted: Ints,
) -> None:
    """Counts how rounds come out: `first` names the target of a holding, or by ~ a point on the flop.

    `then` names the target there, by point, flop and holding; `chosen` the leaf of a target that has a room,
    others take the best. Every board is counted once for each flop.
    """
    bits = chosen.shape[2] * 8 // changed.shape[1]
    by_ranks, by_suit, pair_of = tables
    room = changed.shape[1]
    ones, others = np.zeros(room, dtype=np.int64), np.zeros(room, dtype=np.int64)
    values, order = np.zeros(room, dtype=np.int64), np.zeros(room, dtype=np.int64)
    places = np.zeros(len(run_of) + 2, dtype=np.int64)
    below = np.zeros((len(cuts), room), dtype=np.int64)
    worse, better = np.zeros(room, dtype=np.int64), np.zeros(room, dtype=np.int64)
    met = np.zeros(3 * (len(cuts) + 1), dtype=np.int64)
    times = np.zeros((len(targets), room), dtype=np.int64)
    for number in range(len(boards)):
        board = boards[number]
        count = value_holdings(board, kinds[number], by_ranks, by_suit, pair_of, ones, others, values)
        order_holdings(values, count, places, order)
        total = _count_dealers(ones, others, values, count, order, cuts, below, worse, better)
        times[:, :count] = 0
        for flop in FLOPS:
            a, b, c = board[flop[0]], board[flop[1]], board[flop[2]]
            change, place = changed[change_of[a, b, c]], flop_of[a, b, c]
            for each in range(count):
                holding = holding_of[ones[each], others[each]]
                target = first[holding]
                if target < 0:
                    target = then[~target, place, change[holding]]
                times[target, each] += 1
        for each in range(count):
            _meet(below, worse[each], better[each], total, each, met)
            run = run_of[values[each]]
            for target in range(len(targets)):
                if times[target, each]:
                    if rooms[target] >= 0:
                        bit = holding_of[ones[each], others[each]] * bits
                        packed = chosen[rooms[target], number, bit // 8] >> np.uint8(bit % 8)
                        leaf = targets[target, packed & ((1 << bits) - 1)]
                    else:
                        leaf, _ = _best_leaf(nets, run, met, targets[target])
                    for cell in range(len(met)):
                        counted[leaf, run, cell] += met[cell] * times[target, each] * weights[number]


@compile_loop
def value_boards(
    boards: Ints,
    kinds: Ints,
    tables: BoardTables,
    with_one: Ints,
    holding_of: Ints,
    owns: Ints,
    values: Ints,
    outs: Ints,
) -> None:
    """By board and number of a holding: its value, -1 where the board has its cards, and the dealer's outs.

    Outs are the single cards that make a better hand with the board. `owns` gets the cards of the holdings.
    """
    by_ranks, by_suit, pair_of = tables
    cards = SUITS * len(pair_of)
    room = cards * cards // 2
    ones, others = np.zeros(room, dtype=np.int64), np.zeros(room, dtype=np.int64)
    valued, single = np.zeros(room, dtype=np.int64), np.zeros(cards, dtype=np.int64)
    for number in range(len(boards)):
        board, kind = boards[number], kinds[number]
        count = value_holdings(board, kind, by_ranks, by_suit, pair_of, ones, others, valued)
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
            holding = holding_of[ones[each], others[each]]
            values[number, holding] = valued[each]
            owns[number, holding, 0], owns[number, holding, 1] = ones[each], others[each]
            better = -np.int64(single[ones[each]] > valued[each]) - np.int64(single[others[each]] > valued[each])
            for card in range(cards):
                better += single[card] > valued[each]
            outs[number, holding] = better
