"""A pocket card is complete, and has room for one list of each length."""

import re
from functools import cache
from itertools import pairwise
from typing import Any

import pytest

from feltworks.analysis.analyze import Question
from feltworks.analysis.strategy.optimal import SolvedSight, optimal_strategy
from feltworks.analysis.strategy.report import Cell, Grid, _chart, grids_of
from feltworks.reports.order import Order
from feltworks.reports.par import Par
from feltworks.reports.strategy_card import cheapest, strategy_card
from tests.reports.conftest import DAY


def test_of_lists_of_one_length_the_cheapest_is_carried(fu_bacc: Par) -> None:
    play = fu_bacc.wagers[0].play
    assert play is not None
    carried = cheapest(play.rules)
    assert [each.number for each in carried] == sorted({each.number for each in play.rules})
    assert len(carried) < len(play.rules)
    assert all(one.cost > other.cost for one, other in pairwise(carried))


@cache
def poker() -> tuple[tuple[SolvedSight, ...], Grid, Any]:
    strategy = optimal_strategy(Question(Order("spanish-poker", DAY).table, "ante"))
    return strategy.decided, grids_of(strategy)[0], _chart(strategy.question.game, strategy.decided)


def test_every_hand_that_plays_otherwise_than_its_cell_is_printed() -> None:
    """A reader of the chart and its exceptions makes the best choice with each of the hands, suit by suit."""
    decided, grid, chart = poker()
    listed: dict[tuple[str, str], dict[str, str]] = {}
    for line in grid.exceptions:
        place, _, words = line.partition(": ")
        down, _, across = place.removesuffix(" cards six or higher").partition(" with ")
        choice, _, hands = words.partition(" with ")
        listed[down, across] = {"": choice}
        for hand in hands.split(", "):
            held, _, suits = hand.partition(" (")
            listed[down, across][held] = suits.rstrip(")")
    otherwise = 0
    for each in decided:
        place = (chart.down.label(each.view), chart.across.label(each.view))
        cell: Cell = grid.cells[place]
        rule = listed.get(place, {}).get(chart.hand(each.view))
        if rule is None:
            assert each.best.keys() == {cell.choice}
            continue
        otherwise += 1
        assert listed[place][""] in each.best
        for sizes, best in each.by_suits.items():
            assert (listed[place][""] if follows(rule, sizes) else cell.choice) == best
    assert otherwise == sum(len(hands) - 1 for hands in listed.values()) == 44


def follows(rule: str, sizes: tuple[int, ...]) -> bool:
    """Whether a hand with so many cards of each suit follows the words of a rule."""
    number = int(re.findall(r"\d", rule)[0])
    if rule.startswith("no "):
        return sizes[0] < number
    if rule.endswith("of a suit"):
        return sizes[0] >= number
    return len(sizes) <= number if rule.endswith("only") else len(sizes) >= number


@pytest.mark.clause("FB.3", "FB.9")
def test_a_rescue_that_a_ten_spoils_is_not_advised_by_points() -> None:
    play = strategy_card(Order("fu-bacc", DAY, {"rescue-ten": False, "offers": "ante"})).sides[0].play
    assert "0 against 9: rescue whenever it is offered" in play.charts[0].exceptions


@pytest.mark.clause("BJ.4")
def test_a_card_states_the_table_and_advises_on_insurance() -> None:
    card = strategy_card(Order("acey-deucey-21", DAY, {"decks": 1, "soft17": "hit", "max-hands": 1}))
    assert card.identity.dealt_from.startswith("one deck")
    assert "The dealer hits soft 17." in [line.text for line in card.rules]
    (aside,) = card.sides[0].asides
    assert (aside.title, aside.advice) == ("Insurance", "decline it")
    assert abs(float(aside.house_edge) - 3 / 51) < 1e-12  # 16 tens in 51 cards at 2 to 1
    assert card.sides[1].sizes == (
        "Raise That Pays: if you make it, put down the most you may, up to 2× the Acey Deucey.",
    )
    without = strategy_card(Order("acey-deucey-21", DAY, {"insurance": False, "max-hands": 1}))
    assert without.sides[0].asides == ()
