"""Practical strategies: exact costs, computed a second way, and lists that get cheaper as they get longer."""

from fractions import Fraction
from itertools import pairwise, product

import numpy as np
import pytest

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
from feltworks.analysis.solvers.shoe_game.table import TableAnalysis
from feltworks.analysis.strategy.ladders import chart_ladder, chart_of_rules
from feltworks.analysis.strategy.optimal import Strategy, optimal_strategy
from feltworks.analysis.strategy.phrases import PlayerView
from feltworks.analysis.strategy.practical import (
    Ladder,
    PracticalStrategy,
    figures_under,
    ladder,
    practical_strategies,
)
from feltworks.analysis.strategy.search import RuleSearch
from feltworks.cards import cards
from tests.analysis.test_progress import News, check_told_in_order

QUESTIONS = {
    "fu-bacc": Question(catalog.game("fu-bacc"), "ante"),
    "fu-bacc with a tie": Question(catalog.game("fu-bacc"), "ante", {"tie": Fraction(1)}),
    "acey-deucey": Question(catalog.game("acey-deucey-21"), "acey-deucey"),
    "acey-deucey 3B": Question(catalog.game("acey-deucey-21", pay_tables={"acey-deucey": "3B"}), "acey-deucey"),
    "spanish-poker": Question(catalog.game("spanish-poker"), "ante"),
}
_KNOWN: dict[str, tuple[Strategy, Ladder]] = {}


def solved(name: str) -> tuple[Strategy, Ladder]:
    if name not in _KNOWN:
        strategy = optimal_strategy(QUESTIONS[name])
        _KNOWN[name] = strategy, ladder(strategy, 2 if strategy.question.beside else 3)
    return _KNOWN[name]


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_list_costs_something_or_plays_best_and_more_to_remember_costs_less(name: str) -> None:
    found = solved(name)[1].strategies
    assert all(each.cost >= 0 for each in found)
    assert all(isinstance(each.cost, Fraction) for each in found)
    assert all(before.cost > after.cost for before, after in pairwise(found))
    assert all(
        (len(before.rules), before.burden) < (len(after.rules), after.burden) for before, after in pairwise(found)
    )
    assert len({each.words for each in found}) == len(found)
    assert all(each.cost >= solved(name)[1].least_cost for each in found)


@pytest.mark.parametrize("name", ["fu-bacc", "acey-deucey", "acey-deucey 3B"])
def test_the_cost_is_what_playing_the_list_in_every_situation_loses(name: str) -> None:
    strategy, found = solved(name)
    best = analyze(QUESTIONS[name]).figures.house_edge
    for each in found.strategies:
        assert figures_under(strategy, each).house_edge == best + each.cost == each.house_edge


def test_the_cost_of_a_poker_list_is_what_the_showdown_finds_when_it_is_played() -> None:
    strategy, found = solved("spanish-poker")
    last = found.strategies[-1]
    best = analyze(QUESTIONS["spanish-poker"]).figures.house_edge
    assert figures_under(strategy, last).house_edge == best + last.cost == last.house_edge


def test_beside_a_tie_the_cost_counts_both_wagers_and_the_edge_is_the_antes() -> None:
    strategy, found = solved("fu-bacc with a tie")
    for each in found.strategies:
        worth = sum((spot.probability * spot.values[each(spot.view)] for spot in strategy.decided), Fraction(0))
        assert strategy.optimum - worth == each.cost
        assert each.house_edge == figures_under(strategy, each).house_edge


def test_acey_deucey_is_played_best_by_three_rules() -> None:
    strategy, found = solved("acey-deucey")
    last = found.strategies[-1]
    assert (len(last.rules), last.cost) == (3, 0)
    assert found.remark == "The last list plays as well as can be played."
    assert all(each.choice == last(each.view) for each in strategy.decided if len(each.values) > 1)


def test_spanish_poker_in_one_sentence() -> None:
    by_rules = {(len(each.rules), each.burden): each for each in solved("spanish-poker")[1].strategies}
    words = "raise with three cards six or higher, or with a pair of sevens or better; otherwise fold"
    assert by_rules[2, 2].words == words
    assert by_rules[2, 2].cost < Fraction(1, 4000)


def test_a_list_answers_a_hand_and_leaves_out_choices_that_are_not_open() -> None:
    strategy = next(each for each in solved("fu-bacc")[1].strategies if each.words.startswith("take the rescue"))
    offers = ("fold", "rescue", "stay", "hit")
    two_monkeys, nine = cards("Kh Jd"), cards("9s")
    assert strategy(PlayerView(two_monkeys, nine, offers)) == "rescue"
    assert strategy(PlayerView(cards("6h 4d"), nine, ("fold", "stay", "hit"))) in ("hit", "fold")


def test_a_ladder_that_stops_early_says_so() -> None:
    assert "stops at 3 rules" in solved("fu-bacc")[1].remark
    assert len(practical_strategies(QUESTIONS["acey-deucey"], 1)[-1].rules) == 1


def best_by_trying(fits: np.ndarray, regrets: list[list[int | None]], rules: int) -> int:
    """The cheapest list of so many rules, by trying every one."""
    choices, spots = range(len(regrets)), range(fits.shape[1])
    costs = []
    for last in choices:
        for listed in product(product(range(len(fits)), choices), repeat=rules):
            chosen = [next((c for p, c in listed if fits[p, s] and regrets[c][s] is not None), last) for s in spots]
            costs.append(sum(regrets[c][s] or 0 for c, s in zip(chosen, spots, strict=True)))
    return min(costs)


@pytest.mark.parametrize("scale", [1, 2**45, 2**80 + 1], ids=["floats", "limbs", "python integers"])
def test_the_search_finds_the_best_short_lists_exactly_however_large_the_numbers(scale: int) -> None:
    dice = np.random.default_rng(7)
    fits = dice.random((9, 14)) < 0.4
    small = dice.integers(0, 50, (3, 14))
    regrets: list[list[int | None]] = [[int(each) * scale for each in row] for row in small]
    found = list(RuleSearch(fits, regrets, [1] * len(fits)).lists(2))
    assert [each.cost for each in found] == [best_by_trying(fits, regrets, rules) for rules in range(3)]


def test_a_choice_that_is_not_open_lets_the_hand_go_on() -> None:
    fits = np.array([[True, True, False], [False, True, True]])
    regrets: list[list[int | None]] = [[5, 5, 5], [0, None, None], [9, 0, 0]]
    found = list(RuleSearch(fits, regrets, [1, 1]).lists(2))
    assert found[-1].cost == 0


def test_blackjack_lists_cost_what_playing_their_chart_costs() -> None:
    table = TableAnalysis(catalog.game("lucky-break", options={"decks": 2}))
    news = News()
    found = chart_ladder(table, 2, news)
    check_told_in_order(news)
    assert all(before.cost > after.cost for before, after in pairwise(found.strategies))
    last: PracticalStrategy = found.strategies[-1]
    edge = table.figures_under(chart_of_rules(last, table.basic_strategy)).house_edge
    assert edge == pytest.approx(float(last.house_edge), abs=1e-12)
    assert found.least_cost <= last.cost
    assert last(PlayerView(cards("Th 2d"), cards("Tc"), ("stand", "hit"))) == "hit"
