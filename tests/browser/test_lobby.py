"""The lobby in a browser: a table of one's own, a name, a link, and what the first page weighs."""

import re
import sys
from collections.abc import Callable

import httpx
from playwright.sync_api import Page, Response, expect

from tests.browser.axe import is_fit
from tests.browser.house import House
from tests.browser.seat import Seat

Arrives = Callable[..., Page]
FIRST_PAGE = 150_000  # bytes, compressed
PAINTED = "performance.getEntriesByName('first-contentful-paint')[0].startTime"


def test_the_first_page_weighs_less_than_150_kb_and_keeps_nobody_out(house: House, arrives: Arrives) -> None:
    page, sent = arrives(), list[Response]()
    page.on("response", lambda answer: sent.append(answer))
    page.goto("/")
    expect(page.get_by_role("article")).to_have_count(5)
    with httpx.Client(headers={"accept-encoding": "gzip"}) as client:
        sizes = {answer.url: _weight(client, answer.url) for answer in sent}
    assert all(answer.ok for answer in sent)
    assert all(house.address in url for url in sizes), "nothing is fetched from elsewhere"
    assert sum(sizes.values()) < FIRST_PAGE, sizes
    sys.stdout.write(f"{sum(sizes.values())} bytes, painted after {page.evaluate(PAINTED):.0f} ms\n")

    page.get_by_text("Pay tables and options").click()
    page.get_by_role("button", name="Change name").click()
    is_fit(page)


def _weight(client: httpx.Client, url: str) -> int:
    """What goes over the wire for an address."""
    with client.stream("GET", url) as answer:
        return sum(len(piece) for piece in answer.iter_raw())


def test_a_table_of_ones_own_is_refused_beside_its_field_and_then_opened(arrives: Arrives) -> None:
    page = arrives()
    page.goto("/")
    page.get_by_role("button", name="Change name").click()
    page.get_by_label("Your name").fill("<b>")
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_role("alert")).to_contain_text("1 to 20 letters")
    page.get_by_label("Your name").fill("Iris")
    page.get_by_role("button", name="Keep").click()

    form = page.get_by_role("form", name="A table of your own")
    form.get_by_label("Game").select_option("Fu Bacc")
    form.get_by_label("Highest Ante").fill("300")
    form.get_by_role("button", name="Open the table").click()
    expect(form.get_by_role("alert")).to_contain_text("WAC 230-15-140")
    expect(form.get_by_label("Highest Ante")).to_have_attribute("aria-invalid", "true")
    form.get_by_role("button", name=re.compile(r"^Use \$")).click()
    form.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("heading", name="Place your wagers")).to_be_visible()
    expect(page).to_have_url(re.compile("/table/[0-9a-f]{10}$"))
    assert "Iris" in Seat(page).in_words


def test_a_table_is_joined_by_its_link_and_its_name_is_shown_and_never_run(house: House, arrives: Arrives) -> None:
    name = "<img src=x onerror=document.title=1>"
    table = house.opens("fu-bacc", name=name)
    page = arrives()
    page.goto("/")
    expect(page.get_by_role("cell", name=name)).to_be_visible()
    page.get_by_role("button", name="Join by link").click()
    page.get_by_label("Link or number of the table").fill(f"http://{house.address}{table}")
    page.get_by_role("button", name="Join", exact=True).click()
    expect(Seat(page).choices).to_contain_text("You are watching")
    expect(page.get_by_text(name)).to_be_visible()
    assert page.locator("img").count() == 0

    page.goto("/rules/fu-bacc#FB.7")
    expect(page.locator("[id='FB.7']")).to_be_in_viewport()
    expect(page.locator("[id='FB.7']")).to_contain_text("above the dealer’s")
