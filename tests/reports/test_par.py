"""A PAR sheet says what analysis, simulation and rulebook say, at the moment it is printed."""

import json
import shlex
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import comb

import pytest

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
from feltworks.analysis.measures import removal, ways
from feltworks.reports.order import Order
from feltworks.reports.par import Par
from feltworks.reports.wager_sheet import wager_sheet
from tests.conftest import Output
from tests.reports.conftest import DAY


def test_every_wager_has_its_exact_figures(fu_bacc: Par) -> None:
    assert [part.sheet.wager for part in fu_bacc.wagers] == ["ante", "lucky-monkey", "tie"]
    monkey = fu_bacc.wagers[1].sheet
    assert monkey.figures.house_edge == Fraction(1, 17)
    assert (monkey.all_probability, monkey.all_contribution) == (1, Fraction(-1, 17))
    assert monkey.ways is not None
    assert monkey.ways.total == comb(52, 2) * 50
    assert sum(row.ways or 0 for row in monkey.rows) == monkey.ways.total


def test_a_tie_is_told_alone_and_beside_an_ante(fu_bacc: Par) -> None:
    tie = fu_bacc.wagers[2].sheet
    beside = Question(catalog.game("fu-bacc"), "tie", {"ante": None})
    assert [each.house_edge for each in tie.beside] == [analyze(beside).figures.house_edge]


def test_what_stood_on_a_wager_is_told_where_it_differs(fu_bacc: Par) -> None:
    ante, monkey, _ = (part.sheet for part in fu_bacc.wagers)
    assert {row.name: (row.pays, row.wagered) for row in ante.rows}["player higher"] == ("1 to 1", 3)
    assert {row.wagered for row in ante.rows} == {1, 3}
    assert (ante.shows_wagered, monkey.shows_wagered) == (True, False)


def test_what_follows_from_a_wager_halves_what_it_may_be(fu_bacc: Par) -> None:
    ante = fu_bacc.wagers[0].sheet.exposure
    assert (ante.most, ante.follows) == (200_00, {"Play": 400_00})


def test_only_a_wager_with_a_decision_has_a_play(fu_bacc: Par) -> None:
    assert [part.play is not None for part in fu_bacc.wagers] == [True, False, False]
    rules = fu_bacc.wagers[0].play.rules if fu_bacc.wagers[0].play else ()
    assert all(one.cost > other.cost for one, other in pairwise(rules))


def test_the_printed_command_repeats_the_simulation(fu_bacc: Par, felt: Callable[..., Output]) -> None:
    (run,) = fu_bacc.confirmations
    again = json.loads(felt(*shlex.split(run.command)[1:], "--json").out)
    assert [each.house_edge for each in run.wagers] == [w["house_edge"] for w in again["wagers"].values()]


def test_a_card_out_of_the_shoe_changes_the_edge_as_analysis_says() -> None:
    question = Question(catalog.game("spanish-poker"), "joker-in-hand")
    edge = analyze(question).figures.house_edge
    found = {each.rank.letter: each for each in removal(question, edge)}
    assert (found["Jo"].cards, found["Jo"].change) == (1, 1 - edge)  # without the joker nothing wins
    assert found["A"].change == -edge  # 5 of 40 cards at 7 to 1 is a fair game


def test_combinations_that_do_not_come_out_whole_are_not_claimed() -> None:
    game = catalog.game("lucky-lucky")
    assert ways(game, "lucky-lucky", [Fraction(1, comb(312, 3))]).total == comb(312, 3)
    assert ways(game, "lucky-lucky", [Fraction(1, 7919)]).total == 7919


@pytest.mark.clause("SP.20")
def test_a_progressive_has_its_meter_though_a_table_offers_three() -> None:
    order = Order("spanish-poker", DAY)
    assert "gran-progressive" in order.wagers
    assert "gran-progressive" not in order.offered
    sheet = wager_sheet(order, "gran-progressive")
    assert sheet.answer.notes["break_even_jackpot"] == 26_340_00
    assert sheet.exposure.from_meter == "jackpot"
