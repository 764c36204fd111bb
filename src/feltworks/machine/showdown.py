"""The compiled loop for rounds of a fixed course: own cards, a board, the dealer's cards, settled by hand values.

Such rounds have too many states to list and need none, as the number of cards never depends on the cards. A
choice is looked up by the class of the visible cards up to suits, and the result by the values of the hands.
"""

from typing import NamedTuple

import numpy as np

from feltworks.machine.compiler import Bytes, Integers, Ints, Number, compile_loop, deal, inline
from feltworks.machine.streams import Handle

SUITS = 4
NO_VALUE, OWN_VALUE, BOTH_VALUES = range(3)  # which hand values decide an end
BYTE = 8
RANK_BITS = 4
ONE_WORD = 10  # cards dealt with one random word
AT_ONCE = 256  # rounds that are processed together, step by step
_MASK_BITS, _MASK = 16, (1 << 16) - 1  # bits for the ranks of each suit


class Course(NamedTuple):
    """The number of cards for each place, and the tree of choices."""

    own: int
    board: int
    dealer: int
    start: int  # the first point of the tree, or ~ its only end
    after: Ints  # by point and choice: the next point, or ~ an end
    sights: Ints  # by point: first card and number of cards of the class, then of the cards beside it
    picks: Bytes  # choices of all points as packed bits, by class and cards beside it
    packed: Ints  # by point: the first byte of its choices, cells of a class, bits of a choice
    drawn: int  # the most own cards that a seat may exchange
    discards: Ints  # by end: a bit mask of the cards to exchange, in the order of the class
    exchanges: Ints  # by bit mask of the exchanged cards in the order dealt: the end


class Values(NamedTuple):
    """Lookup tables for the values of hands; a value is its place in the order of all values."""

    grow: Integers  # transitions of an automaton over ranks; the final state is the kind of a complete hand
    mixed: Integers  # by kind: the value if suits are mixed
    suited: Integers  # by kind: the value in one suit
    with_two: Integers  # by kind of a board and pair of ranks: the best value in mixed suits
    pair_of: Integers  # by two ranks: their pair
    in_suit: Integers  # by bit mask of the ranks of one suit: the best flush, or -1
    places: Integers  # by bit mask of the ranks of one suit: its number
    class_places: Ints  # by number of cards: offset and row width of its two tables in `classes`
    classes: Integers  # a class is the sum of two entries: for its two longest suits and for the others
    own: Integers  # by class of the own cards: the value; empty if the automaton gives the values
    dealer: Integers  # by class of the dealer's cards: the value


class Ends(NamedTuple):
    """The result numbers, by end of the choices, run of the own value, and run and order of the dealer's."""

    needs: Ints  # by end: which values decide it
    own_runs: Integers  # by value
    dealer_runs: Integers
    numbers: Integers  # by end, own run, and cell: 3 · the dealer's run + order of the values, or from `bounds`
    bounds: Ints  # for hands by class, by own value: the dealer's value at which each further cell begins


@inline
def _sort_down(one: Number, other: Number) -> tuple[Number, Number]:
    return max(one, other), min(one, other)


@inline
def _class_of(
    hand: Bytes, begin: Number, count: Number, places: Integers, class_places: Ints, classes: Integers
) -> tuple[Number, Number]:
    """The class of some cards up to suits, and the position of each suit in it, two bits each."""
    masks = np.int64(0)
    for place in range(begin, begin + count):
        card = np.int64(hand[np.uint64(place)])
        masks |= 1 << (card >> 2) + (card & 3) * _MASK_BITS
    a = np.int64(places[np.uint64(masks & _MASK)]) << 2
    b = np.int64(places[np.uint64(masks >> _MASK_BITS & _MASK)]) << 2 | 1
    c = np.int64(places[np.uint64(masks >> 2 * _MASK_BITS & _MASK)]) << 2 | 2
    d = np.int64(places[np.uint64(masks >> 3 * _MASK_BITS)]) << 2 | 3
    a, b = _sort_down(a, b)
    c, d = _sort_down(c, d)
    a, c = _sort_down(a, c)
    b, d = _sort_down(b, d)
    b, c = _sort_down(b, c)
    columns = 1 << (b & 3) * 2 | 2 << (c & 3) * 2 | 3 << (d & 3) * 2
    two = class_places[count, 0] + (a >> 2) * class_places[count, 1] + (b >> 2)
    rest = class_places[count, 2] + (c >> 2) * class_places[count, 3] + (d >> 2)
    return np.int64(classes[np.uint64(two)]) + np.int64(classes[np.uint64(rest)]), columns


@inline
def _number_beside(hand: Bytes, begin: Number, count: Number, columns: Number, pairs: Number) -> Number:
    """The number of the cards beside a class, none to two, with suits renamed as in the class."""
    if count == 0:
        return np.int64(0)
    card = np.int64(hand[begin])
    one = (card & ~3) | columns >> (card & 3) * 2 & 3
    if count == 1:
        return one
    card = np.int64(hand[begin + 1])
    two = (card & ~3) | columns >> (card & 3) * 2 & 3
    low, high = min(one, two), max(one, two)
    return (low * (2 * pairs - low - 1) >> 1) + high - low - 1


@inline
def _pick(picks: Bytes, packed: Ints, point: Number, cell: Number) -> Number:
    """Unpacks the choice of a cell at a point of the tree."""
    bits = packed[point, 2]
    at = cell * bits
    byte = np.int64(picks[np.uint64(packed[point, 0] + (at >> 3))])
    return byte >> (at & 7) & ((1 << bits) - 1)


@inline
def _kind(hand: Bytes, begin: Number, end: Number, grow: Integers) -> Number:
    """The kind of a complete hand by its ranks."""
    kind = np.int64(0)
    for place in range(begin, end):
        kind = np.int64(grow[np.uint64((kind << RANK_BITS) + (np.int64(hand[np.uint64(place)]) >> 2))])
    return kind


@inline
def _whole_value(hand: Bytes, begin: Number, end: Number, grow: Integers, mixed: Integers, suited: Integers) -> Number:
    """The value of a complete hand."""
    suits = np.int64(15)
    for place in range(begin, end):
        suits &= 1 << (np.int64(hand[np.uint64(place)]) & 3)
    kind = np.uint64(_kind(hand, begin, end, grow))
    return np.int64(suited[kind]) if suits else np.int64(mixed[kind])


@inline
def _value_with_board(
    hand: Bytes, begin: Number, kind: Number, flush: Number, with_two: Integers, pair_of: Integers, in_suit: Integers
) -> Number:
    """The value of two cards with a board of this kind; `flush` is the result of `_flush_suit`."""
    one, two = np.int64(hand[begin]), np.int64(hand[begin + 1])
    value = np.int64(with_two[np.uint64(kind), np.uint64(pair_of[one >> 2, two >> 2])])
    if flush >= 0:
        mask = flush >> 2
        if one & 3 == flush & 3:
            mask |= 1 << (one >> 2)
        if two & 3 == flush & 3:
            mask |= 1 << (two >> 2)
        value = max(value, np.int64(in_suit[mask]))
    return value


@inline
def _flush_suit(hand: Bytes, begin: Number, end: Number) -> Number:
    """The suit of at least three cards of a board, and above it a bit mask of their ranks; -1 if there is none."""
    held = np.int64(0)
    for place in range(begin, end):
        held += 1 << 4 * (np.int64(hand[place]) & 3)
    held = held + 0x5555 & 0x8888  # four bits a suit: a count of three or more sets bit 8
    if not held:
        return np.int64(-1)
    suit, mask = np.int64(0), np.int64(0)
    while held >> 4 * suit & 8 == 0:
        suit += 1
    for place in range(begin, end):
        card = np.int64(hand[place])
        if card & 3 == suit:
            mask |= 1 << (card >> 2)
    return mask << 2 | suit


@compile_loop
def _deal_hands(stream: Handle, deck: Bytes, course: Course, hands: Bytes, seats: Number, cards: Bytes) -> None:
    """Deal a round into each row of `cards`, and copy the cards that each seat's result depends on to `hands`.

    Cards for exchanges come last in a row.
    """
    own, common = course.own, course.board + course.dealer
    total, width = cards.shape[1], own + common
    for number in range(len(cards)):
        ready = 0
        while ready < total:
            if len(deck) - ready >= ONE_WORD:
                deal(stream, deck, ready, ONE_WORD)
            else:
                deal(stream, deck, ready, len(deck) - ready)
            ready += ONE_WORD
        for place in range(total):
            cards[number, place] = deck[place]
        for seat in range(seats):
            begin = (number * seats + seat) * width
            for place in range(own):
                hands[np.uint64(begin + place)] = deck[seat * own + place]
            for place in range(common):
                hands[np.uint64(begin + own + place)] = deck[seats * own + place]


@compile_loop
def _choose(
    hands: Bytes, deck: Bytes, course: Course, values: Values, points: Ints, waiting: Ints, cells: Ints
) -> None:
    """Follow the choices of all hands down the tree to ~ an end, one point of every hand at a time.

    The cells of all hands are computed before their choices are read: the tables are large, and a short loop
    lets the CPU overlap many cache misses.
    """
    own, board, dealer, start, after, sights, picks, packed, _, _, _ = course
    places, class_places, classes = values.places, values.class_places, values.classes
    width, number = own + board + dealer, len(points) if start >= 0 else 0
    for place in range(len(points)):
        points[place], waiting[place] = start, place
    while number:
        for place in range(number):
            hand = np.int64(waiting[place])
            point, begin = points[hand], hand * width
            row, columns = _class_of(hands, begin + sights[point, 0], sights[point, 1], places, class_places, classes)
            beside = _number_beside(hands, begin + sights[point, 2], sights[point, 3], columns, len(deck))
            cells[place] = row * packed[point, 1] + beside
        still = 0
        for place in range(number):
            hand = np.int64(waiting[place])
            point = points[hand]
            point = np.int64(after[point, _pick(picks, packed, point, cells[place])])
            points[hand], waiting[still] = point, hand
            still += int(point >= 0)
        number = still


@inline
def _class_key(card: Number, columns: Number) -> Number:
    """A sort key that puts the cards of a hand into the order of its class: by suit, then by rank."""
    return (columns >> (np.int64(card) & 3) * 2 & 3) << RANK_BITS | np.int64(card) >> 2


@compile_loop
def _exchange(hands: Bytes, course: Course, values: Values, cards: Bytes, points: Ints) -> None:
    """Replace the cards that each hand discards by the next ones of its round, and set its point to ~ the end."""
    own, width = course.own, course.own + course.board + course.dealer
    discards, exchanges = course.discards, course.exchanges
    places, class_places, classes = values.places, values.class_places, values.classes
    seats = len(points) // len(cards)
    for number in range(len(cards)):
        next_card = cards.shape[1] - seats * course.drawn
        for hand in range(number * seats, (number + 1) * seats):
            in_class, begin, lying = np.int64(discards[~points[hand]]), hand * width, np.int64(0)
            if not in_class:
                continue
            _, columns = _class_of(hands, begin, own, places, class_places, classes)
            for place in range(own):
                key, before = _class_key(hands[begin + place], columns), np.int64(0)
                for other in range(own):
                    before += _class_key(hands[begin + other], columns) < key
                lying |= (in_class >> before & 1) << place
            for place in range(own):
                if lying >> place & 1:
                    hands[begin + place] = cards[number, next_card]
                    next_card += 1
            points[hand] = ~exchanges[lying]


@compile_loop
def _settle(hands: Bytes, course: Course, values: Values, ends: Ends, points: Ints, out: Integers) -> None:
    """Write the result number of each hand at the end of its choices."""
    own, board, dealer = course.own, course.board, course.dealer
    grow, mixed, suited, with_two, pair_of, in_suit, places, class_places, classes, own_values, dealer_values = values
    needs, own_runs, dealer_runs, numbers, bounds = ends
    whole = own + board
    for number in range(len(points)):
        begin, leaf = number * (whole + dealer), ~points[number]
        mine, theirs, cell = np.int64(0), np.int64(0), np.int64(0)
        if needs[leaf] != NO_VALUE:
            house = begin + whole
            if board and dealer:
                kind, flush = _kind(hands, begin + own, house, grow), _flush_suit(hands, begin + own, house)
                mine = _value_with_board(hands, begin, kind, flush, with_two, pair_of, in_suit)
                if needs[leaf] == BOTH_VALUES:
                    theirs = _value_with_board(hands, house, kind, flush, with_two, pair_of, in_suit)
            elif len(own_values):
                row, _ = _class_of(hands, begin, whole, places, class_places, classes)
                mine = np.int64(own_values[row])
                if needs[leaf] == BOTH_VALUES:
                    row, _ = _class_of(hands, house, dealer, places, class_places, classes)
                    theirs = np.int64(dealer_values[row])
            else:
                mine = _whole_value(hands, begin, house, grow, mixed, suited)
                if needs[leaf] == BOTH_VALUES:
                    theirs = _whole_value(hands, house, house + dealer, grow, mixed, suited)
            if len(own_values):
                for bound in bounds[mine]:
                    cell += theirs >= bound
            elif needs[leaf] == BOTH_VALUES:
                cell = 3 * np.int64(dealer_runs[theirs]) + (1 + (theirs > mine) - (theirs < mine))
        out[number] = numbers[leaf, np.int64(own_runs[mine]), cell]


@compile_loop
def play_showdowns(
    stream: Handle,
    deck: Bytes,
    course: Course,
    values: Values,
    ends: Ends,
    out: Integers,
    leaves: Integers,
    cards: Bytes,
) -> None:
    """Simulate rounds from a full deck: `out` gets the result numbers, a row for each round, a column for each seat.

    `leaves` and `cards` get the ends of the choices and the cards of as many rounds as they have rows: the
    cards of each seat, then the board's and the dealer's, then those for exchanges.
    """
    rounds, seats = out.shape
    own, common = course.own, course.board + course.dealer
    dealt = np.zeros((min(rounds, AT_ONCE), seats * (own + course.drawn) + common), np.uint8)
    hands = np.zeros(len(dealt) * seats * (own + common), np.uint8)
    points, waiting, cells = np.zeros((3, len(dealt) * seats), np.int64)
    settled = np.zeros(len(points), np.int32)
    for first in range(0, rounds, AT_ONCE):
        number = min(AT_ONCE, rounds - first)
        some, some_points = dealt[:number], points[: number * seats]
        _deal_hands(stream, deck, course, hands, seats, some)
        _choose(hands, deck, course, values, some_points, waiting, cells)
        if course.drawn:
            _exchange(hands, course, values, some, some_points)
        _settle(hands, course, values, ends, some_points, settled)
        for place in range(number):
            for seat in range(seats):
                out[first + place, seat] = settled[place * seats + seat]
                if first + place < len(leaves):
                    leaves[first + place, seat] = ~points[place * seats + seat]
            if first + place < len(cards):
                cards[first + place] = some[place]
