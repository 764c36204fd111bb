"""The documentation inside the application, and fingers on every page of a phone."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import is_fit
from tests.browser.boxes import small_targets

PAGES = {
    "/": "Take a seat",
    "/lab": "Fu Bacc: Ante",
    "/rounds": "Your rounds",
    "/trainer/fu-bacc": "Worth of each choice",
    "/chair/fu-bacc": "By this clause",
    "/house": "Log in",
    "/rules/fu-bacc": "Clauses",
    "/help": "By ear",
}


def test_the_documentation_is_read_and_followed_inside_the_application(arrives: Callable[..., Page]) -> None:
    page = arrives()
    page.goto("/")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Help").click()
    expect(page.get_by_role("heading", name="Play, train and look back in the browser")).to_be_visible()
    is_fit(page)
    page.get_by_role("link", name="how it is computed").click()
    expect(page).to_have_url("/help/explanation/dealing")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Keep the books in the browser").click()
    expect(page.get_by_role("heading", name="Train a dealer")).to_be_visible()


@pytest.mark.parametrize("size", [(390, 844), (844, 390)], ids=["upright", "sideways"])
def test_a_finger_hits_everything_on_a_phone(arrives: Callable[..., Page], size: tuple[int, int]) -> None:
    width, height = size
    page = arrives(viewport={"width": width, "height": height}, has_touch=True)
    for address, words in PAGES.items():
        page.goto(address)
        expect(page.get_by_text(words).first).to_be_visible()
        assert not small_targets(page), address
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
