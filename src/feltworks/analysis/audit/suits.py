"""How many cards of one suit a dealer's bust hand holds: the exact law of a hand drawn from whole decks.

No rule of a game asks for it. It prices a reading by which suited cards count within a longer hand (LB.9).
"""

from collections import Counter
from fractions import Fraction
from functools import cache
from math import comb, factorial, perm, prod
from operator import add

from feltworks.analysis.solvers.shoe_game.dealer import growths
from feltworks.analysis.solvers.shoe_game.rules import DealerRules

Composition = tuple[int, ...]  # how many cards of each value, from aces up
SuitSizes = tuple[int, ...]  # how many cards of each suit, the longest first
Bust = tuple[int, int, int]  # the total, the number of cards, and cards of the longest suit


@cache
def bust_law(decks: int, dealer: DealerRules) -> dict[Bust, Fraction]:
    """The probability of each bust."""
    orders = Counter[Bust]()
    for hand in growths(None, dealer):
        if hand.total > 21:
            held = hand.counts
            ways = hand.ways * prod(map(factorial, held))
            for sizes, count in _suit_ways(held, decks).items():
                orders[hand.total, hand.cards, sizes[0]] += ways * count
    return {bust: Fraction(ways, perm(52 * decks, bust[1])) for bust, ways in orders.items()}


@cache
def _suit_ways(held: Composition, decks: int) -> dict[SuitSizes, int]:
    """In how many ways the cards of a composition divide among the suits, which stand for each other."""
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
    """The ways to add so many cards of one value to suits of these sizes."""
    ways: dict[SuitSizes, int] = {}
    for parts, own in _divisions(number, of_a_suit, len(sizes)):
        made = tuple(sorted(map(add, sizes, parts), reverse=True))
        ways[made] = ways.get(made, 0) + own
    return ways


@cache
def _divisions(number: int, of_a_suit: int, suits: int) -> list[tuple[SuitSizes, int]]:
    """How so many cards of one value can come from each of some suits, and in how many ways."""
    if suits == 1:
        return [((number,), comb(of_a_suit, number))]
    return [
        ((first, *rest), comb(of_a_suit, first) * ways)
        for first in range(number + 1)
        for rest, ways in _divisions(number - first, of_a_suit, suits - 1)
        if ways
    ]
