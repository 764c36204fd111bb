"""The one loop that deals every game: cards from a shoe, states from the tables, ends counted."""

from typing import Any

import numpy as np

from feltworks.machine.compiled import compiled, deal, deal_six, inlined
from feltworks.machine.program import AGAIN, END, LOOK_UP, PEEK, RANK, RUN
from feltworks.machine.streams import Handle

_AT_ONCE = 6  # cards from one random word
_STEP = np.uint64(0xD1B54A32D192ED03)
MOST_HOUSE_CARDS = 64


@inlined
def _shuffle_on(stream: Handle, shoe: Any, ready: Any) -> Any:
    """Make the next cards ready: any card that is left is as likely as any other."""
    left = len(shoe) - ready
    if left >= _AT_ONCE:
        deal_six(stream, shoe, ready)
        return ready + _AT_ONCE
    deal(stream, shoe, ready, left)
    return ready + left


@compiled
def _turn_around(shoe: Any, begin: int, end: int) -> None:
    for step in range((end - begin) // 2):
        shoe[begin + step], shoe[end - 1 - step] = shoe[end - 1 - step], shoe[begin + step]


@compiled
def _take_discards(shoe: Any, start: int) -> None:
    """A shoe that runs out within a round goes on with the cards of earlier rounds."""
    if start == 0:
        raise IndexError("the round took more cards than the shoe holds")
    _turn_around(shoe, 0, start)
    _turn_around(shoe, start, len(shoe))
    _turn_around(shoe, 0, len(shoe))


@inlined
def _look_up(keys: Any, values: Any, place: Any, mark: Any) -> Any:
    key = mark + np.uint64(place) * _STEP
    last = np.uint64(len(keys) - 1)
    at = key & last
    while values[at] < 0 or keys[at] != key:
        if values[at] < 0:
            raise IndexError("cards were seen that no choice was made for")
        at = (at + np.uint64(1)) & last
    return values[at]


@inlined
def _piece(pieces: Any, begin: Any, widest: Any, rank: Any) -> Any:
    """The piece of a row in which a rank lies."""
    last = begin + widest - 1
    while begin < last and pieces[begin + 1] <= rank:
        begin += 1
    return begin


@compiled
def play_one(
    stream: Handle,
    shoe: Any,
    rounds: int,
    before_cut: int,
    start: int,
    width: int,
    after: Any,
    kind: Any,
    emits: Any,
    leads: Any,
    emissions: int,
    sums: Any,
    marks: Any,
    run_starts: Any,
    run_rows: Any,
    pieces: Any,
    piece_events: Any,
    widest: int,
    keys: Any,
    values: Any,
    counts: Any,
    ends: Any,
    where: Any,
) -> None:
    """Rounds of a single seat: `counts` by how the round came out, and `ends` in order where it has room.

    `where` keeps the place in the shoe between calls: the next card, how many are shuffled, the cut card.
    """
    at, ready, cut = where[0], where[1], where[2]
    looks = len(keys) > 2
    for number in range(rounds):
        if at >= cut:
            at, ready, cut = 0, 0, before_cut
        begun = at
        state, settled, mark, looked_at, row = start, 0, np.uint64(0), 0, 0
        peeks = False
        while True:
            if at == ready:
                if ready == len(shoe):
                    _take_discards(shoe, begun)
                    at, ready, begun, cut = at - begun, ready - begun, 0, 0
                ready = _shuffle_on(stream, shoe, ready)
            card = shoe[at]
            at += 1
            if looks:
                mark += marks[card]
            if peeks:
                looked_at, peeks = card, False
            target = after[state * width + card]
            if target >= 0:
                state = target
                continue
            event = ~target
            while True:
                settled = sums[settled * emissions + emits[event]]
                what = kind[event]
                if what == LOOK_UP:
                    event = _look_up(keys, values, leads[event], mark)
                elif what == RANK:
                    event = piece_events[_piece(pieces, row * widest, widest, leads[event])]
                elif what == RUN:
                    row, target = run_rows[leads[event]], run_starts[leads[event]]
                    break
                elif what == AGAIN:
                    target = after[leads[event] * width + looked_at]
                    if target >= 0:
                        break
                    event = ~target
                else:
                    target = leads[event]
                    break
            if what == END:
                break
            peeks = what == PEEK
            state = target
        counts[settled] += 1
        if number < len(ends):
            ends[number, 0] = settled
        if before_cut:  # cards that were never turned have left the shoe all the same
            at = min(at + leads[event], len(shoe))
            while ready < at:
                ready = _shuffle_on(stream, shoe, ready)
    where[0], where[1], where[2] = at, ready, cut


@compiled
def play_many(
    stream: Handle,
    shoe: Any,
    rounds: int,
    before_cut: int,
    seats: Any,
    starts: Any,
    width: int,
    after: Any,
    on_house: Any,
    kind: Any,
    emits: Any,
    leads: Any,
    emissions: int,
    sums: Any,
    marks: Any,
    run_starts: Any,
    run_rows: Any,
    pieces: Any,
    piece_events: Any,
    widest: int,
    keys: Any,
    values: Any,
    counts: Any,
    ends: Any,
    where: Any,
    nets: Any,
    totals: Any,
    products: Any,
) -> None:
    """Rounds of several seats, seat after seat; the house's cards are drawn once and read by all of them.

    Any card left is as likely to come next, so it does not matter that the live table deals in another order.
    """
    at, ready, cut = where[0], where[1], where[2]
    looks, columns = len(keys) > 2, nets.shape[1]
    house, net = np.zeros(MOST_HOUSE_CARDS, np.uint8), np.zeros(columns, np.int64)
    for number in range(rounds):
        if at >= cut:
            at, ready, cut = 0, 0, before_cut
        begun, drawn, unseen = at, 0, 0
        net[:] = 0
        for seat in range(len(seats)):
            state, settled, mark, read, looked_at = starts[seats[seat]], seats[seat], np.uint64(0), 0, 0
            peeks, row = False, 0
            while True:
                if on_house[state] and read < drawn:
                    card = house[read]
                    read += 1
                else:
                    if at == ready:
                        if ready == len(shoe):
                            _take_discards(shoe, begun)
                            at, ready, begun, cut = at - begun, ready - begun, 0, 0
                        ready = _shuffle_on(stream, shoe, ready)
                    card = shoe[at]
                    at += 1
                    if on_house[state]:
                        house[drawn] = card
                        drawn += 1
                        read = drawn
                if looks:
                    mark += marks[card]
                if peeks:
                    looked_at, peeks = card, False
                target = after[state * width + card]
                if target >= 0:
                    state = target
                    continue
                event = ~target
                while True:
                    settled = sums[settled * emissions + emits[event]]
                    what = kind[event]
                    if what == LOOK_UP:
                        event = _look_up(keys, values, leads[event], mark)
                    elif what == RANK:
                        event = piece_events[_piece(pieces, row * widest, widest, leads[event])]
                    elif what == RUN:
                        row, target = run_rows[leads[event]], run_starts[leads[event]]
                        break
                    elif what == AGAIN:
                        target = after[leads[event] * width + looked_at]
                        if target >= 0:
                            break
                        event = ~target
                    else:
                        target = leads[event]
                        break
                if what == END:
                    break
                peeks = what == PEEK
                state = target
            unseen += leads[event]
            counts[settled] += 1
            if number < len(ends):
                ends[number, seat] = settled
            for column in range(columns):
                net[column] += nets[settled, column]
        for column in range(columns):
            totals[column] += net[column]
            for other in range(column, columns):
                products[column, other] += net[column] * net[other]
        if before_cut:
            at = min(at + unseen, len(shoe))
            while ready < at:
                ready = _shuffle_on(stream, shoe, ready)
    where[0], where[1], where[2] = at, ready, cut
