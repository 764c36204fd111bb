"""What axe finds wrong with a page for people who see, hear or move differently."""

from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

SCRIPT = Path(__file__).parents[2] / "frontend/node_modules/axe-core/axe.min.js"
WIDTHS = (1440, 390)  # CSS pixels of a desk and of a phone
HEIGHT = 900
COLOURS = ("color-contrast", "link-in-text-block")  # no other rule looks at colours
# colours that are still changing would be measured half-way
RUN = """async only => {
  for (const one of document.getAnimations()) if (one instanceof CSSTransition) one.finish();
  const which = {resultTypes: ['violations'], preload: false, ...(only.length && {runOnly: only})};
  return (await axe.run(document, which)).violations.flatMap(({id, help, nodes}) => nodes.map(
    ({html, any}) => `${id}: ${help}: ${html.slice(0, 200)} ${any[0]?.message ?? ''}`));
}"""


def is_fit(page: Page) -> None:
    """Nobody is kept out of the page as it stands, on a desk or a phone, in the light or in the dark.

    Both appearances have one layout, so that each is measured whole once, and the desk's colours in both.
    """
    desk, phone = WIDTHS
    for width, scheme, only in ((desk, "light", ()), (desk, "dark", COLOURS), (phone, "dark", ())):
        page.set_viewport_size({"width": width, "height": HEIGHT})
        found = _violations(page, scheme, only)
        assert not found, "\n".join([f"{page.url}, {width} px wide, {scheme}:", *found])
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (page.url, width)
    page.set_viewport_size({"width": desk, "height": HEIGHT})


def _violations(page: Page, scheme: str, only: tuple[str, ...]) -> list[str]:
    """Every violation of these rules, or of all, one sentence each."""
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    expect(page.locator("html")).to_have_attribute("data-theme", scheme)
    if not page.evaluate("'axe' in window"):
        page.evaluate(_script())
    found: list[str] = page.evaluate(RUN, only)
    return found


@cache
def _script() -> str:
    if not SCRIPT.is_file():
        pytest.fail("axe-core is not installed: run make pages, which installs it", pytrace=False)
    return SCRIPT.read_text(encoding="utf-8")
