"""The exact worth of splits into up to four hands that are all played by one rule of their own cards.

The cards of a shoe are exchangeable, so the places of a round may be revealed in any order. So the second cards
of the split hands are revealed first: they alone determine the number of hands, and given how many of them are
pair cards, every hand has the same law. The worth of a hand while others got no further pair card follows by
inclusion and exclusion from its worth with 0, 1, 2, … further pair cards removed.
"""

from collections.abc import Iterator
from functools import cache
from math import comb, perm

import numpy as np
from msgspec import Struct

from feltworks.analysis.solvers.numbers import Array, Ints, Numbers, distinct
from feltworks.analysis.solvers.shoe_game.dealer import Dealing
from feltworks.analysis.solvers.shoe_game.hands import Hands, chance
from feltworks.analysis.solvers.shoe_game.pays import NATURAL
from feltworks.analysis.solvers.shoe_game.rules import SPLIT, UPS, VALUES, TableRules
from feltworks.cards import Shoe

OTHER, PAIRED = 0, 1  # the second card of a split hand: of another value, or of the pair's


class Pairs(Struct, frozen=True):
    """Pairs that may be split against up cards, one row each.

    The probability of the deal, and after these three cards the numbers of cards left with which the pair can be
    split again (`alike`) and of its value (`same_value`).
    """

    value: Ints
    up: Ints
    likely: Array
    alike: Ints
    same_value: Ints
    unseen: int

    def only(self, chosen: Ints) -> "Pairs":
        """A selection of the rows."""
        alike, same = self.alike[chosen], self.same_value[chosen]
        return Pairs(self.value[chosen], self.up[chosen], self.likely[chosen], alike, same, self.unseen)


def splittable_pairs(rules: TableRules, shoe: Shoe, counts: Ints, numbers: Numbers) -> Pairs:
    """Pairs by value; by kind, if not all cards of a value make pairs with each other."""
    rows = [
        row
        for value in VALUES
        if rules.most_hands[value] > 1
        for kind in rules.kinds[value]
        for row in _against(sum(shoe[face] for face in kind), value, counts)
        if row[2] > 0 and rules.seats.offers[rules.pairs[value]][row[1], SPLIT]
    ]
    value, up, ways, alike, same = np.array(rows, np.int64).reshape(-1, 5).T
    total = int(counts.sum())
    return Pairs(value, up, numbers.ratio(ways, perm(total, 3)), alike, same, total - 3)


def _against(kind: int, value: int, counts: Ints) -> Iterator[tuple[int, int, int, int, int]]:
    """The rows of a pair for every up card: one of the pair's own kind, or any other."""
    pair = kind * (kind - 1)
    for up in range(UPS):
        mine = kind - 2 if up == value else 0
        others = int(counts[up]) - (kind if up == value else 0)
        same = int(counts[value]) - 2
        if up == value:
            yield value, up, pair * mine, kind - 3, same - 1
        yield value, up, pair * others, kind - 2, same - (up == value)


class Pattern(Struct, frozen=True):
    """A pattern of second cards: in `orders` ways so many pair cards are split again, `closed` hands
    are filled while the next pair card would still have been split, and `free` ones after that."""

    orders: int
    resplit: int
    closed: int
    free: int

    @property
    def hands(self) -> int:
        return self.closed + self.free


@cache
def patterns(most_hands: int) -> tuple[Pattern, ...]:
    """Every pattern with two hands or more, splitting again while there are fewer than `most_hands`.

    >>> [(p.orders, p.resplit, p.closed, p.free) for p in patterns(3)]
    [(1, 1, 0, 3), (1, 1, 1, 2), (1, 0, 2, 0)]
    """
    orders_of: dict[tuple[int, int, int], int] = {}
    for end in _fill(2, 2, 0, most_hands):
        orders_of[end] = orders_of.get(end, 0) + 1
    return tuple(Pattern(orders, *end) for end, orders in orders_of.items())


def _fill(hands: int, open_: int, closed: int, most: int) -> Iterator[tuple[int, int, int]]:
    if hands == most or not open_:
        yield hands - 2, closed, open_
        return
    yield from _fill(hands + 1, open_ + 1, closed, most)
    yield from _fill(hands, open_ - 1, closed + 1, most)


def most_gone(most_hands: int) -> int:
    """The highest number of further pair cards in any pattern."""
    return 2 * (most_hands - 2)


def beginnings(dealing: Dealing, hands: Hands, gone: Ints) -> Array:
    """The first two cards of split hands: the second of another value, by its probability, or of the pair's."""
    start = dealing.numbers.zeros(len(hands.low), UPS, len(gone), 2)
    for origin in distinct(hands.origin):
        root = np.array([hands.row(origin, origin=origin)])
        for value in range(10):
            then = hands.after[root[0], value]
            if then >= 0 and value != origin:
                start[then, :, :, OTHER] = chance(dealing, hands, root, value, gone)[0]
            elif then >= 0:
                start[then, :, :, PAIRED] = 1
    return start


class SplitHandLaw(Struct, frozen=True):
    """The worth of one hand of a split in each case, by the number of further pair cards gone elsewhere.

    `closed`: the second card is not a pair card; `free`: it is any card. `drawn` is the probability that so many
    given second cards are all pair cards.
    """

    closed: Array
    free: Array
    drawn: Array

    def hands(self, pattern: Pattern) -> list[tuple[Array, int]]:
        """The worth of a closed hand and of a free one under a pattern, with the number of each.

        By inclusion and exclusion over the other closed hands, which drew no card of the pair.
        """
        closed, laws = pattern.closed, ((self.closed, pattern.closed), (self.free, pattern.free))
        return [
            (self._while_others(law, pattern.resplit, closed - (law is self.closed)), number)
            for law, number in laws
            if number
        ]

    def _while_others(self, law: Array, resplit: int, closed: int) -> Array:
        gone = range(resplit, resplit + closed + 1)
        signs = ((-1) ** k * comb(closed, k) for k in range(closed + 1))
        parts = (n * _scale(self.drawn[:, k], law[:, k]) for n, k in zip(signs, gone, strict=True))
        return sum(parts, np.zeros_like(law[:, 0]))


def split_hand_law(dealing: Dealing, pairs: Pairs, worth: Array) -> SplitHandLaw:
    """`worth`: by case, cards gone, second card (other, paired), and any further axes."""
    gone, ratio = np.arange(worth.shape[1]), dealing.numbers.ratio
    unseen = np.maximum(pairs.unseen - gone, 1)
    same = np.maximum(pairs.same_value[:, None] - gone, 0)
    alike = np.maximum(pairs.alike[:, None] - gone, 0)
    drawn = np.ones(same.shape, dealing.numbers.dtype)
    for k in gone[1:]:
        drawn[:, k] = drawn[:, k - 1] * ratio(alike[:, k - 1], unseen[k - 1 : k])
    other, paired = worth[:, :, OTHER], worth[:, :, PAIRED]
    return SplitHandLaw(
        closed=other + _scale(ratio(same - alike, unseen), paired),
        free=other + _scale(ratio(same, unseen), paired),
        drawn=drawn,
    )


def _scale(factor: Array, array: Array) -> Array:
    """Multiply along the leading axes by factors."""
    return factor.reshape(factor.shape + (1,) * (array.ndim - factor.ndim)) * array


def expectation(law: SplitHandLaw, first: Array, later: Array, most_hands: int) -> Array:
    """The worth of splitting in each case, from the worth of the first hand not over 21 and of others.

    Against a dealer's blackjack the first hand not over 21 answers for the original wager. Only if that costs more
    than a hand over 21 loses anyway do the hands depend on each other; they are then taken as independent, given
    the blackjack.
    """
    total: Array = np.zeros_like(law.drawn[:, 0])
    others = np.arange(later.shape[-1]) != NATURAL
    for pattern in patterns(most_hands):
        owed, worth = np.ones_like(total), np.zeros_like(total)
        for mine, number in law.hands(pattern):
            naturals, free = mine[..., NATURAL], _still_owed(mine[..., NATURAL], first - later)
            alike = (mine[..., others] * later[..., others]).sum(axis=(-1, -2, -3))
            answered = [(naturals * nets[..., NATURAL]).sum(axis=(-1, -2)) for nets in (first, later)]
            for _ in range(number):
                worth = worth + alike + owed * answered[0] + (1 - owed) * answered[1]
                owed = owed * free
        total = total + pattern.orders * worth
    return total


def _still_owed(naturals: Array, more: Array) -> Array:
    """Given a blackjack: the probability that the hand did not answer for the original wager."""
    free = (naturals * (more[..., NATURAL] == 0)).sum(axis=(-1, -2))
    every = naturals.sum(axis=(-1, -2))
    return np.where(every == 0, 0, free / np.where(every == 0, 1, every))
