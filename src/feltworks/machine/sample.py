"""The one loop that deals every game: cards from a shoe, states from the tables, ends counted."""

from typing import Any

import numpy as np

from feltworks.machine.compiled import compiled, deal, deal_six, inlined
from feltworks.machine.program import (
    AGAIN,
    EMITS_FROM,
    EMITS_MASK,
    END,
    KIND_MASK,
    LEADS_FROM,
    LOOK,
    LOOK_UP,
    RANK,
    RUN,
)
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
def play_rounds(
    stream: Handle,
    shoe: Any,
    rounds: int,
    before_cut: int,
    seats: Any,
    starts: Any,
    shift: int,
    after: Any,
    on_house: Any,
    events: Any,
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
    rare: Any,
    rounds_left: Any,
    cards_left: Any,
) -> Any:
    """Deal rounds, seat after seat; the house's cards are drawn once and read by all seats.

    Any card left is as likely to come next, so it does not matter that the live table deals in another order.
    `counts` are by how a seat's round came out, `ends` in order where there is room; `where` keeps the place
    in the shoe between calls: the next card, how many are shuffled, the cut card. Sums of `nets` over a round
    are kept where there are several seats. Indices are unsigned: numba looks for negative ones otherwise.

    A round in which a seat comes to a `rare` end is not counted but left to the caller: its number and how
    many cards it took in `rounds_left`, the cards in `cards_left`. Gives how many rounds were played, which
    are fewer where there was no room for more of those, and how many were left.
    """
    at, ready, cut = where[0], where[1], where[2]
    looks, many, columns = len(keys) > 2, len(seats) > 1, nets.shape[1]
    house, net = np.zeros(MOST_HOUSE_CARDS, np.uint8), np.zeros(columns, np.int64)
    watches, is_rare, left, played = len(rare) > 0, False, 0, rounds
    came_to = np.zeros(len(seats), np.int64)
    for number in range(rounds):
        if at >= cut:
            at, ready, cut = 0, 0, before_cut
        begun, drawn, unseen = at, 0, np.int64(0)
        for seat in range(len(seats)):
            state, settled = np.int64(starts[seats[seat]]), np.int64(seats[seat])
            mark, read, looked_at, row = np.uint64(0), 0, np.int64(0), np.int64(0)
            marks_from = settled << shift
            while True:
                if many and read < drawn and on_house[np.uint64(state)]:
                    card = np.int64(house[np.uint64(read)])
                    read += 1
                else:
                    if at == ready:
                        if ready == len(shoe):
                            _take_discards(shoe, begun)
                            at, ready, begun, cut = at - begun, ready - begun, 0, 0
                        ready = _shuffle_on(stream, shoe, ready)
                    card = np.int64(shoe[np.uint64(at)])
                    at += 1
                    if many and on_house[np.uint64(state)]:
                        house[np.uint64(drawn)] = card
                        drawn += 1
                        read = drawn
                if looks:
                    mark += marks[np.uint64(marks_from + card)]
                target = np.int64(after[np.uint64((state << shift) + card)])
                if target >= 0:
                    state = target
                    continue
                event = np.uint64(~target)
                while True:
                    word = events[event]
                    what, target = word & KIND_MASK, word >> LEADS_FROM
                    settled = np.int64(
                        sums[np.uint64(settled * emissions + (word >> EMITS_FROM & EMITS_MASK))]
                    )
                    if what == LOOK_UP:
                        event = np.uint64(_look_up(keys, values, target, mark))
                    elif what == RANK:
                        event = np.uint64(piece_events[_piece(pieces, row * widest, widest, target)])
                    elif what == AGAIN or what == LOOK:  # noqa: SIM109  # numba compiles it to less
                        if what == LOOK:
                            looked_at = card
                        else:
                            target = np.int64(after[np.uint64((target << shift) + looked_at)])
                        if target >= 0:
                            break
                        event = np.uint64(~target)
                    elif what == RUN:
                        row, target = np.int64(run_rows[target]), np.int64(run_starts[target])
                        break
                    else:
                        break
                if what == END:
                    break
                state = target
            unseen += target
            counts[np.uint64(settled)] += 1
            if number < len(ends):
                ends[number, seat] = settled
            for column in range(columns):
                net[column] += nets[settled, column]
            if watches:
                came_to[seat] = settled
                is_rare |= rare[np.uint64(settled)]
        if is_rare:
            net[:] = 0
            for seat in range(len(seats)):
                counts[came_to[seat]] -= 1
            rounds_left[left, 0], rounds_left[left, 1] = number, at - begun
            cards_left[left, : at - begun] = shoe[begun:at]
            left += 1
        for column in range(columns):
            totals[column] += net[column]
            for other in range(column, columns):
                products[column, other] += net[column] * net[other]
        net[:] = 0
        if before_cut:  # cards that were never turned have left the shoe all the same
            at = min(at + unseen, len(shoe))
            while ready < at:
                ready = _shuffle_on(stream, shoe, ready)
        if is_rare:
            is_rare = False
            if left == len(rounds_left):
                played = number + 1
                break
    where[0], where[1], where[2] = at, ready, cut
    return played, left
