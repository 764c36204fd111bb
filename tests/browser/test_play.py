"""Every game is played to settlement on its page, with every kind of decision there is."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Page, expect

from tests.browser.seat import Seat

Seated = Callable[..., Seat]
FU = ["Fold", "Stay", "Hit"]
BLACKJACK = ["Stand", "Hit", "Double"]


class Laid(NamedTuple):
    """A round from known cards: the seat's first, then the dealer's, then what is drawn."""

    cards: str
    wagers: dict[str, str]
    choices: list[tuple[list[str], str]]  # what stands open, and what is chosen
    lines: dict[str, str]
    meter: str = ""  # what the jackpot stands at afterwards


FU_BACC = [
    Laid("2c Qd 2h 9s 4h Ac", {"Ante": "10"}, [(FU, "Fold")], {"Ante": "−$10.00"}),
    Laid(
        "6c Kc 7s 9s 4h Ac",
        {"Ante": "10"},
        [(FU, "Stay")],
        {"Ante": "+$10.00", "Play": "+$20.00"},
    ),
    Laid(
        "5c Kd 2h 9s 4h Ac",
        {"Ante": "10", "Tie": "5"},
        [(FU, "Hit")],
        {"Ante": "+$10.00", "Play": "+$20.00", "Tie": "−$5.00"},
    ),
    Laid(
        "9c Kd 2h 9s Kh Ac",
        {"Ante": "10", "Tie": "5"},
        [(["Fold", "Bonus", "Stay", "Hit"], "Bonus")],
        {"Ante": "+$20.00", "Tie": "+$35.00"},
    ),
    Laid(
        "Kc Qd 2h 9s 4h Ac",
        {"Ante": "10", "Lucky Monkey": "5"},
        [(["Fold", "Rescue", "Stay", "Hit"], "Rescue")],
        {"Ante": "+$10.00", "Lucky Monkey": "+$150.00"},
    ),
]
SPANISH_POKER = [
    Laid(
        "2c 3d 5h 7s Kd 7c 7d Qh 3s 4d",
        {"Ante": "10", "Gran Progressive": "1"},
        [(["Fold", "Raise"], "Fold")],
        {"Ante": "−$10.00", "Gran Progressive": "−$1.00"},
        meter="$5,001.00",
    ),
    Laid(
        "6c 6d 6h 2s 2d 7c 7d Qh 3s 4d",
        {"Ante": "10", "Dos Pares": "5"},
        [(["Fold", "Raise"], "Raise")],
        {"Ante": "+$70.00", "Dos Pares": "+$45.00", "Raise": "+$20.00"},
        meter="$5,001.00",
    ),
    Laid(
        "Kc Kd Kh Ks Jo 7c 7d Qh 3s 4d",
        {"Ante": "10", "Gran Progressive": "1"},
        [(["Fold", "Raise"], "Raise")],
        {"Ante": "+$2,000.00", "Raise": "+$20.00", "Gran Progressive": "+$5,001.00"},
        meter="$0.00",
    ),
]
ACEY_DEUCEY = [
    Laid(
        "5c 9h Ts 7s 5d",
        {"Blackjack": "10", "Acey Deucey": "5", "War": "5"},
        [
            (["Check", "Raise"], "Check"),
            ([*BLACKJACK, "Surrender"], "Hit"),
            (["Stand", "Hit"], "Stand"),
        ],
        {"Blackjack": "+$10.00", "Acey Deucey": "+$5.00", "War": "−$5.00"},
    ),
    Laid(
        "Tc 6h 9s Ts",
        {"Blackjack": "10"},
        [([*BLACKJACK, "Surrender"], "Surrender")],
        {"Blackjack": "−$5.00"},
    ),
]
LUCKY_BREAK = [
    Laid(
        "5c 6d Th 6s Kc 9d",
        {"Blackjack": "10", "Lucky Break": "5", "Lucky Break toke": "1"},
        [(BLACKJACK, "Double")],
        {"Blackjack": "+$20.00", "Lucky Break": "+$15.00", "Lucky Break toke": "+$3.00"},
    ),
    Laid(
        "Tc 9d 8h As",
        {"Blackjack": "10"},
        [(["Decline", "Insure"], "Decline"), (BLACKJACK, "Stand")],
        {"Blackjack": "push"},
    ),
]
LUCKY_LUCKY = [
    Laid(
        "8c 8d Th 6s 3c 9d Kh 9h",
        {"Blackjack": "10", "Lucky Lucky": "5"},
        [
            ([*BLACKJACK, "Split"], "Split"),
            (BLACKJACK, "Double"),
            (BLACKJACK, "Stand"),
        ],
        {"Blackjack, hand 1": "+$20.00", "Blackjack, hand 2": "+$10.00", "Lucky Lucky": "−$5.00"},
    ),
    Laid(
        "Tc 9d Kh As",
        {"Blackjack": "10"},
        [(["Decline", "Insure"], "Insure")],
        {"Blackjack": "−$10.00", "Insurance": "+$10.00"},
    ),
]
GAMES: dict[str, tuple[list[Laid], dict[str, Any]]] = {
    "fu-bacc": (FU_BACC, {}),
    "spanish-poker": (SPANISH_POKER, {"offers": ["ante", "dos-pares", "gran-progressive"]}),
    "acey-deucey-21": (ACEY_DEUCEY, {"surrender": "late"}),
    "lucky-break": (LUCKY_BREAK, {}),
    "lucky-lucky": (LUCKY_LUCKY, {}),
}


@pytest.mark.parametrize("game", GAMES)
def test_every_kind_of_decision_of_a_game_leads_to_its_settlement(seat: Seated, game: str) -> None:
    rounds, options = GAMES[game]
    player = seat(game, *(laid.cards for laid in rounds), options=options)
    for laid in rounds:
        player.wagers(laid.wagers).deals()
        for offered, chosen in laid.choices:
            player.is_offered(*offered).chooses(chosen)
        assert player.lines == laid.lines
        if laid.meter:
            expect(player.page.locator(".meter")).to_contain_text(laid.meter)


def test_every_kind_of_decision_is_among_them() -> None:
    chosen = {choice for rounds, _ in GAMES.values() for laid in rounds for _, choice in laid.choices}
    kinds = "Fold Stay Hit Bonus Rescue Raise Check Double Split Surrender Insure Decline Stand"
    assert chosen == set(kinds.split())


def test_a_raise_may_be_of_any_amount_between_its_ends(seat: Seated) -> None:
    player = seat("acey-deucey-21", "5c 9h Ts 7s 5d").wagers({"Blackjack": "10", "Acey Deucey": "5"}).deals()
    amount = player.choices.get_by_role("group", name="Amount to raise")
    amount.get_by_role("button", name="$5", exact=True).click()
    amount.get_by_role("button", name="More").click()
    player.chooses("Raise $5.50", "Stand")
    assert player.lines["Raise That Pays"] == "+$5.50"


def test_hands_are_played_with_the_keyboard_alone(arrives: Callable[..., Page]) -> None:
    page = arrives()
    page.goto("/")
    expect(page.get_by_role("article")).to_have_count(5)
    page.keyboard.press("Enter")
    player = Seat(page)
    expect(player.choices).to_contain_text(re.compile("Your turn|Round settled"))  # the smallest wager is dealt
    if "Your turn" in player.choices.inner_text():
        page.keyboard.press(player.choices.locator(".choice kbd").first.inner_text())
    assert player.lines
    page.keyboard.press("w")
    expect(player.choices.get_by_role("heading", name="Place your wagers")).to_be_visible()
    page.keyboard.press("3")  # the $25 chip
    page.keyboard.press(page.locator(".spot .name kbd").first.inner_text())
    page.keyboard.press("Enter")
    expect(player.choices).to_contain_text("Your turn")
    page.keyboard.press(player.choices.locator(".choice kbd").first.inner_text())
    assert player.lines
    page.keyboard.press("Enter")  # the same wagers again
    expect(player.choices).to_contain_text("Your turn")
    verbs = player.choices.locator(".choice b").all_inner_texts()
    assert _tabbed(page, to=verbs[-1])[-len(verbs) :] == verbs
    page.keyboard.press("Enter")
    expect(player.choices).not_to_contain_text("Your turn")


def _tabbed(page: Page, *, to: str) -> list[str]:
    """What Tab leads to, each with its focus in sight, up to what begins so."""
    reached: list[str] = []
    while len(reached) < 40 and (not reached or reached[-1] != to):
        page.keyboard.press("Tab")
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
        reached.append(page.evaluate("document.activeElement.innerText.split('\\n')[0]"))
    return reached
