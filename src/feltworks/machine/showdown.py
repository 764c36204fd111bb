"""The compiled loop for rounds of one course: own cards, a board, the dealer's cards, settled by hand values.

Such rounds have too many states to list, and need none: the same cards come whatever was dealt before. A
choice is looked up by the class of the cards in sight, up to suits, and the end by the values of the hands.
"""

from typing import NamedTuple

import numpy as np

from feltworks.machine.compiler import Bytes, Integers, Ints, Number, compile_loop, deal, inline
from feltworks.machine.streams import Handle

SUITS = 4
NO_VALUE, OWN_VALUE, BOTH_VALUES = range(3)  # what an end is settled by
BYTE = 8
RANK_BITS = 4
ONE_WORD = 10  # cards of a deck that are dealt by one random word
AT_ONCE = 256  # rounds that go through each step together
_MASK_BITS, _MASK = 16, (1 << 16) - 1  # the ranks of each suit


class Course(NamedTuple):
    """How many cards come where, and the tree of choices."""

    own: int
    board: int
    dealer: int
    start: int  # the first point of the tree, or ~ its only end
    after: Ints  # by point and choice: the next point, or ~ an end
    sights: Ints  # by point: where the cards of the class begin and how many, then the same for cards beside it
    picks: Bytes  # choices of all points, packed, by class and cards beside it
    packed: Ints  # by point: where its choices begin in bytes, cells a class, bits a choice
    drawn: int  # own cards that a seat may exchange at most
    discards: Ints  # by end: the places of the cards that are exchanged, in the order of the class, as bits
    exchanges: Ints  # by the places of such cards in the order they came, as bits: the end


class Values(NamedTuple):
    """Hands by their ranks and by their suits; places in the order of all values."""

    grow: Integers  # by ranks so far, shifted, and the next rank: the ranks with it; at last the kind of a whole hand
    mixed: Integers  # by kind: the value in mixed suits
    suited: Integers  # and in one suit
    with_two: Integers  # by kind of a board and pair of ranks: the best value in mixed suits
    pair_of: Integers  # by two ranks: their pair
    in_suit: Integers  # by the ranks of one suit, as bits: the best flush, or -1
    places: Integers  # by the ranks of one suit, as bits: its place among all that is held of a suit
    class_places: Ints  # by number of cards: where the two parts of its classes begin, and how wide they are
    classes: Integers  # the number of a class is the sum of two: one for its two longest suits, one for the others
    own: Integers  # by class of the own cards: the value; empty where values go by ranks and one suit
    dealer: Integers  # and by class of the dealer's


class Ends(NamedTuple):
    """How rounds come out: by end of the choices, run of the own value, and run and order of the dealer's."""

    needs: Ints  # by end: the values that it is settled by
    own_runs: Integers  # by value
    dealer_runs: Integers
    numbers: Integers  # by end, own run and three times the dealer's run with the order of the two; or by cell
    bounds: Ints  # where hands go by class, by own value: from which of the dealer's on each cell but one begins


@inline
def _sort_down(one: Number, other: Number) -> tuple[Number, Number]:
    return max(one, other), min(one, other)


@inline
def _class_of(
    hand: Bytes, begin: Number, count: Number, places: Integers, class_places: Ints, classes: Integers
) -> tuple[Number, Number]:
    """The class of some cards up to suits, and the column of each suit in it, two bits a suit."""
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
    """The number of the cards beside a class, in the suits of the class: none, a card or two of them."""
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
    """The place of the choice in a cell of a point of the tree."""
    bits = packed[point, 2]
    at = cell * bits
    byte = np.int64(picks[np.uint64(packed[point, 0] + (at >> 3))])
    return byte >> (at & 7) & ((1 << bits) - 1)


@inline
def _kind(hand: Bytes, begin: Number, end: Number, grow: Integers) -> Number:
    """The kind of a whole hand by its ranks."""
    kind = np.int64(0)
    for place in range(begin, end):
        kind = np.int64(grow[np.uint64((kind << RANK_BITS) + (np.int64(hand[np.uint64(place)]) >> 2))])
    return kind


@inline
def _whole_value(hand: Bytes, begin: Number, end: Number, grow: Integers, mixed: Integers, suited: Integers) -> Number:
    """The value of a whole hand."""
    suits = np.int64(15)
    for place in range(begin, end):
        suits &= 1 << (np.int64(hand[np.uint64(place)]) & 3)
    kind = np.uint64(_kind(hand, begin, end, grow))
    return np.int64(suited[kind]) if suits else np.int64(mixed[kind])


@inline
def _value_with_board(
    hand: Bytes, begin: Number, kind: Number, flush: Number, with_two: Integers, pair_of: Integers, in_suit: Integers
) -> Number:
    """The value of two cards with a board of this kind; `flush` is the suit it has three of, and their ranks."""
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
    """The suit that three cards or more of a board have, with their ranks above it; -1 where none has."""
    held = np.int64(0)
    for place in range(begin, end):
        held += 1 << 4 * (np.int64(hand[place]) & 3)
    held = held + 0x5555 & 0x8888  # three and five are eight
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
    """Deal a round a row of `cards`, and lay each seat's cards, the board's and the dealer's side by side.

    Cards for exchanges come last.
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
    """Follow the choices of some hands from their points to ~ an end, point after point for all of them.

    The cells of all hands come first, then their choices: the tables are large, and a short loop lets the
    processor wait for many cells at the same time.
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
    """A number by which the cards of a hand are in the order of its class: suit by suit, in each by rank."""
    return (columns >> (np.int64(card) & 3) * 2 & 3) << RANK_BITS | np.int64(card) >> 2


@compile_loop
def _exchange(hands: Bytes, course: Course, values: Values, cards: Bytes, points: Ints) -> None:
    """Exchange the cards that each hand discards for the next ones of its round; points get ~ the ends."""
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
    """How each hand came out at the end of its choices."""
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
    """Deal one round a row of `out` from a whole deck, a seat a column; each gets how it came out.

    `leaves` and `cards`, as far as they have room, get the ends of the choices and the cards: those of each
    seat, then the board's and the dealer's, then those that may replace others.
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
