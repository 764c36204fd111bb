"""The exact law of the dealer's completed hand: totals, and the one-suited hands that a bonus pays for.

A hand is the number of cards of each value; the order of the cards matters only to whether the dealer draws
on. The possible hands and the number of orders of each follow from the rules and are computed once; a shoe
only gives their weights. Weights are integer numbers of ordered ways until the end, where they are divided by
n·(n−1)·… of the shoe. `Dealing` does the same for many shoes at once, each with some cards removed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache, lru_cache
from math import comb, factorial, perm, prod
from operator import add

import numpy as np
from msgspec import Struct

from feltworks.analysis.solvers.numbers import Array, Ints, Numbers
from feltworks.analysis.solvers.shoe_game.pays import NATURAL, OVER, Pays
from feltworks.analysis.solvers.shoe_game.rules import HIGHEST, DealerRules, End
from feltworks.cards import Shoe, Suit
from feltworks.errors import ImpossibleRound
from feltworks.hands.blackjack import points

Counts = tuple[int, ...]  # the number of cards of each value, aces first, ten-values last
# A hand packed into one number: five bits for the cards of each value, above them its total with aces low.
_BITS, _MASK, _LOW = 5, 31, 50
_ONE = [(1 << _BITS * value) + (value + 1 << _LOW) for value in range(10)]
_DRAWS = End(0, False)


class HandGrowth(Struct, frozen=True, gc=False):
    """A possible hand of the dealer, as a shorter hand earlier in the list plus one card.

    A list of growths is in depth-first order: the shorter hand is the last one before with a card less.
    """

    cards: int
    value: int  # of the added card, from 0 for an ace to 9 for a ten-value card
    held: int  # the number of cards of that value before
    total: int  # 0 while the dealer still draws
    ways: int  # the number of possible orders of the cards
    is_natural: bool = False
    hand: int = 0  # the packed hand

    @property
    def counts(self) -> Counts:
        """The number of cards of each value in the hand."""
        return tuple(self.hand >> _BITS * value & _MASK for value in range(10))


class DealersLaw(Struct, frozen=True):
    """The probability of each completed hand, before any other card is known."""

    totals: dict[int, Fraction]  # without naturals
    suited: dict[tuple[int, int], Fraction]  # by total and number of cards, all of one suit; part of `totals`
    natural: Fraction


@lru_cache(maxsize=32)
def dealers_law(shoe: Shoe, rules: DealerRules, up_card: int | None = None) -> DealersLaw:
    """The law of the dealer's hand from this shoe, given `up_card` (1 to 10 points) if it is not None.

    >>> from feltworks import catalog
    >>> from feltworks.analysis.solvers.shoe_game.rules import table_rules
    >>> from feltworks.cards import standard_shoe
    >>> law = dealers_law(standard_shoe(decks=1), table_rules(catalog.game("lucky-break")).dealer)
    >>> sum(law.totals.values()) + law.natural, law.natural
    (Fraction(1, 1), Fraction(32, 663))
    """
    up = None if up_card is None else up_card - 1
    hands, all_cards = growths(up, rules), by_value(shoe)
    first = shoe.total if up is None else all_cards[up]
    if not first:
        raise ImpossibleRound("the shoe holds no card that the dealer could show")
    scale = [Fraction(1, first * perm(shoe.total - 1, drawn)) for drawn in range(min(shoe.total, HIGHEST))]
    totals: dict[int, Fraction] = {}
    for (total, cards), weight in sorted(weigh(hands, all_cards).items()):
        totals[total] = totals.get(total, Fraction(0)) + weight * scale[cards - 1]
    if sum(totals.values()) != 1:
        raise ImpossibleRound("the shoe can run out before the dealer's hand is complete")
    natural, suited = totals.pop(0, Fraction(0)), Counter[tuple[int, int]]()
    for counts, suits in Counter(by_value(shoe, suit) for suit in Suit).items():  # equal suits are computed once
        for made, weight in weigh(hands, counts).items():
            suited[made] += weight * suits
    known = sorted(made for made in suited if made[0])
    return DealersLaw(totals, {made: suited[made] * scale[made[1] - 1] for made in known}, natural)


def weigh(hands: tuple[HandGrowth, ...], counts: Counts) -> Counter[tuple[int, int]]:
    """Ordered ways to each completed hand's total and number of cards; a natural's total is 0 here."""
    ways: Counter[tuple[int, int]] = Counter()
    grown = [1] * (HIGHEST + 1)
    for hand in hands:
        weight = grown[hand.cards - 1] * (counts[hand.value] - hand.held)
        if not hand.total:
            grown[hand.cards] = weight
        elif weight > 0:
            ways[0 if hand.is_natural else hand.total, hand.cards] += weight * hand.ways
    return ways


@cache
def growths(up: int | None, rules: DealerRules, most: int = HIGHEST) -> tuple[HandGrowth, ...]:
    """Every possible hand of the dealer up to a total, from no card or from an up card, depth first."""
    root = 0 if up is None else _ONE[up]
    states = {root: 0 if up is None else rules.after[0][up]}
    children: dict[int, list[int]] = {root: []}
    ways, layer = {root: 1}, [root]
    while layer:
        deeper: list[int] = []
        for hand in layer:
            for one, state in zip(_ONE, rules.after[states[hand]], strict=True):
                grown = hand + one
                if grown in ways:
                    ways[grown] += ways[hand]
                elif grown >> _LOW <= most:
                    ways[grown], states[grown] = ways[hand], state
                    children[hand].append(grown)
                    deeper.append(grown)
        layer = [hand for hand in deeper if rules.ends[states[hand]] is None]
        children |= {hand: [] for hand in layer}
    ends = {hand: rules.ends[state] for hand, state in states.items()}
    return tuple(_depth_first(up, children, ways, ends))


def _depth_first(
    up: int | None, children: dict[int, list[int]], ways: dict[int, int], ends: dict[int, End | None]
) -> Iterator[HandGrowth]:
    root, cards = (0, 0) if up is None else (_ONE[up], 1)
    if up is not None:
        yield HandGrowth(1, up, 0, 0, 1, hand=root)
    waiting = [(cards, root, hand) for hand in reversed(children[root])]
    while waiting:
        cards, parent, hand = waiting.pop()
        value = (hand >> _LOW) - (parent >> _LOW) - 1
        held = parent >> _BITS * value & _MASK
        end = ends[hand] or _DRAWS
        yield HandGrowth(cards + 1, value, held, end.total, ways[hand], end.is_natural, hand)
        waiting += [(cards + 1, hand, grown) for grown in reversed(children.get(hand, ()))]


SuitSizes = tuple[int, ...]  # how many cards of each suit, the longest first
Bust = tuple[int, int, int]  # the total, the number of cards, and those of the longest suit


@cache
def bust_law(decks: int, dealer: DealerRules) -> dict[Bust, Fraction]:
    """The probability of each bust from full decks; prices a reading by which part of a hand is suited (LB.9)."""
    compositions, orders = Counter[tuple[int, int, Counts]](), Counter[Bust]()
    for hand in growths(None, dealer):
        if hand.total > 21:
            held = hand.counts
            alike = (*sorted(held[:-1]), held[-1])  # all values below ten have equally many cards in the shoe
            compositions[hand.total, hand.cards, alike] += hand.ways * prod(map(factorial, held))
    for (total, cards, held), ways in compositions.items():
        for sizes, count in _suit_ways(held, decks).items():
            orders[total, cards, sizes[0]] += ways * count
    return {bust: Fraction(ways, perm(52 * decks, bust[1])) for bust, ways in orders.items()}


@cache
def _suit_ways(held: Counts, decks: int) -> dict[SuitSizes, int]:
    """The number of ways to divide the cards of a composition among interchangeable suits."""
    if not held:
        return {(0, 0, 0, 0): 1}
    before = _suit_ways(held[:-1], decks)
    if not held[-1]:
        return before
    ways: dict[SuitSizes, int] = {}
    of_a_suit = (4 if len(held) == 10 else 1) * decks
    for sizes, count in before.items():
        for made, own in _additions(sizes, held[-1], of_a_suit).items():
            ways[made] = ways.get(made, 0) + count * own
    return ways


@cache
def _additions(sizes: SuitSizes, number: int, of_a_suit: int) -> dict[SuitSizes, int]:
    """The possible suit sizes after so many cards of one value are added, with their numbers of ways."""
    ways: dict[SuitSizes, int] = {}
    for parts, own in _divisions(number, of_a_suit, len(sizes)):
        made = tuple(sorted(map(add, sizes, parts), reverse=True))
        ways[made] = ways.get(made, 0) + own
    return ways


@cache
def _divisions(number: int, of_a_suit: int, suits: int) -> list[tuple[SuitSizes, int]]:
    """Every division of so many cards of one value among some suits, with its number of ways."""
    if suits == 1:
        return [((number,), comb(of_a_suit, number))]
    return [
        ((first, *rest), comb(of_a_suit, first) * ways)
        for first in range(number + 1)
        for rest, ways in _divisions(number - first, of_a_suit, suits - 1)
        if ways
    ]


def by_value(shoe: Shoe, suit: Suit | None = None) -> Counts:
    """The number of cards of each value in a shoe, or in one suit of it."""
    counts = [0] * 10
    for face, count in shoe.items():
        if suit is None or face.suit is suit:
            counts[points(face) - 1] += count
    return tuple(counts)


def without(counts: Counts, gone: tuple[int, ...]) -> Counts:
    """The counts left after cards of these values are removed."""
    return tuple(count - gone.count(value) for value, count in enumerate(counts))


MOST_CARDS = 23  # more than the longest hand: the up card and 21 others


class Dealing(Struct, frozen=True):
    """A shoe by value, the dealer's rules, the columns of the dealer's hands, and the number type."""

    counts: Ints
    rules: DealerRules
    pays: Pays
    numbers: Numbers

    @property
    def total(self) -> int:
        return int(self.counts.sum())

    def results(self, taken: Ints, up: int) -> Array:
        """The probability of the dealer's results with this up card after each of these sets of cards is removed.

        The sets do not include the up card. A row is a set; the columns are those of `Pays`.
        """
        weights: dict[tuple[int, int], Array] = {}  # by column and number of cards drawn
        for hand, ways in self.weigh(self.possible_hands(up, self.pays.highest), taken):
            key = NATURAL if hand.is_natural else self.pays.columns[hand.total], hand.cards - 1
            if key[0] != OVER:
                weights[key] = weights[key] + ways if key in weights else ways.copy()
        law, orders = self.numbers.zeros(self.pays.width, len(taken)), self.orders(taken)
        for drawn, column in sorted((drawn, column) for column, drawn in weights):
            law[column] += self.numbers.ratio(weights[column, drawn], orders[drawn])
        law[OVER] = 1 - law.sum(axis=0)
        return law.T

    def weigh(self, hands: Iterable[HandGrowth], taken: Ints) -> Iterator[tuple[HandGrowth, Array]]:
        """Each complete hand with the ordered ways to its cards for each set; the array is reused."""
        left = self.numbers.whole(np.ascontiguousarray((self.counts - taken).T))
        factors: dict[tuple[int, int], Array] = {}
        grown: list[Array] = [np.empty_like(left[0]) for _ in range(MOST_CARDS)]
        grown[1][:] = 1
        ways = np.empty_like(left[0])
        for hand in hands:
            key = hand.value, hand.held
            if key not in factors:
                factors[key] = np.maximum(left[hand.value] - hand.held, 0)
            np.multiply(grown[hand.cards - 1], factors[key], out=ways if hand.total else grown[hand.cards])
            if hand.total:
                np.multiply(ways, hand.ways, out=ways)
                yield hand, ways

    def orders(self, taken: Ints) -> list[Array]:
        """The number of orders of so many cards from the rest of the shoe."""
        whole = self.numbers.whole
        unseen = whole(np.maximum(self.total - 1 - taken.sum(axis=1), 0))
        orders = [whole(np.ones(len(taken), np.int64))]
        for drawn in range(MOST_CARDS - 1):
            orders.append(np.maximum(orders[-1] * (unseen - drawn), 1))
        return orders

    def possible_hands(self, up: int, most: int) -> Iterator[HandGrowth]:
        """The dealer's hands up to a total that the full shoe can make from the up card."""
        counts: list[int] = self.counts.tolist()
        blocked = 99  # the length of an impossible hand: longer ones after it are skipped
        for hand in growths(up, self.rules, most)[1:]:
            if hand.cards <= blocked:
                there = counts[hand.value] > hand.held
                blocked = 99 if there or hand.total else hand.cards
                if there:
                    yield hand
