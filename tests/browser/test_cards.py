"""Cards are chosen from a hand by a click or by their numbers, and leave it."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from feltworks import catalog
from feltworks.web.tables.clock import Times
from tests.browser.house import House, Laying
from tests.browser.seat import Seat
from tests.conftest import forget_games
from tests.web.serving import served

Seated = Callable[..., Seat]
DEALT = "Ah Kh 2c Qh 3d Jh Th"  # two cards away from a royal flush


@pytest.fixture
def house(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[House]:
    """A house of its own, which has the games of the gallery."""
    monkeypatch.setenv(catalog.GAME_FOLDERS, str(catalog.examples_folder()))
    forget_games()
    laying, times = Laying(), Times()
    with served(tmp_path, laying, times=times) as address:
        opened = House(address, laying, times)
        yield opened
        opened.close()
    forget_games()


def test_marked_cards_are_discarded_and_replaced(seat: Seated) -> None:
    player = seat("draw-poker", DEALT).wagers({"Ante": "10"}).deals()
    marks = player.page.get_by_role("group", name="Cards to discard")
    expect(player.choice("Discard …")).to_be_disabled()
    # in the order in which they lie on the felt, highest first
    names = marks.get_by_role("button").evaluate_all("all => all.map(one => one.ariaLabel.split(' ')[0])")
    assert names == ["ace", "king", "queen", "three", "two"]
    marks.get_by_role("button", name="two of clubs, card 5").click()
    player.page.keyboard.press("4")
    expect(marks.get_by_role("button", pressed=True)).to_have_count(2)
    player.choice("Discard 3♦ 2♣").click()
    expect(player.choices).to_contain_text("Round settled")
    assert "royal flush" in player.in_words
