"""The house that browsers come to: its address, and tables dealt from the cards a test lays."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from msgspec.structs import force_setattr
from playwright.sync_api import Page, Request

from feltworks.cards import cards
from feltworks.dealing.shoes import CardSource, Commitment, source_for
from feltworks.rules.terms import Terms
from feltworks.web.tables.clock import Times
from tests.table.stacked import StackedDeck
from tests.web.player import Visitor


class Laid(StackedDeck):
    """A deck laid anew for each round; the last order stays."""

    def __init__(self, *rounds: str) -> None:
        super().__init__(rounds[0])
        self._rounds_laid = list(rounds)

    def begin_round(self) -> Commitment:
        self._cards = cards(self._rounds_laid[0])
        if len(self._rounds_laid) > 1:
            del self._rounds_laid[0]
        return super().begin_round()


class Laying:
    """Deals what a test laid to the next table that opens, and shuffles for all others."""

    def __init__(self) -> None:
        self.laid: tuple[str, ...] = ()

    def __call__(self, terms: Terms) -> CardSource:
        laid, self.laid = self.laid, ()
        return Laid(*laid) if laid else source_for(terms)


@contextmanager
def all_answered(page: Page) -> Iterator[None]:
    """Leaves once the page has asked for nothing more: two looks find no request of this while open."""
    asked: set[Request] = set()

    def begin(request: Request) -> None:
        asked.add(request)

    def end(request: Request) -> None:
        asked.discard(request)

    page.on("request", begin)
    page.on("requestfinished", end)
    page.on("requestfailed", end)
    yield
    looks = 0
    while looks < 2:
        page.wait_for_timeout(50)
        looks = 0 if asked else looks + 1
    for event, listener in (("request", begin), ("requestfinished", end), ("requestfailed", end)):
        page.remove_listener(event, listener)


class House:
    """A server, and somebody there who opens tables."""

    def __init__(self, address: str, laying: Laying, times: Times = Times()) -> None:  # noqa: B008 (tests share it)
        self.address = address
        self._laying, self._times = laying, times
        self._opener = Visitor(address, "Opener")

    def opens(self, game: str, *rounds: str, **order: Any) -> str:
        """A new table with the cards of its first rounds, or a shuffled one; the address of its page."""
        self._laying.laid = rounds
        return f"/table/{self._opener.opens(game, **order)}"

    @contextmanager
    def waits(self, **seconds: float) -> Iterator[None]:
        """Every table waits so long meanwhile: not at all, where a test lets the time pass."""
        before = {name: getattr(self._times, name) for name in seconds}
        for name, value in seconds.items():
            force_setattr(self._times, name, value)
        yield
        for name, value in before.items():
            force_setattr(self._times, name, value)

    def close(self) -> None:
        self._opener.close()
