"""Compiled loops that enumerate the hands that the dealer can still have."""

import numpy as np

from feltworks.machine.compiler import Flags, Integers, Ints, compile_loop, inline

MOST_CARDS = 8  # of a hand


@compile_loop
def place_of(hand: Ints, size: int, choose: Ints) -> int:
    """The index of a hand among all of its size, independent of card order; sorts the hand in place."""
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
def next_choice(picked: Ints, number: int, among: int) -> bool:
    """Advance `picked` to the next combination of `number` out of `among`; False after the last."""
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
def fill_values(
    codes: Ints, suits: Ints, size: int, choose: Ints, sorted_codes: Ints, mixed: Ints, suited: Ints
) -> Integers:
    """The value of every hand of a deck, by its index.

    The sum of `codes` gives the kind of hand; its value is in `suited` if all cards share a suit, else in
    `mixed`. A wild card has the suit -1, which matches any.
    """
    cards = len(codes)
    values = np.zeros(choose[cards, size], np.int32)
    picked, going = np.arange(size), True
    while going:
        code, suit, place, is_one = np.int64(0), np.int64(-1), np.int64(0), True
        for at in range(size):
            card = picked[at]
            place += choose[card, at + 1]
            code += codes[card]
            if suits[card] >= 0:
                if suit >= 0 and suits[card] != suit:
                    is_one = False
                suit = suits[card]
        kind = np.searchsorted(sorted_codes, code)
        values[place] = suited[kind] if is_one else mixed[kind]
        going = next_choice(picked, size, cards)
    return values


@compile_loop
def count_values(held: Ints, unseen: Ints, size: int, choose: Ints, values: Integers, counts: Ints) -> None:
    """Counts the dealer's hands by value: the cards `held`, with others of `unseen`, both in ascending order.

    A hand's index is a sum over its cards; each adds a number that depends on how many of them are below it.
    """
    holds, among, going = len(held), len(unseen), True
    number = size - holds
    below, under = np.zeros(among + 1, np.int64), np.zeros(MOST_CARDS, np.int64)
    for at in range(among):
        below[at] = np.searchsorted(held, unseen[at])
    picked = np.arange(max(number - 1, 1))
    while going:
        begun, last = np.int64(0), -1
        for known in range(holds):
            under[known] = known + 1
        for at in range(number - 1):
            last = picked[at]
            begun += choose[unseen[last], at + 1 + below[last]]
            for known in range(below[last], holds):
                under[known] += 1
        for final in range(last + 1, among if number else last + 2):
            place = begun
            if number:
                place += choose[unseen[final], number + below[final]]
            for known in range(holds):
                place += choose[held[known], under[known] + (number > 0 and known >= below[final])]
            counts[values[place]] += 1
        going = number > 1 and next_choice(picked, number - 1, among - 1)


@compile_loop
def list_sets(cards: int, choose: Ints, sets: Ints) -> None:
    """Fills `sets` with all sets of its width, each in the row of its index."""
    size = sets.shape[1]
    picked, going = np.arange(size), True
    while going:
        sets[place_of(picked, size, choose)] = picked
        going = next_choice(picked, size, cards)


@compile_loop
def list_hands(sets: Ints, lots: Ints, choose: Ints, values: Integers, whole: Integers) -> None:
    """Fills `whole` by set and lot: the value of the hand they make, if they share no card."""
    held, size = sets.shape[1], sets.shape[1] + lots.shape[1]
    hand = np.zeros(MOST_CARDS, np.int64)
    for row in range(len(sets)):
        for lot in range(len(lots)):
            is_hand = True
            for at in range(held):
                is_hand &= not (lots[lot] == sets[row, at]).any()
            if is_hand:
                hand[:held] = sets[row]
                hand[held:size] = lots[lot]
                whole[row, lot] = values[place_of(hand, size, choose)]


@inline
def _count_hand(hand: Ints, splits: Ints, choose: Ints, starts: Ints, numbers: Ints, counts: Integers) -> None:
    """Count a dealer's hand once for every lot that it contains and every set of its other cards."""
    size = len(hand)
    for part in range(1 << size):
        held, number = 0, np.int64(0)
        for at in range(size):
            if part >> at & 1:
                held += 1
                number += choose[hand[at], held]
        numbers[part] = number
    for at in range(len(splits)):
        counts[starts[splits[at, 2]] + numbers[splits[at, 1]], numbers[splits[at, 0]]] += 1


@inline
def _count_lots(
    hand: Ints, sets: Ints, choose: Ints, starts: Ints, counts: Integers, whole: Integers, bounds: Ints, met: Integers
) -> None:
    """By bound and lot: count the dealer's hands below the bound that hold the lot and none of the player's cards.

    Uses inclusion and exclusion over sets of the player's cards; a set that completes the lot is one hand.
    """
    met[:] = 0
    for place in range(len(sets)):
        part, number = sets[place]
        row, held = np.int64(0), 0
        for at in range(len(hand)):
            if part >> at & 1:
                held += 1
                row += choose[hand[at], held]
        sign = np.int32(-1 if number % 2 else 1)
        for bound in range(len(bounds)):
            if number < len(starts):
                below = counts[bound, starts[number] + row]
                for lot in range(len(below)):
                    met[bound, lot] += sign * below[lot]
            else:
                hands = whole[row]
                for lot in range(len(hands)):
                    met[bound, lot] += sign * np.int32(hands[lot] < bounds[bound])


@compile_loop
def best_of_lots(
    hands: Ints, dealers: Ints, cuts: Ints, choose: Ints, whole: Integers, lots: Ints, part_of: Ints, splits: Ints,
    sets: Ints, starts: Ints, mine: Ints, slopes: Ints, missing: Flags, reached: Ints, counts: Integers, best: Ints,
) -> None:  # fmt: skip
    """By hand of the player, sorted by value: adds the total of the best choice for each part, over all parts.

    `dealers` are the dealer's hands sorted by value, with the value in the last column. `counts` is a work array by
    bound, set and lot; the bounds are every cut, the player's value and the next value. `reached` by bound is how
    many dealer's hands are counted already, so that the player's hands can come in several calls. `slopes` by hand
    and choice: what a dealer's hand below each bound adds, and last the total above all bounds. `part_of` by lot:
    the parts that it belongs to; a part is what the player can know.
    """
    bounds, size = np.append(cuts, np.zeros(2, cuts.dtype)), hands.shape[1]
    met, room = np.zeros((len(bounds), len(lots)), np.int32), np.zeros(1 << size, np.int64)
    worth = np.zeros((slopes.shape[1], part_of.max() + 1), np.int64)
    is_mine = np.zeros(len(choose), np.bool_)
    for row in range(len(hands)):
        bounds[-2:] = mine[row], mine[row] + 1
        for bound in range(len(bounds)):
            while reached[bound] < len(dealers) and dealers[reached[bound], size] < bounds[bound]:
                _count_hand(dealers[reached[bound], :size], splits, choose, starts, room, counts[bound])
                reached[bound] += 1
        _count_lots(hands[row], sets, choose, starts, counts, whole, bounds, met)
        is_mine[:] = False
        is_mine[hands[row]] = True
        worth[:] = 0
        for lot in range(len(lots)):
            if is_mine[lots[lot]].any():
                continue
            for choice in range(len(worth)):
                brought = slopes[row, choice, len(bounds)]
                for bound in range(len(bounds)):
                    brought += slopes[row, choice, bound] * met[bound, lot]
                for part in part_of[lot]:
                    worth[choice, part] += brought
        for part in range(worth.shape[1]):
            most = worth[0, part]
            for choice in range(1, len(worth)):
                if not missing[row, choice]:
                    most = max(most, worth[choice, part])
            best[row] += most
