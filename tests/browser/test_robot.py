"""A few of the hands that `make robot` plays by the hundred, each checked at its end."""

from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Page

from feltworks import catalog
from tests.browser.house import House
from tests.browser.robot import LOOKS, Robot

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
