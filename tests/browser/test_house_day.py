"""A table's day in a browser: every slip and record of it is posted on the pages and signed by whoever may."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.axe import is_fit
from tests.browser.boxes import small_targets
from tests.browser.test_house_books import DESK, PHONE, logged_in, second
from tests.house.dealt import Dealt
from tests.web.staff import password_of

Arrives = Callable[..., Page]
PIT = {"Floor supervisor": "flo", "Dealer": "dee"}
FOUR = {**PIT, "Cage": "cal", "Security": "sam"}


class Books:
    """The page of the tables, with one person logged in."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.name = ""

    def logs_in(self, name: str) -> None:
        if self.name:
            self.page.get_by_role("button", name="Log out").click()
        logged_in(self.page, name)
        self.name = name

    @property
    def table(self) -> Locator:
        return self.page.get_by_role("region", name="Table W")

    def begins(self, act: str) -> Locator:
        self.table.get_by_role("button", name=act, exact=True).click()
        return self.page.get_by_role("dialog")

    def signs(self, form: Locator, signers: dict[str, str]) -> None:
        for position, person in signers.items():
            form.get_by_role("group").get_by_label(position).select_option(person)
            if person != self.name:
                form.get_by_label(f"Password of {person}").fill(password_of(person))

    def does(self, act: str, verb: str, said: dict[str, str], signers: dict[str, str]) -> None:
        form = self.begins(act)
        for label, value in said.items():
            field = form.get_by_label(label).first
            field.select_option(value) if field.evaluate("field => field.tagName") == "SELECT" else field.fill(value)
        self.signs(form, signers)
        self.posts(form, verb)

    def posts(self, form: Locator, verb: str) -> None:
        """Send a form; a refusal fails with what it says."""
        form.get_by_role("button", name=verb).click()
        refused = form.get_by_role("alert")
        self.page.wait_for_function("() => !document.querySelector('dialog') || document.querySelector('[role=alert]')")
        assert refused.count() == 0, refused.inner_text()

    def serial(self, kind: str) -> str:
        slip = self.table.get_by_role("link", name=kind).filter(has_not_text="PDF").last
        return str(int(slip.inner_text().split()[-1]))


@pytest.fixture
def books(arrives: Arrives) -> Books:
    return Books(arrives())


def test_a_day_of_a_table_is_posted_on_its_page(books: Books, tmp_path: Path) -> None:
    page, dealt = books.page, Dealt(name="spanish-poker")
    dealt.play(ante=1_000)
    log = tmp_path / "W.log"
    log.write_bytes(b"".join(line + b"\n" for line in dealt.lines))
    page.goto("/house/check")
    books.logs_in("flo")
    page.get_by_label("Game", exact=True).select_option("spanish-poker")
    page.get_by_role("button", name="Open this table").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Table", exact=True).fill("W")
    form.get_by_label("The tray as counted").fill("40x25, 100x5")
    books.signs(form, PIT)
    form.get_by_role("button", name="Open it").click()
    expect(books.table).to_contain_text("$1,500.00")

    books.does("Fill", "Bring the fill", {"Chips from the cage": "20x25"}, FOUR)
    voided = {"Slip": "fill", "Its number": books.serial("fill"), "Why": "written twice"}
    books.does("Void a slip", "Void it", voided, {"Floor supervisor": "flo", "Witness": "cal"})
    expect(books.table.get_by_role("listitem").filter(has_text="fill")).to_contain_text("void")
    won = {"Wager": "dos-pares", "How much was wagered": "25", "How much it paid": "5,000", "Player": "Iris"}
    books.does("Large payout", "Record it", {**won, "Its outcome": "cincos"}, PIT)
    books.does("Wagers", "Enter them", {"One wager a line": "ante 400x10, 8x25\ndos-pares 12x5"}, {"Gambling": "flo"})
    form = books.begins("Wagers from a log")
    form.get_by_label("The log of the table").set_input_files(log)
    books.signs(form, {"Gambling": "flo"})
    books.posts(form, "Enter them")
    books.does("Tokes", "Lock them away", {"Into the container": "40"}, {"Dealer": "dee", "Witness": "flo"})
    form = books.begins("Credit")
    form.get_by_label("Chips to the cage").fill("400x25")
    books.signs(form, FOUR)
    form.get_by_role("button", name="Take the credit").click()
    expect(form.get_by_role("alert")).to_contain_text("Credit of $10,000 refused: the tray of table W is booked")
    is_fit(page)
    page.set_viewport_size(PHONE)
    form.get_by_role("button", name="Close").click()
    expect(books.table.get_by_role("button", name="Credit", exact=True)).to_be_focused()
    assert not small_targets(page)
    page.set_viewport_size(DESK)
    books.does("Close the table", "Close it", {"The tray as counted": "1,000"}, PIT)
    books.does("Pull the box", "Pull it", {}, {"Security": "sam", "Gambling": "flo"})

    books.logs_in("art")
    box = {"Your own count": "12x100"}
    books.does("First count, alone", "Enter it", box, {"First counter": "art"})
    books.logs_in("ines")
    page.goto("/house/approvals")
    for matter, reference in (("count team", "letter 610"), ("toke method", "by hours")):
        page.get_by_role("button", name="Approval for the house").click()
        form = page.get_by_role("dialog")
        form.get_by_label("What is approved").select_option(matter)
        form.get_by_label("Reference of the record").fill(reference)
        second(page, "root")
        books.posts(form, "Put it on record")
    page.goto("/house/tables")
    books.logs_in("ben")
    books.does("Second count, alone", "Compare it", box, {"Second counter": "ben"})
    expect(books.table).to_contain_text("+$700.00")

    page.get_by_role("button", name="Share tokes out").click()
    form = page.get_by_role("dialog")
    form.get_by_label("One person a line").fill("dee 25\nben 15")
    form.get_by_label("The approved method").fill("by hours")
    books.signs(form, {"Dealer": "ben", "Witness": "cal"})
    books.posts(form, "Pay them")

    books.logs_in("ines")
    revised = {"Slip": "count", "Its number": books.serial("count"), "Why": "a note was overlooked"}
    revisers = {"Accounting": "ines", "Independent": "sue"}
    books.does("Revise", "Void it", revised, revisers)
    expect(books.table).to_contain_text("not known yet")
    books.logs_in("art")
    books.does("First count, alone", "Enter it", {"Your own count": "13x100"}, {"First counter": "art"})
    expect(books.table.get_by_role("button", name="Second count, again")).to_be_visible()
    is_fit(page)

    page.goto("/house")
    page.get_by_role("button", name="New progressive").click()
    form = page.get_by_role("dialog")
    fee = {"Fee on the rest of the box": "1/10", "What allows the fee": "letter 4"}
    for label, value in {"Name": "with a fee", "The approved accounting process": "controls of 2008", **fee}.items():
        form.get_by_label(label).first.fill(value)
    second(page, "cal")
    books.posts(form, "Open it")
    page.get_by_label("A seal noted elsewhere").fill("with a fee:1:" + "ab" * 32)
    page.get_by_role("button", name="Verify again").click()
    expect(page.get_by_text("does not bear the seal that was noted").first).to_be_visible()

    books.logs_in("root")
    page.goto("/house/periods")
    page.get_by_role("button", name="Books were restored").click()
    form = page.get_by_role("dialog")
    form.get_by_label("Why the newer books are gone").fill("the disk died")
    second(page, "ines")
    form.get_by_role("button", name="Record what is lost").click()
    expect(form.get_by_role("alert")).to_contain_text("house rule: nothing is lost twice")
