"""A table that the program itself runs, with its log."""

from typing import Any

from feltworks import catalog
from feltworks.dealing.shoes import source_for
from feltworks.table.live import Dealer
from feltworks.table.log import Log
from feltworks.table.table import Table


class Dealt:
    """One player, a shoe, and every line of the log; a shoe with a seed is a test."""

    def __init__(self, *, name: str = "fu-bacc", seed: int | None = None, **choices: Any) -> None:
        self.lines: list[bytes] = []
        game = catalog.game(name, **choices)
        self.table = Table(game, Dealer(source_for(game.terms, seed=seed)), log=Log(self.lines.append))
        self.table.sit("ann", 1, stack=100_000)

    def play(self, **wagers: int) -> None:
        self.table.wager("ann", 1, {name.replace("_", "-"): cents for name, cents in wagers.items()})
        self.table.deal()
        if self.table.is_running:
            self.table.choose("ann", 1, "fold")
