"""What a tally says: edges and errors against the plain formulas on the same rounds."""

import pickle

import numpy as np
import pytest

from feltworks.errors import LogError
from feltworks.machine.streams import Stream
from feltworks.simulation.plan import Plan
from feltworks.simulation.rounds.kernel import kernel_for
from feltworks.simulation.tally import (
    Cell,
    Layout,
    Tally,
    count_rounds,
    sampled_figures,
    standard_errors,
)
from tests.simulation.rounds import deal_rounds

ROUNDS = 4_000  # the same rounds on both sides: chance has no part in it


@pytest.mark.parametrize("seats", [1, 4])
def test_edge_and_error_are_those_of_the_rounds_one_by_one(seats: int) -> None:
    plan = Plan("fu-bacc", ({"ante": 1000, "tie": 300},) * seats)
    kernel = kernel_for(plan)
    found = sampled_figures(kernel.layout, kernel.tally(Stream(1, 1), ROUNDS))
    nets: dict[str, list[int]] = {"ante": [], "tie": []}
    for dealt in deal_rounds(kernel, Stream(1, 1), ROUNDS):
        for wager, lines in (("ante", ("ante", "play")), ("tie", ("tie",))):
            nets[wager].append(sum(line.net for line in dealt.lines if line.wager in lines))
    for wager, opened in (("ante", 1000 * seats), ("tie", 300 * seats)):
        sample = np.array(nets[wager]) / opened
        assert found[wager].house_edge == pytest.approx(-sample.mean())
        assert found[wager].standard_error == pytest.approx(sample.std(ddof=1) / np.sqrt(ROUNDS))
        assert sum(row.count for row in found[wager].outcomes) == ROUNDS * seats


def test_the_error_of_varying_wagers_is_that_of_a_ratio() -> None:
    rng = np.random.default_rng(5)
    opened = rng.choice([100, 800], 4_000)
    net = opened * rng.choice([-1, 1], 4_000)
    layout = Layout(("blackjack",), None)
    rounds = zip(net.tolist(), opened.tolist(), strict=True)
    tally = count_rounds(layout, ([Cell("blackjack", "x", n, o, o)] for n, o in rounds))
    error = standard_errors(layout, tally)["blackjack"]
    left = net - net.sum() / opened.sum() * opened
    assert error == pytest.approx(np.sqrt((left**2).sum() / 3_999 / 4_000) / opened.mean())


def test_tallies_add_up_in_any_order_and_travel_unchanged() -> None:
    kernel = kernel_for(Plan("fu-bacc", ({"ante": 1000, "tie": 300},) * 2))
    parts = [kernel.tally(Stream(3, block), 500) for block in range(3)]
    total = parts[0] + parts[1] + parts[2]
    assert parts[2] + (parts[0] + parts[1]) == total
    assert pickle.loads(pickle.dumps(total)) == total
    assert total + Tally.empty(kernel.layout) == total


def test_sums_are_exact_beyond_64_bits() -> None:
    layout = Layout(("tie",), (10**13,))
    tally = count_rounds(layout, [[Cell("tie", "tie", 10**13, 10**13, 10**13)]] * 10)
    assert (tally.sums, tally.products) == ((10**14,), (10**27,))
    assert (tally + tally).products == (2 * 10**27,)


def test_counts_of_another_layout_are_refused() -> None:
    kernel = kernel_for(Plan("fu-bacc", ({"ante": 1000},)))
    with pytest.raises(LogError, match="another version or another plan"):
        Tally(5, {}, (1, 2), (2,)).check(kernel.layout)
    with pytest.raises(LogError, match="another version or another plan"):
        Tally(5, {Cell("tie", "tie", 1, 1, 1): 5}, (1,), (2,)).check(kernel.layout)
