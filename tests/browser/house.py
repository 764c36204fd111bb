"""The house that browsers come to: its address, and tables dealt from the cards a test lays."""

from typing import Any

from feltworks.cards import cards
from feltworks.dealing.shoes import CardSource, Commitment, source_for
from feltworks.rules.terms import Terms
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


class House:
    """A server, and somebody there who opens tables."""

    def __init__(self, address: str, laying: Laying) -> None:
        self.address = address
        self._laying = laying
        self._opener = Visitor(address, "Opener")

    def opens(self, game: str, *rounds: str, **order: Any) -> str:
        """A new table with the cards of its first rounds, or a shuffled one; the address of its page."""
        self._laying.laid = rounds
        return f"/table/{self._opener.opens(game, **order)}"

    def close(self) -> None:
        self._opener.close()
