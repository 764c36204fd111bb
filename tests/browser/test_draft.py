"""A pay table drafted in the laboratory: a typed pay moves the exact edge; the draft is shared."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.axe import is_fit

JOKER = "/lab/spanish-poker/joker-in-hand"  # SP.12: 5 of 41 cards win 7 to 1, so the edge is 1 / 41


def test_a_typed_pay_moves_the_edge_and_the_draft_is_shared(arrives: Callable[..., Page]) -> None:
    page = arrives()
    page.goto(JOKER)
    box = page.get_by_role("region", name="Draft of the pays")
    pay = box.get_by_role("spinbutton").first
    expect(pay).to_have_value("7")
    expect(box).to_contain_text(re.compile(r"(?<!−)0\.0000 % against table 1"))
    field, cell = pay.bounding_box(), pay.locator("xpath=..").bounding_box()
    assert field
    assert cell
    assert cell["height"] < 2 * field["height"]  # "to 1" is beside it
    pay.fill("6")
    pay.press("Tab")
    edge = box.locator(".big")
    expect(edge).to_have_text("14.6341 %")  # 36 lose, 5 pay 6: 6 / 41
    expect(edge).to_have_attribute("title", "exactly 6/41")
    expect(box).to_contain_text("Not as approved")
    pay.press("ArrowUp")
    expect(edge).to_have_attribute("title", "exactly 1/41")
    pay.press("ArrowDown")
    pay.fill("-3")
    pay.press("Tab")
    expect(box.get_by_role("alert")).to_contain_text("More than 0")
    expect(edge).to_have_attribute("title", "exactly 6/41")
    box.get_by_label("Target house edge").fill("14")
    expect(box).to_contain_text("+0.6341 % from the target")
    is_fit(page)
    with page.expect_download() as taken:
        box.get_by_role("button", name="TOML").click()
    assert '= "6 to 1"  # table 1: 7 to 1' in taken.value.path().read_text()
    page.reload()
    expect(edge).to_have_attribute("title", "exactly 6/41")
