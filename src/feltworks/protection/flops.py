"""Compiled loops over one flop: the value of each holding of the player when cards are known.

Where only cards of the dealer are known, cards are grouped into classes that are equivalent on a board: by rank, and
by whether a flush is possible in their suit. All boards are added up by their ranks alone; then, for each suit, what
a flush in it changes. The classes of all cards tell how many turns and rivers are left of each class.
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
    suited: Ints  # and how many of them are of the suit
    places: Ints  # its number among all pairs of classes
    by_ranks: Ints  # and that of its ranks
    values: Ints
    order: Integers  # pairs in the order of their values
    some: Integers  # by least number of cards of the suit: the pairs with as many, in the order of their values
    numbers: Ints  # how many pairs these are
    room: Ints  # work array for sorting
    replies: Integers  # the classes of the dealer's other card, sorted by their value with the known one
    worse: Ints  # by index into the replies and end: the total of those before it, if they lose
    equal: Ints  # and if they tie
    better: Ints  # the total of it and those after it, if they win
    worth: Ints  # by end
    own: Ints  # by end, less what the player's cards take from the dealer


@inline
def _make_classes(spot: Spot, ends: int) -> Classes:
    width = len(spot.holding_of) // SUITS * 2
    most = width * (width + 1) // 2
    # Unsigned indices are faster: Numba checks signed ones for negative values
    there, replies = np.zeros((2, width), np.uint8)
    ones, twos, order = np.zeros((3, most), np.uint32)
    left, (suited, places, by_ranks, values) = np.zeros(width, np.int64), np.zeros((4, most), np.int64)
    value_of, room = np.zeros((width, width), np.int64), np.zeros(len(spot.run_of) + 2, np.int64)
    worse, equal, better = np.zeros((3, width + 1, ends), np.int64)
    worth, own = np.zeros((2, ends), np.int64)
    return Classes(
        left, there, value_of, ones, twos, suited, places, by_ranks, values, order, np.zeros((3, most), np.uint32),
        np.zeros(3, np.int64), room, replies, worse, equal, better, worth, own,
    )  # fmt: skip


@inline
def _rank_of(held: int, ranks: int) -> int:
    return held - ranks if held >= ranks else held


@inline
def _pair_place(one: int, other: int, among: int) -> int:
    """The number of a pair of classes among all of them."""
    low, high = min(one, other), max(one, other)
    return low * (2 * among - low - 1) // 2 + high


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
            one, two = there[at], there[to]
            ones[count], twos[count], values[count] = one, two, value_of[one, two]
            room.suited[count] = np.int64(one >= ranks) + np.int64(two >= ranks)
            room.places[count] = _pair_place(one, two, 2 * ranks)
            room.by_ranks[count] = _pair_place(_rank_of(one, ranks), _rank_of(two, ranks), ranks)
            count += 1
    order_holdings(values, count, room.room, room.order)
    room.numbers[:] = 0
    for place in range(count):
        for least in range(room.suited[room.order[place]] + 1):
            room.some[least, room.numbers[least]] = room.order[place]
            room.numbers[least] += 1
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
            value = row[pair_of[_rank_of(one, ranks), _rank_of(other, ranks)]]
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
    spot: Spot, runs: Ints, nets: Ints, room: Classes, theirs: int, number: int, some: Integers, brought: Ints
) -> None:
    """Fills `brought` for some of the player's pairs by target: its total against a known class and any other card."""
    value_of, ones, twos, values, replies = room.value_of, room.ones, room.twos, room.values, room.replies
    worse, equal, better, worth, own = room.worse, room.equal, room.better, room.worth, room.own
    targets, run_of = spot.targets, spot.run_of
    _order_replies(theirs, room.there[:number], value_of, replies)
    below, reached, run, last, rows = 0, 0, np.int64(-1), np.int64(-1), nets[0]
    for pair in some:
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
        for end in range(len(worth)):
            own[end] = worth[end] - rows[first, end] - rows[second, end]
        for target in range(len(targets)):
            most = own[targets[target, 0]]
            for place in range(1, targets.shape[1]):
                if targets[target, place] >= 0:
                    most = max(most, own[targets[target, place]])
            brought[pair, target] = most


@inline
def _find_card(held: int, suit: int, ranks: int, lies: Flags) -> int:
    """A card of a class that is not on the board."""
    for card in range(held % ranks * SUITS, held % ranks * SUITS + SUITS):
        if not lies[card] and _class_of(card, suit, ranks) == held:
            return card
    return -1


@inline
def _value_known(
    spot: Spot, runs: Ints, nets: Ints, most: Ints, room: Classes, at: int, number: int, some: Integers, brought: Ints
) -> None:
    """Fills `brought` for some of the player's pairs by target: the total when the class or pair at `at` is known."""
    if not len(most):
        _value_class(spot, runs, nets, room, room.there[at], number, some, brought)
        return
    theirs = room.values[at]
    for pair in some:
        run, cell = spot.run_of[room.values[pair]], _cell(theirs, room.values[pair], runs)
        for target in range(brought.shape[1]):
            brought[pair, target] = most[run, cell, target]


@inline
def _add_known(
    sums: Ints, base: Ints, room: Classes, some: Integers, brought: Ints, turn: int, river: int, turns: int, rivers: int
) -> None:
    """Adds what the player's pairs bring beside the ranks alone, for every turn and river left of these classes."""
    for pair in some:
        one, two = room.ones[pair], room.twos[pair]
        times = turns - np.int64(one == turn) - np.int64(two == turn)
        if turn == river:
            times = times * (times - 1) // 2
        else:
            times *= rivers - np.int64(one == river) - np.int64(two == river)
        if times:
            place, by_ranks = room.places[pair], room.by_ranks[pair]
            for target in range(brought.shape[1]):
                sums[place, target] += times * (brought[pair, target] - base[by_ranks, target])


@inline
def _fill_base(
    spot: Spot, runs: Ints, nets: Ints, most: Ints, board: Ints, kind: Number, lies: Flags, room: Classes,
    brought: Ints, base: Ints,
) -> None:  # fmt: skip
    """Fills `base` by known rank or ranks and the player's ranks: what a board brings by the ranks alone."""
    number, count = _list_classes(spot, board, kind, lies, SUITS, room)
    for at in range(count if len(most) else number):
        _value_known(spot, runs, nets, most, room, at, number, room.order[:count], brought)
        row = base[room.by_ranks[at] if len(most) else room.there[at]]
        for pair in range(count):
            for target in range(brought.shape[1]):
                row[room.by_ranks[pair], target] = brought[pair, target]


@compile_loop
def follow_flop(
    spot: Spot, kinds: RankKinds, runs: Ints, nets: Ints, most: Ints, flop: Ints, suit: int, sums: Ints
) -> None:
    """Adds up by the dealer's known class or pair of classes, by the player's, and target: its total over all boards.

    With a suit, only what a flush in it changes beside the ranks alone, which `SUITS` stands for. `runs` by value of
    the dealer; `nets` by run, cell and end; `most` by run, cell and target if both cards are known, else empty.
    """
    ranks, cards, both = len(spot.tables.pair_of), len(spot.holding_of), len(most) > 0
    lies, board = np.zeros(cards, np.bool_), np.zeros(5, np.int64)
    room, plain = _make_classes(spot, nets.shape[2]), _make_classes(spot, nets.shape[2])
    brought = np.zeros((len(room.ones), sums.shape[2]), np.int64)
    pairs = ranks * (ranks + 1) // 2
    base = np.zeros((pairs if both else ranks, pairs, sums.shape[2]), np.int64)
    left, on_flop = np.zeros(2 * ranks, np.int64), 0
    _lay_flop(flop, board, lies)
    for card in range(cards):
        on_flop += lies[card] and card % SUITS == suit
        left[_class_of(card, suit, ranks)] += not lies[card]
    for each in range(ranks * ranks):
        if each // ranks > each % ranks:
            continue
        is_based = suit == SUITS
        for part in range(4):
            turn, river = each // ranks + ranks * (part % 2), each % ranks + ranks * (part // 2)
            suited = on_flop + part % 2 + part // 2
            if turn > river and each // ranks == each % ranks:
                continue
            if not left[turn] or left[river] <= (turn == river) or (suit < SUITS and suited < 3):
                continue
            board[3] = _find_card(turn, suit, ranks, lies)
            lies[board[3]] = True
            board[4] = _find_card(river, suit, ranks, lies)
            lies[board[4]] = True
            kind = _kind_of(kinds, board)
            if not is_based:
                _fill_base(spot, runs, nets, most, board, kind, lies, plain, brought, base)
                is_based = True
            number, count = _list_classes(spot, board, kind, lies, suit, room)
            for at in range(count if both else number):
                first = room.ones[at] if both else room.there[at]
                second = room.twos[at] if both else room.there[at]
                theirs = suited + (room.suited[at] if both else 1 + (first >= ranks))
                least = 5 - suited if suit < SUITS and theirs < 5 else 0  # for a flush, where the dealer has none
                if least > 2:
                    continue
                some = room.some[least, : room.numbers[least]]
                _value_known(spot, runs, nets, most, room, at, number, some, brought)
                known, plainly = (room.places[at], room.by_ranks[at]) if both else (first, _rank_of(first, ranks))
                turns = left[turn] - np.int64(first == turn) - np.int64(both and second == turn)
                rivers = left[river] - np.int64(first == river) - np.int64(both and second == river)
                _add_known(sums[known], base[plainly], room, some, brought, turn, river, turns, rivers)
            lies[board[3]] = lies[board[4]] = False


def class_places(pairs: Ints, cards: int) -> tuple[Ints, Ints]:
    """By suit and card its class, and by suit and holding the number of its pair of classes."""
    ranks, every = cards // SUITS, np.arange(cards)
    classes = np.stack([every // SUITS + ranks * (every % SUITS == suit) for suit in range(SUITS + 1)])
    low, high = np.sort(classes[:, pairs], axis=2).transpose(2, 0, 1)
    return classes, low * (4 * ranks - low - 1) // 2 + high


@compile_loop
def pool_flop(
    flop: Ints, suits: Ints, sums: Ints, pairs: Ints, known: Ints, places: Ints, theirs: Ints, lots: Integers,
    sizes: Integers, goes: Integers, options: Ints, firsts: Ints,
) -> None:  # fmt: skip
    """Adds to `firsts` by class and option the best total on the flop of what is known with every holding.

    `known` has the known cards; `theirs` and `places` are their numbers and those of holdings by suit. `lots` has one
    of the known cards with a holding out of those that are equivalent on the flop; `sizes` is their number.
    """
    total = np.zeros(sums.shape[3], np.int64)
    for lot in range(len(lots)):
        held, holding = lots[lot] // len(pairs), lots[lot] % len(pairs)
        is_dealt = True
        for at in range(2):
            for card in flop:
                is_dealt &= card != pairs[holding, at]
            for card in known[held]:
                is_dealt &= card != pairs[holding, at]
        for card in flop:
            for other in known[held]:
                is_dealt &= card != other
        if not is_dealt:
            continue
        total[:] = 0
        for suit in suits:
            known_place, place = theirs[suit, held], places[suit, holding]
            for target in range(len(total)):
                total[target] += sums[suit, known_place, place, target]
        for option in range(len(options)):
            best = total[options[option, 0]]
            for target in options[option]:
                best = max(best, total[target]) if target >= 0 else best
            firsts[goes[lot], option] += sizes[lot] * best
