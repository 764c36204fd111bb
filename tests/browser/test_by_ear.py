"""A whole round and a drill by keys alone, told by the accessibility tree: nothing is looked at."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.house import House

Arrives = Callable[..., Page]
FU_BACC = "5c Kd 2h 9s 4h Ac"
PHONE = {"viewport": {"width": 390, "height": 844}}


def hears(page: Page, key: str, words: str) -> None:
    """Press a key and hear these words."""
    page.keyboard.press(key)
    expect(page.get_by_role("status", name="Read-out")).to_contain_text(re.compile(words))


def test_a_round_is_played_by_ear(house: House, arrives: Arrives) -> None:
    for likes in ({}, PHONE):
        page = arrives(**likes)
        page.goto(house.opens("fu-bacc", FU_BACC))
        expect(page.get_by_role("status").filter(has_text="You are watching")).not_to_have_count(0)
        page.keyboard.press("Enter")  # sit down
        expect(page.get_by_role("status").filter(has_text="Place your wagers")).not_to_have_count(0)
        hears(page, "9", r"Ante \$1–\$200")
        hears(page, "7", r"No wagers. Your stack is \$500")
        page.keyboard.press("a")
        hears(page, "7", r"Ante \$5. Your stack is \$495")
        page.keyboard.press("Enter")
        expect(page.get_by_role("status").filter(has_text="Your turn: total 5")).not_to_have_count(0)
        hears(page, "5", r"five of clubs, king of diamonds, face-down card: total 5")
        hears(page, "6", r"nine of spades")
        hears(page, "9", r"F: Fold, the Ante is lost. S: Stay \$10")
        page.keyboard.press("h")
        expect(page.get_by_role("status").filter(has_text="Round settled: +$15.00")).not_to_have_count(0)
        hears(page, "6", r"The dealer has")
        page.context.close()


def test_a_drill_is_played_by_ear(arrives: Arrives) -> None:
    page = arrives()
    page.goto("/trainer/spanish-poker")
    choices = page.get_by_role("region", name="Your choices")
    expect(choices.get_by_role("heading")).to_have_text(re.compile("^Your turn"))
    page.keyboard.press("f")
    expect(choices.get_by_role("status")).to_contain_text(re.compile(r"Fold (was best, by|cost) \$"))
    page.keyboard.press("n")
    expect(choices.get_by_role("heading")).to_have_text(re.compile("^Your turn"))
