"""How often a player's hand is over a limit, or surrendered, together with what the dealer comes to hold.

Cards lie in their places in any order, so the player's and the dealer's cards are drawn together: the
dealer's first where their suits count, then the player's from what is left of each value. All weights are
whole numbers of ordered ways.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from math import comb, perm, prod

import numpy as np
from msgspec import Struct

from feltworks.analysis.dealers_hand import TEN, Counts, Growth, by_value, growths
from feltworks.analysis.shoe_game.chart import SPLIT, Codes, split_acts, unsplit_acts
from feltworks.analysis.shoe_game.hands import Hands
from feltworks.analysis.shoe_game.numbers import Array, Ints
from feltworks.analysis.shoe_game.play import DOUBLE, HIT
from feltworks.analysis.shoe_game.solver import ShoeGame
from feltworks.analysis.shoe_game.splits import Pattern, patterns
from feltworks.cards import RANKS, Suit
from feltworks.hands.blackjack import TEN_VALUES

Ways = dict[Counts, int]  # cards a player took, by value: in how many orders
Made = tuple[int, int]  # a dealer's total and, where all cards are of one suit, their number; otherwise 0
_NONE: Counts = (0,) * 10


class Kind(Struct, frozen=True):
    """Cards that make a pair: their value, how many the shoe holds, and how many in each suit."""

    value: int
    count: int
    by_suit: Mapping[Suit, int]


class Drawn(Struct, frozen=True):
    """Cards a player takes, so many times over: some of one kind that makes pairs, others of any values."""

    times: int
    ways: Ways
    kind: Kind | None = None
    of_kind: int = 0


def joint_law(table: ShoeGame, up: int, drawn: list[Drawn]) -> dict[Made, Fraction]:
    """How likely the player takes these cards while the dealer, with this up card, makes each hand."""
    found: dict[Made, Fraction] = {}
    hands = [hand for hand in growths(up, hits_soft_17=table.game.hits_soft_17) if hand.total]
    for each in drawn:
        for taken, orders in each.ways.items():
            for made, likely in _together(table, hands, each, taken):
                found[made] = found.get(made, Fraction(0)) + each.times * orders * likely
    return {made: likely for made, likely in found.items() if likely}


def _together(
    table: ShoeGame, hands: list[Growth], drawn: Drawn, taken: Counts
) -> Iterator[tuple[Made, Fraction]]:
    cards = sum(taken) + drawn.of_kind
    alone: Counter[tuple[int, int]] = Counter()
    for (counts, alike), suits in _suits_alike(table, drawn.kind).items():
        for key, ways in _ways(hands, _leaving(table, drawn, taken, counts, alike)).items():
            alone[key] += suits * ways
    whole = drawn.kind.count if drawn.kind else 0
    for key, ways in _ways(hands, _leaving(table, drawn, taken, by_value(table.shoe), whole)).items():
        total, size = key
        scale = Fraction(1, perm(table.shoe.total, cards + size))
        yield (total, 0), (ways - (alone[key] if total else 0)) * scale
        if total:
            yield key, alone[key] * scale


def _suits_alike(table: ShoeGame, kind: Kind | None) -> Counter[tuple[Counts, int]]:
    """What each suit holds, and of the kind: suits that hold the same are worked out once."""
    return Counter((by_value(table.shoe, suit), kind.by_suit[suit] if kind else 0) for suit in Suit)


def _ways(hands: list[Growth], leaving: list[Callable[[int], int]]) -> Counter[tuple[int, int]]:
    """Ordered ways by the dealer's total and number of cards; a natural's total is 0."""
    known = [[leave(count) for count in range(22)] for leave in leaving]
    found: Counter[tuple[int, int]] = Counter()
    for hand in hands:
        ways = hand.ways * prod(known[value][count] for value, count in enumerate(hand.counts))
        found[0 if hand.is_natural else hand.total, hand.cards] += ways
    return found


def _leaving(
    table: ShoeGame, drawn: Drawn, taken: Counts, counts: Counts, alike: int
) -> list[Callable[[int], int]]:
    """For each value: in how many ways the dealer takes so many of these cards, and the player theirs."""

    def leave(value: int) -> Callable[[int], int]:
        whole, mine, there = int(table.counts[value]), taken[value], counts[value]
        if drawn.kind is None or drawn.kind.value != value:
            return lambda count: perm(there, count) * perm(max(whole - count, 0), mine)
        kind, wanted = drawn.kind.count, drawn.of_kind
        return lambda count: (
            perm(max(whole - count - wanted, 0), mine)
            * sum(
                comb(count, k) * perm(alike, k) * perm(there - alike, count - k) * perm(kind - k, wanted)
                for k in range(min(count, alike) + 1)
            )
        )

    return [leave(value) for value in range(10)]


def over_limit(table: ShoeGame, codes: Codes, up: int, over: range, *, one_is_enough: bool) -> list[Drawn]:
    """The cards by which a player of this chart ends over the limit, up card by up card.

    LB.12: of split hands all have to be over it, or one is enough.
    """
    acts, surrenders = unsplit_acts(table, codes)
    splits = codes.pair[:, up] == SPLIT
    start, rows = _first_cards(table, surrenders[:, up]), table.pair_row
    found = []
    for value in np.flatnonzero(splits & (rows > 0) & (table.most_hands > 1)):
        row = rows[value]
        if value == TEN and not table.game.spot_rules.splits_on_value:
            ends = _ends(table.hands, acts[:, up], {row: 1}, over, without=(int(value), 2))
            found += [Drawn(-1, ends, kind, 2) for kind in kinds(table, int(value))]
        else:
            start.pop(row, None)
        found += _split_over(table, codes, up, over, int(value), one_is_enough)
    return [Drawn(1, _ends(table.hands, acts[:, up], start, over)), *found]


def surrendered(table: ShoeGame, codes: Codes, up: int) -> list[Drawn]:
    """The first two cards that a player of this chart surrenders."""
    _, surrenders = unsplit_acts(table, codes)
    rows = np.flatnonzero(surrenders[:, up])
    splits = {table.pair_row[value] for value in np.flatnonzero(codes.pair[:, up] == SPLIT)}
    orders = {row: 1 if table.hands.held[row].max() == 2 else 2 for row in rows if row not in splits}
    return [Drawn(1, {_held(table.hands, row): ways for row, ways in orders.items()})]


def _first_cards(table: ShoeGame, surrendered_: Array) -> dict[int, int]:
    hands = table.hands
    rows = np.flatnonzero((hands.size == 2) & ~table.is_natural & ~surrendered_)
    return {int(row): 1 if hands.held[row].max() == 2 else 2 for row in rows}


def _held(hands: Hands, row: int) -> Counts:
    return tuple(int(count) for count in hands.held[row])


def _ends(
    hands: Hands, acts: Ints, start: Mapping[int, int], over: range, without: tuple[int, int] = (0, 0)
) -> Ways:
    """From these beginnings: the cards of hands that end with a total in this range, by their orders.

    `without`: so many cards of a value that are accounted for elsewhere.
    """
    waiting = {int(row): ways for row, ways in start.items()}
    found: Ways = {}
    for rows in hands.layers:
        for row in rows.tolist():
            ways = waiting.pop(row, 0)
            if not ways or acts[row] not in (HIT, DOUBLE):
                continue
            for value in range(10):
                total = int(hands.low[row]) + value + 1
                then = int(hands.after[row, value])
                if total in over:
                    held = list(_held(hands, row))
                    held[value] += 1
                    held[without[0]] -= without[1]
                    found[tuple(held)] = found.get(tuple(held), 0) + ways
                elif then >= 0 and acts[row] == HIT:
                    waiting[then] = waiting.get(then, 0) + ways
    return found


def kinds(table: ShoeGame, value: int) -> list[Kind]:
    """The kinds of card that make a pair of this value at this table."""
    if value != TEN or table.game.spot_rules.splits_on_value:
        by_suit = {suit: by_value(table.shoe, suit)[value] for suit in Suit}
        return [Kind(value, sum(by_suit.values()), by_suit)]
    found = []
    for rank in RANKS[RANKS.index("T") : RANKS.index("A")]:
        by_suit = {face.suit: table.shoe[face] for face in TEN_VALUES if face.code[0] == rank and face.suit}
        found.append(Kind(value, sum(by_suit.values()), by_suit))
    return found


def _split_over(
    table: ShoeGame, codes: Codes, up: int, over: range, value: int, one_is_enough: bool
) -> Iterator[Drawn]:
    """A pair split: its second cards by pattern, and those hands over the limit that the reading asks for."""
    hands, acts = table.split_hands, split_acts(table, codes)[:, up]
    root = hands.row(value, origin=value)
    after = hands.after[root]
    seconds = {int(row): 1 for row in after if row >= 0}
    any_second = _ends(hands, acts, seconds, over, without=(value, 1))
    paired = _ends(hands, acts, {int(after[value]): 1} if after[value] >= 0 else {}, over, without=(value, 2))
    if not any_second:
        return
    for pattern in patterns(int(table.most_hands[value])):
        for times, free, pairs, more in _terms(pattern, one_is_enough):
            ways = _product([any_second] * free + [paired] * pairs)
            for kind in kinds(table, value):
                yield Drawn(pattern.orders * times, ways, kind, 2 + pattern.resplit + pairs + more)


def _terms(pattern: Pattern, one_is_enough: bool) -> Iterator[tuple[int, int, int, int]]:
    """Inclusion and exclusion: times, hands with any second card, with the pair's, further pair cards.

    A closed hand had another second card than the pair's: any second card less the pair's.
    """
    closed, free = pattern.closed, pattern.free
    for over in range(closed + 1) if one_is_enough else [closed]:
        for others in range(free + 1) if one_is_enough else [free]:
            if not over + others:
                continue
            sign = (-1) ** (over + others + 1) if one_is_enough else 1
            times = sign * comb(closed, over) * comb(free, others)
            for pairs in range(over + 1):
                for more in range(closed - over + 1):
                    part = (-1) ** (pairs + more) * comb(over, pairs) * comb(closed - over, more)
                    yield times * part, over - pairs + others, pairs, more


def _product(parts: list[Ways]) -> Ways:
    """The cards of several hands together."""
    found: Ways = {_NONE: 1}
    for part in parts:
        grown: Ways = {}
        for taken, ways in found.items():
            for more, orders in part.items():
                both = tuple(map(int.__add__, taken, more))
                grown[both] = grown.get(both, 0) + ways * orders
        found = grown
    return found
