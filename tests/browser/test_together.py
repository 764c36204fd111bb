"""Several people and pages at one table: each sees what is theirs, and coming back finds it as it was."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.house import House
from tests.browser.seat import Seat

Arrives = Callable[..., Page]
# two hands of five, then the dealer's
SPANISH = "Ac Ad 3h 4s 5d 2c 2d 6h 7s Jd Kc Kd Qh 3s 4d"
FU_BACC = "5c Kd 2h 9s 4h Ac"
FU = ("Fold", "Stay", "Hit")
SPLIT = "8c 8d Th 6s 3c 9d Kh 9h"
WON = {"Ante": "+$10.00", "Play": "+$20.00"}


def test_two_people_play_one_round_and_neither_page_holds_the_others_cards(house: House, arrives: Arrives) -> None:
    table = house.opens("spanish-poker", SPANISH)
    ann, bob = Seat(arrives()).sits(table), Seat(arrives()).sits(table)  # spots 3 and 4
    ann.wagers({"Ante": "10"})
    bob.wagers({"Ante": "20"})
    ann.deals()
    expect(ann.choices).to_contain_text("Waiting for the others")
    expect(ann.choices).to_contain_text(re.compile(r"No more bets” in \d+ seconds"))
    bob.deals()
    ann.is_offered("Fold", "Raise")
    bob.is_offered("Fold", "Raise")
    assert "ace of clubs, ace of diamonds" in ann.in_words
    assert "two of clubs, two of diamonds" in bob.in_words
    for mine, theirs in [(ann, "two of clubs"), (bob, "ace of clubs")]:
        assert theirs not in mine.page.content()
        assert "king of clubs" not in mine.page.content()
    bob.chooses("Raise")
    ann.chooses("Raise")
    assert (ann.lines["Raise"], bob.lines["Raise"]) == ("+$20.00", "−$40.00")

    context = ann.page.context
    ann.page.close()
    expect(bob.page.locator(".plate.away")).to_contain_text("away")
    again = Seat(context.new_page())
    again.page.goto(table)
    expect(again.choices).to_contain_text("Place your wagers")
    expect(bob.page.locator(".plate.away")).to_have_count(0)


def test_a_watcher_sees_the_table_and_may_take_a_seat(house: House, arrives: Arrives) -> None:
    table = house.opens("fu-bacc", FU_BACC)
    ann = Seat(arrives()).sits(table).wagers({"Ante": "10"}).deals()
    ann.is_offered(*FU)
    watcher = Seat(arrives())
    watcher.page.goto(table)
    expect(watcher.choices).to_contain_text("You are watching")
    assert "nine of spades" in watcher.in_words
    assert "five of clubs" not in watcher.page.content()
    ann.chooses("Fold")
    watcher.chooses("Sit down")
    expect(watcher.choices).to_contain_text("Place your wagers")


def test_coming_back_in_the_middle_of_a_round_finds_the_same_hand(house: House, arrives: Arrives) -> None:
    page, open_ = arrives(), list[WebSocketRoute]()

    def connected(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        open_.append(socket)

    page.route_web_socket(re.compile("/live$"), connected)
    player = Seat(page).sits(house.opens("fu-bacc", FU_BACC)).wagers({"Ante": "10"}).deals()
    before = player.is_offered(*FU).in_words

    page.reload()
    player.is_offered(*FU)
    assert player.in_words == before

    page.context.set_offline(True)
    open_[-1].close(code=1001)
    expect(page.get_by_role("alert")).to_contain_text("Your hand and wagers are safe on the table")
    expect(player.choices).to_have_attribute("inert", "")
    page.context.set_offline(False)
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(player.choices).not_to_have_attribute("inert", "")
    assert player.in_words == before

    page.goto(house.opens("lucky-lucky", SPLIT) + "?sit")
    player.wagers({"Blackjack": "10"}).deals().chooses("Split").is_offered("Stand", "Hit", "Double")
    page.reload()
    player.is_offered("Stand", "Hit", "Double").chooses("Stand", "Stand")
    expect(player.choice("Same wagers")).to_contain_text("Blackjack $10")  # not what the split made of it


def test_two_tabs_of_a_player_show_one_hand(house: House, arrives: Arrives) -> None:
    player = Seat(arrives()).sits(house.opens("fu-bacc", FU_BACC)).wagers({"Ante": "10"}).deals().is_offered(*FU)
    page = player.page
    other = Seat(page.context.new_page())
    other.page.goto(page.url)
    other.is_offered(*FU).chooses("Hit")
    assert player.lines == other.lines == WON


def test_what_stands_beside_the_felt(house: House, arrives: Arrives) -> None:
    player = Seat(arrives()).sits(house.opens("fu-bacc", limits={"ante": [500, 10000]}))
    player.wagers({"Ante": "101"})
    alert = player.page.get_by_role("alert")
    expect(alert).to_contain_text("Ante takes $5 to $100.")
    expect(player.choice("Deal me in")).to_be_disabled()
    alert.get_by_role("button", name="Use $100").click()
    expect(alert).to_have_count(0)

    player.deals()
    expect(player.choices).to_contain_text("Your turn")
    fair = player.page.get_by_role("region", name="Fair deal")
    expect(fair).to_contain_text(re.compile("sha256 [0-9a-f]{4} "))
    player.page.keyboard.press("q")
    worth = player.page.get_by_role("region", name="Coach").get_by_role("listitem")
    expect(worth).to_have_count(player.choices.locator(".choice").count())
    best = worth.first.inner_text().split("\n")[0]
    expect(player.choice(best)).to_contain_text("the coach’s choice")

    player.chooses("Fold")
    assert player.lines["Ante"] == "−$100.00"
    fair.get_by_role("button", name="Verify").click()
    expect(fair).to_contain_text("same shuffle, same cards")


def test_the_coach_weighs_a_split_hand(house: House, arrives: Arrives) -> None:
    player = Seat(arrives()).sits(house.opens("lucky-break", "8c 8d 6d Ts 3h 2h 5c 5d 5h 5s"))
    player.wagers({"Blackjack": "10"}).deals()
    expect(player.choices).to_contain_text("Your turn")
    player.page.keyboard.press("q")
    coach = player.page.get_by_role("region", name="Coach")
    player.chooses("Split")
    expect(coach.get_by_role("listitem")).to_have_count(3)  # stand, hit, double
    expect(coach.get_by_role("listitem").first).to_contain_text("Double")  # eleven against a six
    expect(coach).not_to_contain_text("Working it out")
