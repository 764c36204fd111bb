"""The trainer in a browser: silent before the choice, exact after it; mistakes come again."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from tests.browser.axe import is_fit
from tests.browser.seat import Seat

Arrives = Callable[..., Page]
VERDICT = re.compile(r"(cost \$[\d.]+ against \w+ing|was best, by \$|was as good)")


def test_a_choice_is_judged_after_it_is_made_and_a_mistake_is_played_again(arrives: Arrives) -> None:
    page = arrives()
    page.goto("/trainer/fu-bacc")
    player = Seat(page)
    dealing = page.get_by_role("heading", name="The dealer deals")
    expect(dealing.or_(player.choice("Fold"))).to_be_visible()
    expect(player.choice("Next hand")).to_have_count(0)  # a tap would begin to deal anew
    expect(player.choice("Fold")).to_be_visible()
    worth = page.get_by_role("region", name="Worth of each choice")
    expect(worth).to_contain_text("Nothing is said before you choose")
    is_fit(page)
    _makes_a_mistake(page, player)
    expect(worth.get_by_role("listitem")).not_to_have_count(0)
    expect(page.get_by_role("region", name="This session")).to_contain_text("given away in all")
    is_fit(page)
    page.keyboard.press("z")  # take it back
    expect(player.choice("Fold")).to_be_visible()
    player.chooses("Stay")  # the same mistake, so that it is due at once
    page.keyboard.press("p")
    expect(player.choices).to_contain_text(re.compile("Settled|Next hand"))

    page.reload()
    expect(player.choice("Fold")).to_be_visible()
    again = page.get_by_role("region", name="Play my mistakes again").get_by_role("button").first
    expect(again).to_contain_text(re.compile(r"\w+, not \w+"))
    again.click()
    expect(player.choice("Fold")).to_be_visible()

    page.set_viewport_size({"width": 390, "height": 844})
    card = page.get_by_role("group", name="Your cards").locator("svg").first
    expect(card).to_be_in_viewport(ratio=1)
    assert (card.bounding_box() or {})["width"] >= 70  # as large as at a table
    page.get_by_role("button", name="Again").press("Enter")  # the felt above may still be moving
    expect(again).to_be_visible()
    expect(worth).to_have_count(0)


def _makes_a_mistake(page: Page, player: Seat) -> None:
    """Stay on every hand until that was wrong."""
    for _ in range(20):
        player.chooses("Stay")
        verdict = player.choices.get_by_role("heading")
        expect(verdict).to_have_text(VERDICT)
        if " cost " in verdict.inner_text():
            return
        page.keyboard.press("n")
        expect(player.choice("Fold")).to_be_visible()
    raise AssertionError("staying was best twenty times")


def test_a_choice_without_a_figure_says_so(arrives: Arrives) -> None:
    page = arrives()

    def without_figures(route: Route) -> None:
        answer = route.fetch()
        hand = answer.json()
        silent = hand["advice"] and {**hand["advice"], "best": None, "values": [], "hint": "No advice: too long."}
        route.fulfill(response=answer, json={**hand, "advice": silent})

    page.route("**/api/trainer/spanish-poker/hand", without_figures)
    page.goto("/trainer/spanish-poker")
    player = Seat(page)
    player.chooses("Fold")
    expect(player.choices).to_contain_text("Not judged: too long.")


def test_split_hands_and_insurance_are_drills(arrives: Arrives) -> None:
    page = arrives()
    page.goto("/trainer/lucky-lucky")
    player = Seat(page)
    drills = page.get_by_role("region", name="Drill")
    drills.get_by_role("button", name="Split is open").click()
    expect(player.choice("Split")).to_be_visible()
    player.chooses("Split")
    expect(player.choices.get_by_role("heading")).to_have_text(VERDICT)
    player.chooses("Play it out")
    expect(player.choices).to_contain_text(re.compile("Hand 1|Settled|Your turn"))
    drills.get_by_role("button", name="Insure is open").click()
    expect(player.choice("Insure")).to_be_visible()
    player.chooses("Insure")
    expect(player.choices.get_by_role("heading")).to_have_text(re.compile(r"^Insure cost \$[\d.]+ against declining$"))
