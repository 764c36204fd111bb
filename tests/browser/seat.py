"""A player at a table's page, who does what people do there: type, click, press keys, read."""

import re
from collections.abc import Mapping

from playwright.sync_api import Locator, Page, expect


class Seat:
    """One open page at a table."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def sits(self, table: str) -> "Seat":
        """Open the table's page, and take the seat nearest to the middle."""
        self.page.goto(f"{table}?sit")
        expect(self.page.get_by_role("heading", name="Place your wagers")).to_be_visible()
        return self

    def wagers(self, dollars: Mapping[str, str]) -> "Seat":
        """Type an amount for each wager, or for a toke on it; after a round that means to wager anew."""
        if self.choice("Change wagers").is_visible():
            self.chooses("Change wagers")
        for title, amount in dollars.items():
            wager = title.removesuffix(" toke")
            named = f"{title} amount in dollars" if wager == title else f"Toke for the dealers on {wager}"
            box = self.page.get_by_label(named)
            box.fill(amount)
            box.press("Tab")
        return self

    def deals(self) -> "Seat":
        self.choice("Deal me in").click()
        return self

    def chooses(self, *names: str) -> "Seat":
        """Click one choice after the other, each once the table has shown what came of the one before.

        Until then the page does nothing for a click, and the old choices stand under it.
        """
        for name in names:
            expect(self.choices).to_have_attribute("aria-busy", "false")
            self.choice(name).click()
        return self

    def choice(self, name: str) -> Locator:
        """A choice under the felt, by the words it begins with."""
        return self.choices.get_by_role("button", name=re.compile(f"^{re.escape(name)}"))

    @property
    def choices(self) -> Locator:
        return self.page.get_by_role("region", name="Your choices")

    def is_offered(self, *names: str) -> "Seat":
        """Wait until exactly these choices stand open, in this order."""
        verbs = [re.compile(f"^{re.escape(name)}( \\$|$)") for name in names]
        expect(self.choices.locator(".choice b")).to_have_text(verbs)
        return self

    @property
    def lines(self) -> dict[str, str]:
        """What each of one's wagers came to, once the round is settled."""
        expect(self.choices).to_contain_text("Round settled")
        found = {}
        for line in self.page.locator("aside .panel > .lines > .line").all():
            title, *rest = (part.strip() for part in line.locator("b").inner_text().split("$"))
            part = rest[0].partition(", ")[2]
            found[f"{title}, {part}" if part else title] = line.locator(".net").inner_text().split()[-1]
            expect(line.locator("p")).not_to_be_empty()
            expect(line.get_by_role("link")).to_have_attribute("href", re.compile("^/rules/"))
        return found

    @property
    def in_words(self) -> str:
        """The table as a screen reader tells it."""
        return self.page.get_by_role("region", name="The table in words").inner_text()
