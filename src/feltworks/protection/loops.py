"""The compiled loops of this package: the dealer's hands that a player has to reckon with, one by one."""

from typing import Any

import numpy as np

from feltworks.machine.compiler import compile_loop, inline

MOST_CARDS = 8  # of a hand


@compile_loop
def place_of(hand: Any, size: int, choose: Any) -> int:
    """The number of a hand among all of its size, whatever the order of its cards; sorts it."""
    place = 0
    for at in range(1, size):
        card, to = hand[at], at
        while to > 0 and hand[to - 1] > card:
            hand[to] = hand[to - 1]
            to -= 1
        hand[to] = card
    for at in range(size):
        place += choose[hand[at], at + 1]
    return place


@compile_loop
def next_choice(picked: Any, number: int, among: int) -> bool:
    """The next way to pick so many of some; False after the last."""
    at = number - 1
    while at >= 0 and picked[at] == among - number + at:
        at -= 1
    if at < 0:
        return False
    picked[at] += 1
    for later in range(at + 1, number):
        picked[later] = picked[later - 1] + 1
    return True


@compile_loop
def fill_values(codes: Any, suits: Any, size: int, choose: Any, sorted_codes: Any, mixed: Any, suited: Any) -> Any:
    """The value of every hand of a deck, by its place.

    `codes` are added up to a kind of hand, which is worth `suited` where all its suits are one; a wild card
    has the suit -1, which suits any.
    """
    cards = len(codes)
    values = np.zeros(choose[cards, size], np.int32)
    picked, hand = np.arange(size), np.zeros(MOST_CARDS, np.int64)
    going = True
    while going:
        code, suit, is_one = np.int64(0), np.int64(-1), True
        for at in range(size):
            card = picked[at]
            hand[at] = card
            code += codes[card]
            if suits[card] >= 0:
                if suit >= 0 and suits[card] != suit:
                    is_one = False
                suit = suits[card]
        kind = np.searchsorted(sorted_codes, code)
        values[place_of(hand, size, choose)] = suited[kind] if is_one else mixed[kind]
        going = next_choice(picked, size, cards)
    return values


@compile_loop
def count_long(
    unseen: Any, held: Any, holds: int, size: int, choose: Any, values: Any, runs: Any, mine: int, cells: Any
) -> None:
    """The same as `count_cells` for any number of cards held, each hand put in order by itself."""
    number, hand = size - holds, np.zeros(MOST_CARDS, np.int64)
    picked, going = np.arange(max(number, 1)), True
    while going:
        for at in range(holds):
            hand[at] = held[at]
        for at in range(number):
            hand[holds + at] = unseen[picked[at]]
        value = values[place_of(hand, size, choose)]
        cells[runs[value] * 3 + 1 + (value > mine) - (value < mine)] += 1
        going = number > 0 and next_choice(picked, number, len(unseen))


@compile_loop
def count_cells(
    unseen: Any, held: Any, holds: int, size: int, choose: Any, values: Any, runs: Any, mine: int, cells: Any
) -> None:
    """Count the dealer's hands by run and by relation to a value of the player's.

    The dealer holds `holds` cards that are known, and the others are from `unseen`, which is in ascending
    order: with two known at most, the place of a hand is a sum to which its last card adds one number.
    """
    cells[:] = 0
    number, among = size - holds, len(unseen)
    if holds > 2:
        count_long(unseen, held, holds, size, choose, values, runs, mine, cells)
        return
    low, high = np.int64(-1), np.int64(-1)  # the cards held, in order
    if holds == 1:
        high = held[0]
    elif holds == 2:
        low, high = min(held[0], held[1]), max(held[0], held[1])
    picked, going = np.arange(max(number - 1, 1)), True
    while going:
        begun, under_low, under_high, last = np.int64(0), 0, int(holds == 2), -1
        for at in range(number - 1):
            last = picked[at]
            card = unseen[last]
            under_low += card < low
            under_high += card < high
            begun += choose[card, at + 1 + (holds == 2 and card > low) + (holds > 0 and card > high)]
        for final in range(last + 1, among):
            card = unseen[final]
            place = begun + choose[card, number + (holds == 2 and card > low) + (holds > 0 and card > high)]
            if holds > 0:
                place += choose[high, under_high + (card < high) + 1]
            if holds == 2:
                place += choose[low, under_low + (card < low) + 1]
            value = values[place]
            relation = 1 + (value > mine) - (value < mine)
            cells[runs[value] * 3 + relation] += 1
        going = number > 1 and next_choice(picked, number - 1, among - 1)


@compile_loop
def worth_by_card(
    hands: Any, up_cards: Any, cards: int, size: int, choose: Any, values: Any, runs: Any, mine: Any,
    nets: Any, worth: Any,
) -> None:  # fmt: skip
    """What each choice of each hand brings against all dealer's hands that hold a card, card by card.

    `nets` by hand, choice and cell; `worth` by hand, card and choice is filled in.
    """
    unseen, held = np.zeros(cards, np.int64), np.zeros(MOST_CARDS, np.int64)
    cells = np.zeros(nets.shape[2], np.int64)
    for row in range(len(hands)):
        holds = 1
        if up_cards[row] >= 0:
            held[1] = up_cards[row]
            holds = 2
        for known in range(cards):
            is_free, number = known != up_cards[row], 0
            for card in range(cards):
                is_mine = card == up_cards[row]
                for at in range(size):
                    is_mine |= hands[row, at] == card
                if is_mine:
                    is_free = is_free and card != known
                elif card != known:
                    unseen[number] = card
                    number += 1
            if not is_free:
                continue
            held[0] = known
            count_cells(unseen[:number], held, holds, size, choose, values, runs, mine[row], cells)
            for choice in range(nets.shape[1]):
                total = np.int64(0)
                for cell in range(len(cells)):
                    total += nets[row, choice, cell] * cells[cell]
                worth[row, known, choice] = total


@compile_loop
def worth_of_deals(
    hands: Any, held: Any, holds: Any, unseen: Any, size: int, choose: Any, values: Any, runs: Any, mine: Any,
    nets: Any, worth: Any,
) -> None:  # fmt: skip
    """What each choice brings in each of some deals: the dealer's known cards, and those nobody has seen."""
    cells = np.zeros(nets.shape[2], np.int64)
    for row in range(len(hands)):
        count_cells(unseen[row], held[row], holds, size, choose, values, runs, mine[row], cells)
        for choice in range(nets.shape[1]):
            total = np.int64(0)
            for cell in range(len(cells)):
                total += nets[row, choice, cell] * cells[cell]
            worth[row, choice] = total


@compile_loop
def best_of_lots(
    hands: Any, cards: int, number: int, size: int, choose: Any, values: Any, runs: Any, mine: Any, nets: Any,
    missing: Any, best: Any,
) -> None:  # fmt: skip
    """By hand: what the best choice for each lot of so many known dealer's cards brings, over all lots."""
    unseen, held, open_cards = np.zeros(cards, np.int64), np.zeros(MOST_CARDS, np.int64), np.zeros(cards, np.int64)
    cells = np.zeros(nets.shape[2], np.int64)
    for row in range(len(hands)):
        left = 0
        for card in range(cards):
            is_mine = False
            for at in range(size):
                is_mine |= hands[row, at] == card
            if not is_mine:
                unseen[left] = card
                left += 1
        picked, going = np.arange(number), True
        while going:
            at, rest = 0, 0
            for place in range(left):
                if at < number and picked[at] == place:
                    held[at] = unseen[place]
                    at += 1
                else:
                    open_cards[rest] = unseen[place]
                    rest += 1
            count_cells(open_cards[:rest], held, number, size, choose, values, runs, mine[row], cells)
            most, is_first = np.int64(0), True
            for choice in range(nets.shape[1]):
                if not missing[row, choice]:
                    total = np.int64(0)
                    for cell in range(len(cells)):
                        total += nets[row, choice, cell] * cells[cell]
                    most = total if is_first else max(most, total)
                    is_first = False
            best[row] += most
            going = next_choice(picked, number, left)


@compile_loop
def grow_values(own: Any, unseen: Any, size: int, choose: Any, values: Any, grown: Any) -> None:
    """The value of a hand with every order of the cards that complete it; -1 where a card comes twice."""
    more, hand = size - len(own), np.zeros(MOST_CARDS, np.int64)
    number = len(unseen)
    for place in range(len(grown)):
        rest, is_dealt = place, True
        for at in range(len(own)):
            hand[at] = own[at]
        for at in range(more):  # the last card changes fastest
            card = unseen[rest % number]
            rest //= number
            for before in range(size - at, size):
                is_dealt &= hand[before] != card
            hand[size - 1 - at] = card
        grown[place] = -1
        if is_dealt:
            grown[place] = values[place_of(hand, size, choose)]


@compile_loop
def mean_from(
    start: int, counts: Any, after: Any, choices: Any, arrival: Any, dots: Any, node: Any, place: Any,
    sums: Any,
) -> float:  # fmt: skip
    """What a round brings on average under the best choices, from a state and a composition on.

    `dots` holds, for a state after which any card ends the round, what the whole composition brings there;
    the cards taken since are subtracted. It is NaN for other states. The last three are room to work in.
    """
    left, at, value, is_back = counts.sum(), 0, 0.0, False
    node[0], place[0], sums[0] = start, 0, 0.0
    while True:
        state = node[at]
        is_choice = choices[state, 0] >= 0
        if is_back:  # what follows a card or a choice is known: add it up and go on with the next
            if is_choice:
                sums[at] = max(sums[at], value)
            else:
                counts[place[at]] += 1
                left += 1
                sums[at] += counts[place[at]] * value
            place[at] += 1
        elif is_choice:
            sums[at] = -np.inf
        is_back, goes_on, following = False, False, np.int64(-1)
        if is_choice:
            if place[at] < choices.shape[1] and choices[state, place[at]] >= 0:
                goes_on, following = True, choices[state, place[at]]
            else:
                value = arrival[state] + sums[at]
        elif after[state, 0] < 0:
            value = arrival[state]
        elif not np.isnan(dots[state]):
            value = dots[state]
            for before in range(at):
                if choices[node[before], 0] < 0:
                    value -= arrival[after[state, place[before]]]
            value = arrival[state] + value / left
        else:
            while place[at] < len(counts) and counts[place[at]] == 0:
                place[at] += 1
            if place[at] < len(counts):
                goes_on, following = True, after[state, place[at]]
                counts[place[at]] -= 1
                left -= 1
            else:
                value = arrival[state] + sums[at] / left
        if goes_on:
            at += 1
            node[at], place[at], sums[at] = following, 0, 0.0
        elif at == 0:
            return value
        else:
            at -= 1
            is_back = True


@compile_loop
def composition_means(
    start: int, compositions: Any, after: Any, choices: Any, arrival: Any, is_last: Any, means: Any
) -> None:
    """The mean of a round from each of some compositions of the shoe."""
    dots, node, place = np.full(len(after), np.nan), np.zeros(64, np.int64), np.zeros(64, np.int64)
    sums = np.zeros(64, np.float64)
    for row in range(len(compositions)):
        counts = compositions[row].copy()
        for state in range(len(after)):
            if is_last[state]:
                total = 0.0
                for kind in range(len(counts)):
                    total += counts[kind] * arrival[after[state, kind]]
                dots[state] = total
        means[row] = mean_from(start, counts, after, choices, arrival, dots, node, place, sums)


@compile_loop
def script_law(left: Any, start: int, script: Any, after: Any, column: Any, law: Any) -> None:
    """How likely each result of the dealer is, from each of some lots of cards left.

    `script` holds the cards that are known to come, -1 where one is not known; they are not among those left.
    `after` by state and value, `column` by state: the place of its result in `law`, -1 while the dealer draws.
    """
    node, place, weight = np.zeros(32, np.int64), np.zeros(32, np.int64), np.zeros(32, np.float64)
    for row in range(len(left)):
        unseen, at, is_back = left[row].sum(), 0, False
        node[0], place[0], weight[0] = start, -1, 1.0
        while at >= 0:
            state, following = node[at], np.int64(-1)
            is_known = at < len(script) and script[at] >= 0
            if is_back and not is_known:
                left[row, place[at]] += 1
                unseen += 1
            if column[state] >= 0:
                law[row, column[state]] += weight[at]
            elif is_known:
                if not is_back:
                    following, weight[at + 1] = after[state, script[at]], weight[at]
            else:
                place[at] += 1
                while place[at] < left.shape[1] and left[row, place[at]] == 0:
                    place[at] += 1
                if place[at] < left.shape[1]:
                    following = after[state, place[at]]
                    weight[at + 1] = weight[at] * left[row, place[at]] / unseen
                    left[row, place[at]] -= 1
                    unseen -= 1
            is_back = bool(following < 0)
            if is_back:
                at -= 1
            else:
                at += 1
                node[at], place[at] = following, -1


@inline
def _best_value(
    one: int, other: int, kind: int, suit: int, mask: int, by_ranks: Any, by_suit: Any, pair_of: Any
) -> Any:
    """The value of the best hand of a board and two cards.

    `kind` is that of the board's ranks; `mask` has those of the suit in which a flush can be made, if any.
    """
    value = by_ranks[kind, pair_of[one // 4, other // 4]]
    if suit >= 0:
        if one % 4 == suit:
            mask |= 1 << one // 4
        if other % 4 == suit:
            mask |= 1 << other // 4
        value = max(value, by_suit[mask])
    return value


@inline
def _best_end(nets: Any, run: int, met: Any, ends: Any) -> Any:
    """The end that brings most against the cells met, and what it brings."""
    best, most = ends[0], np.int64(0)
    for place in range(len(ends)):
        if ends[place] >= 0:
            worth = np.int64(0)
            for cell in range(len(met)):
                worth += nets[ends[place], run, cell] * met[cell]
            if place == 0 or worth > most:
                best, most = ends[place], worth
    return best, most


@compile_loop
def value_flop(
    own: Any, flop: Any, status: Any, held: int, later: int, weights: Any, codes: Any, kinds: Any, tables: Any,
    cuts: Any, run_of: Any, nets: Any, targets: Any, sums: Any,
) -> None:  # fmt: skip
    """What every target brings on a flop, over all boards and dealer's hands.

    `status` by card: 1 known to be the dealer's, 2 known to be out, 3 known to come on the board. `sums` by
    target: the best ends for one who knows that, over what can come; the same with the ends of one who does
    not; and these ends over all that he thinks can come.
    """
    by_ranks, by_suit, pair_of = tables
    cards = len(status)
    lies, suits = np.zeros(cards, np.bool_), np.zeros(4, np.int64)
    unseen = np.zeros(cards, np.int64)
    every, met = np.zeros(nets.shape[2], np.int64), np.zeros(nets.shape[2], np.int64)
    begun = np.int64(0)
    for card in flop:
        lies[card] = True
        begun += weights[card // 4]
    for card in own:
        lies[card] = True
    for one in range(cards):
        for other in range(one + 1, cards):
            if lies[one] or lies[other]:
                continue
            can_come = status[one] in (0, 3) and status[other] in (0, 3)
            can_come = can_come and (status[one] == 3) + (status[other] == 3) == later
            kind = kinds[np.searchsorted(codes, begun + weights[one // 4] + weights[other // 4])]
            suit, mask = -1, 0
            suits[:] = 0
            for at in range(5):
                card = flop[at] if at < 3 else one if at == 3 else other
                suits[card % 4] += 1
                if suits[card % 4] == 3:
                    suit = card % 4
            for at in range(5):
                card = flop[at] if at < 3 else one if at == 3 else other
                if card % 4 == suit:
                    mask |= 1 << card // 4
            mine = _best_value(own[0], own[1], kind, suit, mask, by_ranks, by_suit, pair_of)
            every[:], met[:] = 0, 0
            number = 0
            for card in range(cards):
                if not lies[card] and card != one and card != other:
                    unseen[number] = card
                    number += 1
            for first in range(number):
                for second in range(first + 1, number):
                    a, b = unseen[first], unseen[second]
                    value = _best_value(a, b, kind, suit, mask, by_ranks, by_suit, pair_of)
                    run = 0
                    while run < len(cuts) and cuts[run] <= value:
                        run += 1
                    cell = 3 * run + 1 + (value > mine) - (value < mine)
                    every[cell] += 1
                    if status[a] < 2 and status[b] < 2 and status[a] + status[b] == held:
                        met[cell] += 1
            for target in range(len(targets)):
                leaf, worth = _best_end(nets, run_of[mine], every, targets[target])
                sums[2, target] += worth
                if can_come:
                    sums[0, target] += _best_end(nets, run_of[mine], met, targets[target])[1]
                    for cell in range(len(met)):
                        sums[1, target] += nets[leaf, run_of[mine], cell] * met[cell]
