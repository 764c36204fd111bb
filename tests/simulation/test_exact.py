"""The exact edge a simulation is held against is that of the same wager, played the same way."""

from fractions import Fraction

import pytest

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
from feltworks.simulation.plan import Plan, Strategy
from feltworks.simulation.result import exact_edge

UNIT = 100_00


def plan(game: str, *wagers: str, strategy: str = "optimal") -> Plan:
    return Plan(game, (dict.fromkeys(wagers, UNIT),), Strategy(strategy))


@pytest.mark.parametrize("strategy", ["optimal", "basic", "always-stand"])
@pytest.mark.parametrize(("game", "wager"), [("lucky-lucky", "lucky-lucky"), ("acey-deucey-21", "war")])
def test_a_wager_that_no_choice_touches_has_one_edge(game: str, wager: str, strategy: str) -> None:
    exact = exact_edge(plan(game, "blackjack", wager, strategy=strategy), wager)
    assert exact == analyze(Question(catalog.game(game), wager)).figures.house_edge


def test_a_raise_follows_its_own_strategy() -> None:
    table = catalog.game("acey-deucey-21")
    for strategy, asked in (
        ("basic", "optimal"),
        ("always-stand", "optimal"),
        ("always-check", "always-check"),
    ):
        exact = exact_edge(plan("acey-deucey-21", "blackjack", "acey-deucey", strategy=strategy), "acey-deucey")
        answer = analyze(Question(table, "acey-deucey", strategy=asked))
        assert exact == answer.figures.house_edge


def test_a_hand_of_blackjack_is_held_against_its_own_strategy() -> None:
    basic, never_bust = (
        exact_edge(plan("lucky-break", "blackjack", strategy=name), "blackjack") for name in ("basic", "never-bust")
    )
    assert isinstance(basic, float)
    assert isinstance(never_bust, float)
    assert 0 < basic < never_bust


def test_what_no_analysis_answers_has_no_exact_edge() -> None:
    assert exact_edge(plan("lucky-break", "blackjack", strategy="always-stand"), "blackjack") is None
    counter = Plan("lucky-break", ({"blackjack": UNIT},), Strategy("count.json", {"count": {}}))
    assert exact_edge(counter, "blackjack") is None


def test_seats_with_different_wagers_have_no_common_edge() -> None:
    seats = ({"ante": UNIT, "tie": UNIT}, {"tie": UNIT})
    assert exact_edge(Plan("fu-bacc", seats), "tie") is None
    assert exact_edge(Plan("fu-bacc", seats), "ante") is not None


def test_the_progressive_is_held_against_as_many_seats() -> None:
    options = {"offers": ["ante", "gran-progressive"]}
    seats = ({"gran-progressive": 100},) * 3
    table = Plan("spanish-poker", seats, options=options, jackpot=5_000_000)
    asked = Question(table.table, "gran-progressive", jackpot=5_000_000, seats=3)
    assert exact_edge(table, "gran-progressive") == analyze(asked).figures.house_edge


@pytest.mark.clause("LB.13")
def test_lucky_break_that_a_surrender_loses_is_held_against_the_hands_that_are_surrendered() -> None:
    options = {"surrender": "late", "lucky-break.surrender": "loses"}
    seat = {"blackjack": UNIT, "lucky-break": UNIT}
    best, basic = (
        exact_edge(Plan("lucky-break", (seat,), Strategy(name), options), "lucky-break")
        for name in ("optimal", "basic")
    )
    alone = exact_edge(Plan("lucky-break", ({"lucky-break": UNIT},), options=options), "lucky-break")
    assert isinstance(best, Fraction)
    assert isinstance(basic, Fraction)
    assert isinstance(alone, Fraction)
    assert float(basic) == pytest.approx(0.0954, abs=1e-4)  # 30 million rounds: 9.4814 % ± 0.0375 %
    assert float(best) == pytest.approx(0.0927, abs=1e-4)  # 160 million rounds: 9.2663 % ± 0.0161 %
    assert float(alone) == pytest.approx(0.0616, abs=1e-4)
