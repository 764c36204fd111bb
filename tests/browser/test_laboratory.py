"""The laboratory in a browser: exact figures to link to and take along, and a simulation in sight."""

import json
import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from feltworks.web.responses import STATIC
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


RECORD = STATIC.parent / "examples.json"  # an answer to every request


def test_the_protection_page_shows_what_is_seen_and_fits_a_phone(arrives: Callable[..., Page]) -> None:
    page = arrives()
    report = next(one["answer"] for one in json.loads(RECORD.read_bytes()) if "/protection/" in one["path"])
    page.route("**/api/lab/protection/**", lambda route: route.fulfill(json=report))  # it takes half a minute
    page.goto("/protection/fu-bacc")
    expect(page.get_by_text("As approved", exact=True)).to_be_visible()
    ladder = page.get_by_role("region", name="Ladder of knowledge")
    rows = ladder.locator("tr:has(.seen)")
    assert rows.evaluate_all("rows => rows.every((row) => row.querySelector('.seen svg, .seen i'))")
    expect(ladder.get_by_role("row", name="Group of a hidden card of the dealer")).to_have_count(1)
    wide = "tables => tables.filter((table) => table.clientWidth > table.parentElement.clientWidth).length"
    assert page.locator("table.fig").evaluate_all(wide) == 0
    is_fit(page)
    page.set_viewport_size({"width": 390, "height": 844})
    expect(ladder.get_by_text("Nothing beyond the rules").first).to_be_in_viewport()  # not below a form
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    narrow = "cells => cells.filter((cell) => cell.clientWidth < 100).map((cell) => cell.innerText)"
    assert page.get_by_role("region", name="Errors of the dealer").locator("td.l").evaluate_all(narrow) == []
