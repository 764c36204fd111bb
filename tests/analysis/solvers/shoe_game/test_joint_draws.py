"""A player's cards beside the dealer's hands: as a plain sum over all of them says, and told as it goes."""

from fractions import Fraction
from itertools import product
from math import perm, prod

import numpy as np
import pytest

from feltworks.analysis.progress import Track
from feltworks.analysis.solvers.shoe_game.dealer_bonus import bonus_figures
from feltworks.analysis.solvers.shoe_game.joint_draws import TakenCards, likely
from feltworks.analysis.solvers.shoe_game.splits import patterns
from feltworks.analysis.solvers.shoe_game.tallies import Tally, pack, tally
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
    return tally({pack(held, ranked): orders for (held, ranked), orders in ways.items()})


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
    dealers = np.array([pack(dealer) for dealer in DEALERS])
    found = likely(taken, dealers, np.array(COUNTS), Track())
    plainly = summed_plainly(hands)
    nothing = [Fraction(0)] * len(DEALERS)
    assert any(row != nothing for row in plainly.values())
    assert all(found.get(ranked, nothing) == row for ranked, row in plainly.items())


def test_cards_that_the_shoe_lacks_are_never_taken() -> None:
    missing = tallied({((0, 1, 0, 0, 0, 0, 0, 0, 0, 1), 1): 1})
    dealers = np.array([pack(dealer) for dealer in DEALERS])
    assert likely(TakenCards(missing, missing, 4), dealers, np.array(COUNTS), Track()) == {}


def test_the_law_of_the_limit_tells_how_far_it_has_come_and_finds_the_same() -> None:
    one, other = (table(decks=1, max_hands=2, lucky_break__player_limit=26) for _ in range(2))
    news = News()
    told = bonus_figures(one, strategy=SPLITS_TENS, progress=news)
    check_told_in_order(news)
    assert told == bonus_figures(other, strategy=SPLITS_TENS)
