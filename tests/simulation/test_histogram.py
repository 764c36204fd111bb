"""Counts of numbers: exact while they are few, coarse in fixed memory when they are many, in any order."""

import random
from functools import reduce
from operator import add
from statistics import mean, stdev

import pytest

from feltworks.simulation.paths import Histogram


@pytest.fixture(scope="module")
def numbers() -> list[int]:
    rng = random.Random(4)
    return [round(rng.gauss(-300, 5_000)) for _ in range(4_001)]


def test_what_it_says_is_what_the_numbers_say(numbers: list[int]) -> None:
    found, ordered = Histogram.of(numbers), sorted(numbers)
    assert (found.quantile(0), found.quantile(0.5), found.quantile(1)) == (
        ordered[0],
        ordered[2_000],
        ordered[-1],
    )
    assert found.quantile(0.05) == ordered[200]  # 200 numbers are a little less than a twentieth
    assert found.share_below(0) == sum(number < 0 for number in numbers) / 4_001
    assert found.mean == pytest.approx(mean(numbers))
    assert found.deviation == pytest.approx(stdev(numbers))
    assert found.negate().quantile(1) == -ordered[0]


@pytest.mark.parametrize("most", [10, 100, 10_000])
def test_order_and_parts_change_nothing(numbers: list[int], most: int) -> None:
    whole = Histogram.of(numbers, most)
    for size in (1, 7, 500):
        parts = [Histogram.of(numbers[at : at + size], most) for at in range(0, len(numbers), size)]
        random.Random(size).shuffle(parts)
        assert reduce(add, parts) == whole
    assert len(whole.counts) <= most


def test_many_numbers_cost_little_precision(numbers: list[int]) -> None:
    coarse, exact = Histogram.of(numbers, 100), Histogram.of(numbers)
    assert (coarse.grain, exact.grain) == (512, 1)
    for part in (0.01, 0.25, 0.5, 0.99):
        assert 0 <= exact.quantile(part) - coarse.quantile(part) < coarse.grain
    assert coarse.count == exact.count


def test_a_part_of_a_round_number_is_not_a_hair_more() -> None:
    hundred = Histogram.of(range(1, 101))
    assert [hundred.quantile(part) for part in (0.95, 0.99, 0.07, 0.29)] == [95, 99, 7, 29]
