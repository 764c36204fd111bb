"""The one loop that deals every game: cards from a shoe, states from the tables, ends counted."""

from typing import Any

import numpy as np

from feltworks.machine.compiler import compile_loop, deal, deal_batch, inline, pick, surplus, word
from feltworks.machine.program import (
    AGAIN,
    COUNT,
    EMITS_FROM,
    EMITS_MASK,
    END,
    FORK,
    HOUSE_FROM,
    KIND_MASK,
    LEADS_FROM,
    LOOK,
    LOOK_UP,
    NEXT,
    RANK,
    RUN,
    STATE_MASK,
    SUM_FROM,
    TRACE_FROM,
    UNSEEN_MASK,
)
from feltworks.machine.streams import Handle

_STEP = np.uint64(0xD1B54A32D192ED03)
_MIX = np.uint64(0x9E3779B97F4A7C15)
MOST_HOUSE_CARDS = 64
DECK = 52
# What is kept between calls; from KINDS on how many cards of each kind a counter has seen
AT, READY, CUT, RUNNING, SEEN, USED, KINDS = range(7)


@inline
def shuffle_on(stream: Handle, shoe: Any, ready: Any, batch: Any) -> Any:
    """Make the next cards ready: any card that is left is as likely as any other."""
    left = len(shoe) - ready
    if left >= batch:
        deal_batch(stream, shoe, ready, batch)
        return ready + batch
    deal(stream, shoe, ready, left)
    return ready + left


@compile_loop
def _turn_around(shoe: Any, begin: int, end: int) -> None:
    for step in range((end - begin) // 2):
        shoe[begin + step], shoe[end - 1 - step] = shoe[end - 1 - step], shoe[begin + step]


@compile_loop
def _take_discards(shoe: Any, start: int) -> None:
    """A shoe that runs out within a round goes on with the cards of earlier rounds."""
    if start == 0:
        raise IndexError("the round took more cards than the shoe holds")
    _turn_around(shoe, 0, start)
    _turn_around(shoe, start, len(shoe))
    _turn_around(shoe, 0, len(shoe))


@inline
def _look_up(keys: Any, values: Any, place: Any, mark: Any) -> Any:
    key = mark + np.uint64(place) * _STEP
    last = np.uint64(len(keys) - 1)
    at = key & last
    while values[at] < 0 or keys[at] != key:
        if values[at] < 0:
            raise IndexError("cards were seen that no choice was made for")
        at = (at + np.uint64(1)) & last
    return values[at]


@inline
def _piece(pieces: Any, begin: Any, widest: Any, rank: Any) -> Any:
    """The piece of a row in which a rank lies."""
    place = begin
    for next_piece in range(begin + 1, begin + widest):  # all of them: no jump to be guessed
        place += np.int64(pieces[np.uint64(next_piece)] <= rank)
    return np.uint64(place)


@inline
def _count_end(tally_keys: Any, tally: Any, bits: Any, number: Any) -> Any:
    """Count a round that came out so; whether it is the first of its sort."""
    if bits == 0:
        tally[np.uint64(number)] += 1
        return False
    size, slot = np.uint64(len(tally_keys) - 1), (np.uint64(number) * _MIX) >> np.uint64(bits)
    while tally_keys[slot] != number:
        if tally_keys[slot] < 0:
            tally_keys[slot] = number
            tally[slot] = 1
            return True
        slot = (slot + np.uint64(1)) & size
    tally[slot] += 1
    return False


@inline
def _true_count(running: Any, unseen: Any, widest: Any) -> Any:
    """The running count per deck that is unseen, rounded down, as the place among all counts."""
    return min(max(running * DECK // unseen, -widest), widest) + widest


@compile_loop
def play_rounds(
    stream: Handle,
    shoe: Any,
    rounds: int,
    before_cut: int,
    burned: int,
    batch: int,
    seats: Any,
    offsets: Any,
    starts: Any,
    shift: int,
    after: Any,
    direct: Any,
    on_house: Any,
    events: Any,
    emits: Any,
    marks: Any,
    run_starts: Any,
    run_rows: Any,
    pieces: Any,
    piece_events: Any,
    widest: int,
    keys: Any,
    values: Any,
    by_count: Any,
    forks: Any,
    families: Any,
    apart: Any,
    most_parts: int,
    traces: int,
    tags: Any,
    levels: Any,
    tally_keys: Any,
    tally: Any,
    bits: int,
    ends: Any,
    where: Any,
    nets: Any,
    opening_nets: Any,
    totals: Any,
    products: Any,
    rare: Any,
    rounds_left: Any,
    cards_left: Any,
) -> Any:
    """Deal rounds, seat after seat; the house's cards are drawn once and read by all seats.

    Any card left is as likely to come next, so it does not matter that the live table deals in another order;
    for players who count cards, all seats first take those that come before the house's first. The parts of
    a divided hand are played one after the other, each to its end. How a seat's round came out is a number,
    counted in a table; the rounds end early where it gets full.

    `batch` cards are shuffled at a time. What some games have no use for may be None, and costs nothing then:
    `direct`, which says what a card leads to and settles in one word; `on_house` where the house's cards
    are read once, `keys` where no choice goes by the cards seen, `tags` where nobody counts cards, `nets`,
    whose sums over a round are kept for several seats, and `rare`. A round with a rare emission is left to
    the caller: its number and how many cards it took in `rounds_left`, the cards in `cards_left`. Gives how
    many rounds were played and how many were left. `where` is kept between calls. Indices are unsigned: numba
    looks for negative ones otherwise.
    """
    at, ready, cut, running, counted = where[AT], where[READY], where[CUT], where[RUNNING], where[SEEN]
    used, most_used = where[USED], len(tally) // 2 if bits else len(tally) + 1
    most_true, turns = (len(levels) - 1) // 2, 1
    if tags is not None:
        turns = min(2, len(seats))
    columns = 0
    if nets is not None:
        columns = nets.shape[1]
    house, net = np.zeros(MOST_HOUSE_CARDS, np.uint8), np.zeros(columns, np.int64)
    is_shown = np.zeros(MOST_HOUSE_CARDS, np.bool_)
    waiting, waiting_read = np.zeros(most_parts + 1, np.int64), np.zeros(most_parts + 1, np.int64)
    waiting_look = np.zeros(most_parts + 1, np.int64)
    kept_rows = np.zeros(len(seats), np.int64)
    kept_states, kept_ends = np.zeros(len(seats), np.int64), np.zeros(len(seats), np.int64)
    kept_marks, done, left = np.zeros(len(seats), np.uint64), 0, 0
    is_rare, came_to = False, np.zeros(len(seats), np.int64)
    for number in range(rounds):
        if at >= cut:
            at, ready, cut, running, counted = burned, 0, before_cut, 0, 0
            if tags is not None:
                where[KINDS:] = 0
            while ready < at:
                ready = shuffle_on(stream, shoe, ready, batch)
        level = np.int64(0)
        if tags is not None:
            level = np.int64(levels[_true_count(running, len(shoe) - counted, most_true)])
        begun, drawn, unseen, lying = at, 0, np.int64(0), np.int64(0)
        open_sum, open_cards = np.int64(0), np.int64(0)
        for turn in range(turns):
            for seat in range(len(seats)):
                kind = np.int64(seats[seat]) + level
                if turn == 0:
                    if nets is not None:
                        for column in range(columns):
                            net[column] += opening_nets[kind, column]
                    state, settled, mark = np.int64(starts[kind]), np.int64(offsets[kind]), np.uint64(0)
                else:
                    state, settled, mark = kept_states[seat], kept_ends[seat], kept_marks[seat]
                    if state < 0:
                        continue
                read, looked_at, is_new, row, what = 0, -1, False, kept_rows[seat], 0
                parts, later, marks_from = 1, 0, kind << shift
                if on_house is not None:  # noqa: SIM102  # numba leaves out what hangs on this alone
                    if apart[kind] >= 0:
                        waiting[0], waiting_read[0], waiting_look[0], later = apart[kind], 0, -1, 1
                while True:
                    is_house = False
                    if on_house is not None:
                        is_house = on_house[np.uint64(state)]
                    if is_house:
                        if turn < turns - 1:
                            kept_states[seat], kept_ends[seat], kept_marks[seat] = state, settled, mark
                            kept_rows[seat] = row
                            break
                        if read < drawn:
                            is_new = False
                            card = np.int64(house[np.uint64(read)])
                        else:
                            if at == ready:
                                if ready == len(shoe):
                                    _take_discards(shoe, begun)
                                    at, ready, begun, cut = at - begun, ready - begun, 0, 0
                                    running, counted = 0, 0
                                ready = shuffle_on(stream, shoe, ready, batch)
                            card = np.int64(shoe[np.uint64(at)])
                            at += 1
                            house[np.uint64(drawn)] = card
                            is_shown[np.uint64(drawn)] = True
                            drawn += 1
                            is_new = True
                        read += 1
                    else:
                        if at == ready:
                            if ready == len(shoe):
                                _take_discards(shoe, begun)
                                at, ready, begun, cut = at - begun, ready - begun, 0, 0
                                running, counted = 0, 0
                            ready = shuffle_on(stream, shoe, ready, batch)
                        card = np.int64(shoe[np.uint64(at)])
                        at += 1
                        if tags is not None:
                            open_sum += tags[np.uint64(card)]
                            open_cards += 1
                            where[np.uint64(KINDS + card)] += 1
                    if keys is not None:
                        mark += marks[np.uint64(marks_from + card)]
                    if direct is not None:
                        target = np.int64(direct[np.uint64((state << shift) + card)])
                        if target >= 0:
                            state = target & STATE_MASK
                            settled += target >> SUM_FROM
                            continue
                        target = ~target
                        if target & 1:
                            settled += target >> 1
                            what = END
                            break
                        event = np.uint64(target >> 1)
                    else:
                        target = np.int64(after[np.uint64((state << shift) + card)])
                        if target >= 0:
                            state = target
                            continue
                        event = np.uint64(~target)
                    while True:
                        word = events[event]
                        what, target = word & KIND_MASK, word >> LEADS_FROM
                        settled += emits[event]
                        if rare is not None:
                            is_rare |= rare[word >> EMITS_FROM & EMITS_MASK]
                        if nets is not None:
                            for column in range(columns):
                                net[column] += nets[word >> EMITS_FROM & EMITS_MASK, column]
                        if what == END:
                            if before_cut:
                                unseen += target & UNSEEN_MASK
                                hidden = (target >> HOUSE_FROM & UNSEEN_MASK) - (looked_at >= 0)
                                lying = max(lying, read + hidden)
                            if later == 0:
                                break
                            if on_house is not None:
                                later -= 1
                                trace = target >> TRACE_FROM
                                place = (waiting[later] * (most_parts + 1) + parts) * traces + trace
                                read, looked_at = waiting_read[later], waiting_look[later]
                                event = np.uint64(families[place])
                        elif what == NEXT:
                            break
                        elif what == LOOK_UP:
                            if keys is not None:
                                event = np.uint64(_look_up(keys, values, target, mark))
                        elif what == RANK:
                            event = np.uint64(piece_events[_piece(pieces, row * widest, widest, target)])
                        elif what == RUN:
                            row, target = np.int64(run_rows[target]), np.int64(run_starts[target])
                            break
                        elif what == COUNT:
                            if tags is not None:
                                true, cards = running + open_sum, counted + open_cards
                                for place in range(read):
                                    if place != looked_at:
                                        true += tags[np.uint64(house[np.uint64(place)])]
                                        cards += 1
                                place = _true_count(true, len(shoe) - cards, most_true)
                                event = np.uint64(by_count[target * len(levels) + place])
                        elif on_house is not None:
                            if what == AGAIN:
                                is_shown[np.uint64(looked_at)] = True
                                card = np.int64(house[np.uint64(looked_at)])
                                looked_at = -1
                                target = np.int64(after[np.uint64((target << shift) + card)])
                                if target >= 0:
                                    break
                                event = np.uint64(~target)
                            elif what == LOOK:
                                looked_at = read - 1
                                if is_new:
                                    is_shown[np.uint64(looked_at)] = False
                                if target >= 0:
                                    break
                                event = np.uint64(~target)
                            elif what == FORK:
                                waiting[later] = forks[2 * target + 1]
                                waiting_read[later], waiting_look[later] = read, looked_at
                                later += 1
                                parts += 1
                                event = np.uint64(forks[2 * target])
                    if what == END:
                        break
                    state = target
                if what != END:
                    continue
                if turn < turns - 1:
                    kept_states[seat] = -1
                if rare is not None:
                    came_to[seat] = settled
                else:
                    used += _count_end(tally_keys, tally, bits, settled)
                if number < len(ends):
                    ends[number, seat] = settled
        if rare is not None:
            if is_rare:
                rounds_left[left, 0], rounds_left[left, 1] = number, at - begun
                cards_left[left, : at - begun] = shoe[begun:at]
                left += 1
            else:
                for seat in range(len(seats)):
                    used += _count_end(tally_keys, tally, bits, came_to[seat])
        if nets is not None:
            for column in range(0 if is_rare else columns):
                totals[column] += net[column]
                for other in range(column, columns):
                    products[column, other] += net[column] * net[other]
            net[:] = 0
        if before_cut:  # cards that were never turned have left the shoe all the same
            at = min(at + unseen + max(lying - drawn, 0), len(shoe))
            while ready < at:
                ready = shuffle_on(stream, shoe, ready, batch)
            if tags is not None:
                running, counted = running + open_sum, counted + open_cards
                for place in range(drawn):
                    if is_shown[place]:
                        running += tags[np.uint64(house[place])]
                        counted += 1
                        where[np.uint64(KINDS + np.int64(house[place]))] += 1
        done += 1
        if used >= most_used or (is_rare and left == len(rounds_left)):
            break
        is_rare = False
    where[AT], where[READY], where[CUT], where[RUNNING], where[SEEN] = at, ready, cut, running, counted
    where[USED] = used
    return done, left


LANES = 4  # counts side by side, so that no round waits for the one before it


@inline
def three_places(stream: Handle, left: int, unfair: Any) -> Any:
    """Three places of a shoe, all different, every choice as likely: from one word."""
    while True:
        one, rest = pick(word(stream), left)
        two, rest = pick(rest, left - 1)
        three, rest = pick(rest, left - 2)
        if rest >= unfair:
            break
    first, second, third = np.uint64(one), np.uint64(two), np.uint64(three)
    second += np.uint64(second >= first)
    third += np.uint64(third >= min(first, second))
    third += np.uint64(third >= max(first, second))
    return first, second, third


@compile_loop
def play_threes(
    stream: Handle,
    shoe: Any,
    rounds: int,
    start: int,
    shift: int,
    after: Any,
    numbers: Any,
    tally: Any,
    ends: Any,
) -> None:
    """Rounds that are always decided by three cards of a whole shoe; no card has to be laid in order.

    `numbers` says by event how a round came out; `tally` counts it, lane by lane.
    """
    left, size = len(shoe), np.uint64(len(tally) // LANES)
    unfair = surplus(np.uint64(left) * np.uint64(left - 1) * np.uint64(left - 2))
    row = np.uint64(start << shift)
    for number in range(rounds):
        first, second, third = three_places(stream, left, unfair)
        one = np.uint64(after[row + np.uint64(shoe[first])])
        two = np.uint64(after[(one << np.uint64(shift)) + np.uint64(shoe[second])])
        event = np.uint64(~np.int64(after[(two << np.uint64(shift)) + np.uint64(shoe[third])]))
        end = np.uint64(numbers[event])
        tally[np.uint64(number & (LANES - 1)) * size + end] += 1
        if number < len(ends):
            ends[number, 0] = end
