"""The dealer's chair in a browser: prompted to the end of a round, and trained with the keyboard alone."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.axe import is_fit


def test_the_chair_prompts_a_round_to_its_end_and_then_checks_the_trainee(
    arrives: Callable[..., Page],
) -> None:
    page = arrives()
    page.goto("/chair/spanish-poker")
    hands = page.get_by_role("region", name="Your hands")
    expect(hands).to_contain_text("Announce “No more bets”")
    for _ in range(60):
        with page.expect_response("**/api/chair/move"):
            page.keyboard.press("Enter")
        expect(hands).to_have_attribute("aria-busy", "false")
        if "The round is dealt" in hands.inner_text():
            break
    expect(page.get_by_role("region", name="Taken and paid").get_by_role("listitem").first).to_be_visible()

    page.goto("/chair/fu-bacc")
    page.get_by_role("button", name="Training").click()
    expect(page.get_by_role("heading", name="What do you do next?")).to_be_visible()
    _types(page, "d", "1", "2", "Enter")  # two cards to seat 1, before "No more bets"
    refused = page.get_by_role("alert", name="Refused")
    expect(refused).to_contain_text("FB.16")
    is_fit(page)
    _types(page, "s", "0", "Enter")
    expect(refused).to_have_count(0)
    _types(page, "d", "1", "2", "Enter")
    expect(page.get_by_role("region", name="Your dealing")).to_contain_text("1 of 2")


def _types(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)
