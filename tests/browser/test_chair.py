"""The dealer's chair in a browser: prompted to the end of a round, and trained with the keyboard alone."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from feltworks import catalog
from tests.browser.axe import is_fit
from tests.browser.boxes import findings


def test_the_chair_prompts_a_round_to_its_end_and_then_checks_the_trainee(
    arrives: Callable[..., Page],
) -> None:
    page = arrives()
    page.goto("/chair/spanish-poker")
    hands = page.get_by_role("region", name="Your hands")
    expect(hands).to_contain_text("Announce “No more bets”")
    parts = page.get_by_role("region", name="Procedure", exact=True)
    expect(_present(parts)).to_contain_text("Wagers")
    expect(parts).to_contain_text("Players’ decisions")
    lit = page.locator(".plate.mine")
    for _ in range(12):  # until a step is about a seat, which is lit and keeps its player's name
        if lit.count():
            break
        _step(page, hands)
    expect(lit).to_contain_text("Player")
    _deal(page, hands)
    expect(page.get_by_role("region", name="Taken and paid").get_by_role("listitem").first).to_be_visible()
    expect(_present(parts)).to_have_count(0)
    expect(parts).to_contain_text("6 of 6")
    # the lesson is passed, and remembered by the browser
    expect(hands).to_contain_text("Lesson passed: The procedure")
    page.reload()
    expect(page.get_by_role("combobox", name="Lesson")).to_contain_text("1 The procedure ✓")
    hands.get_by_role("button", name="Next round").click()
    expect(page.get_by_role("region", name="Lesson 1")).to_contain_text("passed")
    page.goto("/chair")
    expect(page.get_by_role("link", name="Spanish Poker")).to_contain_text("1 lesson passed")

    page.goto("/chair/fu-bacc")
    page.get_by_role("combobox", name="Lesson").select_option("round")
    expect(page.get_by_role("heading", name="What do you do next?")).to_be_visible()
    _types(page, "d", "1", "2", "Enter")  # two cards to seat 1, before "No more bets"
    refused = page.get_by_role("alert", name="Refused")
    expect(refused).to_contain_text("FB.16")
    is_fit(page)
    _types(page, "s", "0", "Enter")
    expect(refused).to_have_count(0)
    _types(page, "d", "1", "2", "Enter")
    lesson = page.get_by_role("region", name="Lesson 5")
    expect(lesson).to_contain_text("1 of 2")
    expect(lesson.get_by_label("Latest faults")).to_contain_text("a card is not what comes now", ignore_case=True)


@pytest.mark.parametrize("game", sorted(catalog.games()))
def test_nothing_overlaps_before_the_dealer(arrives: Callable[..., Page], game: str) -> None:
    page = arrives()
    page.goto(f"/chair/{game}")
    hands = page.get_by_role("region", name="Your hands")
    expect(hands).to_contain_text("Announce “No more bets”")
    page.get_by_role("combobox", name="Players").select_option("5")
    expect(page.locator(".plate")).to_have_count(5)
    label = page.locator(".fw-label text").first
    assert label.evaluate("text => parseFloat(getComputedStyle(text).fontSize)") >= 9
    for _ in range(9):
        assert not findings(page)
        _step(page, hands)


def test_a_lesson_asks_for_its_own_steps_and_the_floor_stops_the_clock(arrives: Callable[..., Page]) -> None:
    page = arrives()
    page.clock.install()
    page.goto("/chair/fu-bacc")
    page.get_by_role("combobox", name="Lesson").select_option("settle")
    steps = page.get_by_role("group", name="Steps")
    expect(steps.get_by_role("button")).to_have_text(["Take1", "Push2", "Pay3"])
    speed = page.get_by_role("region", name="Speed")
    page.clock.fast_forward(5000)
    expect(speed).to_contain_text(re.compile(r"0:(0[5-9]|[1-5]\d)"))
    page.keyboard.press("c")
    decided = page.get_by_role("region", name="What the floor decides")
    decided.get_by_text("A wager was paid or taken wrongly").click()
    expect(decided).to_contain_text("Leave cards and chips as they lie")
    stopped = speed.inner_text()
    page.clock.fast_forward(5000)
    assert speed.inner_text() == stopped
    is_fit(page)
    page.keyboard.press("c")
    expect(decided).to_have_count(0)
    page.clock.fast_forward(5000)
    assert speed.inner_text() != stopped


def _present(parts: Locator) -> Locator:
    return parts.locator("[aria-current=step]")


def _deal(page: Page, hands: Locator) -> None:
    """Do every prompted step of a round."""
    for _ in range(60):
        _step(page, hands)
        if "passed" in hands.inner_text():
            return


def _step(page: Page, hands: Locator) -> None:
    with page.expect_response("**/api/chair/move"):
        page.keyboard.press("Enter")
    expect(hands).to_have_attribute("aria-busy", "false")


def _types(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
