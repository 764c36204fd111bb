"""What the dealer's hands did in the round in sight: what is tucked where, burned, or in the rack."""

from msgspec import Struct

from feltworks.rules.round import Place
from feltworks.rules.steps import Burn, Discard, Tuck
from feltworks.table.events import Event, RoundOpened


class Gestures(Struct):
    """By seat: the wager its cards are tucked under, the cards burned, and whose cards are gone."""

    tucked: dict[Place, str] = {}
    burned: dict[Place, list[int]] = {}
    discarded: set[Place] = set()

    def take_in(self, event: Event) -> None:
        """Add a gesture; a new round begins with an empty felt."""
        if isinstance(event, RoundOpened):
            self.tucked, self.burned, self.discarded = {}, {}, set()
        elif isinstance(event, Tuck):
            self.tucked[event.seat] = event.under
        elif isinstance(event, Burn):
            self.burned.setdefault(event.at, []).append(event.index)
        elif isinstance(event, Discard):
            self.discarded.add(event.seat)
