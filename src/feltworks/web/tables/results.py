"""After a round: each player's results beside the expected ones, and the proof that the deal was fair."""

from collections.abc import Mapping
from math import sqrt
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from feltworks.dealing.seed import verify
from feltworks.dealing.shoes import Commitment
from feltworks.errors import FeltError
from feltworks.money import Cents
from feltworks.table.events import Event, RoundClosed, RoundVoided
from feltworks.web.tables.messages import ResultsView

if TYPE_CHECKING:
    from feltworks.table.table import Table

MOST_HISTORY = 400  # rounds
Edges = Mapping[str, tuple[float, float]]  # house edge and standard deviation of each wager, where known


class PlayerResults(Struct):
    """A player's rounds and money since sitting down; by wager, so that the edges give the expectation."""

    rounds: int = 0
    net: Cents = 0
    opened: dict[str, list[Cents]] = {}  # by wager: how often, the sum, and the sum of the squares
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
        del self.history[:-MOST_HISTORY]
        for number in own:
            for wager, cents in table.seats[number].wagers.items():
                row = self.opened.setdefault(wager, [0, 0, 0])
                row[0], row[1], row[2] = row[0] + 1, row[1] + cents, row[2] + cents * cents

    def view(self, edges: Edges) -> ResultsView:
        """The results, with expectation and spread where the edges of all wagers are known."""
        view = ResultsView(self.rounds, self.net, self.history)
        if not self.rounds or not self.opened.keys() <= edges.keys():
            return view
        expected = -sum(row[1] * edges[name][0] for name, row in self.opened.items())
        variance = sum(row[2] * edges[name][1] ** 2 for name, row in self.opened.items())
        return msgspec.structs.replace(view, expected=round(expected), deviation=round(sqrt(variance)))


class UsedShoe(Struct, frozen=True):
    """A shoe from which no more cards are dealt."""

    commitment: Commitment
    seed: str


class DealProof(Struct, frozen=True):
    """The commitment to the last round's shoe, its seed once revealed, and whether they match."""

    round: int
    commitment: Commitment
    seed: str | None
    verified: bool | None


class FairDeal:
    """What a visitor can check of the last round."""

    def __init__(self) -> None:
        self.seed: str | None = None
        self._abandoned: Commitment | None = None

    def begin(self) -> None:
        """Start a round: its seed is secret until the shoe is used up."""
        self.seed = None

    def add(self, event: Event) -> None:
        """Take the seed from the event that reveals it."""
        if isinstance(event, RoundClosed | RoundVoided) and event.reveal is not None:
            self.seed = event.reveal.seed

    def abandon(self, shoe: UsedShoe) -> None:
        """Reveal the shoe of before a restart: the next round is dealt from a new one."""
        self.seed, self._abandoned = shoe.seed, shoe.commitment

    def commitment(self, table: "Table") -> Commitment | None:
        """What the house committed to before the last round."""
        return table.commitment or self._abandoned

    def proof(self, table: "Table") -> DealProof:
        """The commitment, the seed where it is revealed, and whether they match."""
        commitment = self.commitment(table)
        if commitment is None:
            raise FeltError("no round has been dealt at this table yet")
        verified = None if self.seed is None else _matches(commitment, self.seed, table)
        return DealProof(table.rounds, commitment, self.seed, verified)


def _matches(commitment: Commitment, seed: str, table: "Table") -> bool:
    try:
        verify(commitment, seed, table.game.terms.shoe)
    except FeltError:
        return False
    return True
