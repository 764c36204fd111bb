"""The figures of a whole table are those of the analysis, for every pay table and deck count."""

from fractions import Fraction
from math import isclose

import pytest

from feltworks import catalog
from feltworks.analysis.analyze import Question, analyze
from feltworks.reports.confirmation import SampledWager
from feltworks.reports.order import Order
from feltworks.reports.par import Par
from feltworks.reports.progressive_sheet import progressive_sheet
from feltworks.reports.reachable import dearest_deal
from feltworks.reports.table_sheet import _capped, _joint_spread, _matrix
from feltworks.reports.wager_sheet import wager_sheet
from tests.reports.conftest import DAY


@pytest.mark.clause("LL.6")
def test_a_matrix_holds_every_printed_edge_of_its_document() -> None:
    matrix = _matrix(Order("lucky-lucky", DAY), "lucky-lucky")
    assert (matrix.decks, [(row.pay_table, row.rule) for row in matrix.rows]) == (
        tuple(range(1, 9)),
        [("1", ""), ("2", ""), ("3", "")],  # the dealer's rule does not matter to it
    )
    edges = {(row.pay_table, n): edge for row in matrix.rows for n, edge in zip(matrix.decks, row.edges, strict=True)}
    for printed in catalog.rulebook("lucky-lucky").published:
        assert printed.decks
        assert f"{float(edges[printed.pay_table, printed.decks]):.2%}" == printed.figure


@pytest.mark.clause("LB.4")
def test_a_matrix_has_both_rules_of_a_dealer_who_completes_the_hand() -> None:
    order = Order("lucky-break", DAY, {"decks": 1})
    matrix = _matrix(order, "lucky-break")
    assert [(row.pay_table, row.rule) for row in matrix.rows[:2]] == [("1", "stand"), ("1", "hit")]
    game = catalog.game("lucky-break", options={"decks": 2, "soft17": "hit"})
    assert matrix.rows[1].edges[1] == analyze(Question(game, "lucky-break")).figures.house_edge


@pytest.mark.clause("AD.8")
def test_the_edge_at_the_limit_is_that_of_a_capped_raise() -> None:
    (capped,) = _capped(Order("acey-deucey-21", DAY))
    assert capped.opened == 400_00
    assert capped.house_edge > 0 > capped.uncapped


def test_wagers_of_a_spot_vary_together_as_their_joint_law_says() -> None:
    spread = _joint_spread(Order("fu-bacc", DAY))
    assert spread
    assert [(each.one, each.other) for each in spread.correlations] == [
        ("Ante", "Lucky Monkey"),
        ("Ante", "Tie"),
        ("Lucky Monkey", "Tie"),
    ]
    assert all(-1 < each.value < 0 for each in spread.correlations)
    assert spread.deviation < spread.apart


def test_pace_and_bankroll_follow_from_edge_and_deviation(fu_bacc: Par) -> None:
    ante = fu_bacc.table.economy[0]
    edge = fu_bacc.wagers[0].sheet.figures.house_edge
    assert ante.per_hour == edge * 10_00 * 7 * 60
    assert ante.bankroll
    deviation = fu_bacc.wagers[0].sheet.figures.standard_deviation
    assert isclose(ante.bankroll, 2.3263**2 * deviation**2 / (4 * float(edge)) * 10_00)


@pytest.mark.clause("SP.13", "SP.15", "SP.16")
def test_a_progressive_gives_back_all_that_it_takes() -> None:
    sheet = progressive_sheet(wager_sheet(Order("spanish-poker", DAY), "gran-progressive"))
    assert sheet
    returned = Fraction(10 + 24, 749_398)  # the dollars of ten Cincos and twenty-four royals
    assert sheet.contribution + sheet.fixed_return == 1 - returned
    assert isclose(sheet.average_meter, sheet.break_even, rel_tol=1e-3)


def test_a_run_names_the_smallest_error_it_would_have_shown() -> None:
    assert SampledWager("Tie", 0.1, 0.001, 0.1).detects == pytest.approx(0.003)


@pytest.mark.clause("SP.1", "SP.14")
def test_the_dearest_deal_has_one_joker_and_four_natural_royals() -> None:
    deal = dearest_deal(Order("spanish-poker", DAY))
    assert deal
    assert deal.hands == ("five of a kind", *["royal flush"] * 4, "four of a kind")
    ante = 200_00 * (200 + 4 * 100 + 25) + 6 * 400_00  # and a Raise of twice the Ante on each
    assert deal.payout == ante + 400_00 * (200 + 4 * 100 + 25) + 400_00 * 7
    assert dearest_deal(Order("fu-bacc", DAY)) is None
