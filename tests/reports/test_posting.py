"""What a table posts: everything that WAC 230-15-060 names, and nothing that the house did not say."""

from datetime import date

import pytest

from feltworks.reports.order import DISPUTE, HouseSettings, Order
from feltworks.reports.posting import posting
from feltworks.table.limits import WagerLimit

DAY = date(2024, 1, 31)


@pytest.mark.clause("WA.4", "SP.15")
def test_limits_prizes_jackpot_payout_limits_employees_and_disputes_are_posted() -> None:
    order = Order("spanish-poker", DAY, {"offers": "ante,dos-pares,gran-progressive"}, jackpot=500_000)
    house = HouseSettings(
        employees="Employees do not play.",
        dispute="Ask the shift manager.",
        limits={"ante": WagerLimit(5_00, 100_00), "dos-pares": WagerLimit(1_00, 25_00)},
        aggregate={"dos-pares": 10_000_00},
    )
    posted = posting(order, house)
    limits = {each.title: (each.limits, each.aggregate) for each in posted.wagers}
    assert limits["Ante"] == ("$5 to $100", "none")
    assert limits["Dos Pares"] == ("$1 to $25", "$10,000 a deal, shared by all winners")
    assert limits["Gran Progressive"][0] == "$1"
    assert posted.jackpots == (("Gran Progressive", "$5,000"),)
    assert {sheet.title for sheet in posted.pays} >= limits.keys()
    assert all(sheet.rows for sheet in posted.pays)
    assert (posted.house.employees, posted.house.dispute) == (house.employees, house.dispute)
    told = {line.clause for chapter in posted.guide for line in chapter.lines}
    assert told >= {"SP.1", "SP.2", "SP.6", "SP.8", "SP.9", "SP.11", "SP.13"}


def test_what_only_the_house_can_say_is_left_open_in_brackets() -> None:
    posted = posting(Order("fu-bacc", DAY), HouseSettings())
    assert "[House:" in DISPUTE
    assert posted.house.employees.startswith("[House:")
