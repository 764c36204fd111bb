"""Blackjack's figures against what others have published, and laws that no rule set may break."""

from functools import cache
from typing import Any

import pytest

from feltworks.analysis.solvers.shoe_game.chart import Advice
from feltworks.analysis.solvers.shoe_game.table import STRATEGIES, TableAnalysis
from feltworks.cards import card, cards
from tests.analysis.follower import table


@cache
def analysis(**rules: Any) -> TableAnalysis:
    return TableAnalysis(table(**rules))


def edge(**rules: Any) -> float:
    solved = analysis(**rules)
    return -float(solved.table.expectation(solved.plan))


# Wizard of Odds, blackjack appendix 9 (wizardofodds.com/games/blackjack/appendix/9, pages 1ds17r4, 2dh17r4,
# euro-8dh17r4): expected return with and without doubling after splits,
# composition dependent, split to four hands, aces once; split hands there may know how many hands there are.
APPENDIX_9 = [
    ({"decks": 1, "soft17": "stand"}, 0.001839, 0.000423),
    ({"decks": 2, "soft17": "hit"}, -0.003797, -0.005252),
    ({"decks": 8, "soft17": "hit", "peek": False}, -0.007562, -0.0089865),
]


@pytest.mark.clause("BJ.3")
@pytest.mark.parametrize(("rules", "doubling", "not_doubling"), APPENDIX_9)
def test_the_return_agrees_with_the_published_one(rules: dict[str, Any], doubling: float, not_doubling: float) -> None:
    assert -edge(**rules) == pytest.approx(doubling, abs=1e-5)
    assert -edge(**rules, double_after_split=False) == pytest.approx(not_doubling, abs=1e-5)


def test_a_most_generous_single_deck_agrees_with_the_published_one() -> None:
    # blackjackinfo.com, "online blackjack rule differences": 0.37292 % for the player by exact cards
    rules = {"resplit_aces": True, "hit_split_aces": True, "surrender": "late"}
    assert -edge(decks=1, **rules) == pytest.approx(0.0037292, abs=1e-5)


# The same appendix 9, page 1ds17r4, against an ace: stand, hit, double.
AGAINST_AN_ACE = {
    "2h Ad": (-0.661732, -0.067808, -0.593281),
    "6h 5d": (-0.634013, 0.172946, 0.240259),
    "7h Ad": (-0.101015, -0.108386, -0.357778),
    "4h 3d": (-0.657967, -0.345048, -1.126423),
}


@pytest.mark.parametrize("hand", AGAINST_AN_ACE)
def test_every_choice_of_a_hand_agrees_with_the_published_value(hand: str) -> None:
    advice = analysis(decks=1).advice(cards(hand), card("As"))
    found = [advice.values[choice] for choice in ("stand", "hit", "double")]
    assert found == pytest.approx(list(AGAINST_AN_ACE[hand]), abs=6e-7)


def test_thirteen_against_eight_averages_to_the_published_values() -> None:
    # hundredpercentgambling.com/expected-value-tables.htm: six decks, stands on soft 17, mean of 13's hands
    hands = [analysis().advice(cards(hand), card("8s")) for hand in ("Th 3d", "9h 4d", "8h 5d", "7h 6d")]
    for choice, published in {"stand": -0.51353, "hit": -0.32965, "double": -0.7042}.items():
        mean = sum(advice.values[choice] for advice in hands) / 4
        assert mean == pytest.approx(published, abs=1e-5)


def test_two_decks_stand_against_an_ace_as_published() -> None:
    # geditcom.com/Blackjack/TwoDeck.html: standing against an ace, no blackjack
    published = {"Ah Ad": -0.665322, "2h Ad": -0.664614, "2h 2d": -0.663878, "5h Ad": -0.66264}
    found = {hand: analysis(decks=2).advice(cards(hand), card("As")).values["stand"] for hand in published}
    assert found == pytest.approx(published, abs=6e-7)


# blackjackreview.com/wp/blackjack-rule-variations: six decks, no doubling after splits, no surrender; what a
# rule changes for the player, in hundredths of a percent, by basic strategy.
RULE_EFFECTS = [
    ({"double_after_split": True}, 14),
    ({"resplit_aces": True}, 7),
    ({"double": "9-11"}, -9),
    ({"soft17": "hit"}, -20),
    ({"blackjack_pays": "6:5"}, -136),
]


@pytest.mark.parametrize(("rule", "effect"), RULE_EFFECTS)
def test_a_rule_changes_the_edge_as_published(rule: dict[str, Any], effect: int) -> None:
    plain = {"double_after_split": False}
    assert 1e4 * (edge(**plain) - edge(**(plain | rule))) == pytest.approx(effect, abs=2)


@pytest.mark.parametrize(
    ("rules", "variance"),
    # Wizard of Odds, blackjack appendix 4: ten billion simulated hands of basic strategy, with a cut card
    [({}, 1.346), ({"double_after_split": False, "surrender": "late"}, 1.272)],
)
def test_the_deviation_of_a_round_agrees_with_the_published_one(rules: dict[str, Any], variance: float) -> None:
    assert float(analysis(soft17="hit", **rules).best.variance) == pytest.approx(variance, abs=0.006)


# The chart printed everywhere for four decks or more, stands on soft 17, doubling after splits (such as
# wizardofodds.com/games/blackjack/strategy/4-decks): against 2 to 9, ten, ace.
PRINTED = {
    ("hard", 8): "HHHHHHHHHH",
    ("hard", 9): "HDDDDHHHHH",
    ("hard", 10): "DDDDDDDDHH",
    ("hard", 11): "DDDDDDDDDH",
    ("hard", 12): "HHSSSHHHHH",
    ("hard", 13): "SSSSSHHHHH",
    ("hard", 16): "SSSSSHHHHH",
    ("hard", 17): "SSSSSSSSSS",
    ("soft", 13): "HHHDDHHHHH",
    ("soft", 14): "HHHDDHHHHH",
    ("soft", 15): "HHDDDHHHHH",
    ("soft", 16): "HHDDDHHHHH",
    ("soft", 17): "HDDDDHHHHH",
    ("soft", 18): "SDDDDSSHHH",
    ("soft", 19): "SSSSSSSSSS",
    ("pair", 1): "PPPPPPPPPP",
    ("pair", 2): "PPPPPPHHHH",
    ("pair", 3): "PPPPPPHHHH",
    ("pair", 4): "HHHPPHHHHH",
    ("pair", 5): "DDDDDDDDHH",
    ("pair", 6): "PPPPPHHHHH",
    ("pair", 7): "PPPPPPHHHH",
    ("pair", 8): "PPPPPPPPPP",
    ("pair", 9): "PPPPPSPPSS",
    ("pair", 10): "SSSSSSSSSS",
}


@pytest.mark.clause("BJ.3")
def test_basic_strategy_is_the_chart_that_everybody_prints() -> None:
    letters = {"stand": "S", "hit": "H", "double": "D", "split": "P"}
    chart = analysis().basic_strategy
    ups = [2, 3, 4, 5, 6, 7, 8, 9, 10, 1]
    found = {(kind, total): "".join(letters[chart[kind, total, up].choice] for up in ups) for kind, total in PRINTED}
    assert found == PRINTED


def test_no_single_line_of_basic_strategy_can_be_bettered() -> None:
    one_deck = analysis(decks=1)
    chart = dict(one_deck.basic_strategy)
    best = one_deck.figures_under(chart).expectation
    for key in [("hard", 16, 10), ("hard", 12, 4), ("pair", 6, 2)]:
        for choice in set(chart[key].values) - {chart[key].choice}:
            other = chart | {key: Advice(choice, choice if choice == "stand" else "hit")}
            assert one_deck.figures_under(other).expectation < best


def test_exact_cards_beat_totals_and_totals_beat_plain_habits() -> None:
    six = analysis()
    basic, mimic, never = (six.figures_under(six.strategy(name)).house_edge for name in STRATEGIES)
    assert six.best.house_edge < basic < mimic < never


BETTER = [
    ({"max_hands": 1}, {"max_hands": 2}),
    ({"max_hands": 2}, {"max_hands": 4}),
    ({"double_after_split": False}, {}),
    ({}, {"resplit_aces": True}),
    ({}, {"hit_split_aces": True}),
    ({}, {"surrender": "late"}),
    ({"double": "10-11"}, {}),
    ({"split_on": "rank"}, {}),
    ({"soft17": "hit"}, {}),
    ({"blackjack_pays": "6:5"}, {}),
    ({"peek": False}, {"peek": False, "no_peek_loss": "original"}),
    ({"peek": False, "no_peek_loss": "original"}, {}),
]


@pytest.mark.parametrize(("worse", "better"), BETTER)
def test_what_a_rule_gives_the_player_never_costs_him(worse: dict[str, Any], better: dict[str, Any]) -> None:
    assert edge(decks=1, **better) <= edge(decks=1, **worse)


def test_outcomes_are_whole_and_their_mean_is_what_the_recursion_found() -> None:
    for rules in ({}, {"peek": False, "surrender": "late", "split_on": "rank"}):
        solved = analysis(decks=1, **rules)
        assert sum(row.probability for row in solved.best.outcomes) == pytest.approx(1, abs=1e-12)
        assert solved.best.expectation == pytest.approx(solved.table.expectation(solved.plan), abs=1e-12)


def test_exposed_cards_count() -> None:
    game = table(decks=1)
    small = game.terms.shoe.without(cards("5h 5d 5c 5s"))
    assert TableAnalysis(game, small).best.house_edge < edge(decks=1) - 0.02  # as every counter knows
