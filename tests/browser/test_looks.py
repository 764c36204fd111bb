"""Every page is fit for everybody: axe, a phone's width, the dark, without motion, and in words."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import is_fit
from tests.browser.boxes import findings, small_targets
from tests.browser.house import House
from tests.browser.seat import Seat

Arrives = Callable[..., Page]
PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
FINGER = 40  # CSS pixels
FU_BACC = "5c Kd 2h 9s 4h Ac"
SPLIT = "8c 8d Th 6s 3c 9d Kh 9h"


def test_axe_finds_nothing_on_the_pages_without_a_table(arrives: Arrives) -> None:
    page = arrives()
    for path, heading in [
        ("/rules/fu-bacc", "Fu Bacc"),
        ("/chair", "The dealer’s chair"),
        ("/nowhere-at-all", "There is no page at this address"),
    ]:
        page.goto(path)
        expect(page.get_by_role("heading", name=heading).first).to_be_visible()
        is_fit(page)
    page.goto("/table/0000000000")
    expect(page.get_by_role("heading", name="No table here")).to_be_visible()


def test_axe_finds_nothing_at_a_table_before_in_and_after_a_round(house: House, arrives: Arrives) -> None:
    page = arrives()
    page.goto(house.opens("lucky-break", "8c 8d Th 6s 3c 9d Kh 9h"))
    player = Seat(page)
    expect(player.choices).to_contain_text("You are watching")
    is_fit(page)
    player.chooses("Sit down")
    expect(player.choices).to_contain_text("Place your wagers")
    is_fit(page)
    player.wagers({"Blackjack": "10", "Lucky Break": "5", "Lucky Break toke": "1"}).deals()
    player.is_offered("Stand", "Hit", "Double", "Split")
    is_fit(page)
    player.chooses("Split", "Stand", "Stand")
    expect(player.choices).to_contain_text("Round settled")
    is_fit(page)


GAMES = {
    "fu-bacc": ({"Ante": "10", "Lucky Monkey": "5", "Tie": "5"}, ["Fold", "Stay", "Hit"], FU_BACC),
    "acey-deucey-21": (
        {"Blackjack": "10", "Acey Deucey": "5", "War": "5"},
        ["Check", "Raise"],
        "5c 9h Ts 7s 5d",
    ),
    "lucky-break": (
        {"Blackjack": "10", "Lucky Break": "5", "Lucky Break toke": "1"},
        ["Stand", "Hit", "Double"],
        "5c 6d Th 6s Kc 9d",
    ),
    "lucky-lucky": (
        {"Blackjack": "10", "Lucky Lucky": "5"},
        ["Stand", "Hit", "Double", "Split"],
        SPLIT,
    ),
    "spanish-poker": (
        {"Ante": "10", "Dos Pares": "5"},
        ["Fold", "Raise"],
        "6c 6d 6h 2s 2d 7c 7d Qh 3s 4d",
    ),
}


@pytest.mark.parametrize("game", GAMES)
def test_every_choice_is_in_reach_of_a_thumb(house: House, arrives: Arrives, game: str) -> None:
    wagers, offered, cards = GAMES[game]
    page = arrives(**PHONE)
    player = Seat(page).sits(house.opens(game, cards)).wagers(wagers)
    in_reach(player)
    player.deals().is_offered(*offered)
    in_reach(player)
    assert not small_targets(page)
    expect(page.get_by_role("group", name="Your cards").locator("svg").first).to_be_in_viewport(ratio=1)
    expect(page.locator(".plate.mine")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Coach", exact=True).click()
    assert not small_targets(page)


CUT_OFF = """(choices, finger) => choices.filter(choice => {
  const {left, top, right, bottom, height} = choice.getBoundingClientRect();
  return left < 0 || top < 0 || right > innerWidth || bottom > innerHeight
    || (choice.matches('.choice') && height < finger);
}).map(choice => choice.outerHTML)"""


def in_reach(player: Seat) -> None:
    """Nothing to choose is cut off, or too small for a finger."""
    assert player.choices.locator("button, input").evaluate_all(CUT_OFF, FINGER) == []


def test_cards_travel_unless_somebody_asked_for_less_motion(house: House, arrives: Arrives) -> None:
    page = arrives(reduced_motion="no-preference")
    page.add_init_script(WATCHED)
    player = Seat(page).sits(house.opens("fu-bacc", FU_BACC)).wagers({"Ante": "10"}).deals()
    expect(player.choices).to_contain_text("Any key or tap goes to the end")
    # Asked again and again: the page's policy lets nobody wait inside it for words to become true
    assert any(page.evaluate("travels(started)") or page.wait_for_timeout(50) for _ in range(200))
    page.keyboard.press("Space")
    player.is_offered("Fold", "Stay", "Hit").chooses("Fold")
    page.keyboard.press("Space")
    expect(player.choices).to_contain_text("Round settled")

    page.emulate_media(reduced_motion="reduce")
    page.evaluate("started.length = 0")
    player.chooses("Same wagers").is_offered("Fold", "Stay", "Hit").chooses("Hit")
    assert player.lines
    assert not page.evaluate("travels(started)")


WATCHED = """window.started = [];
window.travels = all => all.flatMap(one => one.effect.getKeyframes()).some(frame => 'transform' in frame);
addEventListener('animationstart', ({target}) => started.push(...target.getAnimations()), true)"""


def test_a_screen_reader_is_told_what_happens(house: House, arrives: Arrives) -> None:
    page = arrives()
    page.add_init_script(TOLD)
    player = Seat(page).sits(house.opens("fu-bacc", FU_BACC)).wagers({"Ante": "10"}).deals()
    player.is_offered("Fold", "Stay", "Hit")
    assert "Dealer: nine of spades, face-down card" in player.in_words
    assert "five of clubs, king of diamonds, face-down card; total 5" in player.in_words
    names = player.choices.get_by_role("button").evaluate_all("all => all.map(one => one.innerText)")
    assert [name.split("\n")[0].split(" $")[0] for name in names] == ["Fold", "Stay", "Hit"]
    player.chooses("Hit")
    assert player.lines
    told = " ".join(page.evaluate("window.told"))
    for words in ("No more bets", "Your turn", "won +$20.00", "Round settled"):
        assert words in told


# what a screen reader would say by itself: whatever changes within a live region
TOLD = """window.told = [];
const live = '[aria-live=polite], [aria-live=assertive], [role=status], [role=alert]';
new MutationObserver(changes => changes.forEach(({target}) => {
  const region = (target.nodeType === 1 ? target : target.parentElement)?.closest(live);
  if (region) told.push(region.textContent);
})).observe(document, {subtree: true, childList: true, characterData: true});"""


def test_the_page_is_as_dark_as_the_system_until_somebody_chooses(arrives: Arrives) -> None:
    page = arrives(color_scheme="light")
    page.goto("/rules")
    root = page.locator("html")
    expect(root).to_have_attribute("data-theme", "light")
    page.emulate_media(color_scheme="dark")
    expect(root).to_have_attribute("data-theme", "dark")
    page.get_by_role("button", name=re.compile("light appearance", re.IGNORECASE)).click()
    expect(root).to_have_attribute("data-theme", "light")
    page.reload()
    expect(root).to_have_attribute("data-theme", "light")


def test_held_sideways_words_of_a_hand_lie_beside_the_buttons(house: House, arrives: Arrives) -> None:
    wagers, _, cards = GAMES["spanish-poker"]
    page = arrives(viewport={"width": 844, "height": 390}, has_touch=True, is_mobile=True)
    player = Seat(page).sits(house.opens("spanish-poker", cards)).wagers(wagers).deals().chooses("Raise")
    expect(player.choices).to_contain_text("Round settled")
    assert not findings(page)
    expect(page.get_by_role("banner").get_by_text("play money")).to_be_visible()


HANDS_APART = """groups => groups.map((group) => group.getBoundingClientRect())
  .every((box, i, all) => i === 0 || box.left - all[i - 1].right >= 8)"""


@pytest.mark.parametrize("size", [(390, 844), (844, 390)], ids=["upright", "sideways"])
def test_split_hands_lie_apart_on_a_phone_each_with_its_total(
    house: House, arrives: Arrives, size: tuple[int, int]
) -> None:
    page = arrives(viewport={"width": size[0], "height": size[1]})
    player = Seat(page).sits(house.opens("lucky-lucky", SPLIT)).wagers({"Blackjack": "10"}).deals().chooses("Split")
    player.is_offered("Stand", "Hit", "Double")
    hands = page.get_by_role("group", name="Your cards").locator(".split")
    expect(hands.locator("b")).to_have_text(["11", "8"])
    player.chooses("Stand", "Stand")
    expect(hands.locator("b")).to_have_text(["11", "17"])
    expect(player.choices).to_contain_text("Round settled")
    assert hands.evaluate_all(HANDS_APART)
    total = page.get_by_role("group", name="Dealer’s cards").locator("b")
    assert not total.evaluate(UNDER_IT)


# whether a card lies under it
UNDER_IT = """total => { const box = total.getBoundingClientRect();
  return document.elementsFromPoint(box.x + box.width / 2, box.y + box.height / 2)
    .some((one) => one.closest(".fw-card")); }"""
