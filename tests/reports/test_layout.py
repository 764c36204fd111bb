"""The layout is drawn from the rulebook's wagers and the table's options."""

import xml.etree.ElementTree as ElementTree
from itertools import pairwise

import pytest

from feltworks import catalog
from feltworks.reports.layout.drawing import band_words, layout_svg
from feltworks.reports.layout.geometry import HEIGHT, WIDTH, frames
from feltworks.reports.layout.spots import spots
from feltworks.reports.order import Order
from tests.reports.conftest import DAY


@pytest.mark.parametrize("name", catalog.games())
def test_every_seat_has_every_spot(name: str) -> None:
    order = Order(name, DAY)
    drawn = ElementTree.fromstring(layout_svg(order))
    labels = ["".join(each.itertext()) for each in drawn.iter() if each.tag.endswith("text")]
    seats = order.table.terms.number("spots")
    for spot in spots(order):
        assert labels.count(spot.label[0]) >= seats
    assert {order.book.wager[spot.wager].kind for spot in spots(order)} >= {"main"}


@pytest.mark.parametrize("count", [1, 5, 6, 7, 9])
def test_seats_stand_on_the_table_from_the_dealers_left(count: int) -> None:
    placed = frames(count)
    assert [frame.seat for frame in placed] == list(range(1, count + 1))
    assert all(0 < frame.x < WIDTH and 0 < frame.y < HEIGHT for frame in placed)
    assert all(one.x > other.x for one, other in pairwise(placed))


def test_the_cloth_says_what_the_options_say() -> None:
    order = Order("lucky-break", DAY, {"soft17": "hit", "blackjack-pays": "6:5", "insurance": "false"})
    assert order.table.cloth_words == "Blackjack pays 6 to 5 · Dealer hits soft 17"
    assert band_words(order) == ""
    assert band_words(Order("lucky-break", DAY)) == "Insurance pays 2 to 1"


def test_a_wager_left_out_has_no_spot() -> None:
    order = Order("acey-deucey-21", DAY, {"offers": "blackjack,acey-deucey"})
    assert [spot.wager for spot in spots(order)] == ["blackjack", "acey-deucey", "raise"]


def test_a_map_numbers_the_seats_and_leaves_the_labels_out() -> None:
    order = Order("fu-bacc", DAY)
    drawn = ElementTree.fromstring(layout_svg(order, in_full=False))
    labels = ["".join(each.itertext()) for each in drawn.iter() if each.tag.endswith("text")]
    assert [label for label in labels if label.isdigit()] == ["1", "2", "3", "4", "5", "6", "7"]
    assert "".join(label for label in labels if not label.isdigit()) == "FUBACC"
