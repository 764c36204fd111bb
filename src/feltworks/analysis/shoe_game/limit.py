"""How often a player's hand is over a limit, or surrendered, together with what the dealer comes to hold.

Cards lie in their places in any order, so the player's and the dealer's places are filled together, by
value; which suits (or ten-value ranks) then lie in them depends on nothing else. Weights are whole numbers
of ordered ways until the end.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from math import comb, perm, prod

import numpy as np
from msgspec import Struct

from feltworks.analysis.blackjack.dealers_hand import TEN, Counts, Growth, by_value, growths
from feltworks.analysis.shoe_game.conduct import Conduct
from feltworks.analysis.shoe_game.hands import Hands
from feltworks.analysis.shoe_game.numbers import Array, Bools, Ints
from feltworks.analysis.shoe_game.play import DOUBLE, HIT
from feltworks.analysis.shoe_game.solver import ShoeGame
from feltworks.analysis.shoe_game.splits import Pattern, patterns
from feltworks.cards import RANKS, Suit
from feltworks.hands.blackjack import TEN_VALUES

Ways = dict[Counts, int]  # cards a player takes, by value: in how many orders
Made = tuple[int, int]  # a dealer's total and, where all cards are of one suit, their number; otherwise 0
_NONE: Counts = (0,) * 10
_CARDS = 27  # a dealer's hand has fewer


class Kind(Struct, frozen=True):
    """Cards of one rank within a value, some of which the player has to hold: by suit, and how many held."""

    value: int
    by_suit: tuple[int, ...]
    held: int


class Drawn(Struct, frozen=True):
    """Cards a player takes, some of them of one rank where that makes a difference."""

    ways: Ways
    kind: Kind | None = None


def joint_law(table: ShoeGame, up: int, drawn: list[Drawn], *, only_over: bool) -> dict[Made, Fraction]:
    """How likely the player takes these cards while the dealer, with this up card, makes each hand.

    `only_over`: of the dealer's hands only those over 21.
    """
    found: dict[Made, Fraction] = {}
    for each in drawn:
        for hand, likely in _together(table, up, each.ways, 21 if only_over else 0):
            total = 0 if hand.is_natural else hand.total
            fitting, suited = _ranks_and_suits(table, each.kind, hand.counts)
            for made, share in (((total, 0), fitting - suited), ((total, hand.cards), suited)):
                if share:
                    key = made if total else (0, 0)
                    found[key] = found.get(key, Fraction(0)) + likely * share
    return found


def _together(table: ShoeGame, up: int, ways: Ways, above: int) -> Iterator[tuple[Growth, Fraction]]:
    """The dealer's completed hands above a total, each with its probability beside the player's cards."""
    fits = [taken for taken in ways if all(n <= there for n, there in zip(taken, table.counts, strict=True))]
    if not fits:
        return
    whole, sizes = [int(count) for count in table.counts], [sum(taken) for taken in fits]
    mine = [ways[taken] * prod(map(perm, whole, taken)) for taken in fits]
    total, left = sum(whole), (np.array(whole, object) - np.array(fits, object)).T
    most = [min(max(sizes), total - dealt) for dealt in range(_CARDS)]  # of the player, beside the dealer's
    rest = [_weights(mine, sizes, total - dealt, most[dealt]) for dealt in range(_CARDS)]
    grown: list[Array] = [np.ones(len(fits), object)] * _CARDS
    for hand in growths(up, hits_soft_17=table.game.hits_soft_17):
        if not hand.total:
            grown[hand.cards] = grown[hand.cards - 1] * np.maximum(left[hand.value] - hand.held, 0)
        elif hand.total > above:
            drawn = grown[hand.cards - 1] * np.maximum(left[hand.value] - hand.held, 0)
            if likely := hand.ways * int(drawn @ rest[hand.cards]):
                yield hand, Fraction(likely, perm(total, most[hand.cards] + hand.cards))


def _weights(mine: list[int], sizes: list[int], left: int, most: int) -> Array:
    """The player's weights with as many further cards dealt as make them all the same number."""
    further = [perm(left - size, most - size) if size <= most else 0 for size in sizes]
    weights: Array = np.array(mine, object) * np.array(further, object)
    return weights


def _ranks_and_suits(table: ShoeGame, kind: Kind | None, hand: Counts) -> tuple[Fraction, Fraction]:
    """Given the values: how likely the player's cards are of the kind, and the dealer's of one suit too."""
    whole = by_value(table.shoe)
    if kind is None:
        fitting, ways = Fraction(1), prod(map(perm, whole, hand))
    else:
        rank, value = sum(kind.by_suit), kind.value
        fitting = Fraction(perm(rank, kind.held), perm(whole[value], kind.held))
        ways = prod(perm(n, k) for v, (n, k) in enumerate(zip(whole, hand, strict=True)) if v != value)
        ways *= perm(whole[value], hand[value] + kind.held)
    suited = sum(_in_suit(by_value(table.shoe, suit), kind, suit, hand) for suit in Suit)
    return fitting, Fraction(suited, ways)


def _in_suit(counts: Counts, kind: Kind | None, suit: Suit, hand: Counts) -> int:
    """In how many ways the dealer's cards come from one suit, and the player's cards of the kind besides."""
    if kind is None:
        return prod(map(perm, counts, hand))
    value, alike, rank = kind.value, kind.by_suit[suit], sum(kind.by_suit)
    others = prod(perm(n, k) for v, (n, k) in enumerate(zip(counts, hand, strict=True)) if v != value)
    return others * sum(
        comb(hand[value], k)
        * perm(alike, k)
        * perm(counts[value] - alike, hand[value] - k)
        * perm(rank - k, kind.held)
        for k in range(min(hand[value], alike) + 1)
    )


def over_limit(
    table: ShoeGame, conduct: Conduct, up: int, over: range, *, one_is_enough: bool
) -> list[Drawn]:
    """The cards by which a player of this conduct ends over the limit against this up card.

    LB.12: of split hands all have to be over it, or one is enough.
    """
    start, unlike = _unsplit(table, conduct, up, ~conduct.surrenders[:, up])
    acts = conduct.acts[:, up]
    found = [Drawn(_ends(table.hands, acts, start, over))]
    found += [Drawn(_ends(table.hands, acts, unlike, over), rank(2)) for rank in _ranks(table)]
    for value in np.flatnonzero(conduct.hands[:, up]).tolist():
        found += _split_over(table, conduct, up, over, value, one_is_enough)
    return found


def surrendered(table: ShoeGame, conduct: Conduct, up: int) -> list[Drawn]:
    """The first two cards that a player of this conduct surrenders."""
    start, unlike = _unsplit(table, conduct, up, conduct.surrenders[:, up])
    ways = [{_held(table.hands, row): orders for row, orders in rows.items()} for rows in (start, unlike)]
    return [Drawn(ways[0]), *(Drawn(ways[1], rank(2)) for rank in _ranks(table))]


def _unsplit(
    table: ShoeGame, conduct: Conduct, up: int, wanted: Bools
) -> tuple[dict[int, int], dict[int, int]]:
    """First two cards that are wanted and not split, with their orders.

    Where only equal ranks are split, ten-value pairs stay among them; what to take off of each rank comes
    second.
    """
    start, unlike = _first_cards(table, wanted), {}
    for value in np.flatnonzero(conduct.hands[:, up]).tolist():
        row = int(table.pair_row[value])
        if value == TEN and not table.game.spot_rules.splits_on_value:
            unlike = {row: -start[row]} if row in start else {}
        else:
            start.pop(row, None)
    return start, unlike


def _first_cards(table: ShoeGame, wanted: Bools) -> dict[int, int]:
    """First two cards with the orders they can come in; a blackjack is none of them."""
    hands = table.hands
    rows = np.flatnonzero((hands.size == 2) & ~table.is_natural & wanted)
    return {int(row): 1 if hands.held[row].max() == 2 else 2 for row in rows}


def _held(hands: Hands, row: int) -> Counts:
    return tuple(int(count) for count in hands.held[row])


def _ends(hands: Hands, acts: Ints, start: Mapping[int, int], over: range) -> Ways:
    """From these beginnings: the cards of hands that end with a total in this range, by their orders."""
    waiting, found = dict(start), Counter[Counts]()
    for rows in hands.layers:
        for row in rows.tolist():
            ways = waiting.pop(row, 0)
            if not ways or acts[row] not in (HIT, DOUBLE):
                continue
            for value, then in enumerate(hands.after[row].tolist()):
                if int(hands.low[row]) + value + 1 in over:
                    held = _held(hands, row)
                    found[*held[:value], held[value] + 1, *held[value + 1 :]] += ways
                elif then >= 0 and acts[row] == HIT:
                    waiting[then] = waiting.get(then, 0) + ways
    return dict(found)


def _ranks(table: ShoeGame) -> list[Callable[[int], Kind]]:
    """The ranks of ten-value cards, each waiting to be told how many of it the player holds."""
    suits = [
        tuple(table.shoe[face] for face in sorted(TEN_VALUES) if face.code[0] == rank)
        for rank in RANKS[RANKS.index("T") : RANKS.index("A")]
    ]
    return [partial(Kind, TEN, by_suit) for by_suit in suits]


def _split_over(
    table: ShoeGame, conduct: Conduct, up: int, over: range, value: int, one_is_enough: bool
) -> Iterator[Drawn]:
    """A pair split: its second cards by pattern, and those hands over the limit that the reading asks for."""
    hands, acts = table.split_hands, conduct.split_acts[:, up]
    after = hands.after[hands.row(value, origin=value)].tolist()
    any_second = _ends(hands, acts, {row: 1 for row in after if row >= 0}, over)
    paired = _ends(hands, acts, {after[value]: 1} if after[value] >= 0 else {}, over)
    by_number: Counter[tuple[int, int, int]] = Counter()
    for pattern in patterns(int(conduct.hands[value, up])):
        for times, free, pairs, more in _terms(pattern, one_is_enough):
            by_number[free, pairs, pattern.hands - free - pairs + more] += pattern.orders * times
    by_rank = value == TEN and not table.game.spot_rules.splits_on_value
    for (free, pairs, others), times in by_number.items():
        ways = _product([any_second] * free + [paired] * pairs)
        elsewhere = _times(ways, times, value, others)
        of_rank = free + 2 * pairs + others
        yield from (
            (Drawn(elsewhere, kind(of_rank)) for kind in _ranks(table)) if by_rank else [Drawn(elsewhere)]
        )


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


def _times(ways: Ways, times: int, value: int, others: int) -> Ways:
    """So many times over, with further cards of the pair's value lying with other hands."""
    more = tuple(others if place == value else 0 for place in range(10))
    return {tuple(map(int.__add__, taken, more)): times * orders for taken, orders in ways.items()}
