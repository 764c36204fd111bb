"""A few of the hands that `make robot` plays by the hundred, each checked at its end."""

from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Page

from feltworks import catalog
from tests.browser.boxes import findings
from tests.browser.house import House
from tests.browser.robot import LOOKS, Robot
from tests.browser.seat import Seat

HANDS = 2
GAMES = sorted(catalog.games())


@pytest.mark.parametrize("game", GAMES)
def test_every_hand_ends_on_the_felt_with_the_money_where_it_belongs(
    house: House, arrives: Callable[..., Page], game: str
) -> None:
    look = LOOKS[GAMES.index(game) % len(LOOKS)]
    page = arrives(
        viewport={"width": look.width, "height": look.height},
        color_scheme=look.scheme,
        reduced_motion=look.motion,
    )
    robot = Robot(page, Random(game))
    robot.sit(house.opens(game, private=True, practice=True).rpartition("/")[2])
    robot.play(HANDS)
    assert not robot.faults


def test_what_is_paid_lies_over_no_neighbours_label(seat: Callable[..., Seat]) -> None:
    player = seat("spanish-poker", "Jo Ac Qd 5s 3c Ad 4h 3d 6c 7c", private=True, practice=True)
    player.wagers({"Ante": "10", "Dos Pares": "5", "Joker in Hand": "25"}).deals().chooses("Raise")
    assert player.lines["Joker in Hand"] == "+$175.00"
    assert not findings(player.page)
