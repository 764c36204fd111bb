"""The compiled loop that simulates every game: deals cards, follows the transition table, counts the ends."""

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
# Places in the array that is kept between calls; from KINDS on the cards of each kind that a counter has seen
AT, READY, CUT, RUNNING, SEEN, USED, KINDS = range(7)


class Shoe(NamedTuple):
    """The cards that are dealt, by their kinds, and how the shoe is handled."""

    cards: Bytes
    before_cut: int  # cards before the cut card; 0: a new shuffle for every round
    burned: int


class Seats(NamedTuple):
    """The kinds of seats at the table; for card counters the kind also depends on the true count."""

    kinds: NDArray[np.int32]  # by seat
    offsets: Ints  # by kind: the first of its result numbers
    levels: Ints  # by true count: an offset to the seat's kind


class Counter(NamedTuple):
    """The number of rounds for each result number: a plain array or a hash table."""

    keys: Ints  # the result number of each slot of a hash table
    counts: Ints
    bits: int  # the shift from a hash to its slot; 0: a plain array
    ends: Ints  # by round and seat: the result number; shorter than the run if only the first are wanted


class Sums(NamedTuple):
    """Sums of the nets of several seats, and of their products for the standard deviation."""

    opening: Ints  # by kind of seat and column: its net before the first card
    totals: Ints
    products: Ints


class RareRounds(NamedTuple):
    """Rounds that only the rules can settle: by round its number and count of cards, and the cards."""

    rounds: Ints
    cards: Bytes


@inline
def shuffle_on(stream: Handle, cards: Bytes, ready: Number) -> Number:
    """Shuffle the next cards to the front of those left, and give how many cards are ready then."""
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
    """As `shuffle_on`; if the shoe runs out within a round, the discards of earlier rounds are shuffled in."""
    if ready == len(cards):
        _take_discards(cards, begun)
        at, ready, begun, cut = at - begun, ready - begun, 0, 0
    return at, shuffle_on(stream, cards, ready), begun, cut


@compile_loop
def _take_discards(cards: Bytes, start: int) -> None:
    """Rotate the array so that the cards of this round come first and the discards follow."""
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
    """The index of the piece of a row that contains a rank."""
    place = begin
    for next_piece in range(begin + 1, begin + widest):  # no early exit: a branch would be mispredicted
        place += np.int64(pieces[np.uint64(next_piece)] <= rank)
    return np.uint64(place)


@inline
def _count_end(counter: Counter, number: Number) -> bool:
    """Count a result; whether it takes a new slot of the hash table."""
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
    """Count the results of all seats in a round; how many take new slots."""
    new = np.int64(0)
    for number in numbers:
        new += _count_end(counter, number)
    return new


@inline
def _true_count(running: Number, unseen: Number, widest: Number) -> Number:
    """The running count per unseen deck, rounded down and clipped, as an index from 0."""
    return min(max(running * DECK // unseen, -widest), widest) + widest


@inline
def _add_tags(tags: Ints, house: Bytes, read: Number, looked_at: Number) -> tuple[Number, Number]:
    """The sum of tags and the number of the house cards that a seat has read, except one that lies face down."""
    total, cards = np.int64(0), np.int64(0)
    for place in range(read):
        if place != looked_at:
            total += tags[np.uint64(house[np.uint64(place)])]
            cards += 1
    return total, cards


@inline
def _see_house(tags: Ints, house: Bytes, is_shown: Flags, drawn: Number, seen: Ints) -> tuple[Number, Number]:
    """As `_add_tags` for all house cards shown in a round; also counts their kinds in `seen`."""
    total, cards = np.int64(0), np.int64(0)
    for place in range(drawn):
        if is_shown[place]:
            total += tags[np.uint64(house[place])]
            cards += 1
            seen[np.uint64(house[place])] += 1
    return total, cards


@inline
def _begin_shoe(stream: Handle, cards: Bytes, burned: Number, seen: Ints, tags: Ints | None) -> Number:
    """Shuffle and burn, and reset the counts of cards seen; how many cards are ready."""
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
    """Push a part of the round that is played later; how many parts wait."""
    waiting[later, 0], waiting[later, 1], waiting[later, 2] = family, read, looked_at
    return later + 1


@inline
def _begin_part(code: Code, family: Number, parts: Number, trace: Number) -> Number:
    """The first event of a part that was held back, by the number of hands and the trace so far."""
    return np.uint64(code.families[(family * (code.most_parts + 1) + parts) * code.traces + trace])


@inline
def _leave_round(left: RareRounds, place: Number, number: Number, cards: Bytes) -> Number:
    """Store a round and its cards for the rules to settle; how many are stored."""
    left.rounds[place, 0], left.rounds[place, 1] = number, len(cards)
    left.cards[place, : len(cards)] = cards
    return place + 1


@inline
def _add_row(net: Ints, rows: Ints, row: Number) -> None:
    for column in range(len(net)):
        net[column] += rows[row, column]


@inline
def _close_sums(net: Ints, sums: Sums, is_rare: bool) -> None:
    """Add a round's nets to the sums, unless the rules settle it, and reset them."""
    columns = len(net)
    for column in range(0 if is_rare else columns):
        sums.totals[column] += net[column]
        for other in range(column, columns):
            sums.products[column, other] += net[column] * net[other]
    net[:] = 0


class Table(NamedTuple):
    """The inputs of a simulation and the arrays that its results are written to."""

    shoe: Shoe
    seats: Seats
    code: Code
    counter: Counter
    sums: Sums
    left: RareRounds


@inline
def _lay(house: Bytes, is_shown: Flags, drawn: Number, card: Number) -> Number:
    """Append a card to the house's, which all seats read; how many there are."""
    house[np.uint64(drawn)] = card
    is_shown[np.uint64(drawn)] = True
    return drawn + 1


@inline
def _count_unturned(
    ends: Number, read: Number, looked_at: Number, unseen: Number, lying: Number
) -> tuple[Number, Number]:
    """Add an end's cards that were never turned: the sum over seats, and the most house cards drawn by any."""
    hidden = (ends >> HOUSE_FROM & UNSEEN_MASK) - (looked_at >= 0)
    return unseen + (ends & UNSEEN_MASK), max(lying, read + hidden)


@inline
def _turn_again(house: Bytes, is_shown: Flags, after: Integers, row: Number, looked_at: Number) -> Number:
    """The state or ~event after turning the card that the dealer has looked at."""
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

    All cards left are equally likely to come next, so the order may differ from that of the live table; only for
    players who count cards, all seats take their cards before the first house card. The hands of a split are
    played one after the other, each to its end. The result of a seat's round is a number that `counter` counts;
    the simulation stops early when an array for results is full. `where` keeps the state between calls.

    Arguments that a game does not need are None and then cost nothing, as numba removes branches that test
    them. `on_house` is needed if house cards are read again, `keys` if choices depend on the cards seen, `tags`
    if cards are counted, `nets` if nets are summed over several seats; `rare` marks results that only the rules
    can settle: such a round is stored for the caller. Returns how many rounds were played and how many were
    stored. Indices are unsigned, as numba otherwise checks for negative ones.
    """
    shoe, seats, code, counter, sums, left = table
    # Arrays are unpacked once, as numba updates reference counts on each access in the loop. A function with a
    # loop of its own would cost the same for every card, which is why the events are handled inline here
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
    results, is_rare, done, number_left = np.zeros(number_of_seats, np.int64), False, 0, 0
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
                if on_house is not None:  # noqa: SIM102  # numba removes a branch that tests only this
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
                    results[seat] = settled
                else:
                    used += _count_end(counter, settled)
                if number < len(ends):
                    ends[number, seat] = settled
        if rare is not None:
            if is_rare:
                number_left = _leave_round(left, number_left, number, cards[begun:at])
            else:
                used += _count_ends(counter, results)
        if nets is not None:
            _close_sums(net, sums, is_rare)
        if before_cut:  # cards that were never turned have left the shoe, too
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


LANES = 4  # separate tallies, so that increments of consecutive rounds do not wait for each other


@compile_loop
def play_short(
    stream: Handle,
    rounds: int,
    cards: Bytes,
    short: ShortRounds,
    tally: Ints,
    ends: Ints,
) -> None:
    """Simulate short rounds; `tally` counts their result numbers in separate lanes."""
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
    """The event that these cards lead to."""
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
    """As `play_short`, for a hand against the house's."""
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
