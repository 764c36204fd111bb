"""What a tap does: one thing at a time, a dealt hand at once, chips taken back, sums that agree."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, Route, expect

from tests.browser.house import House
from tests.browser.seat import Seat

Arrives = Callable[..., Page]
Seated = Callable[..., Seat]
LOW = "2c 3d Th 6s 4h 5c 2d 3h 4s Kd"  # a hand that may be hit again and again
# the page hears from the table 0.4 seconds late
SLOW = """const Quick = WebSocket;
window.WebSocket = class extends Quick {
  set onmessage(hear) { super.onmessage = (event) => setTimeout(() => hear(event), 400); }
}"""
PUSHED = "Tc 9d 8h As"  # insurance is offered, and the dealer's nineteen pushes


def test_a_second_click_on_a_slow_line_does_nothing_more(house: House, arrives: Arrives) -> None:
    page = arrives()
    page.add_init_script(SLOW)
    player = Seat(page).sits(house.opens("lucky-break", LOW)).wagers({"Blackjack": "10"}).deals()
    expect(player.choice("Hit")).to_be_visible()
    player.choice("Hit").dblclick()
    expect(player.choice("Double")).to_have_count(0)
    page.wait_for_timeout(1000)  # a second card would have come by now
    assert "two of clubs, three of diamonds, four of hearts; hit; 9" in player.in_words
    expect(player.choices).to_contain_text("Your turn: 9")
    player.chooses("Hit")
    expect(player.choices).to_contain_text("Your turn: 14")  # the hand has its new card before it stands
    player.chooses("Stand")
    expect(player.choices).to_contain_text("Round settled")
    assert "four of hearts, five of clubs; stood; 14" in player.in_words


def test_one_tap_deals_a_hand_at_the_smallest_wager(arrives: Arrives) -> None:
    page = arrives()
    page.goto("/")
    page.get_by_role("button", name="Deal me a hand").click()
    player = Seat(page)
    expect(player.choices).to_contain_text(re.compile("Your turn|Round settled"))
    assert "ante $1" in player.in_words


def test_wagers_are_doubled_taken_back_chip_by_chip_and_placed_again(seat: Seated) -> None:
    player = seat("fu-bacc", "2c Qd 2h 9s 4h Ac").wagers({"Ante": "10"})
    stack = player.page.locator(".plate.mine span")
    player.chooses("×2")
    expect(stack).to_have_text("$480")
    player.chooses("Undo")
    expect(stack).to_have_text("$490")
    player.chooses("Undo")
    expect(stack).to_have_text("$500")
    player.wagers({"Ante": "20"}).deals().chooses("Fold")
    assert player.lines == {"Ante": "−$20.00"}
    player.chooses("Change wagers", "Rebet")
    expect(stack).to_have_text("$460")


def test_a_toke_is_counted_and_the_round_adds_up_to_the_stack(seat: Seated) -> None:
    player = seat("lucky-break", "5c 6d Th 6s Kc 9d")
    player.wagers({"Blackjack": "10", "Lucky Break": "5", "Lucky Break toke": "1"}).deals().chooses("Double")
    assert player.lines["Lucky Break toke"] == "+$3.00"
    expect(player.page.locator(".sum").last).to_contain_text("+$34.00")  # 20 and 15, less the toke
    expect(player.choices).to_contain_text("Round settled: +$34.00")
    expect(player.page.locator(".plate.mine span")).to_have_text("$534")


def test_wagers_that_cancel_out_are_even_and_only_a_push_is_a_push(seat: Seated) -> None:
    player = seat("acey-deucey-21", "5c 9h Ts 7s 5d")
    player.wagers({"Blackjack": "10", "Acey Deucey": "5", "War": "15"}).deals()
    player.chooses("Check", "Hit")
    expect(player.choices).to_contain_text("Your turn: 19")
    player.chooses("Stand")
    assert player.lines == {"Blackjack": "+$10.00", "Acey Deucey": "+$5.00", "War": "−$15.00"}
    expect(player.choices).to_contain_text("Round settled: even")
    expect(player.page.locator(".plate.mine")).to_contain_text("even")


def test_insurance_is_offered_in_chips_and_its_amount_stays_on_one_line(seat: Seated) -> None:
    player = seat("lucky-break", PUSHED).wagers({"Blackjack": "5"}).deals()
    amounts = player.choices.get_by_role("group", name="Amount to insure")
    expect(amounts.locator("output")).to_have_text("$2.50")
    assert "$0.01" not in player.choices.inner_text()
    lines = "boxes => boxes.map((box) => { const r = document.createRange(); r.selectNodeContents(box);"
    lines += " return r.getClientRects().length; })"
    assert set(amounts.locator("output, div button").evaluate_all(lines)) == {1}


def test_verify_is_worked_out_in_the_browser(house: House, arrives: Arrives) -> None:
    player = Seat(arrives()).sits(house.opens("fu-bacc")).wagers({"Ante": "10"}).deals()
    player.choice("Fold").click()
    expect(player.choices).to_contain_text("Round settled")
    player.page.route("**/api/tables/*/proof", _lie)
    fair = player.page.get_by_role("region", name="Fair deal")
    fair.get_by_role("button", name="Verify").click()
    expect(fair).to_contain_text("does not")  # whatever the house claims


def _lie(route: Route) -> None:
    """A house that opens another seed than it sealed, and says that all is well."""
    answer = route.fetch()
    proof = {**answer.json(), "seed": "00" * 32, "verified": True}
    route.fulfill(response=answer, json=proof)
