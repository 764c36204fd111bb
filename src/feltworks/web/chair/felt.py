"""The felt as far as the trainee has dealt it: every event taken in when it was done, and not before."""

from collections.abc import Sequence
from typing import Any, Final

from feltworks.cards import cards
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.round import FACE_DOWN, Back, Choice, Face, Place, Round, Seat
from feltworks.rules.steps import Burn, Chance, Decide, Discard, Draw, Peek, Say, Step, Tuck
from feltworks.table.events import (
    CardPeeked,
    CardsDealt,
    CardsTurned,
    ChoiceMade,
    Event,
    LineSettled,
    RoundClosed,
    RoundOpened,
)


class Felt:
    """One round, a step at a time. What the cards will be is known to the table, not here."""

    def __init__(self, game: Game[Any], opened: RoundOpened) -> None:
        self.game: Final = game
        self.number: Final = opened.round
        seats = tuple(Seat(dict(seat.wagers), tokes=dict(seat.tokes)) for seat in opened.seats)
        self.round = Round(seats, meters=dict(opened.house.meters))
        had = {each.player: each.stack for each in opened.players}
        self.stacks = [had[seat.player] for seat in opened.seats]  # as far as money has moved
        self.says: str | None = None
        self.tucked: dict[int, str] = {}
        self.burned: dict[Place, list[int]] = {}
        self.cleared: set[int] = set()
        self.settled: list[LineSettled] = []
        self.is_over = False

    def take_in(self, event: Event) -> None:
        """Something was done."""
        match event:
            case CardsDealt() | CardsTurned() | CardPeeked():
                step = self._awaited()
                self.round = advance(self.round, step, _answer(step, event))
            case ChoiceMade():
                self.round = advance(
                    self.round, self._asked(event), Choice(event.name, event.cents, event.about)
                )
                self.stacks[event.seat] -= event.cents
            case Say():
                self.says = event.words
            case Tuck():
                self.tucked[event.seat] = event.under
            case Burn():
                self.burned.setdefault(event.at, []).append(event.index)
            case Discard():
                self.cleared.add(event.seat)
            case LineSettled():
                self.settled.append(event)
                self.stacks[event.seat] += event.paid + event.returned
            case RoundClosed():
                self.is_over = True

    def _awaited(self) -> Chance:
        step: Step | None = self.game.awaits(self.round)
        assert step is not None
        assert not isinstance(step, Decide)
        return step

    def _asked(self, event: ChoiceMade) -> Decide:
        open_now: Sequence[Decide] = self.game.open_decisions(self.round)
        return next(step for step in open_now if (step.seat, step.about) == (event.seat, event.about))


def _answer(step: Chance, event: CardsDealt | CardsTurned | CardPeeked) -> tuple[Face, ...]:
    if isinstance(event, CardPeeked):
        assert isinstance(step, Peek)
        return cards([event.face]) if event.face else (Back(barring=step.wanted),)
    if isinstance(step, Draw) and step.down:
        return (FACE_DOWN,) * step.count
    return cards(event.faces)
