"""What one player may see of a round: follows the table's log event by event."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from feltworks.cards import cards
from feltworks.dealing.shoes import Reveal
from feltworks.rules.round import BOARD, DEALER, FACE_DOWN, Face, Place, Round
from feltworks.rules.steps import Burn, Say
from feltworks.table.events import (
    CardPeeked,
    CardsDealt,
    CardsTurned,
    ChoiceMade,
    Event,
    RoundClosed,
    RoundVoided,
)
from feltworks.table.log import decode_line
from feltworks.table.table import Table


class Moment(Struct, frozen=True):
    """An event, and the felt right after it."""

    event: Event
    round: Round
    is_opening: bool  # nobody has decided anything yet


class Witness:
    """One player's view of the round so far."""

    def __init__(self, table: Table, player: str) -> None:
        self.table: Final = table
        self.player: Final = player
        self.begin_round()

    def begin_round(self) -> None:
        """Start from an empty felt."""
        self._cards: dict[Place, tuple[Face, ...]] = {}
        self._decided = False
        self.burned: set[tuple[Place, int]] = set()
        self.announced: Say | None = None
        self.events: list[Event] = []
        self.reveal: Reveal | None = None

    @property
    def own(self) -> tuple[int, ...]:
        """The player's seats in the round."""
        return tuple(number for number, seat in enumerate(self.table.seats) if seat.player == self.player)

    @property
    def cards_drawn(self) -> int:
        """How many cards have left the shoe in this round."""
        return sum(len(event.faces) + event.backs for event in self.events if isinstance(event, CardsDealt))

    def catch_up(self) -> Iterator[Moment]:
        """The events since the last call, one at a time."""
        after = self.table.view(self.player).round
        if after is None:
            return
        lines = self.table.log.lines
        while len(self.events) < len(lines):
            event = decode_line(lines[len(self.events)], len(self.events) + 1).event
            self.events.append(event)
            self._note(event, after)
            yield Moment(event, self._frame(after), not self._decided)
        for place in (*range(len(after.seats)), DEALER, BOARD):
            self._cards[place] = after.at(place)  # hands that are shown only now

    def _note(self, event: Event, after: Round) -> None:
        if isinstance(event, CardsDealt):
            self._lay(event, after)
        elif isinstance(event, CardsTurned | CardPeeked):
            self._turn(event)
        elif isinstance(event, ChoiceMade):
            self._decided = True
        elif isinstance(event, Say):
            self.announced = event
        elif isinstance(event, Burn):
            self.burned.add((event.at, event.index))
        elif isinstance(event, RoundClosed | RoundVoided):
            self.reveal = event.reveal

    def _lay(self, event: CardsDealt, after: Round) -> None:
        before = self._cards.get(event.to, ())
        count = event.backs or len(event.faces)
        if event.to >= 0 and event.to not in self.own:
            laid = after.at(event.to)[len(before) : len(before) + count]  # as this player may see them
        else:
            laid = (FACE_DOWN,) * event.backs or cards(event.faces)
        self._cards[event.to] = before + laid

    def _turn(self, event: CardsTurned | CardPeeked) -> None:
        codes = event.faces if isinstance(event, CardsTurned) else (event.face,) if event.face else ()
        before = self._cards.get(event.at, ())
        turned = cards(codes)
        self._cards[event.at] = before[: event.index] + turned + before[event.index + len(turned) :]

    def _frame(self, after: Round) -> Round:
        seats = [replace(seat, cards=self._cards.get(n, ())) for n, seat in enumerate(after.seats)]
        dealer, board = self._cards.get(DEALER, ()), self._cards.get(BOARD, ())
        return Round(tuple(seats), dealer, board, after.meters)
