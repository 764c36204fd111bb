"""A pocket card has room for one list of each length."""

from itertools import pairwise

from feltworks.reports.par import Par
from feltworks.reports.strategy_card import cheapest


def test_of_lists_of_one_length_the_cheapest_is_carried(fu_bacc: Par) -> None:
    play = fu_bacc.wagers[0].play
    assert play is not None
    carried = cheapest(play.rules)
    assert [each.number for each in carried] == sorted({each.number for each in play.rules})
    assert len(carried) < len(play.rules)
    assert all(one.cost > other.cost for one, other in pairwise(carried))
