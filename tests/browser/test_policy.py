"""The content-security policy in a real browser: it stops foreign scripts, and no page of ours needs one."""

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.house import House, all_answered

LAB = "/lab/spanish-poker/joker-in-hand"  # its figures are soon there
PAGES = ["/", LAB, "/house", "/rules", "/chair", "/no/such/page", "/openapi"]
PAPER = "/api/lab/papers/procedure/fu-bacc"


def test_pages_are_shown_without_a_word_in_the_console_or_to_others(arrives: Callable[..., Page], house: House) -> None:
    page = arrives()
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    for path in [*PAGES, PAPER]:
        with all_answered(page):
            page.goto(path)
            expect(page.locator("h1").first).to_be_visible()
    expected = {f"http://{house.address}"}
    assert {"/".join(url.split("/")[:3]) for url in asked if not url.startswith("data:")} == expected
    assert [text for text in said if "Failed to load resource" not in text] == []


def test_the_theme_is_set_before_the_first_paint(arrives: Callable[..., Page]) -> None:
    """The page's own inline script runs: the policy knows it by its hash."""
    page = arrives(color_scheme="dark")
    page.goto("/")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_a_script_that_somebody_smuggled_in_does_not_run(house: House, new_context: Callable[..., Any]) -> None:
    page: Page = new_context(base_url=f"http://{house.address}").new_page()
    page.goto("/rules")
    stopped = page.evaluate(
        """() => new Promise((done) => {
            document.addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective));
            const script = document.createElement("script");
            script.textContent = "window.smuggled = true";
            document.body.append(script);
            setTimeout(() => done("nothing was stopped"), 5000);
        })"""
    )
    assert stopped.startswith("script-src")
    assert page.evaluate("window.smuggled") is None
