"""Blackjack rounds at machine speed: who draws is restated here (BJ.2, BJ.5, LB.4), nothing is paid.

How a hand is played is looked up in `acts` by its state, how it comes out in `book` by its code and the
dealer's; the arrays are laid out by `places` and filled by the modules beside this one.
"""

from typing import Any

import numpy as np

from feltworks.machine.compiled import lean, woven
from feltworks.machine.streams import Handle
from feltworks.simulation.kernels.blackjack import places as p
from feltworks.simulation.kernels.blackjack.counting import block_by_count, count_round
from feltworks.simulation.kernels.blackjack.settled import settle_round, sizes_of
from feltworks.simulation.kernels.blackjack.shoe import begin_round, deal

_NATURAL_KEY = 11 + p.ACE
_UNMADE = 0


@lean
def deal_rounds(
    stream: Handle,
    rounds: int,
    shoe: Any,
    at: Any,
    rules: Any,
    seats: Any,
    book: Any,
    nexts: Any,
    acts: Any,
    three: Any,
    raises: Any,
    nets: Any,
    counts: Any,
    hands: Any,
    log: Any,
    sums: Any,
    out: Any,
) -> None:
    """Deal, play and count so many rounds; `out` takes what the first seat is up, where it has room."""
    spots, before_cut, burned, ahead = rules[p.SPOTS], rules[p.BEFORE_CUT], rules[p.BURNED], rules[p.AHEAD]
    counting, peeks, insurance = rules[p.COUNTING] != 0, rules[p.PEEKS] != 0, rules[p.INSURANCE] != 0
    sizes = sizes_of(rules)
    for number in range(rounds):
        if counting:
            _choose_wager(shoe, at, rules, book, acts, before_cut, burned)
        begin_round(stream, shoe, at, before_cut, burned, ahead, 2 * spots + 2)
        at[p.LOGGED] = 0
        up_card, hole = shoe[at[p.POSITION] - 1], shoe[at[p.POSITION] - 2]
        if counting:
            at[p.BLOCK] = block_by_count(shoe, at, rules, book)
        key = _with_card(book[p.WEIGHT + hole] + _UNMADE, book[p.WEIGHT + up_card])
        is_natural = key == _NATURAL_KEY
        if insurance and book[p.VALUE + up_card] == 1:
            _insure(at, seats, acts, hands, spots, is_natural)
        else:
            _no_insurance(hands, spots)
        if is_natural and peeks:
            waits = False
            _stop_before_play(shoe, at, seats, book, nexts, acts, hands, spots)
        else:
            waits = _play_spots(
                stream, shoe, at, rules, seats, book, nexts, acts, hands, log, spots, up_card, counting
            )
        dealer, suited = _complete_dealer(stream, shoe, at, book, key, hole, up_card, is_natural, waits)
        if counting:
            count_round(shoe, at, rules, book, seats, hands, waits, is_natural)
        net = settle_round(
            shoe, at, sizes, seats, book, three, raises, nets, counts, hands, sums, up_card, dealer, suited
        )
        if number < len(out):
            out[number] = net


@woven
def _with_card(key: Any, weight: Any) -> Any:
    """A dealer's hand with one more card: its low total, and whether an ace is there."""
    return (key + (weight & 31)) | (weight & p.ACE)


@lean
def _choose_wager(shoe: Any, at: Any, rules: Any, book: Any, acts: Any, before_cut: int, burned: int) -> None:
    """A counter wagers by the count before the round; a fresh shoe begins at nothing."""
    if at[p.POSITION] >= at[p.CUT]:
        at[p.POSITION], at[p.READY], at[p.CUT], at[p.RUNNING], at[p.SEEN] = burned, 0, before_cut, 0, 0
    at[p.START] = at[p.POSITION]
    at[p.ROUND_LEVEL] = acts[block_by_count(shoe, at, rules, book) + p.LEVEL]


@woven
def _insure(at: Any, seats: Any, acts: Any, hands: Any, spots: int, is_natural: bool) -> None:
    """BJ.4: under an ace, before the dealer checks."""
    cell = acts[at[p.BLOCK] + p.INSURES] * (1 if is_natural else 2)
    for seat in range(spots):
        hands[seat * p.SPOT + p.INSURANCE_CELL] = cell * seats[seat * p.SEAT + p.MAIN]


@woven
def _no_insurance(hands: Any, spots: int) -> None:
    for seat in range(spots):
        hands[seat * p.SPOT + p.INSURANCE_CELL] = 0


@woven
def _stop_before_play(
    shoe: Any, at: Any, seats: Any, book: Any, nexts: Any, acts: Any, hands: Any, spots: int
) -> None:
    """LB.11: the dealer's check has found a blackjack, and every hand stays as it was dealt."""
    opened = len(nexts) - 2 * p.RESUMED + p.OPENED
    for seat in range(spots):
        first, second = shoe[at[p.START] + seat], shoe[at[p.START] + spots + seat]
        state = nexts[opened + book[p.VALUE + first] * p.ROW + book[p.VALUE + second]]
        hands[seat * p.SPOT + p.DEALT] = seats[seat * p.SEAT + p.MAIN]
        hands[seat * p.SPOT + p.FIRST] = acts[state]


@woven
def _play_spots(
    stream: Handle,
    shoe: Any,
    at: Any,
    rules: Any,
    seats: Any,
    book: Any,
    nexts: Any,
    acts: Any,
    hands: Any,
    log: Any,
    spots: int,
    up_card: Any,
    counting: bool,
) -> Any:
    """BJ.2: seats act from the dealer's left. BJ.5, LB.4: whether any wager waits for the dealer's hand."""
    waits = False
    up = book[p.VALUE + up_card]
    for seat in range(spots):
        place, wagered = seat * p.SPOT, seat * p.SEAT
        hands[place + p.DEALT] = 0
        if seats[wagered + p.MAIN]:
            first, second = shoe[at[p.START] + seat], shoe[at[p.START] + spots + seat]
            waits |= _play_spot(
                stream, shoe, at, rules, book, nexts, acts, hands, log, place, first, second, up, counting
            )
        goes = rules[p.BREAK_GOES] and hands[place + p.FIRST] == p.SURRENDERED
        waits |= seats[wagered + p.BREAK] != 0 and not (goes and hands[place + p.DEALT] != 0)
    return waits


@woven
def _play_spot(
    stream: Handle,
    shoe: Any,
    at: Any,
    rules: Any,
    book: Any,
    nexts: Any,
    acts: Any,
    hands: Any,
    log: Any,
    place: int,
    first: Any,
    second: Any,
    up: Any,
    counting: bool,
) -> Any:
    """All hands of a spot, a split card's neighbour waiting until its own hand is played (BJ.4)."""
    opened = len(nexts) - 2 * p.RESUMED
    state = nexts[np.uint64(opened + p.OPENED + book[p.VALUE + first] * p.ROW + book[p.VALUE + second])] + 0
    made, done, waiting, waits = 1, 0, 0, False
    while True:
        if counting:
            at[p.BLOCK] = block_by_count(shoe, at, rules, book)
        block = at[p.BLOCK]
        act = acts[np.uint64(block + p.CHOSEN + state * p.ROW + up)]
        if book[p.KIND + first] == book[p.KIND + second]:
            value = book[p.VALUE + first]
            if made < acts[block + p.SPLITS + value * p.ROW + up]:
                _say(at, log, p.SPLIT)
                hands[place + p.WAITING + waiting] = second
                made, waiting = made + 1, waiting + 1
                second = deal(stream, shoe, at)
                state = nexts[np.uint64(opened + p.RESUMED + value * p.ROW + book[p.VALUE + second])] + 0
                continue
            if act == p.FINISHED and made < book[p.MOST + value]:
                _say(at, log, p.STAND)
        code = _play_hand(stream, shoe, at, rules, book, nexts, acts, log, state, act, up, counting)
        done += 1
        hands[place + p.DEALT + done] = code
        waits |= p.LOWEST <= code & (p.DOUBLED - 1) <= p.HIGHEST
        if waiting == 0:
            break
        waiting -= 1
        first, second = hands[place + p.WAITING + waiting], deal(stream, shoe, at)
        state = (
            nexts[np.uint64(opened + p.RESUMED + book[p.VALUE + first] * p.ROW + book[p.VALUE + second])] + 0
        )
    hands[place + p.DEALT] = done
    return waits


@woven
def _play_hand(
    stream: Handle,
    shoe: Any,
    at: Any,
    rules: Any,
    book: Any,
    nexts: Any,
    acts: Any,
    log: Any,
    state: Any,
    act: Any,
    up: Any,
    counting: bool,
) -> Any:
    """One hand to its end, by what is chosen in each state it comes to."""
    _say(at, log, act)
    while act == p.HIT:
        state = nexts[np.uint64(state * p.ROW + book[p.VALUE + deal(stream, shoe, at)])] + 0
        if counting:
            at[p.BLOCK] = block_by_count(shoe, at, rules, book)
        act = acts[np.uint64(at[p.BLOCK] + p.CHOSEN + state * p.ROW + up)]
        _say(at, log, act)
    if act == p.SURRENDER:
        return p.SURRENDERED
    if act == p.DOUBLE:
        state = nexts[np.uint64(state * p.ROW + book[p.VALUE + deal(stream, shoe, at)])] + 0
        return acts[np.uint64(state)] + p.DOUBLED
    return acts[np.uint64(state)] + 0


@woven
def _say(at: Any, log: Any, act: Any) -> None:
    """Note what was chosen; where nobody asked, the next choice is written over it."""
    log[np.uint64(at[p.LOGGED])] = act
    at[p.LOGGED] += act != p.FINISHED


@woven
def _complete_dealer(
    stream: Handle,
    shoe: Any,
    at: Any,
    book: Any,
    key: Any,
    hole: Any,
    up_card: Any,
    is_natural: bool,
    waits: bool,
) -> Any:
    """BJ.5: the dealer draws while a wager waits; LB.9: and is suited while every card is of one suit."""
    cards, suits = 2, (1 << (hole & 3)) | (1 << (up_card & 3))
    if waits and not is_natural:
        while book[np.uint64(p.DRAWS + key)]:
            card = deal(stream, shoe, at)
            key = _with_card(key, book[p.WEIGHT + card])
            suits |= 1 << (card & 3)
            cards += 1
        dealer = book[p.POINTS + key] - p.STANDS
    else:
        dealer = p.BLACKJACK if is_natural else 0
    suited = 0 if suits & (suits - 1) else min(cards, 5)
    at[p.DEALER], at[p.LUCKY] = dealer, suited
    return dealer, suited
