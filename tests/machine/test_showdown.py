"""A showdown of the gallery on the machine: the same rounds as the rules deal, and the edge that is exact."""

from collections.abc import Iterator
from fractions import Fraction

import pytest

from feltworks import catalog
from feltworks.machine.streams import Stream
from feltworks.simulation.plan import Plan, Strategy
from feltworks.simulation.result import exact_edge
from feltworks.simulation.rounds.kernel import kernel_for
from feltworks.simulation.rounds.machine import MachineKernel
from feltworks.simulation.tally import sampled_figures
from tests.conftest import forget_games
from tests.simulation.twin import check_kernel


@pytest.fixture(autouse=True)
def gallery(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv(catalog.GAME_FOLDERS, str(catalog.examples_folder()))
    forget_games()
    yield
    forget_games()


@pytest.mark.parametrize("strategy", ["optimal", "always-play"])
def test_three_cards_are_dealt_as_the_rules_deal_them(strategy: str) -> None:
    plan = Plan("three-card-poker", ({"ante": 1000, "pair-plus": 500},), Strategy(strategy))
    kernel = kernel_for(plan)
    assert isinstance(kernel, MachineKernel)
    check_kernel(plan, kernel, rounds=2_000)


def test_several_seats_meet_one_house() -> None:
    plan = Plan("three-card-poker", ({"ante": 1000}, {"pair-plus": 500}, {"ante": 200, "pair-plus": 300}))
    check_kernel(plan, kernel_for(plan), rounds=1_000)


def test_best_play_comes_to_the_exact_edge() -> None:
    plan = Plan("three-card-poker", ({"ante": 1000, "pair-plus": 1000},))
    kernel = kernel_for(plan)
    found = sampled_figures(kernel.layout, kernel.tally(Stream(5, 0), 1_000_000))
    for wager in ("ante", "pair-plus"):
        exact = exact_edge(plan, wager)
        assert exact is not None
        assert abs(found[wager].house_edge - float(exact)) < 4.5 * found[wager].standard_error
    # 48, 52, 720, 1,096, 3,744 and 16,440 of 22,100 hands
    won = 48 * 40 + 52 * 30 + 720 * 6 + 1096 * 4 + 3744
    assert exact_edge(plan, "pair-plus") == Fraction(16440 - won, 22100)
