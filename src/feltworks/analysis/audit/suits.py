"""How many cards of one suit a dealer's bust hand holds: the exact law of a hand drawn from a whole shoe.

No rule of a game asks for it. It prices a reading by which suited cards count within a longer hand (LB.9).
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import comb, prod

_VALUES = tuple(range(1, 11))  # an ace is 1, all ten-value cards are 10
Composition = tuple[int, ...]  # how many cards of each value
SuitSizes = tuple[int, ...]  # how many cards of each suit, the longest first


def bust_law(decks: int, *, hits_soft_17: bool) -> dict[tuple[int, int, int], Fraction]:
    """The probability of each bust: total, number of cards, and cards of its longest suit."""
    law: dict[tuple[int, int, int], Fraction] = {}
    for held, chance in _busts(decks, hits_soft_17=hits_soft_17):
        ways = _suit_ways(held, decks)
        everything = prod(comb(4 * _of_a_suit(v, decks), n) for v, n in zip(_VALUES, held, strict=True))
        total = sum(v * n for v, n in zip(_VALUES, held, strict=True))
        for sizes, count in ways.items():
            key = (total, sum(held), sizes[0])
            law[key] = law.get(key, Fraction(0)) + chance * Fraction(count, everything)
    return law


def _busts(decks: int, *, hits_soft_17: bool) -> Iterator[tuple[Composition, Fraction]]:
    """Every bust hand of the dealer by its values, with its probability."""
    open_hands: dict[Composition, Fraction] = {(0,) * 10: Fraction(1)}
    for drawn in range(4 * 13 * decks):
        further: dict[Composition, Fraction] = {}
        for held, chance in open_hands.items():
            for place, value in enumerate(_VALUES):
                left = 4 * _of_a_suit(value, decks) - held[place]
                if not left:
                    continue
                made = (*held[:place], held[place] + 1, *held[place + 1 :])
                further[made] = further.get(made, Fraction(0)) + chance * Fraction(left, 52 * decks - drawn)
        open_hands = {}
        for held, chance in further.items():
            hard = sum(v * n for v, n in zip(_VALUES, held, strict=True))
            if hard > 21:
                yield held, chance
            elif drawn == 0 or _draws(hard, has_ace=held[0] > 0, hits_soft_17=hits_soft_17):
                open_hands[held] = chance
        if not open_hands:
            return


def _draws(hard: int, *, has_ace: bool, hits_soft_17: bool) -> bool:
    """BJ.1: to 16, and on a soft 17 by the table's rule; a hand of 21 or a blackjack stands."""
    is_soft = has_ace and hard + 10 <= 21
    points = hard + 10 if is_soft else hard
    return points < 17 or (points == 17 and is_soft and hits_soft_17)


def _of_a_suit(value: int, decks: int) -> int:
    return (4 if value == 10 else 1) * decks


def _suit_ways(held: Composition, decks: int) -> dict[SuitSizes, int]:
    """In how many ways the cards of a composition divide among the suits, which stand for each other."""
    ways: dict[SuitSizes, int] = {(0, 0, 0, 0): 1}
    for value, number in zip(_VALUES, held, strict=True):
        if number:
            further: dict[SuitSizes, int] = {}
            for sizes, count in ways.items():
                for parts, own in _divisions(number, _of_a_suit(value, decks)):
                    made = tuple(sorted((a + b for a, b in zip(sizes, parts, strict=True)), reverse=True))
                    further[made] = further.get(made, 0) + count * own
            ways = further
    return ways


@cache
def _divisions(number: int, of_a_suit: int) -> tuple[tuple[SuitSizes, int], ...]:
    """The ways to take so many cards of one value from four suits."""
    return tuple(
        (parts, prod(comb(of_a_suit, part) for part in parts))
        for parts in product(range(number + 1), repeat=4)
        if sum(parts) == number
    )
