"""The house's side of a table's money: the tray, the dealers' tokes, the drop boxes and the meters."""

from typing import Annotated

from msgspec import Meta, Struct

from feltworks.money import Cents

Posted = Annotated[int, Meta(ge=0)]


class House(Struct, forbid_unknown_fields=True):
    """Where money lies that is nobody's stack. The tray may fall below zero: it counts wins and losses."""

    tray: Cents = 0
    tokes: Cents = 0
    boxes: dict[str, Cents] = {}  # SP.15: losing progressive wagers, by the meter they belong to
    meters: dict[str, Posted] = {}  # SP.13: jackpots as posted

    @property
    def total(self) -> Cents:
        return self.tray + self.tokes + sum(self.boxes.values()) + sum(self.meters.values())

    def counted(self) -> "House":
        """The same amounts, apart from what happens later."""
        return House(self.tray, self.tokes, dict(self.boxes), dict(self.meters))
