"""The documentation inside the application, and fingers on every page of a phone."""

from collections.abc import Callable

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


def test_a_finger_hits_everything_on_a_phone(arrives: Callable[..., Page]) -> None:
    page = arrives(has_touch=True)
    for address, words in PAGES.items():
        page.set_viewport_size({"width": 844, "height": 390})
        page.goto(address)
        expect(page.get_by_text(words).first).to_be_visible()
        _check_targets(page)
        page.set_viewport_size({"width": 390, "height": 844})
        expect(page.get_by_text(words).first).to_be_visible()
        _check_targets(page)
        _check_bar(page)


def _check_targets(page: Page) -> None:
    assert not small_targets(page), page.url
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url


def _check_bar(page: Page) -> None:
    """The name has a line, the pages have the next one, and the present page is in sight."""
    brand, pages = page.locator(".bar .brand"), page.get_by_role("navigation", name="Main")
    if not pages.count():
        return  # the chair has a bar of its own
    name, links = brand.bounding_box(), pages.bounding_box()
    assert name
    assert links
    assert name["y"] + name["height"] <= links["y"] + 1
    expect(pages.locator("[aria-current]")).to_be_in_viewport(ratio=1)
