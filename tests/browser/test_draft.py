"""A pay table drafted in the laboratory: a typed pay moves every figure; the draft is shared and taken along."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, Route, expect

from feltworks.analysis.documents import compare
from tests.browser.axe import is_fit

JOKER = "/lab/spanish-poker/joker-in-hand"  # SP.12: 5 of 41 cards win 7 to 1, so the edge is 1 / 41


def test_a_typed_pay_moves_the_figures_and_the_draft_is_shared(arrives: Callable[..., Page], tmp_path: Path) -> None:
    page = arrives()
    page.goto(JOKER)
    held: list[Route] = []
    page.route(re.compile("draft="), lambda route: held.append(route))
    page.get_by_role("button", name="Draft other pays").click()
    box = page.get_by_role("region", name="Pays", exact=True)
    expect(box).to_be_visible()
    expect(box).not_to_contain_text("All other outcomes")  # as if no outcome had a pay, before they are known
    for route in held:
        route.continue_()
    page.unroute(re.compile("draft="))
    head = page.get_by_role("region", name="The draft and its target")
    pay = box.get_by_role("spinbutton").first
    expect(pay).to_have_value("7")
    expect(head).to_contain_text(re.compile(r"(?<!−)0\.0000 % against table 1"))
    expect(page.get_by_text("Not as approved", exact=True)).to_be_visible()  # before a pay is changed, too
    field, cell = pay.bounding_box(), pay.locator("xpath=..").bounding_box()
    assert field
    assert cell
    assert cell["height"] < 2 * field["height"]  # "to 1" is beside it
    pay.fill("6")
    pay.press("Tab")
    edge = head.locator(".big")
    expect(edge).to_have_text("14.6341 %")  # 36 lose, 5 pay 6: 6 / 41
    expect(edge).to_have_attribute("title", "exactly 6/41")
    expect(box.get_by_role("row", name=re.compile("^joker"))).to_contain_text("to 1 −1")
    expect(box.get_by_role("row", name=re.compile("^All other outcomes"))).to_contain_text("−87.8049 %")  # 36 of 41
    expect(page.get_by_role("region", name="Outcomes").get_by_role("row", name=re.compile("^joker"))).to_contain_text(
        "6 to 1"
    )
    pay.press("ArrowUp")
    expect(edge).to_have_attribute("title", "exactly 1/41")
    pay.press("z")
    expect(edge).to_have_attribute("title", "exactly 6/41")
    pay.fill("-3")
    pay.press("Tab")
    expect(box.get_by_role("alert")).to_contain_text("More than 0")
    expect(edge).to_have_attribute("title", "exactly 6/41")
    head.get_by_label("Target house edge").fill("14")
    expect(head).to_contain_text("+0.6341 % from the target")
    is_fit(page)
    with page.expect_download() as saved:
        page.get_by_role("button", name="TOML").click()
    rows = compare("spanish-poker", "joker-in-hand", drafts=[saved.value.path().rename(tmp_path / "draft.toml")])
    assert str(rows[-1]["house_edge"]) == "6/41"  # `felt compare --draft` takes the file
    page.get_by_role("button", name="Find tables near 14 %").click()
    page.get_by_role("button", name="Use the table with 2.4390 %").click()
    expect(edge).to_have_attribute("title", "exactly 1/41")
    page.go_back()
    expect(edge).to_have_attribute("title", "exactly 6/41")


def test_a_wager_with_decisions_is_solved_again_with_its_own_best_play(arrives: Callable[..., Page]) -> None:
    page = arrives()
    page.goto("/lab/fu-bacc/ante?draft=natural+9%3D5+to+2")
    edge = page.get_by_role("region", name="The draft and its target").locator(".big")
    expect(edge).to_have_attribute("title", "exactly 5710247/229033350")


def test_seven_pay_tables_stand_beside_each_other_with_no_word_broken(arrives: Callable[..., Page]) -> None:
    page = arrives()
    page.goto("/lab/acey-deucey-21/acey-deucey")
    group = page.get_by_role("group", name="Pay table")
    expect(group.get_by_text("Draft")).to_be_visible()
    one, draft, box = (each.bounding_box() for each in (group.get_by_text("3B"), group.get_by_text("Draft"), group))
    assert one
    assert draft
    assert box
    assert draft["height"] == one["height"]
    assert draft["x"] + draft["width"] <= box["x"] + box["width"]
    lines = group.get_by_text("Draft").evaluate(
        "label => { const r = document.createRange(); r.selectNodeContents(label);"
        " return new Set([...r.getClientRects()].filter((box) => box.width > 2).map((box) => box.top)).size }"
    )
    assert lines == 1
