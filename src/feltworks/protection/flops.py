"""The compiled loops over one flop: what every two cards of the player are worth when cards are known.

Where one card of the dealer is known, cards are taken together that are alike on a board: by rank, and by whether
they are of the suit in which a flush is possible. What a board brings is then added up by such classes, and taken
off again for those whose cards lie on it.
"""

import numpy as np

from feltworks.analysis.solvers.board.sweep import SUITS, BoardTables, order_holdings, value_holdings
from feltworks.machine.compiler import Flags, Ints, compile_loop, inline


@inline
def _meet_dealer(
    ones: Ints, others: Ints, values: Ints, ways: Ints, order: Ints, runs: Ints, seen: Ints, met: Ints
) -> None:
    """By pair of the player and cell: the weighed pairs that the dealer can hold against it.

    `ways` weighs the dealer's pairs; `seen` by run of values and card is room to work in, its last column for all.
    """
    count, every = len(order), seen.shape[1] - 1
    seen[:], met[:count] = 0, 0
    for at in range(count):
        run = runs[values[at]]
        seen[run, ones[at]] += ways[at]
        seen[run, others[at]] += ways[at]
        seen[run, every] += ways[at]
    part = seen[-1]  # of the present run alone, up to the present value
    at = 0
    while at < count:
        value = values[order[at]]
        run = runs[value]
        if at == 0 or runs[values[order[at - 1]]] != run:
            part[:] = 0
        after = at
        while after < count and values[order[after]] == value:
            own = order[after]
            met[own, 3 * run] = part[every] - part[ones[own]] - part[others[own]]
            after += 1
        for place in range(at, after):
            pair = order[place]
            part[ones[pair]] += ways[pair]
            part[others[pair]] += ways[pair]
            part[every] += ways[pair]
        for place in range(at, after):
            own = order[place]
            one, other = ones[own], others[own]
            reached = part[every] - part[one] - part[other] + ways[own]
            met[own, 3 * run + 1] = reached - met[own, 3 * run]
            for each in range(len(seen) - 1):
                whole = seen[each, every] - seen[each, one] - seen[each, other]
                if each == run:
                    met[own, 3 * run + 2] = whole + ways[own] - reached
                else:
                    met[own, 3 * each + 2 * (each > run)] = whole
        at = after


@inline
def _weigh(one: int, other: int, free: Ints, known: Ints, number: int) -> int:
    """In how many ways two cards can be a pair of which so many cards are known."""
    if number == 0:
        return int(free[one] * free[other])
    if number == 1:
        return int(known[one] * free[other] + known[other] * free[one])
    return int(known[one] * known[other])


@compile_loop
def value_flop(
    flop: Ints, free: Ints, dealers: Ints, later: Ints, numbers: Ints, weights: Ints, codes: Ints, kinds: Ints,
    tables: BoardTables, runs: Ints, run_of: Ints, nets: Ints, targets: Ints, holding_of: Ints, sums: Ints, ways:
    Ints,
) -> None:  # fmt: skip
    """What every target brings on a flop with every two cards, over all boards and dealer's pairs.

    By card: `free` for anybody, `dealers` that a known card of the dealer can be, `later` that a known card of
    turn and river can be; `numbers` of such cards. `sums` by target and holding: the best ends for one who
    knows that, over what can come; the same with the ends of one who does not; and these ends over all that
    he thinks can come. `ways` by holding counts what can come.
    """
    by_ranks, by_suit, pair_of = tables
    cards = len(free)
    room = cards * cards // 2
    lies, board = np.zeros(cards, np.bool_), np.zeros(5, np.int64)
    ones, others = np.zeros(room, np.int64), np.zeros(room, np.int64)
    values, order = np.zeros(room, np.int64), np.zeros(room, np.int64)
    places, seen = np.zeros(len(run_of) + 2, np.int64), np.zeros((runs.max() + 2, cards + 1), np.int64)
    every, held = np.zeros((room, nets.shape[2]), np.int64), np.zeros((room, nets.shape[2]), np.int64)
    blind, known = np.ones(room, np.int64), np.zeros(room, np.int64)
    plain, worth = np.zeros(len(nets), np.int64), np.zeros(len(nets), np.int64)
    begun = np.int64(0)
    for at in range(3):
        lies[flop[at]] = True
        board[at] = flop[at]
        begun += weights[flop[at] // SUITS]
    for turn in range(cards):
        for river in range(turn + 1, cards):
            if lies[turn] or lies[river]:
                continue
            board[3], board[4] = turn, river
            kind = kinds[np.searchsorted(codes, begun + weights[turn // SUITS] + weights[river // SUITS])]
            count = value_holdings(board, kind, by_ranks, by_suit, pair_of, ones, others, values)
            order_holdings(values, count, places, order)
            _meet_dealer(ones, others, values, blind, order[:count], runs, seen, every)
            times = _weigh(turn, river, free, later, numbers[1])
            if times:
                for at in range(count):
                    known[at] = _weigh(ones[at], others[at], free, dealers, numbers[0])
                _meet_dealer(ones, others, values, known, order[:count], runs, seen, held)
            for own in range(count):
                if not free[ones[own]] or not free[others[own]]:
                    continue
                run, holding = run_of[values[own]], holding_of[ones[own], others[own]]
                for end in range(len(nets)):
                    plain[end], worth[end] = 0, 0
                    for cell in range(nets.shape[2]):
                        plain[end] += nets[end, run, cell] * every[own, cell]
                        worth[end] += nets[end, run, cell] * held[own, cell]
                for target in range(len(targets)):
                    best, most = targets[target, 0], worth[targets[target, 0]]
                    for end in targets[target]:
                        if end >= 0:
                            best = end if plain[end] > plain[best] else best
                            most = max(most, worth[end])
                    sums[2, target, holding] += plain[best]
                    if times:
                        sums[0, target, holding] += times * most
                        sums[1, target, holding] += times * worth[best]
                if times:
                    ways[holding] += times * held[own].sum()


@inline
def _class_of(card: int, suit: int, ranks: int) -> int:
    """The class of a card beside boards on which a flush is possible in a suit; a suit of 4 is none."""
    return card // SUITS + ranks * (card % SUITS == suit)


@inline
def _flush_suit(board: Ints) -> int:
    """The suit in which a flush is possible; 4 where none is."""
    held, suit = np.zeros(SUITS, np.int64), SUITS
    for card in board:
        held[card % SUITS] += 1
        if held[card % SUITS] == 3:
            suit = card % SUITS
    return suit


@inline
def _value_pairs(board: Ints, suit: int, row: Ints, by_suit: Ints, pair_of: Ints, there: Ints, values: Ints) -> None:
    """By two classes of those that are there: the value of such cards with the board."""
    ranks, mask = len(pair_of), 0
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
            values[one, other] = value


@inline
def _cell(theirs: int, mine: int, runs: Ints) -> int:
    """The cell of a dealer's value beside the player's."""
    return int(3 * runs[theirs] + (theirs >= mine) + (theirs > mine))


@inline
def _order_others(known: int, there: Ints, values: Ints, others: Ints) -> None:
    """The classes that the dealer's other card may have, in the order of the values that they make."""
    for at in range(len(there)):
        card, to = there[at], at
        while to > 0 and values[known, others[to - 1]] > values[known, card]:
            others[to] = others[to - 1]
            to -= 1
        others[to] = card


@inline
def _shift(worth: Ints, nets: Ints, cell: int, to: int, times: int) -> None:
    """So many hands of the dealer are in another cell."""
    for end in range(len(worth)):
        worth[end] += times * (nets[to, end] - nets[cell, end])


@inline
def _add(sums: Ints, brought: Ints) -> None:
    for target in range(len(brought)):
        sums[target] += brought[target]


@inline
def _add_holdings(both: Ints, card: int, beside: int, suit: int, lies: Flags, brought: Ints, holding_of: Ints) -> None:
    """Add to the holdings of a card with any of a class that does not lie on the board."""
    ranks = len(lies) // SUITS
    for other in range(beside % ranks * SUITS, beside % ranks * SUITS + SUITS):
        if not lies[other] and _class_of(other, suit, ranks) == beside:
            _add(both[holding_of[card, other]], brought)


@compile_loop
def note_board(
    turn: int, river: int, suit: int, theirs: int, one: int, two: int, lies: Flags, brought: Ints, holding_of: Ints,
    known: Ints, own: Ints, both: Ints,
) -> None:  # fmt: skip
    """Notes what a board brought to classes of which it has cards: for one of its cards, and for both."""
    ranks = len(lies) // SUITS
    for card, other in ((turn, river), (river, turn)):
        mine, others = _class_of(card, suit, ranks), _class_of(other, suit, ranks)
        if theirs == mine:
            _add(known[card, one, two], brought)
        for way in range(1 + (one != two)):
            held, beside = (one, two) if way == 0 else (two, one)
            if held == mine:
                _add(own[card, theirs, beside], brought)
                if theirs == others:
                    _add_holdings(both[other], card, beside, suit, lies, brought, holding_of)
    low, high = _class_of(turn, suit, ranks), _class_of(river, suit, ranks)
    if (one == low and two == high) or (one == high and two == low):
        for card in range(len(lies)):
            if not lies[card] and _class_of(card, suit, ranks) == theirs:
                _add(both[card, holding_of[turn, river]], brought)


@compile_loop
def follow_flop(
    flop: Ints, weights: Ints, codes: Ints, kinds: Ints, tables: BoardTables, runs: Ints, run_of: Ints, nets: Ints,
    targets: Ints, times_of: Ints, whole: Ints, known: Ints, own: Ints, both: Ints, holding_of: Ints,
) -> None:  # fmt: skip
    """Adds up what every target brings over turns and rivers, with one card of the dealer known.

    `times_of` by two cards: how many turns and rivers they stand for, up to suits. By flush suit, class of the
    known card and two classes of the player's cards: `whole` of all boards; `known` and `own` of the boards with
    a card that would be the dealer's or the player's, by that card; `both` with two.
    `nets` by run, cell and end.
    """
    by_ranks, by_suit, pair_of = tables
    ranks = len(pair_of)
    cards, width = SUITS * ranks, 2 * ranks
    lies, board = np.zeros(cards, np.bool_), np.zeros(5, np.int64)
    left, there = np.zeros(width, np.int64), np.zeros(width, np.int64)
    values, others = np.zeros((width, width), np.int64), np.zeros(width, np.int64)
    room = width * width
    ones, twos, mine = np.zeros(room, np.int64), np.zeros(room, np.int64), np.zeros(room, np.int64)
    order, places = np.zeros(room, np.int64), np.zeros(len(run_of) + 2, np.int64)
    worth, brought = np.zeros(nets.shape[2], np.int64), np.zeros(len(targets), np.int64)
    begun = np.int64(0)
    for at in range(3):
        board[at] = flop[at]
        lies[flop[at]] = True
        begun += weights[flop[at] // SUITS]
    for turn in range(cards):
        for river in range(turn + 1, cards):
            times = times_of[holding_of[turn, river]]
            if lies[turn] or lies[river] or not times:
                continue
            board[3], board[4] = turn, river
            lies[turn] = lies[river] = True
            suit = _flush_suit(board)
            left[:] = 0
            for card in range(cards):
                if not lies[card]:
                    left[_class_of(card, suit, ranks)] += 1
            number = 0
            for each in range(width):
                if left[each]:
                    there[number] = each
                    number += 1
            kind = kinds[np.searchsorted(codes, begun + weights[turn // SUITS] + weights[river // SUITS])]
            _value_pairs(board, suit, by_ranks[kind], by_suit, pair_of, there[:number], values)
            count = 0
            for at in range(number):
                for to in range(at, number):
                    ones[count], twos[count], mine[count] = there[at], there[to], values[there[at], there[to]]
                    count += 1
            order_holdings(mine, count, places, order)
            on_turn, on_river = _class_of(turn, suit, ranks), _class_of(river, suit, ranks)
            for at in range(number):
                theirs = there[at]
                _order_others(theirs, there[:number], values, others)
                below, reached, run = 0, 0, -1
                for place in range(count):
                    pair = order[place]
                    value, one, two = mine[pair], ones[pair], twos[pair]
                    rows = nets[run_of[value]]
                    if run_of[value] != run:
                        run = run_of[value]
                        worth[:] = 0
                        below = reached = 0
                        for to in range(number):
                            other = others[to]
                            reply = values[theirs, other]
                            below += reply < value
                            reached += reply <= value
                            for end in range(len(worth)):
                                worth[end] += (left[other] - (other == theirs)) * rows[_cell(reply, value, runs), end]
                    while reached < number and values[theirs, others[reached]] <= value:
                        other = others[reached]
                        cell = 3 * runs[values[theirs, other]]
                        _shift(worth, rows, cell + 2, cell + 1, left[other] - (other == theirs))
                        reached += 1
                    while below < number and values[theirs, others[below]] < value:
                        other = others[below]
                        cell = 3 * runs[values[theirs, other]]
                        _shift(worth, rows, cell + 1, cell, left[other] - (other == theirs))
                        below += 1
                    first, second = _cell(values[theirs, one], value, runs), _cell(values[theirs, two], value, runs)
                    for target in range(len(targets)):
                        most = np.int64(-(2**62))
                        for end in targets[target]:
                            if end >= 0:
                                most = max(most, worth[end] - rows[first, end] - rows[second, end])
                        brought[target] = times * most
                        whole[suit, theirs, one, two, target] += times * most
                    is_own = one in (on_turn, on_river) or two in (on_turn, on_river)
                    if is_own or theirs in (on_turn, on_river):
                        note_board(
                            turn, river, suit, theirs, one, two, lies, brought, holding_of, known[suit], own[suit], both
                        )
            lies[turn] = lies[river] = False


@compile_loop
def pool_flop(
    flop: Ints, whole: Ints, known: Ints, own: Ints, both: Ints, holding_of: Ints, orbit_of: Ints, pooled: Ints
) -> None:  # fmt: skip
    """Adds up by target what a known card and a holding bring, over those that are alike on the flop.

    `whole`, `known`, `own` and `both` are what `follow_flop` adds up: a board that has one of the three cards is
    taken off, and one that has two of them was taken off twice.
    """
    cards, ranks = len(known[0]), len(known[0]) // SUITS
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
