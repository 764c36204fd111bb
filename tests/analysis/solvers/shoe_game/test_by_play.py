"""A player's cards beside the dealer's hands: as a plain sum over all of them says, and told as it goes."""

from fractions import Fraction
from itertools import product
from math import isqrt, perm, prod

import pytest

from feltworks.analysis.progress import Track
from feltworks.analysis.solvers.shoe_game.bonus import bonus_figures
from feltworks.analysis.solvers.shoe_game.by_play import (
    MOST_SUMS,
    TakenCards,
    Tally,
    TooManyHands,
    likely,
    multiply,
    sum_tallies,
    write_cards,
)
from feltworks.analysis.solvers.shoe_game.splits import patterns
from tests.analysis.follower import table
from tests.analysis.solvers.shoe_game.test_dealer_bonus import SPLITS_TENS
from tests.analysis.test_progress import News, check_told_in_order

COUNTS = (3, 0, 2, 0, 4, 0, 0, 3, 0, 7)
DEALERS = [(1, 0, 0, 0, 0, 0, 0, 1, 0, 1), (0, 0, 1, 0, 1, 0, 0, 1, 0, 1), (0, 0, 0, 0, 2, 0, 0, 0, 0, 2)]
# Cards of a hand of a split ten, with how many of them have to be of the pair's rank: in how many orders.
Cards = tuple[tuple[int, ...], int]
FREE = {
    ((0, 0, 0, 0, 0, 0, 0, 1, 0, 1), 1): 2,
    ((1, 0, 1, 0, 0, 0, 0, 0, 0, 1), 1): 3,
    ((0, 0, 0, 0, 1, 0, 0, 0, 0, 2), 1): 1,
    ((0, 0, 0, 0, 1, 0, 0, 0, 0, 2), 2): -5,
}
CLOSED = {**FREE, ((2, 0, 0, 0, 0, 0, 0, 0, 0, 2), 2): -1}


def tallied(ways: dict[Cards, int]) -> Tally:
    return {write_cards(held, ranked): orders for (held, ranked), orders in ways.items()}


def summed_plainly(hands: int) -> dict[int, list[Fraction]]:
    """Every way to fill all hands of a split, one after the other, beside every hand of the dealer's."""
    found: dict[int, list[Fraction]] = {}
    for end in patterns(hands):
        for each in product(*[CLOSED.items()] * end.closed, *[FREE.items()] * end.free):
            orders = end.orders * prod(orders for _, orders in each)
            row = found.setdefault(sum(cards[1] for cards, _ in each), [Fraction(0)] * len(DEALERS))
            for place, dealer in enumerate(DEALERS):
                row[place] += orders * dealt(dealer, *(cards[0] for cards, _ in each))
    return found


def dealt(*places: tuple[int, ...]) -> Fraction:
    """How likely just these cards come into these places, in one order."""
    held = [sum(counts) for counts in zip(*places, strict=True)]
    ways = prod(map(perm, COUNTS, held))
    return Fraction(ways, perm(sum(COUNTS), sum(held))) if ways else Fraction(0)


@pytest.mark.clause("LB.12")
@pytest.mark.parametrize("hands", [2, 3, 4])
def test_all_hands_of_a_split_are_counted_as_a_plain_sum_counts_them(hands: int) -> None:
    taken = TakenCards(tallied(FREE), tallied(CLOSED), hands)
    chances: dict[int, list[Fraction]] = {}
    for dealer, ranked, chance in likely(taken, DEALERS, COUNTS, Track()):
        chances.setdefault(ranked, [Fraction(0)] * len(DEALERS))[DEALERS.index(dealer)] += chance
    plainly = summed_plainly(hands)
    nothing = [Fraction(0)] * len(DEALERS)
    assert any(row != nothing for row in plainly.values())
    assert all(chances.get(ranked, nothing) == row for ranked, row in plainly.items())


def test_cards_that_the_shoe_lacks_are_never_taken() -> None:
    missing = tallied({((0, 1, 0, 0, 0, 0, 0, 0, 0, 1), 1): 1})
    assert list(likely(TakenCards(missing, missing, 4), DEALERS, COUNTS, Track())) == []


def test_what_comes_to_nothing_is_left_out() -> None:
    assert sum_tallies([(2, {1: 3, 2: 1}), (-3, {1: 2})]) == {2: 2}


def test_more_ways_than_64_bits_hold_stay_exact() -> None:
    many = {1: 2**40, 2: -(3**30)}
    assert multiply(many, many) == {2: 2**80, 3: -(2**41) * 3**30, 4: 3**60}


def test_a_play_with_too_many_hands_is_refused_before_they_are_counted() -> None:
    many = dict.fromkeys(range(isqrt(MOST_SUMS) + 1), 1)
    with pytest.raises(TooManyHands, match="felt simulate"):
        multiply(many, many)


def test_the_law_of_the_limit_tells_how_far_it_has_come_and_finds_the_same() -> None:
    one, other = (table(decks=1, max_hands=2, lucky_break__player_limit=26) for _ in range(2))
    news = News()
    told = bonus_figures(one, strategy=SPLITS_TENS, progress=news)
    check_told_in_order(news)
    assert told == bonus_figures(other, strategy=SPLITS_TENS)
