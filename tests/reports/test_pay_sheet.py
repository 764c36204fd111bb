"""Pay tables on paper say what the table pays, and nothing that it does not."""

from typing import Any

import pytest

from feltworks.reports.order import Order
from feltworks.reports.posting import PaySheet, in_two, pay_sheets
from feltworks.reports.wager_sheet import wager_sheet
from tests.reports.conftest import DAY


def sheet(order: Order, wager: str) -> PaySheet:
    return next(each for each in pay_sheets(order, only_chosen=True) if each.wager == wager)


@pytest.mark.clause("LB.8")
@pytest.mark.parametrize(
    ("reading", "words", "top"),
    [
        ("added", "pays the base and besides it the base times 50 with 5+ cards", "153 to 1"),
        ("replaces", "pays the base times 50 with 5+ cards", "150 to 1"),
    ],
)
def test_a_suited_hand_is_told_as_it_is_paid(reading: str, words: str, top: str) -> None:
    order = Order("lucky-break", DAY, {"lucky-break.multiplier": reading})
    assert words in sheet(order, "lucky-break").notes[0]
    assert str(order.table.pays["lucky-break"]["26, 5 or more suited"]) == top


@pytest.mark.clause("AD.5", "AD.12")
def test_what_a_table_forbids_is_told_by_its_clause() -> None:
    order = Order("acey-deucey-21", DAY, pay_tables={"war": "2", "acey-deucey": "3B"})
    assert sheet(order, "war").notes == (order.book.clause["AD.5"],)
    assert order.book.clause["AD.12"] in sheet(order, "acey-deucey").notes


@pytest.mark.clause("FB.12", "BJ.5")
@pytest.mark.parametrize(
    ("game", "options", "wager", "row"),
    [
        ("fu-bacc", {"fu-bacc.rescue-tie": "loses"}, "tie", "rescued"),
        ("lucky-break", {"surrender": "late"}, "blackjack", "surrendered"),
        ("lucky-break", {"peek": False, "no-peek-loss": "original"}, "blackjack", "original lost"),
    ],
)
def test_a_filing_lists_only_outcomes_that_some_pay_table_has_at_this_table(
    game: str, options: dict[str, Any], wager: str, row: str
) -> None:
    for chosen, is_listed in (({}, False), (options, True)):
        posted = next(each for each in pay_sheets(Order(game, DAY, chosen)) if each.wager == wager)
        assert (row in {each.outcome for each in posted.rows}) is is_listed


@pytest.mark.clause("AD.5")
def test_a_filing_lists_what_another_pay_table_adds() -> None:
    war = next(each for each in pay_sheets(Order("acey-deucey-21", DAY)) if each.wager == "war")
    assert {row.outcome for row in war.rows} >= {"first card higher", "second card higher", "equal"}


def test_two_columns_are_as_even_as_the_order_allows() -> None:
    posted = pay_sheets(Order("lucky-lucky", DAY), only_chosen=True)
    left, right = in_two(posted)
    assert [each.wager for each in left] == ["blackjack", "insurance"]
    assert [*left, *right] == posted


@pytest.mark.clause("BJ.1", "BJ.5")
@pytest.mark.parametrize(
    ("options", "listed"),
    [
        ({}, set()),
        ({"surrender": "late"}, {"surrendered"}),
        ({"peek": False}, set()),
        ({"peek": False, "no-peek-loss": "original"}, {"original lost", "added wager returned"}),
    ],
)
def test_a_sign_leaves_out_what_its_table_never_pays(options: dict[str, Any], listed: set[str]) -> None:
    rows = {row.outcome for row in sheet(Order("lucky-lucky", DAY, options), "blackjack").rows}
    assert rows & {"surrendered", "original lost", "added wager returned"} == listed


@pytest.mark.parametrize("wager", ["lucky-lucky", "lucky-break"])
def test_a_par_sheet_names_outcomes_as_the_pay_tables_do(wager: str) -> None:
    order = Order("lucky-lucky", DAY)
    printed = {row.outcome for row in sheet(order, wager).rows}
    names = [row.name for row in wager_sheet(order, wager).rows]
    assert [name for name in names if name.partition(", ")[0] not in printed] == []
