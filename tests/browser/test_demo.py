"""A demo house opens with one click."""

from collections.abc import Callable

from playwright.sync_api import Page, expect

from feltworks.cli.serve import demo_house
from tests.browser.axe import is_fit
from tests.browser.boxes import small_targets
from tests.web.serving import served

# boxes with tables that only a sideways scroll shows whole
SIDEWAYS = "[...document.querySelectorAll('main .scroll')].some((box) => box.scrollWidth > box.clientWidth + 1)"


def test_one_click_opens_the_demo_house_with_its_tables(arrives: Callable[..., Page]) -> None:
    with demo_house() as (folder, url), served(folder, database=url, is_demo=True) as address:
        page = arrives(base_url=f"http://{address}")
        page.goto("/house/tables")
        people = page.get_by_role("region", name="Demo house")
        expect(people).to_contain_text("the demo house")
        is_fit(page)
        people.get_by_role("button", name="flo floor supervisor").click()
        expect(page.get_by_role("heading", name="Table accounting")).to_be_visible()
        expect(page.get_by_text("$1,500").first).to_be_visible()
        table = page.get_by_role("region", name="Table 2")
        table.get_by_role("button", name="Large payout").click()
        expect(page.get_by_role("combobox", name="Wager")).to_contain_text("Acey Deucey")
        page.keyboard.press("Escape")
        table.get_by_role("button", name="Close the table").click()
        page.get_by_label("The tray as counted").fill("9,000")
        page.get_by_role("combobox", name="Dealer").select_option("dee")
        page.get_by_label("Password of dee").fill("the demo house")
        page.get_by_role("button", name="Close it").click()
        expect(table).to_contain_text("closed")
        page.goto("/house/tasks")
        expect(page.get_by_role("region", name="Boxes")).to_contain_text("Box of table 2")
        expect(page.locator("main")).not_to_contain_text("nothing now")
        page.goto("/house/tables")
        expect(table).to_be_visible()
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390  # all that may be done to a table fits
        for path in ("today", "floor"):
            page.goto(f"/house/{path}")
            expect(page.get_by_role("cell", name="Acey Deucey 21").first).to_be_visible()
            assert not page.evaluate(SIDEWAYS), path
            assert not small_targets(page), path
        page.close()


def test_an_ordinary_house_shows_no_password(arrives: Callable[..., Page]) -> None:
    page, errors = arrives(), list[str]()
    page.on("console", lambda line: line.type == "error" and errors.append(line.text))
    page.goto("/house")
    expect(page.get_by_label("Password")).to_be_visible()
    assert not errors  # nothing is asked that only a logged-in person may ask
    expect(page.get_by_role("region", name="Demo house")).to_have_count(0)
    assert page.request.get("/api/house/demo").json() is None
