"""Seats come free on the page: after this hand, after an absence, and when the floor closes a table."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.axe import is_fit
from tests.browser.house import House
from tests.browser.seat import Seat
from tests.browser.test_house_books import logged_in

Arrives = Callable[..., Page]
FU_BACC = "5c Kd 2h 9s 4h Ac"
FU = ("Fold", "Stay", "Hit")
LOST = {"Ante": "−$10.00"}


def test_a_player_leaves_after_this_hand_and_sees_it_settled(house: House, arrives: Arrives) -> None:
    player = Seat(arrives()).sits(house.opens("fu-bacc", FU_BACC)).wagers({"Ante": "10"}).deals()
    player.is_offered(*FU)
    leave = player.page.get_by_role("button", name="Leave after this hand")
    told = player.page.locator(".banner")
    leave.click()
    expect(told).to_contain_text("You leave after this hand")
    is_fit(player.page)
    told.get_by_role("button", name="Stay").click()
    expect(told).to_have_count(0)
    leave.click()
    expect(told).to_contain_text("Your seat comes free once it is settled")
    player.chooses("Fold")
    assert player.lines == LOST
    with house.waits(shown=0.0):
        expect(player.choices).to_contain_text("You are watching")


def test_on_a_phone_one_leaves_after_this_hand_too(house: House, arrives: Arrives) -> None:
    page = arrives(viewport={"width": 390, "height": 844})
    player = Seat(page).sits(house.opens("fu-bacc", FU_BACC)).wagers({"Ante": "10"}).deals()
    player.is_offered(*FU)
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="Leave after this hand", exact=True).last.click()
    expect(page.get_by_role("banner")).to_contain_text("you leave after this hand")
    expect(page.locator(".banner")).to_have_count(0)  # it would lie on the dealer's cards
    is_fit(page)
    player.chooses("Fold")
    expect(player.choices).to_contain_text("Round settled")
    with house.waits(shown=0.0):
        expect(player.choices).to_contain_text("You are watching")


def test_whoever_comes_within_a_hand_sits_down_when_it_is_over(house: House, arrives: Arrives) -> None:
    table = house.opens("fu-bacc", FU_BACC)
    ann = Seat(arrives()).sits(table).wagers({"Ante": "10"}).deals().is_offered(*FU)
    bob = Seat(arrives())
    bob.page.goto(f"{table}?sit")
    expect(bob.choices).to_contain_text("You sit down after this hand")
    ann.chooses("Fold")
    expect(bob.choices).to_contain_text("Place your wagers")


def test_the_seat_of_somebody_who_has_gone_comes_free_and_the_lobby_says_so(house: House, arrives: Arrives) -> None:
    table = house.opens("fu-bacc")
    ann = Seat(arrives()).sits(table).wagers({"Ante": "10"}).deals()
    expect(ann.choices).to_contain_text("Your turn")
    watcher, lobby = Seat(arrives()), arrives()
    watcher.page.goto(table)
    lobby.goto("/")
    expect(lobby.get_by_text("A seat is kept for 3 minutes after its player has gone.")).to_be_visible()
    assert _taken(lobby, table) == 1
    ann.page.close()
    expect(watcher.page.locator(".plate.away")).to_contain_text("away")
    with house.waits(away=0.0):
        expect(watcher.page.get_by_role("button", name=re.compile("seat 4$"))).to_be_visible()
    assert _taken(lobby, table) == 0


def _taken(page: Page, table: str) -> int:
    """The seats taken at a table, as the lobby is told."""
    listed = page.request.get("/api/tables").json()
    return next(int(each["taken"]) for each in listed if table.endswith(each["id"]))


def test_the_floor_closes_a_table_and_its_players_are_told(house: House, arrives: Arrives) -> None:
    table = house.opens("fu-bacc", FU_BACC, name="Trouble")
    player = Seat(arrives()).sits(table).wagers({"Ante": "10"}).deals().is_offered(*FU)
    page = arrives()
    page.goto("/house/floor")
    logged_in(page, "flo")
    row = page.get_by_role("row", name=re.compile("Trouble"))
    expect(row).to_contain_text("in progress")
    is_fit(page)
    row.get_by_role("button", name="Close").click()
    page.get_by_label("Why, in words").fill("a card was seen")
    is_fit(page)
    page.get_by_role("button", name="Close the table").click()
    expect(row).to_have_count(0)
    expect(player.page.get_by_role("alert")).to_contain_text("This table is closed")


def test_the_clock_warns_and_then_says_that_it_has_chosen(house: House, arrives: Arrives) -> None:
    table = house.opens("spanish-poker")
    ann, bob = Seat(arrives()).sits(table).wagers({"Ante": "10"}), Seat(arrives()).sits(table)
    with house.waits(decisions=4.0):
        bob.wagers({"Ante": "10"}).deals()
        ann.deals()
        expect(ann.choices).to_contain_text(re.compile("“Fold” is chosen for you in [1-4] s"))
        expect(ann.choices).to_contain_text("Your time was up: folded for you")
    expect(bob.page.locator(".plate").filter(has_text="by the clock")).not_to_have_count(0)
