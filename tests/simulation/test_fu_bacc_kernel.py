"""Fu Bacc's kernel deals the rounds that the rules deal, and pays what they pay."""

from fractions import Fraction
from typing import Any

import pytest

from feltworks.analysis.analyze import Question, analyze
from feltworks.analysis.strategy.optimal import strategy_rows
from feltworks.errors import FeltError
from feltworks.machine.streams import Stream
from feltworks.simulation.plan import Plan, Strategy
from feltworks.simulation.result import exact_edge
from feltworks.simulation.rounds.kernel import kernel_for
from feltworks.simulation.tally import sampled_figures
from tests.simulation.twin import check_twin

ALL = {"ante": 1000, "lucky-monkey": 500, "tie": 700}


def test_a_full_table_deals_all_but_one_card() -> None:
    check_twin(Plan("fu-bacc", (ALL,) * 16, options={"spots": 16}), rounds=500)


@pytest.mark.parametrize("name", ["joint", "always-fold", "always-stay", "always-hit", "practical-2"])
def test_every_strategy_is_played_as_the_analysis_counts_it(name: str) -> None:
    plan = Plan("fu-bacc", ({"ante": 10_000, "tie": 10_000},), Strategy(name))
    found = sampled_figures((kernel := check_twin(plan, rounds=1_000)).layout, kernel.tally(Stream(1, 0), 500_000))
    for wager in plan.wagers:
        exact = exact_edge(plan, wager)
        assert isinstance(exact, Fraction)
        assert abs(found[wager].house_edge - exact) <= 4.5 * found[wager].standard_error


def test_the_exact_edge_is_that_of_the_analysis() -> None:
    plan = Plan("fu-bacc", ({"ante": 10_000, "tie": 10_000},))
    assert exact_edge(plan, "ante") == analyze(Question(plan.table, "ante")).figures.house_edge
    beside = Question(plan.table, "tie", {"ante": None})
    assert exact_edge(plan, "tie") == analyze(beside).figures.house_edge


def test_a_rounded_payment_is_not_held_against_the_exact_edge() -> None:
    assert exact_edge(Plan("fu-bacc", ({"ante": 5},)), "ante") is None  # 3 to 2 on five cents


def test_a_strategy_file_is_followed_and_its_edge_known() -> None:
    plan = Plan("fu-bacc", ({"ante": 10_000},), Strategy("mine.json", _always_stay()))
    check_twin(plan, rounds=1_000)
    always = Plan("fu-bacc", ({"ante": 10_000},), Strategy("always-stay"))
    assert exact_edge(plan, "ante") == exact_edge(always, "ante")


def _always_stay() -> dict[str, Any]:
    question = Question(Plan("fu-bacc", (ALL,)).table, "ante")
    asked = strategy_rows(question, analyze(question))
    return {"situations": [{"cards": row.cards, "dealer": row.dealer, "choice": "stay"} for row in asked]}


def test_a_strategy_file_that_misses_a_situation_is_refused() -> None:
    document = _always_stay()
    document["situations"].pop(17)
    with pytest.raises(FeltError, match="says nothing for"):
        kernel_for(Plan("fu-bacc", (ALL,), Strategy("mine.json", document)))


def test_a_strategy_nobody_knows_is_refused() -> None:
    with pytest.raises(FeltError, match="always-hit"):
        kernel_for(Plan("fu-bacc", (ALL,), Strategy("always-win")))


def test_amounts_whose_squares_cannot_be_summed_are_refused() -> None:
    with pytest.raises(FeltError, match="20,000,000"):
        kernel_for(Plan("fu-bacc", ({"tie": 10**12}, {"tie": 10**12 + 1})))


def test_large_amounts_are_summed_without_wrapping() -> None:
    check_twin(Plan("fu-bacc", ({"ante": 10**7, "tie": 10**7},) * 3), rounds=3_000)
