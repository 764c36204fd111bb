"""The laboratory in a browser: exact figures to link to and take along, and a simulation in sight."""

import json
import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.axe import is_fit

JOKER = "/lab/spanish-poker/joker-in-hand"
EDGE = re.compile(r"1\s/\s41")  # SP.12: 5 of 41 cards, 7 to 1


def test_figures_are_exact_can_be_linked_to_and_taken_along_and_are_sampled_in_sight(
    arrives: Callable[..., Page],
) -> None:
    page = arrives()
    page.goto(JOKER.replace("joker-in-hand", "dos-pares"))
    figures = page.get_by_role("region", name="Figures", exact=True)
    expect(figures).to_be_visible()
    page.get_by_label("Wager").select_option("Joker in Hand")
    expect(figures).to_contain_text(EDGE)
    expect(page).to_have_url(re.compile(JOKER))
    with page.expect_download() as taken:
        page.get_by_role("link", name="JSON").first.click()
    assert json.loads(taken.value.path().read_text())["house_edge"]["exact"] == "1/41"

    page.reload()
    expect(figures).to_contain_text(EDGE)
    box = page.locator("#simulation")
    box.get_by_label("Rounds").select_option("1000000000")
    box.get_by_role("button", name="Deal").click()
    expect(box.get_by_role("status").first).to_contain_text("z = ")
    box.get_by_role("button", name="Stop").click()
    expect(box).to_contain_text("Stopped; what was counted until then is shown.")
    expect(box).to_contain_text("felt simulate spanish-poker")
    is_fit(page)
