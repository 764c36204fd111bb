"""Packed cards: put together as polynomials are multiplied, as far as a shoe goes, however many the ways."""

import numpy as np

from feltworks.analysis.solvers.shoe_game.tallies import (
    Tally,
    pack,
    primes_beyond,
    product,
    size_of,
    sum_tallies,
    tally,
)

ACE, TEN = pack([1, *[0] * 9]), pack([*[0] * 9, 1])
SHOE = np.array([1, *[0] * 8, 16])


def ways(cards: Tally) -> dict[int, int]:
    return dict(zip(cards.codes.tolist(), cards.ways.tolist(), strict=True))


def test_cards_together_are_those_that_the_shoe_can_give() -> None:
    both = tally({ACE: 2, TEN: 3})
    assert ways(product(both, both, SHOE)) == {ACE + TEN: 12, 2 * TEN: 9}
    assert size_of(np.array([ACE + 2 * TEN])).tolist() == [3]


def test_what_comes_to_nothing_is_left_out() -> None:
    assert ways(sum_tallies([(2, tally({ACE: 1, TEN: 1})), (-1, tally({ACE: 2}))])) == {TEN: 2}


def test_more_ways_than_64_bits_hold_stay_exact() -> None:
    many = tally({TEN: 2**40, ACE: 1})
    cubed = product(product(many, many, SHOE), many, SHOE)
    assert ways(cubed) == {3 * TEN: 2**120, ACE + 2 * TEN: 3 * 2**80}


def test_primes_are_as_many_as_a_bound_takes() -> None:
    primes = primes_beyond(2.0**40)
    assert len(primes) == 2
    assert all(pow(2, prime - 1, prime) == 1 for prime in primes)
