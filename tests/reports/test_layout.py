"""The layout is drawn from the rulebook's wagers and the table's options."""

import xml.etree.ElementTree as ElementTree
from itertools import combinations, pairwise
from math import cos, hypot, radians, sin

import pytest

from feltworks import catalog
from feltworks.reports.layout import design, drawing
from feltworks.reports.layout.design import Layout, band_words, cloths, layout_of
from feltworks.reports.layout.drawing import layout_svg
from feltworks.reports.layout.geometry import HEIGHT, WIDTH, frames
from feltworks.reports.order import Order
from tests.conftest import forget_games
from tests.reports.conftest import DAY


@pytest.mark.parametrize("name", catalog.games())
def test_every_seat_has_every_spot(name: str) -> None:
    order = Order(name, DAY)
    drawn = ElementTree.fromstring(layout_svg(order))
    labels = ["".join(each.itertext()) for each in drawn.iter() if each.tag.endswith("text")]
    seats = order.table.terms.number("spots")
    spots = [spot for spot in layout_of(order.table, seats).spots if not spot.is_bare]
    for spot in spots:
        assert labels.count(spot.label[0]) >= seats
    assert {order.book.wager[spot.wager].kind for spot in spots} >= {"main"}


@pytest.mark.parametrize("count", [1, 5, 6, 7, 9])
def test_seats_stand_on_the_table_from_the_dealers_left(count: int) -> None:
    placed = frames(count)
    assert [frame.seat for frame in placed] == list(range(1, count + 1))
    assert all(0 < frame.x < WIDTH and 0 < frame.y < HEIGHT for frame in placed)
    assert all(one.x > other.x for one, other in pairwise(placed))


def test_the_cloth_says_what_the_options_say() -> None:
    order = Order("lucky-break", DAY, {"soft17": "hit", "blackjack-pays": "6:5", "insurance": "false"})
    assert order.table.cloth_words == "Blackjack pays 6 to 5 · Dealer hits soft 17"
    assert band_words(order.table) == ""
    assert band_words(Order("lucky-break", DAY).table) == "Insurance pays 2 to 1"


def test_a_wager_left_out_has_no_spot() -> None:
    order = Order("acey-deucey-21", DAY, {"offers": "blackjack,acey-deucey"})
    assert printed(layout_of(order.table, 7)) == ["blackjack", "acey-deucey", "raise"]


def test_a_row_of_spots_closes_up_where_a_table_leaves_one_out() -> None:
    order = Order("spanish-poker", DAY, {"offers": "ante,dos-pares,gran-progressive"})
    spots = layout_of(order.table, 6).spots
    assert [spot.wager for spot in spots] == ["ante", "raise", "dos-pares", "gran-progressive"]
    assert [spot.x for spot in spots] == [-36, 36, -36, 38]


@pytest.mark.parametrize("name", catalog.games())
def test_no_two_spots_of_a_seat_overlap_and_all_lie_on_the_cloth(name: str) -> None:
    for seats in (5, 7):
        layout = layout_of(Order(name, DAY).table, seats)
        spots = [spot for spot in layout.spots if not spot.is_bare]
        for one, other in combinations(spots, 2):
            assert hypot(one.x - other.x, one.y - other.y) >= one.radius + other.radius
        for frame in layout.seats:
            for spot in layout.spots:
                turn = radians(frame.turn)
                x = frame.x + frame.scale * (spot.x * cos(turn) - spot.y * sin(turn))
                y = frame.y + frame.scale * (spot.x * sin(turn) + spot.y * cos(turn))
                assert 30 < x < WIDTH - 30
                assert 150 < y < HEIGHT - 30


def test_a_game_without_a_cloth_of_its_own_is_laid_out_by_its_wagers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(design, "cloths", lambda: {"usual": cloths()["usual"]})
    layout = layout_of(Order("fu-bacc", DAY).table, 7)
    assert layout.title == "FU BACC"
    assert printed(layout) == ["ante", "play", "lucky-monkey", "tie"]
    assert len({(spot.x, spot.y) for spot in layout.spots}) == len(layout.spots)


def printed(layout: Layout) -> list[str]:
    return [spot.wager for spot in layout.spots if not spot.is_bare]


def test_a_map_numbers_the_seats_and_leaves_the_labels_out() -> None:
    order = Order("fu-bacc", DAY)
    drawn = ElementTree.fromstring(layout_svg(order, in_full=False))
    labels = ["".join(each.itertext()) for each in drawn.iter() if each.tag.endswith("text")]
    assert [label for label in labels if label.isdigit()] == ["1", "2", "3", "4", "5", "6", "7"]
    assert "".join(label for label in labels if not label.isdigit()) == "FUBACC"


@pytest.mark.parametrize("name", ["spanish-poker", "ultimate-holdem"])
def test_no_label_of_a_row_runs_into_the_next_one(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(catalog.GAME_FOLDERS, str(catalog.examples_folder()))
    forget_games()
    spots = [spot for spot in layout_of(catalog.game(name), 1).spots if not spot.is_bare]
    forget_games()
    size = drawing._label_size(spots)
    reach = {spot: max(drawing._width(line) for line in spot.label) * size / 2 for spot in spots}
    for one, other in combinations(spots, 2):
        assert one.y != other.y or abs(one.x - other.x) > reach[one] + reach[other]
