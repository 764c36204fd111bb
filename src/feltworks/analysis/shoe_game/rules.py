"""What the table lets a hand do, asked of the game's own rules, and the pairs that can be split."""

from collections.abc import Iterator

import numpy as np
from msgspec import Struct

from feltworks.analysis.blackjack.dealers_hand import ACE, TEN
from feltworks.analysis.shoe_game.hands import Hands
from feltworks.analysis.shoe_game.numbers import Array, Bools, Ints, Numbers
from feltworks.cards import RANKS, Shoe, card
from feltworks.hands.blackjack import TEN_VALUES
from feltworks.hands.spot import SpotHand, SpotRules

UPS = 10
# One card of every value, and another of the same rank, to ask the rules with.
_FACES = [card(f"{rank}h") for rank in "A23456789T"]
_TWINS = [card(f"{rank}d") for rank in "A23456789T"]


class Open(Struct, frozen=True):
    """Which hands may draw, and which may double."""

    hit: Bools
    double: Bools


def open_to(rules: SpotRules, hands: Hands) -> Open:
    """BJ.1, BJ.4: what is open to each hand; a lone card of a split is always drawn to."""
    hit = hands.total < (21 if rules.stands_on_21 else 22)
    double = np.zeros_like(hit)
    for row in np.flatnonzero(hands.size == 2):
        hand = _hand(rules, hands, int(row))
        hit[row] = rules.may_hit(hand) and not rules.is_finished(hand, rules.max_hands)
        double[row] = hit[row] and rules.may_double(hand)
    return Open(hit, double)


def _hand(rules: SpotRules, hands: Hands, row: int) -> SpotHand:
    values = [value for value in range(10) for _ in range(hands.held[row, value])]
    origin = int(hands.origin[row])
    if origin >= 0:
        values.remove(origin)
        values.insert(0, origin)
    return rules.hand((_FACES[values[0]], _TWINS[values[1]]), is_split=origin >= 0)


def most_hands(rules: SpotRules, value: int) -> int:
    """How many hands a pair of this value can become: 1 where it may not be split."""
    pair = _FACES[value], _TWINS[value]
    hands = 1
    while rules.may_split(rules.hand(pair, is_split=hands > 1), hands):
        hands += 1
    return hands


class Pairs(Struct, frozen=True):
    """Pairs that may be split against up cards, one row each.

    How likely the deal is, and how many cards are left of what the pair can be split with again (`alike`)
    and of its value (`same_value`), the three cards and nothing else being gone.
    """

    value: Ints
    up: Ints
    likely: Array
    alike: Ints
    same_value: Ints
    unseen: int


def splittable(rules: SpotRules, shoe: Shoe, counts: Ints, numbers: Numbers) -> Pairs:
    """BJ.4: pairs by value; where only equal ranks may be split, ten-value pairs rank by rank."""
    found = [
        row
        for value in range(10)
        if most_hands(rules, value) > 1
        for kind in _kinds(rules, shoe, counts, value)
        for row in _against(kind, value, counts)
        if row[2] > 0
    ]
    value, up, ways, alike, same = np.array(found, np.int64).reshape(-1, 5).T
    total = int(counts.sum())
    deals = np.full(len(ways), total * (total - 1) * (total - 2))
    likely = numbers.ratio(numbers.whole(ways), numbers.whole(deals))
    return Pairs(value, up, likely, alike, same, total - 3)


def _kinds(rules: SpotRules, shoe: Shoe, counts: Ints, value: int) -> Iterator[int]:
    """How many cards there are of each kind that makes a pair of this value."""
    if value != TEN or rules.splits_on_value:
        yield int(counts[value])
        return
    for rank in RANKS[RANKS.index("T") : RANKS.index("A")]:
        yield sum(shoe[face] for face in TEN_VALUES if face.code.startswith(rank))


def _against(kind: int, value: int, counts: Ints) -> Iterator[tuple[int, int, int, int, int]]:
    """Against every up card: one of the pair's own kind, or any other."""
    pair = kind * (kind - 1)
    for up in range(UPS):
        mine = kind - 2 if up == value else 0
        others = int(counts[up]) - (kind if up == value else 0)
        same = int(counts[value]) - 2
        if up == value:
            yield value, up, pair * mine, kind - 3, same - 1
        yield value, up, pair * others, kind - 2, same - (up == value)


def is_natural_row(hands: Hands) -> Bools:
    """BJ.4: an ace and a ten-value card; only unsplit hands have it."""
    natural: Bools = (hands.size == 2) & (hands.held[:, ACE] == 1) & (hands.held[:, TEN] == 1)
    return natural & (hands.origin < 0)
