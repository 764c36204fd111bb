"""The end of a round on the page: shown whole, kept until the player goes on, and not told beforehand."""

import json
import re
from collections.abc import Callable

from playwright.sync_api import Page, WebSocketRoute, expect

from tests.browser.house import House
from tests.browser.seat import Seat

Arrives = Callable[..., Page]
Seated = Callable[..., Seat]
NATURAL = "Ac Kd Th 6s"  # the seat's two cards, then the dealer's: nothing is to be decided
WON = {"Blackjack": "+$15.00"}
IN_MOTION = {"reduced_motion": "no-preference"}
# What stands on the page, noted many times a second until the round is settled.
RECORD = """() => {
  window.noted = [];
  const text = (where) => document.querySelector(where)?.innerText ?? "";
  setInterval(() => window.noted.push({
    prompt: text(".actions h2"), session: text(".session b"), stack: text(".plate.mine span"),
    round: text("aside .panel"),
  }), 10);
}"""


def test_a_hand_without_a_decision_is_shown_to_its_end(seat: Seated) -> None:
    player = seat("lucky-break", NATURAL).wagers({"Blackjack": "10"}).deals()
    assert player.lines == WON
    assert "ace of clubs, king of diamonds" in player.in_words
    player.chooses("Same wagers")
    expect(player.page.get_by_text("no. 2", exact=True)).to_be_visible()
    assert player.lines == WON
    assert "ace of clubs, king of diamonds" in player.in_words
    player.chooses("Change wagers")
    expect(player.choices).to_contain_text("Place your wagers")


def test_no_figure_tells_the_result_before_the_cards_do(seat: Seated) -> None:
    player = seat("lucky-break", NATURAL, likes=IN_MOTION).wagers({"Blackjack": "10"})
    expect(player.page.locator(".plate.mine span")).to_have_text("$490")
    player.page.evaluate(RECORD)
    player.deals()
    assert player.lines == WON
    noted = player.page.evaluate("window.noted")
    unsettled = [each for each in noted if not each["prompt"].startswith("Round settled")]
    moving = [each for each in unsettled if each["prompt"] == "Take and pay"]
    assert moving
    assert {each["session"] for each in unsettled} == {"$0.00"}
    assert {each["stack"] for each in unsettled} == {"$490"}
    assert not any("Place a wager" in each["round"] for each in moving)
    expect(player.page.locator(".session b")).to_have_text("+$15.00")
    expect(player.page.locator(".plate.mine span")).to_have_text("$515")


def test_what_another_does_meanwhile_cuts_nothing_short(house: House, arrives: Arrives) -> None:
    page = arrives(**IN_MOTION)
    page.route_web_socket(re.compile("/live$"), _told_twice)
    player = Seat(page).sits(house.opens("lucky-break", NATURAL)).wagers({"Blackjack": "10"})
    page.evaluate(RECORD)
    player.deals()
    assert player.lines == WON
    prompts = page.evaluate("window.noted.map((each) => each.prompt)")
    assert prompts.count("Take and pay") > 10  # of 10 ms each, where the gestures take two seconds


def _told_twice(socket: WebSocketRoute) -> None:
    """Every state is followed at once by one in which nothing happened, as when somebody looks in."""
    server = socket.connect_to_server()

    def tell(message: str | bytes) -> None:
        said = json.loads(message)
        if said["type"] != "state":
            return socket.send(message)
        socket.send(json.dumps({**said, "n": 2 * said["n"]}))
        return socket.send(json.dumps({**said, "n": 2 * said["n"] + 1, "events": []}))

    server.on_message(tell)


def test_a_new_sitter_sees_a_clean_felt(house: House, arrives: Arrives) -> None:
    table = house.opens("lucky-break", NATURAL)
    ann = Seat(arrives()).sits(table).wagers({"Blackjack": "10"}).deals()
    assert ann.lines == WON
    bob = Seat(arrives())
    bob.page.goto(table)
    expect(bob.choices).to_contain_text("You are watching")
    assert "ace of clubs" in bob.in_words  # whoever watches sees the last round
    ann.page.get_by_role("button", name="Leave").click()
    expect(bob.page.get_by_role("button", name=re.compile("seat 4$"))).to_be_visible()
    bob.chooses("Sit down")
    expect(bob.choices).to_contain_text("Place your wagers")
    assert "no cards" in bob.in_words
    assert "ace of clubs" not in bob.in_words
    expect(bob.page.locator("aside .line")).to_have_count(0)
