"""The house's books in a browser: the login, a jackpot won before two persons, and a table refused."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.axe import is_fit
from tests.browser.boxes import small_targets
from tests.browser.house import all_answered
from tests.web.serving import served
from tests.web.staff import hire, password_of

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1440, "height": 900}
Arrives = Callable[..., Page]


def logged_in(page: Page, name: str) -> Page:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(password_of(name))
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Log out")).to_be_visible()
    return page


def second(page: Page, name: str) -> None:
    page.get_by_label("Second person").select_option(name)
    page.get_by_label(f"Password of {name}").fill(password_of(name))


def test_a_jackpot_is_opened_and_won_before_two_persons(arrives: Arrives) -> None:
    page = arrives()
    page.goto("/house")
    page.get_by_label("Name").fill("ines")
    page.get_by_label("Password").fill("guessed wrongly")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("do not fit")
    is_fit(page)

    logged_in(page, "ines")
    page.get_by_role("button", name="New progressive").click()
    page.get_by_label("The approved accounting process").fill("controls of 2008")
    page.get_by_label("Seed, at least").fill("1,000")
    page.get_by_role("button", name="Open it").click()
    expect(page.get_by_role("alert")).to_contain_text("needs two persons")
    second(page, "cal")
    page.get_by_role("button", name="Open it").click()
    accounts = page.get_by_role("region", name="Accounts")
    expect(accounts).to_contain_text("$1,000.00")
    page.get_by_role("button", name="Record a win").click()
    page.get_by_label("Table").fill("5")
    page.get_by_label("Round").fill("902")
    page.get_by_label("Every hand with the wager").fill("7c Jc Qc Kc Ac")
    page.get_by_role("button", name="Record it").click()
    expect(page.get_by_role("alert")).to_contain_text("needs two persons")
    second(page, "sue")
    page.get_by_role("button", name="Record it").click()
    expect(accounts).to_contain_text("$750.00")
    expect(page.get_by_role("region", name="Journal")).to_contain_text("$250.00")
    expect(page.get_by_text("books verified")).to_be_visible()
    is_fit(page)


def test_an_unlawful_limit_is_refused_beside_its_field_and_mended(arrives: Arrives) -> None:
    page = arrives()
    page.goto("/house/check")
    logged_in(page, "flo")
    page.get_by_label("Highest Ante").fill("300")
    expect(page.get_by_text("The highest lawful one is $200")).to_be_visible()
    expect(page.get_by_role("button", name="Open this table")).to_be_disabled()
    is_fit(page)
    page.get_by_role("button", name="Set the lawful values").click()
    expect(page.get_by_text("This table may open")).to_be_visible()
    expect(page.get_by_role("button", name="Open this table")).to_be_enabled()
    page.get_by_label("Highest Ante").fill("250")
    expect(page.get_by_text("The highest lawful one is $200")).to_be_visible()
    page.get_by_label("Kind of house").select_option("tribal operation")
    expect(page.get_by_role("region", name="Verdict")).to_contain_text("Law and rules allow this table")
    page.goto("/house/approvals")  # the kind of house is remembered, and its letter asks other things
    expect(page.get_by_role("region", name="Acey Deucey 21")).to_contain_text("Tribal")


def test_no_table_is_promised_before_its_approval_is_complete(arrives: Arrives) -> None:
    page = arrives()
    page.goto("/house/check")
    logged_in(page, "flo")
    expect(page.get_by_text("This table may open")).to_be_visible()
    page.get_by_label("Game", exact=True).select_option("fu-bacc")
    verdict = page.get_by_role("region", name="Verdict")
    expect(verdict).to_contain_text("its approval is not complete")
    expect(verdict).to_contain_text("Operator: A card room submits its internal controls")
    expect(page.get_by_role("button", name="Open this table")).to_be_disabled()
    verdict.get_by_role("link", name="Approvals of Fu Bacc").click()
    expect(page.get_by_role("region", name="Fu Bacc")).to_contain_text("Operator")


PAGES = {
    "approvals": "Approvals",
    "today": "Floor,",
    "tables": "Table accounting",
    "report": "Master games report",
    "periods": "Closed periods",
    "register": "Register",
    "tasks": "Tasks",
    "people": "People and roles",
}


def test_everybody_may_read_the_house_s_pages(arrives: Arrives) -> None:
    page = arrives()
    page.goto("/house/approvals")
    logged_in(page, "root")
    for path, heading in PAGES.items():
        with all_answered(page):
            page.goto(f"/house/{path}")
            expect(page.get_by_role("heading", name=heading, level=1)).to_be_visible()
        is_fit(page)
        page.set_viewport_size(PHONE)
        assert not small_targets(page), path
        page.set_viewport_size(DESK)


def test_the_staff_see_what_the_server_could_not_open(arrives: Arrives, tmp_path: Path) -> None:
    (tmp_path / "tables" / "empty").mkdir(parents=True)
    hire(tmp_path)
    with served(tmp_path) as address:
        page = arrives(base_url=f"http://{address}")
        page.goto("/house/tables")
        logged_in(page, "dee")
        notices = page.get_by_role("region", name="Not open")
        expect(notices).to_contain_text("table empty order.json: no such file or directory")
        is_fit(page)


def test_a_signature_goes_to_whom_the_supervisor_chooses(arrives: Arrives) -> None:
    page = arrives()
    page.goto("/house/check")
    logged_in(page, "flo")
    expect(page.get_by_text("This table may open")).to_be_visible()
    page.get_by_role("button", name="Open this table").click()
    signatures = page.get_by_role("group", name="Signatures, each by another person")
    own = signatures.get_by_role("combobox").filter(has=page.locator("option[value=flo]")).first
    expect(own).to_have_value("flo")
    own.select_option("")
    page.wait_for_timeout(200)
    expect(own).to_have_value("")
