"""A few of the hands that `make robot` plays by the hundred, each checked at its end."""

from collections.abc import Callable
from random import Random

import pytest
from playwright.sync_api import Page, expect

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


def test_held_sideways_nothing_lies_over_the_dealers_five_cards(seat: Callable[..., Seat]) -> None:
    offers = ["ante", "dos-pares", "gran-progressive"]
    sideways = {"viewport": {"width": 844, "height": 390}}
    player = seat("spanish-poker", "Jo Ac Qd 5s 3c Ad 4h 3d 6c 7c", options={"offers": offers}, likes=sideways)
    player.wagers({"Ante": "10"}).deals().chooses("Raise")
    expect(player.choices).to_contain_text("Round settled")
    assert not findings(player.page)


# What is moved, to where or with which style, and the sentence that has to be found
PLANTED: tuple[tuple[str, str | dict[str, str], str], ...] = (
    (".board .fw-stack", ".board .fw-spot text", "a stack lies over the label"),
    (".board .tag", ".board .fw-spot text", "lies over the label"),
    (".plate.mine", ".total", "lies over"),
    (".total", ".board .fw-title", "lies over the words"),
    (".board .meter", ".board .fw-spot > path", "lies over the spot"),
    (".board .fw-spot text", {"translate": "0 900px"}, "lies on the rail"),
    (".plate b", {"display": "block", "width": "12px", "overflow": "hidden"}, "is clipped"),
    (".plate.mine", {"translate": "-900px"}, "is not whole on the page"),
    ("body", {"height": "2000px"}, "the page is longer than the screen"),
)
PLANT = """([where, planted]) => {
  const moved = document.querySelector(where), before = moved.getAttribute("style") ?? "";
  const centre = (one) => {
    const {left, top, width, height} = one.getBoundingClientRect(), on = moved.parentNode.getScreenCTM?.();
    return new DOMPoint(left + width / 2, top + height / 2).matrixTransform(on?.inverse() ?? new DOMMatrix());
  };
  if (typeof planted === "string") {
    const a = centre(moved), b = centre(document.querySelector(planted));
    planted = {translate: `${b.x - a.x}px ${b.y - a.y}px`};
  }
  Object.assign(moved.style, planted);
  return before;
}"""
RESTORE = "([where, style]) => document.querySelector(where).setAttribute('style', style)"


def test_what_overlaps_or_is_clipped_is_found(seat: Callable[..., Seat]) -> None:
    offers = ["ante", "dos-pares", "gran-progressive"]
    player = seat("spanish-poker", "Jo Ac Qd 5s 3c Ad 4h 3d 6c 7c", seats=6, options={"offers": offers})
    player.wagers({"Ante": "10", "Dos Pares": "5"}).deals().chooses("Raise")
    assert player.lines
    page = player.page
    for moved, planted, sentence in PLANTED:
        assert not findings(page)
        before = page.evaluate(PLANT, [moved, planted])
        assert any(sentence in finding for finding in findings(page)), (moved, planted)
        page.evaluate(RESTORE, [moved, before])
