"""The one loop that deals every game: cards from a shoe, states from the tables, ends counted."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from feltworks.machine.compiler import Bytes, Flags, Integers, Ints, Number, compile_loop, deal, inline
from feltworks.machine.fixed import STATE_MASK, SUM_FROM, Duels, ShortRounds
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
    TRACE_FROM,
    UNSEEN_MASK,
    Code,
)
from feltworks.machine.streams import BATCH, Handle

_STEP = np.uint64(0xD1B54A32D192ED03)
_MIX = np.uint64(0x9E3779B97F4A7C15)
DECK = 52
# What is kept between calls; from KINDS on how many cards of each kind a counter has seen
AT, READY, CUT, RUNNING, SEEN, USED, KINDS = range(7)


class Shoe(NamedTuple):
    """The cards that are dealt from, by their kinds, and how."""

    cards: Bytes
    before_cut: int  # cards before the cut card; 0: shuffled for every round
    burned: int


class Seats(NamedTuple):
    """The kinds of seats at the table; with a count, every level of it makes other kinds."""

    kinds: NDArray[np.int32]  # by seat
    offsets: Ints  # by kind: where the numbers of its rounds begin
    levels: Ints  # by true count: what is added to a seat's kind


class Counter(NamedTuple):
    """How many rounds of a seat came to each number."""

    keys: Ints  # the number of each slot, where there are too many numbers to have one each
    counts: Ints
    bits: int  # by which a number is shifted to its slot; 0: the number is the slot
    ends: Ints  # by round and seat, as far as there is room: the number itself


class Sums(NamedTuple):
    """What several seats net together, and the products that give their deviation."""

    opening: Ints  # by kind of seat and column: what it nets before the first card
    totals: Ints
    products: Ints


class RareRounds(NamedTuple):
    """Rounds that the rules have to settle: number and how many cards each took, and the cards."""

    rounds: Ints
    cards: Bytes


@inline
def shuffle_on(stream: Handle, cards: Bytes, ready: Number) -> Number:
    """Make the next cards ready: any card that is left is as likely as any other."""
    left = len(cards) - ready
    if left >= BATCH:
        deal(stream, cards, ready, BATCH)
        return ready + BATCH
    deal(stream, cards, ready, left)
    return ready + left


@inline
def _make_ready(
    stream: Handle, cards: Bytes, at: Number, ready: Number, begun: Number, cut: Number
) -> tuple[Number, Number, Number, Number]:
    """Make the next cards ready; a shoe that runs out within a round goes on with those of earlier rounds."""
    if ready == len(cards):
        _take_discards(cards, begun)
        at, ready, begun, cut = at - begun, ready - begun, 0, 0
    return at, shuffle_on(stream, cards, ready), begun, cut


@compile_loop
def _take_discards(cards: Bytes, start: int) -> None:
    """Lay the cards of earlier rounds behind those of this one."""
    if start == 0:
        raise IndexError("the round took more cards than the shoe holds")
    _turn_around(cards, 0, start)
    _turn_around(cards, start, len(cards))
    _turn_around(cards, 0, len(cards))


@compile_loop
def _turn_around(cards: Bytes, begin: int, end: int) -> None:
    for step in range((end - begin) // 2):
        cards[begin + step], cards[end - 1 - step] = cards[end - 1 - step], cards[begin + step]


@inline
def _look_up(keys: NDArray[np.uint64], values: NDArray[np.int32], place: Number, mark: Number) -> Number:
    key = mark + np.uint64(place) * _STEP
    last = np.uint64(len(keys) - 1)
    at = key & last
    while values[at] < 0 or keys[at] != key:
        if values[at] < 0:
            raise IndexError("cards were seen that no choice was made for")
        at = (at + np.uint64(1)) & last
    return values[at]


@inline
def _piece(pieces: NDArray[np.int32], begin: Number, widest: Number, rank: Number) -> Number:
    """The piece of a row in which a rank lies."""
    place = begin
    for next_piece in range(begin + 1, begin + widest):  # all of them: no jump to be guessed
        place += np.int64(pieces[np.uint64(next_piece)] <= rank)
    return np.uint64(place)


@inline
def _count_end(counter: Counter, number: Number) -> bool:
    """Count a round that came out so; whether it is the first of its sort."""
    if counter.bits == 0:
        counter.counts[np.uint64(number)] += 1
        return False
    size, slot = np.uint64(len(counter.keys) - 1), (np.uint64(number) * _MIX) >> np.uint64(counter.bits)
    while counter.keys[slot] != number:
        if counter.keys[slot] < 0:
            counter.keys[slot] = number
            counter.counts[slot] = 1
            return True
        slot = (slot + np.uint64(1)) & size
    counter.counts[slot] += 1
    return False


@inline
def _count_ends(counter: Counter, numbers: Ints) -> Number:
    """Count how a round came out for every seat; how many of them are the first of their sort."""
    new = np.int64(0)
    for number in numbers:
        new += _count_end(counter, number)
    return new


@inline
def _true_count(running: Number, unseen: Number, widest: Number) -> Number:
    """The running count per deck that is unseen, rounded down, as the place among all counts."""
    return min(max(running * DECK // unseen, -widest), widest) + widest


@inline
def _add_tags(tags: Ints, house: Bytes, read: Number, looked_at: Number) -> tuple[Number, Number]:
    """The tags of the house's cards that a seat has read, without one that lies face down, and their number."""
    total, cards = np.int64(0), np.int64(0)
    for place in range(read):
        if place != looked_at:
            total += tags[np.uint64(house[np.uint64(place)])]
            cards += 1
    return total, cards


@inline
def _see_house(tags: Ints, house: Bytes, is_shown: Flags, drawn: Number, seen: Ints) -> tuple[Number, Number]:
    """The same at the end of a round, for all cards of the house that were shown; `seen` counts their kinds."""
    total, cards = np.int64(0), np.int64(0)
    for place in range(drawn):
        if is_shown[place]:
            total += tags[np.uint64(house[place])]
            cards += 1
            seen[np.uint64(house[place])] += 1
    return total, cards


@inline
def _begin_shoe(stream: Handle, cards: Bytes, burned: Number, seen: Ints, tags: Ints | None) -> Number:
    """Shuffle and burn: how many cards are ready. A counter begins anew."""
    if tags is not None:
        seen[:] = 0
    return _shuffle_up_to(stream, cards, 0, burned)


@inline
def _shuffle_up_to(stream: Handle, cards: Bytes, ready: Number, at: Number) -> Number:
    while ready < at:
        ready = shuffle_on(stream, cards, ready)
    return ready


@inline
def _hold(waiting: Ints, later: Number, family: Number, read: Number, looked_at: Number) -> Number:
    """Keep a part of the round that is played later; how many such parts there are."""
    waiting[later, 0], waiting[later, 1], waiting[later, 2] = family, read, looked_at
    return later + 1


@inline
def _begin_part(code: Code, family: Number, parts: Number, trace: Number) -> Number:
    """The event with which a part begins that was held back, by what the parts before it came to."""
    return np.uint64(code.families[(family * (code.most_parts + 1) + parts) * code.traces + trace])


@inline
def _leave_round(left: RareRounds, place: Number, number: Number, cards: Bytes) -> Number:
    """Leave a round and its cards to the rules; how many are left to them."""
    left.rounds[place, 0], left.rounds[place, 1] = number, len(cards)
    left.cards[place, : len(cards)] = cards
    return place + 1


@inline
def _add_row(net: Ints, rows: Ints, row: Number) -> None:
    for column in range(len(net)):
        net[column] += rows[row, column]


@inline
def _close_sums(net: Ints, sums: Sums, is_rare: bool) -> None:
    """Add what a round came to, unless the rules settle it, and begin the next one."""
    columns = len(net)
    for column in range(0 if is_rare else columns):
        sums.totals[column] += net[column]
        for other in range(column, columns):
            sums.products[column, other] += net[column] * net[other]
    net[:] = 0


class Table(NamedTuple):
    """What rounds are dealt with, and where what they came to is written."""

    shoe: Shoe
    seats: Seats
    code: Code
    counter: Counter
    sums: Sums
    left: RareRounds


@inline
def _lay(house: Bytes, is_shown: Flags, drawn: Number, card: Number) -> Number:
    """Lay a card of the house's down where all seats read it; how many there are."""
    house[np.uint64(drawn)] = card
    is_shown[np.uint64(drawn)] = True
    return drawn + 1


@inline
def _count_unturned(
    ends: Number, read: Number, looked_at: Number, unseen: Number, lying: Number
) -> tuple[Number, Number]:
    """The cards of seats that were never turned with those of one more, and the most of the house's."""
    hidden = (ends >> HOUSE_FROM & UNSEEN_MASK) - (looked_at >= 0)
    return unseen + (ends & UNSEEN_MASK), max(lying, read + hidden)


@inline
def _turn_again(house: Bytes, is_shown: Flags, after: Integers, row: Number, looked_at: Number) -> Number:
    """The state or ~event that the card leads to which was looked at, when it is turned."""
    is_shown[np.uint64(looked_at)] = True
    return np.int64(after[np.uint64(row + np.int64(house[np.uint64(looked_at)]))])


@compile_loop
def play_rounds(
    stream: Handle,
    rounds: int,
    table: Table,
    where: Ints,
    on_house: Flags | None,
    keys: NDArray[np.uint64] | None,
    tags: Ints | None,
    nets: Ints | None,
    rare: Flags | None,
) -> tuple[int, int]:
    """Deal rounds, seat after seat; the house's cards are drawn once and read by all seats.

    Any card left is as likely to come next, so it does not matter that the live table deals in another order;
    for players who count cards, all seats first take those that come before the house's first. The parts of
    a divided hand are played one after the other, each to its end. How a seat's round came out is a number,
    counted in a table; the rounds end early where it gets full. `where` is kept between calls.

    What some games have no use for may be None, and costs nothing then: numba leaves out what hangs on an
    argument that is None. `on_house` is needed where the house's cards are read again, `keys` where choices
    go by the cards seen, `tags` where cards are counted, `nets` where sums over a round are kept for several
    seats, and `rare` marks what only the rules can settle: such a round is left to the caller. Gives how many
    rounds were played and how many were left. Indices are unsigned: numba looks for negative ones otherwise.
    """
    shoe, seats, code, counter, sums, left = table
    # Arrays are taken out of their tuples once: in the loop each look would count its references. So would a
    # function with a loop of its own that is given them for every card, which is why the events are followed here
    shift, after, events, emits, marks = code.shift, code.after, code.events, code.emits, code.marks
    pieces, piece_events, widest, apart = code.pieces, code.piece_events, code.widest, code.apart
    cards, before_cut, counts, ends, seen = shoe.cards, shoe.before_cut, counter.counts, counter.ends, where[KINDS:]
    at, ready, cut, running, counted = where[AT], where[READY], where[CUT], where[RUNNING], where[SEEN]
    used, most_used = where[USED], len(counts) // 2 if counter.bits else len(counts) + 1
    number_of_seats, most_true, turns = len(seats.kinds), (len(seats.levels) - 1) // 2, 1
    if tags is not None:
        turns = min(2, number_of_seats)
    net = np.zeros(len(sums.totals), np.int64)
    house, is_shown = np.zeros(len(cards), np.uint8), np.zeros(len(cards), np.bool_)
    waiting = np.zeros((code.most_parts + 1, 3), np.int64)  # parts played later: family, cards read, card looked at
    kept_states, kept_ends = np.zeros(number_of_seats, np.int64), np.zeros(number_of_seats, np.int64)
    kept_rows, kept_marks = np.zeros(number_of_seats, np.int64), np.zeros(number_of_seats, np.uint64)
    came_to, is_rare, done, number_left = np.zeros(number_of_seats, np.int64), False, 0, 0
    for number in range(rounds):
        if at >= cut:
            at, cut, running, counted = shoe.burned, before_cut, 0, 0
            ready = _begin_shoe(stream, cards, at, seen, tags)
        level = np.int64(0)
        if tags is not None:
            level = np.int64(seats.levels[_true_count(running, len(cards) - counted, most_true)])
        begun, drawn, unseen, lying = at, 0, np.int64(0), np.int64(0)
        open_sum, open_cards = np.int64(0), np.int64(0)
        for turn in range(turns):
            for seat in range(number_of_seats):
                kind = np.int64(seats.kinds[seat]) + level
                if turn == 0:
                    if nets is not None:
                        _add_row(net, sums.opening, kind)
                    state, settled, mark = np.int64(code.starts[kind]), np.int64(seats.offsets[kind]), np.uint64(0)
                else:
                    state, settled, mark = kept_states[seat], kept_ends[seat], kept_marks[seat]
                    if state < 0:
                        continue
                read, looked_at, is_new, row, what = 0, -1, False, kept_rows[seat], 0
                parts, later, marks_from = 1, 0, kind << shift
                if on_house is not None:  # noqa: SIM102  # numba leaves out what hangs on this alone
                    if apart[kind] >= 0:
                        later = _hold(waiting, 0, apart[kind], 0, -1)
                while True:
                    is_house = False
                    if on_house is not None:
                        is_house = on_house[np.uint64(state)]
                    if is_house and turn < turns - 1:
                        kept_states[seat], kept_ends[seat], kept_marks[seat] = state, settled, mark
                        kept_rows[seat] = row
                        break
                    if is_house and read < drawn:
                        card, read, is_new = np.int64(house[np.uint64(read)]), read + 1, False
                    else:
                        if at == ready:
                            at, ready, begun, cut = _make_ready(stream, cards, at, ready, begun, cut)
                            if cut == 0:
                                running, counted = 0, 0
                        card, at = np.int64(cards[np.uint64(at)]), at + 1
                        if is_house:
                            drawn, read, is_new = _lay(house, is_shown, drawn, card), read + 1, True
                        elif tags is not None:
                            open_sum += tags[np.uint64(card)]
                            open_cards += 1
                            seen[np.uint64(card)] += 1
                    if keys is not None:
                        mark += marks[np.uint64(marks_from + card)]
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
                            _add_row(net, nets, word >> EMITS_FROM & EMITS_MASK)
                        if what == END:
                            if before_cut:
                                unseen, lying = _count_unturned(target, read, looked_at, unseen, lying)
                            if later == 0:
                                break
                            if on_house is not None:
                                later -= 1
                                read, looked_at = waiting[later, 1], waiting[later, 2]
                                event = _begin_part(code, waiting[later, 0], parts, target >> TRACE_FROM)
                        elif what == NEXT:
                            break
                        elif what == LOOK_UP:
                            if keys is not None:
                                event = np.uint64(_look_up(keys, code.values, target, mark))
                        elif what == RANK:
                            event = np.uint64(piece_events[_piece(pieces, row * widest, widest, target)])
                        elif what == RUN:
                            row, target = np.int64(code.run_rows[target]), np.int64(code.run_starts[target])
                            break
                        elif what == COUNT:
                            if tags is not None:
                                total, number_read = _add_tags(tags, house, read, looked_at)
                                unknown = len(cards) - counted - open_cards - number_read
                                place = _true_count(running + open_sum + total, unknown, most_true)
                                event = np.uint64(code.by_count[target * len(seats.levels) + place])
                        elif on_house is not None:
                            if what == AGAIN:
                                target = _turn_again(house, is_shown, after, target << shift, looked_at)
                                looked_at = -1
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
                                later = _hold(waiting, later, code.forks[2 * target + 1], read, looked_at)
                                parts += 1
                                event = np.uint64(code.forks[2 * target])
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
                    used += _count_end(counter, settled)
                if number < len(ends):
                    ends[number, seat] = settled
        if rare is not None:
            if is_rare:
                number_left = _leave_round(left, number_left, number, cards[begun:at])
            else:
                used += _count_ends(counter, came_to)
        if nets is not None:
            _close_sums(net, sums, is_rare)
        if before_cut:  # cards that were never turned have left the shoe all the same
            at = min(at + unseen + max(lying - drawn, 0), len(cards))
            ready = _shuffle_up_to(stream, cards, ready, at)
            if tags is not None:
                total, number_shown = _see_house(tags, house, is_shown, drawn, seen)
                running, counted = running + open_sum + total, counted + open_cards + number_shown
        done += 1
        if used >= most_used or (is_rare and number_left == len(left.rounds)):
            break
        is_rare = False
    where[AT], where[READY], where[CUT], where[RUNNING], where[SEEN] = at, ready, cut, running, counted
    where[USED] = used
    return done, number_left


LANES = 4  # counts side by side, so that no round waits for the one before it


@compile_loop
def play_short(
    stream: Handle,
    rounds: int,
    cards: Bytes,
    short: ShortRounds,
    tally: Ints,
    ends: Ints,
) -> None:
    """Deal rounds of few cards; `tally` counts their numbers, lane by lane."""
    size, shift, words, count = np.uint64(len(tally) // LANES), np.uint64(short.shift), short.words, len(short.cards)
    for number in range(rounds):
        deal(stream, cards, 0, count)
        state, end = np.int64(0), np.int64(0)
        for place in range(count):
            word = np.int64(words[(np.uint64(state) << shift) + np.uint64(cards[np.uint64(place)])])
            state = word & STATE_MASK
            end += word >> SUM_FROM
        tally[np.uint64(number & (LANES - 1)) * size + np.uint64(end)] += 1
        if number < len(ends):
            ends[number, 0] = end


@inline
def _follow(after: Integers, shift: Number, state: Number, cards: Bytes, begin: Number, count: Number) -> Number:
    """The event that some cards lead to."""
    for place in range(begin, begin + count):
        state = np.int64(after[(np.uint64(state) << shift) + np.uint64(cards[np.uint64(place)])])
    return np.uint64(~state)


@compile_loop
def play_duels(
    stream: Handle,
    rounds: int,
    cards: Bytes,
    duels: Duels,
    tally: Ints,
    ends: Ints,
) -> None:
    """The same for a hand against the house's."""
    size, shift, after, leads, adds = len(tally) // LANES, np.uint64(duels.shift), duels.after, duels.leads, duels.adds
    pieces, piece_adds, marks, keys, values = duels.pieces, duels.piece_adds, duels.marks, duels.keys, duels.values
    own, house, width = len(duels.own), len(duels.house), len(duels.width)
    for number in range(rounds):
        deal(stream, cards, 0, own + house)
        event = _follow(after, shift, duels.start, cards, 0, own)
        end = adds[event]
        if leads[event] < 0:
            mark = np.uint64(0)
            for place in range(own):
                mark += marks[np.uint64(cards[place])]
            event = np.uint64(_look_up(keys, values, ~leads[event], mark))
            end += adds[event]
        rank = leads[_follow(after, shift, duels.house_start, cards, own, house)]
        piece = _piece(pieces, leads[event], width, rank)
        end += piece_adds[piece]
        tally[np.uint64((number & (LANES - 1)) * size + end)] += 1
        if number < len(ends):
            ends[number, 0] = end
