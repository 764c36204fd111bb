"""A robot that plays random lawful hands in the browser and checks the felt after every one.

python -m tests.browser.robot --hands 200 [GAME ...]
"""

import argparse
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from playwright.sync_api import Locator, Page, expect, sync_playwright

from feltworks import catalog
from tests.browser.boxes import findings
from tests.web.player import Visitor
from tests.web.serving import served

MOST_CHOICES = 40  # in one round
BUY_IN = 500_00
PATIENCE = 30.0  # seconds
SKIPPED = 0.8  # of the motions
FLAGS = ["--no-sandbox", "--disable-gpu"]


class Look(NamedTuple):
    """How a browser is held, and what its owner likes."""

    name: str
    width: int
    height: int
    scheme: str
    motion: str


LOOKS = (
    Look("desk", 1440, 900, "light", "reduce"),
    Look("desk dark", 1440, 900, "dark", "no-preference"),
    Look("phone", 390, 844, "light", "reduce"),
    Look("phone dark", 390, 844, "dark", "reduce"),
    Look("sideways", 844, 390, "light", "reduce"),
    Look("sideways dark", 844, 390, "dark", "no-preference"),
)


class Robot:
    """Plays at one page; everything it does is drawn from one random source."""

    def __init__(self, page: Page, random: Random) -> None:
        self._page, self._random = page, random
        self._bought = BUY_IN
        self._net = 0
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(f"page error: {error}"))
        page.on("console", lambda line: line.type == "error" and self.faults.append(f"console: {line.text}"))

    def sit(self, table: str) -> None:
        self._page.goto(f"/table/{table}?sit")
        expect(self._choices).to_contain_text("Place your wagers")

    def play(self, hands: int) -> None:
        """Play so many hands, each checked at its end."""
        for _ in range(hands):
            before = self._round
            self._place()
            self._await_end_of(f"{before} ")
            self._decide()
            self._check()

    def deal_at_once(self) -> None:
        """One tap to a dealt hand, played to its end."""
        before = self._round
        self._tap(self._button("Deal me in"), key="Enter")
        self._await_end_of(f"{before} ")
        self._decide()
        self._check()

    def check_looks(self) -> None:
        """Note whatever overlaps or is clipped now."""
        self.faults += findings(self._page)

    def _place(self) -> None:
        """Random chips, sometimes doubled or taken back, then the deal; or the last wagers again."""
        if self._button("Same wagers").count() and self._random.random() < 0.5:
            self._tap(self._button("Same wagers"), key="Enter")
            return
        if self._button("Change wagers").count():
            self._tap(self._button("Change wagers"), key="w")
        expect(self._choices).to_contain_text("Place your wagers")
        spots = self._choices.locator(".spot .name")
        for number in range(self._random.randrange(4)):  # the main wager comes first, as others need it
            (self._random.choice(spots.all()) if number else spots.first).click()
        tool = self._random.choice(["", "", "×2", "Undo", "Clear"])
        if tool and self._button(tool).count() and self._button(tool).is_enabled():
            self._button(tool).click()
        if not self._button("Deal me in").is_enabled():  # beyond a limit
            self._page.keyboard.press("Delete")
        elif spots.first.get_attribute("aria-pressed") == "false":
            spots.first.click()
        if self._button("Buy $500").count():
            self._button("Buy $500").click()
            self._bought += 500_00
        self._tap(self._button("Deal me in"), key="Enter")

    def _decide(self) -> None:
        """Answer at random until the round is settled."""
        for _ in range(MOST_CHOICES):
            if self._random.random() < SKIPPED:
                self._page.keyboard.press("Shift")  # any key goes to the end of a motion
            # a bonus wager asks its own question
            self._await(lambda: re.search(r"Round settled|Your turn|\?", self._choices.inner_text()))
            if "Round settled" in self._choices.inner_text():
                return
            offers = self._choices.locator(".choice:visible").all()
            offer = self._random.choice(offers)
            shown = offer.locator("kbd")
            asked = self._choices.get_attribute("data-question")
            self._tap(offer, key=shown.inner_text() if shown.count() and shown.is_visible() else None)
            self._await_end_of(asked or "")
        self.faults.append(f"no end after {MOST_CHOICES} choices")

    def _await_end_of(self, question: str) -> None:
        """Until another question is asked than the one that begins so."""
        self._await(lambda: not self._question.startswith(question))

    def _await(self, holds: Callable[[], object]) -> None:
        """Ask again and again, sooner than `expect` would."""
        deadline = time.monotonic() + PATIENCE
        while not holds():
            assert time.monotonic() < deadline, self._choices.inner_text()
            self._page.wait_for_timeout(15)

    def _tap(self, button: Locator, key: str | None) -> None:
        if key and self._random.random() < 0.5:
            expect(button).to_be_enabled()
            self._page.keyboard.press(key)
        else:
            button.click()

    def _check(self) -> None:
        """The felt shows the round's end; page and server agree on the money; nothing overlaps."""
        net = _cents(self._choices.locator("h2 .num").inner_text())
        self._net += net
        table = self._page.url.rpartition("/")[2]
        standing = self._page.request.get(f"/api/tables/{table}").json()["standing"]
        (stack,) = standing["stacks"].values()
        shown = _cents(self._page.locator(".plate.mine span").inner_text())
        if not stack == shown == self._bought + self._net:
            ledger = self._bought + self._net
            self.faults.append(f"round {standing['round']}: stack {stack}, shown {shown}, ledger {ledger}")
            self._net = stack - self._bought
        words = self._page.get_by_role("region", name="The table in words").inner_text()
        if ", you: " not in words or not re.search(" of |face-down", words.partition("Seat")[0]):  # dealer or board
            self.faults.append(f"round {standing['round']}: no cards in sight: {words[:80]}")
        self.faults += [f"round {standing['round']}: {sentence}" for sentence in findings(self._page)]

    @property
    def _round(self) -> str:
        return self._question.split()[0]

    @property
    def _question(self) -> str:
        return self._choices.get_attribute("data-question") or ""

    @property
    def _choices(self) -> Locator:
        return self._page.get_by_role("region", name="Your choices")

    def _button(self, name: str) -> Locator:
        return self._choices.get_by_role("button", name=re.compile(f"^{re.escape(name)}"))


def _cents(text: str) -> int:
    """The cents of "+$1,234.50"; "push" and "even" are none."""
    amount = re.search(r"([−+]?)\$([\d,]+)(?:\.(\d\d))?", text)
    if amount is None:
        return 0
    cents = int(amount[2].replace(",", "")) * 100 + int(amount[3] or 0)
    return -cents if amount[1] == "−" else cents


def _options(game: str, number: int) -> dict[str, Any]:
    """Every second table offers the last wagers of a game that has more than one table may have."""
    book = catalog.rulebook(game)
    offers = book.option["offers"].members or []
    if number % 2 == 0 or not book.most_wagers or len(offers) <= book.most_wagers:
        return {}
    needed = [name for name in offers if book.wager[name].leave_out == "never"]
    others = [name for name in offers if name not in needed]
    return {"offers": [*needed, *others[len(needed) - book.most_wagers :]]}


def campaign(hands: int, games: list[str], new_page: Callable[[Look], Page], opener: Visitor) -> list[str]:
    """Play every game so often, spread over all looks; every fault in one sentence."""
    faults = []
    for game in games:
        for number, look in enumerate(LOOKS):
            share = hands // len(LOOKS) + (number < hands % len(LOOKS))
            page = new_page(look)
            robot = Robot(page, Random(f"{game} {look.name}"))
            robot.sit(opener.opens(game, private=True, practice=True, options=_options(game, number)))
            robot.check_looks()
            robot.play(share)
            faults += [f"{game}, {look.name}: {fault}" for fault in dict.fromkeys(robot.faults)]
            sys.stdout.write(f"{game}, {look.name}: {share} hands, {len(robot.faults)} faults\n")
            page.context.close()
    return faults


@contextmanager
def _browser() -> Iterator[Any]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        yield browser
        browser.close()


def main() -> None:
    """Run the campaign before a server of its own; ends with the number of faults."""
    options = argparse.ArgumentParser()
    options.add_argument("--hands", type=int, default=200)
    options.add_argument("games", nargs="*")
    chosen = options.parse_args()
    expect.set_options(timeout=1000 * PATIENCE)
    with TemporaryDirectory() as folder, served(Path(folder)) as address, _browser() as browser:

        def new_page(look: Look) -> Page:
            context = browser.new_context(
                base_url=f"http://{address}",
                viewport={"width": look.width, "height": look.height},
                color_scheme=look.scheme,
                reduced_motion=look.motion,
            )
            page: Page = context.new_page()
            return page

        opener = Visitor(address, "Opener")
        faults = campaign(chosen.hands, chosen.games or sorted(catalog.games()), new_page, opener)
        opener.close()
    sys.stdout.write("\n".join([*faults, f"{len(faults)} faults", ""]))
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
