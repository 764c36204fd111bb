"""The pages as people meet them: the system's Chromium before a real server on loopback."""

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Playwright, expect, sync_playwright

from feltworks.web.responses import STATIC
from feltworks.web.tables.clock import Times
from tests.browser.house import House, Laying
from tests.browser.seat import Seat
from tests.web.serving import served
from tests.web.staff import approve, hire

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 30_000  # milliseconds: two cores may be busy with other tests
DESK = {"width": 1440, "height": 900}
# Shadows take half of all painting without a graphics card, and no test looks at one.
PLAIN = """const plain = new CSSStyleSheet();
plain.replaceSync("* { filter: none !important; box-shadow: none !important }");
document.adoptedStyleSheets = [plain];"""
expect.set_options(timeout=PATIENCE)


# One browser for these tests: the plugin's own lives as long as the session, and its event loop with it, in
# which no other test could run one.
@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    found = shutil.which("chromium")
    if found is None:
        pytest.fail("no Chromium on this machine: make system installs Debian's", pytrace=False)
    launched = playwright.chromium.launch(executable_path=found, args=FLAGS)
    yield launched
    launched.close()


@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house with its staff hired."""
    if not (STATIC / "index.html").is_file():
        pytest.fail("the pages are not built: run make pages", pytrace=False)
    folder, laying = tmp_path_factory.mktemp("house"), Laying()
    hire(folder)
    approve(folder, "spanish-poker")
    times = Times(shown=3600.0)  # until a test lets that time pass
    with served(folder, laying, coached=True, times=times) as address:
        opened = House(address, laying, times)
        yield opened
        opened.close()


@pytest.fixture(scope="package")
def browser_context_args() -> dict[str, Any]:
    return {}  # whoever arrives says how they like it


@pytest.fixture
def arrives(house: House, new_context: Callable[..., Any]) -> Iterator[Callable[..., Page]]:
    """Somebody with a browser of their own; no page of theirs may fail silently."""
    troubles: list[str] = []

    def opened(**likes: Any) -> Page:
        usual = {"base_url": f"http://{house.address}", "viewport": DESK, "reduced_motion": "reduce"}
        context = new_context(**{**usual, **likes})
        context.set_default_timeout(PATIENCE)
        context.add_init_script(PLAIN)
        page: Page = context.new_page()
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda said: _note_blocked(said, troubles))
        return page

    yield opened
    assert not troubles


def _note_blocked(said: ConsoleMessage, troubles: list[str]) -> None:
    """What the content-security policy keeps a page from doing is a fault of the page or of the policy."""
    if said.type == "error" and "Content Security Policy" in said.text:
        troubles.append(said.text)


@pytest.fixture
def seat(house: House, arrives: Callable[..., Page]) -> Callable[..., Seat]:
    """Take a seat at a table dealt from the cards laid for each round."""

    def taken(game: str, *rounds: str, likes: dict[str, Any] | None = None, **order: Any) -> Seat:
        return Seat(arrives(**(likes or {}))).sits(house.opens(game, *rounds, **order))

    return taken
