"""A player's own results at a table, beside what the exact figures lead one to expect."""

from collections.abc import Mapping
from math import sqrt
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from feltworks.money import Cents

if TYPE_CHECKING:
    from feltworks.table.table import Table


class Session(Struct):
    """Rounds played and money won since sitting down; by wager, so that it can be set beside its edge."""

    rounds: int = 0
    net: Cents = 0
    opened: dict[str, list[Cents]] = {}  # by wager: how often, how much, and the squares' sum
    history: list[Cents] = []

    def count(self, table: "Table", player: str) -> None:
        """Add the round that has just ended."""
        own = {number for number, seat in enumerate(table.seats) if seat.player == player}
        lines = [line for line in table.lines if line.seat in own and not line.toke]
        if not lines:
            return
        self.rounds += 1
        self.net += sum(line.net for line in lines)
        self.history.append(self.net)
        del self.history[:-400]
        for number in own:
            for wager, cents in table.seats[number].wagers.items():
                row = self.opened.setdefault(wager, [0, 0, 0])
                row[0], row[1], row[2] = row[0] + 1, row[1] + cents, row[2] + cents * cents

    def shown(self, edges: Mapping[str, tuple[float, float]]) -> dict[str, Any]:
        """The results, with expectation and spread where house edge and deviation of all wagers are known."""
        told: dict[str, Any] = {"rounds": self.rounds, "net": self.net, "history": self.history}
        if self.rounds and self.opened.keys() <= edges.keys():
            told["expected"] = round(-sum(row[1] * edges[name][0] for name, row in self.opened.items()))
            spread = sum(row[2] * edges[name][1] ** 2 for name, row in self.opened.items())
            told["deviation"] = round(sqrt(spread))
        return told
