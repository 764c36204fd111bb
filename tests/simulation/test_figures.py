"""What a tally says: edges and errors against the plain formulas on the same rounds."""

import numpy as np
import pytest

from feltworks.errors import LogError
from feltworks.machine.streams import Stream
from feltworks.simulation.plan import Plan
from feltworks.simulation.rounds.kernel import kernel_for
from feltworks.simulation.tally import (
    Cell,
    Layout,
    PackedTally,
    Tally,
    moments,
    sampled_figures,
    standard_errors,
)

ROUNDS = 20_000


@pytest.mark.parametrize("seats", [1, 4])
def test_edge_and_error_are_those_of_the_rounds_one_by_one(seats: int) -> None:
    plan = Plan("fu-bacc", ({"ante": 1000, "tie": 300},) * seats)
    kernel = kernel_for(plan)
    found = sampled_figures(kernel.layout, kernel.tally(Stream(1, 1), ROUNDS))
    nets: dict[str, list[int]] = {"ante": [], "tie": []}
    for dealt in kernel.deal(Stream(1, 1), ROUNDS):
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
    rows = tuple((Cell("blackjack", "x", n, o, o),) for o in (100, 800) for n in (-o, o))
    counts = np.array([int(((net == row[0].net) & (opened == row[0].opened)).sum()) for row in rows])
    layout = Layout(("blackjack",), rows, None)
    error = standard_errors(layout, Tally(4_000, counts))["blackjack"]
    left = net - net.sum() / opened.sum() * opened
    assert error == pytest.approx(np.sqrt((left**2).sum() / 3_999 / 4_000) / opened.mean())


def test_tallies_add_up_in_any_order_and_travel_unchanged() -> None:
    kernel = kernel_for(Plan("fu-bacc", ({"ante": 1000, "tie": 300},) * 2))
    parts = [kernel.tally(Stream(3, block), 500) for block in range(3)]
    total = parts[0] + parts[1] + parts[2]
    assert parts[2] + (parts[0] + parts[1]) == total
    assert total.pack().unpack(kernel.layout) == total
    assert total + Tally.empty(kernel.layout) == total


def test_sums_are_exact_beyond_64_bits() -> None:
    layout = Layout(("tie",), ((Cell("tie", "tie", 10**13, 10**13, 10**13),),), (10**13,))
    _, products = moments(layout, Tally(10**10, np.array([10**10])))
    assert products[0, 0] == 10**36


def test_counts_of_another_layout_are_refused() -> None:
    kernel = kernel_for(Plan("fu-bacc", ({"ante": 1000},)))
    with pytest.raises(LogError, match="another version or another plan"):
        PackedTally(5, [1, 2, 2]).unpack(kernel.layout)
