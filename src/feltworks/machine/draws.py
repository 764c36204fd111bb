"""The compiled loop that describes cards by their pairs, draws and high cards.

A card is the number 4 · rank + suit; ranks are counted from the lowest.
"""

import numpy as np

from feltworks.machine.compiler import Ints, Number, compile_loop, inline
from feltworks.machine.deck import FOUR, FULL_HOUSE, NO_SET, ONE_PAIR, SUITS, THREE, TWO_PAIR, Deck


@inline
def _count_bits(mask: Number) -> Number:
    count = np.int64(0)
    while mask:
        mask &= mask - 1
        count += 1
    return count


@inline
def _reach(mask: Number, straights: Ints) -> tuple[Number, Number]:
    """The most ranks of any one straight that the mask has, and how many straights share that maximum."""
    most, ways = np.int64(0), np.int64(0)
    for straight in straights:
        held = _count_bits(mask & straight)
        if held > most:
            most, ways = held, np.int64(0)
        ways += held == most
    return most, ways


@compile_loop
def describe_cards(own: Ints, board: Ints, deck: Deck, with_draws: bool, out: Ints) -> None:
    """Fill a row of `out` for each row of own cards and board cards; straights only `with_draws`."""
    ranks, straights, tiers = deck
    held, mine = np.zeros(len(ranks), np.int64), np.zeros(len(ranks), np.int64)
    masks, suits = np.zeros(SUITS, np.int64), np.zeros(SUITS, np.int64)
    for row in range(len(own)):
        held[:], mine[:], masks[:], suits[:] = 0, 0, 0, 0
        for card in own[row]:
            held[card >> 2] += 1
            mine[card >> 2] += 1
            masks[card & 3] |= 1 << (card >> 2)
            suits[card & 3] += 1
        topmost = np.int64(-1)
        for card in board[row]:
            held[card >> 2] += 1
            masks[card & 3] |= 1 << (card >> 2)
            suits[card & 3] += 1
            topmost = max(topmost, np.int64(card >> 2))
        out[row, :] = 0
        pairs, most, every = np.int64(0), np.int64(0), np.int64(0)
        for rank in range(len(ranks)):
            pairs += held[rank] >= 2
            most = max(most, held[rank])
            every |= np.int64(held[rank] > 0) << rank
            if held[rank] >= 2:
                out[row, 1] = ranks[rank]
                if mine[rank]:
                    out[row, 2] = ranks[rank]
            if mine[rank]:
                out[row, 3] = ranks[rank]
                if not out[row, 4]:
                    out[row, 4] = ranks[rank]
                if len(board[row]) and rank > topmost:
                    out[row, 5] += mine[rank]
        sets = NO_SET
        if most == 4:
            sets = FOUR
        elif most == 3:
            sets = FULL_HOUSE if pairs > 1 else THREE
        elif pairs:
            sets = TWO_PAIR if pairs > 1 else ONE_PAIR
        out[row, 0] = sets
        for suit in range(SUITS):
            out[row, 6] = max(out[row, 6], suits[suit])
            if not with_draws:
                continue
            reach, ways = _reach(masks[suit], straights)
            if reach > out[row, 10] or (reach == out[row, 10] and ways > out[row, 11]):
                out[row, 10], out[row, 11] = reach, ways
        for card in own[row]:
            if suits[card & 3] == out[row, 6]:
                out[row, 7] = max(out[row, 7], np.int64(ranks[card >> 2]))
        if with_draws:
            out[row, 8], out[row, 9] = _reach(every, straights)
        for tier in range(len(tiers)):
            for rank in range(tiers[tier], len(ranks)):
                out[row, 12 + tier] += held[rank]
