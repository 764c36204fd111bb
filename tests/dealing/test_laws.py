"""The laws behind the check are exact: they agree with counting every order of a small shoe."""

import math
from itertools import permutations

import numpy as np
import pytest
import scipy  # type: ignore[import-untyped]  # it comes without types
from numpy.typing import NDArray

from feltworks.cards import Shoe, card, standard_shoe
from feltworks.dealing.statistics import ChiSquare, Classes, Correlation, SharedShoes, chi_square_tails, joint_law

DECK = standard_shoe()
SMALL = Shoe({card("2c"): 1, card("3c"): 2, card("4c"): 1, card("7d"): 1, card("9d"): 1, card("Jo"): 1})


def orders_of(shoe: Shoe) -> NDArray[np.int64]:
    """Every order of a small shoe, all equally likely: the law without any formula."""
    return np.array(list(permutations(face.index for face in shoe.all_cards())))


def test_the_joint_law_is_the_share_of_orders() -> None:
    ranks = Classes(SMALL, lambda face: face.rank)
    seen = np.zeros((len(ranks.counts),) * 3)
    orders = ranks.of_face[orders_of(SMALL)]
    np.add.at(seen, (orders[:, 0], orders[:, 1], orders[:, 2]), 1 / len(orders))
    assert seen == pytest.approx(joint_law(ranks.counts, 3))


def test_a_chi_square_of_rounds_from_one_shoe_has_exactly_its_degrees_as_mean() -> None:
    suits, sharing = Classes(SMALL, lambda face: face.suit or 0), SharedShoes(np.array([1, 1, 1]))
    for draws in (1, 2):
        test = ChiSquare(suits, sharing, draws=draws)
        rounds = suits.of_face[orders_of(SMALL)][:, : 3 * draws].reshape(-1, 3, draws)
        mean = sum(test.statistic(*dealt.T) for dealt in rounds) / len(rounds)
        assert mean == pytest.approx(test.degrees)


def test_correlations_of_rounds_from_one_shoe_are_exactly_standardised() -> None:
    ranks = Classes(SMALL, lambda face: face.rank)
    orders = ranks.of_face[orders_of(SMALL)]
    three, five = (Correlation(ranks, SharedShoes(np.ones(rounds, dtype=np.int64))) for rounds in (3, 5))
    within = [three.within(dealt[0::2][:3], dealt[1::2][:3]) for dealt in orders]
    between = [five.between(dealt[:5]) for dealt in orders]
    for found in (within, between):
        assert np.mean(found) == pytest.approx(0, abs=1e-9)
        assert np.var(found) == pytest.approx(1)


def test_pearsons_statistic_comes_out_where_every_round_has_its_own_shuffle() -> None:
    ranks = Classes(DECK, lambda face: face.rank)
    test = ChiSquare(ranks, SharedShoes(np.arange(130)), draws=1)
    position = np.repeat(np.arange(13), range(4, 17))
    expected = sum((seen - 10) ** 2 / 10 for seen in range(4, 17))
    assert test.statistic(position) == pytest.approx(expected)
    assert test.degrees == 12


def test_p_values_are_two_sided_tails() -> None:
    ranks = Classes(DECK, lambda face: face.rank)
    test = ChiSquare(ranks, SharedShoes(np.arange(130)), draws=1)
    assert test.p_value(26.217) == pytest.approx(0.02, rel=1e-3)  # 99th percentile at 12 degrees, in any table
    assert test.p_value(3.571) == pytest.approx(0.02, rel=1e-3)  # and the first
    assert Correlation.p_value(-2.575829) == pytest.approx(0.01, rel=1e-4)
    assert test.p_value(math.inf) == 0


@pytest.mark.parametrize("degrees", [1, 2, 3, 12, 51, 168, 2703])
def test_chi_square_tails_agree_with_scipy(degrees: int) -> None:
    below = [degrees * share for share in (1e-3, 0.1, 0.5, 0.9, 1, 1.1, 2, 5)]
    for value in [0.0, *below, degrees + 1.999, degrees + 2, math.inf]:
        tails = scipy.special.chdtr(degrees, value), scipy.special.chdtrc(degrees, value)
        assert chi_square_tails(degrees, value) == pytest.approx(tails, rel=1e-11, abs=1e-300)
