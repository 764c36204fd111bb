"""One's own rounds in a browser: stored, replayed card by card, proved, and shared without a name."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.axe import is_fit
from tests.browser.house import House
from tests.browser.seat import Seat

Arrives = Callable[..., Page]


def test_a_round_is_replayed_card_by_card_and_shared_with_its_proof(house: House, arrives: Arrives) -> None:
    page = arrives()
    page.goto("/rounds")
    expect(page.get_by_role("link", name="Find a table")).to_be_visible()
    player = Seat(page).sits(house.opens("fu-bacc")).wagers({"Ante": "10"}).deals().chooses("Fold")
    assert player.lines == {"Ante": "−$10.00"}
    page.goto("/rounds")
    rounds = page.get_by_role("navigation", name="Rounds").get_by_role("listitem")
    expect(rounds).to_have_count(1)
    expect(rounds).to_contain_text("−$10.00")
    expect(page.get_by_text("Verified in this browser")).to_be_visible()
    settled = page.get_by_role("region", name="Settled")
    expect(settled.get_by_role("listitem")).to_have_count(1)
    expect(page.get_by_role("heading", name="−$10 in 1")).to_be_visible()  # the sitting, and what it came to
    is_fit(page)

    steps = page.get_by_role("group", name="Steps of the round")
    expect(steps.locator("small")).to_have_text(["Deal", "Choices", "Dealer", "Take and pay"])
    page.keyboard.press("Home")
    expect(page.get_by_text("Wagers are placed").first).to_be_visible()
    expect(settled.get_by_role("listitem")).to_have_count(0)
    assert page.locator(".board .fw-shadow").count() == 0
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".board .fw-shadow")).not_to_have_count(0)
    page.keyboard.press("End")
    expect(settled.get_by_role("listitem")).to_have_count(1)
    page.keyboard.press("/")
    page.keyboard.type("no such clause")
    expect(page.get_by_role("navigation", name="Rounds")).to_contain_text("No round fits")
    page.get_by_label("Card, clause or wager").fill("")

    page.get_by_role("button", name="Share").click()
    link = page.get_by_label("Link to this round").input_value()
    stranger = arrives()
    stranger.goto(link.replace(re.match(r"https?://[^/]+", link)[0], ""))  # type: ignore[index]
    expect(stranger.get_by_role("heading", name="A shared round")).to_be_visible()
    expect(stranger.get_by_text("Verified in this browser")).to_be_visible()
    expect(stranger.locator(".plate")).to_contain_text("You")
    assert "Guest" not in stranger.content()

    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/rounds")
    page.get_by_role("navigation", name="Rounds").get_by_role("listitem").first.get_by_role("button").click()
    card = page.get_by_role("group", name="Your cards").locator("svg").first
    expect(card).to_be_in_viewport(ratio=1)
    assert (card.bounding_box() or {})["width"] >= 70  # as large as at a table
    page.get_by_role("button", name="All rounds").click()
    expect(card).to_have_count(0)
    expect(page.get_by_role("button", name="Share")).to_be_hidden()  # of a round that is not open
