"""The fair deal of a table: what the house committed to, and the seed once nothing more is dealt from it."""

from typing import Any

from msgspec import Struct

from feltworks.dealing.seed import verify
from feltworks.dealing.shoes import Commitment
from feltworks.errors import FeltError
from feltworks.table.events import Event, RoundClosed, RoundVoided
from feltworks.table.table import Table


class Spent(Struct, frozen=True):
    """A shoe that nothing is dealt from any more."""

    commitment: Commitment
    seed: str


class FairDeal:
    """What a visitor may check of the last round."""

    def __init__(self) -> None:
        self.seed: str | None = None
        self._abandoned: Commitment | None = None

    def begin(self) -> None:
        """A round is dealt: its seed is a secret until the shoe is over."""
        self.seed = None

    def take_in(self, event: Event) -> None:
        if isinstance(event, RoundClosed | RoundVoided) and event.reveal is not None:
            self.seed = event.reveal.seed

    def abandon(self, shoe: Spent) -> None:
        """The server stopped between two rounds: the next one is dealt from a new shoe, so this one opens."""
        self.seed, self._abandoned = shoe.seed, shoe.commitment

    def commitment(self, table: Table) -> Commitment | None:
        """What the house committed to before the last round."""
        return table.commitment or self._abandoned

    def proof(self, table: Table) -> dict[str, Any]:
        """The commitment, the seed where it is revealed, and whether one gives the other."""
        commitment = self.commitment(table)
        if commitment is None:
            raise FeltError("no round has been dealt at this table yet")
        verified = None if self.seed is None else _fits(commitment, self.seed, table)
        return {"round": table.rounds, "commitment": commitment, "seed": self.seed, "verified": verified}


def _fits(commitment: Commitment, seed: str, table: Table) -> bool:
    try:
        verify(commitment, seed, table.game.terms.shoe)
    except FeltError:
        return False
    return True
