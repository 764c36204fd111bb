"""A practice table: the trainee deals, simulated players play, and what is not by the rules is refused."""

import datetime
from collections.abc import Iterator
from random import Random
from typing import Any, Final

from msgspec import Struct

from feltworks.dealing.shoes import source_for
from feltworks.errors import NotNow
from feltworks.rules.game import Game
from feltworks.rules.pay_table import meters_of
from feltworks.rules.steps import Burn, Discard, Say, Tuck
from feltworks.rules.wager import Line
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
from feltworks.table.limits import PostedLimits, WagerLimit
from feltworks.table.live import Dealer
from feltworks.table.seating import House
from feltworks.table.table import Table
from feltworks.web.chair import citing, moves
from feltworks.web.chair.expected import Expected, differs, in_words
from feltworks.web.chair.felt import Felt
from feltworks.web.chair.players import decided, name_of, put_wagers_down, seat_players
from feltworks.web.chair.script import Script
from feltworks.web.order import NewTable, checked, game_of, limits_of

_TOLD_AFTER: Final = 2  # wrong moves at one step before it is told
_MOST_MISTAKES: Final = 50
CHIP: Final = 1_00


class Mistake(Struct, frozen=True):
    """A move that was refused: what was wrong with it, and the clause that it broke."""

    round: int
    says: str
    clause: str
    because: str = ""
    expected: str = ""  # told once it was missed again


class Score(Struct):
    """How well the trainee deals."""

    steps: int = 0
    right_at_once: int = 0
    payouts: int = 0
    payouts_right_at_once: int = 0
    rounds: int = 0
    hints: int = 0
    mistakes: list[Mistake] = []


class Practice:
    """One trainee's table. Nothing here waits; a refused move changes nothing but the score."""

    def __init__(self, game: str, seats: int, *, guided: bool, seed: int | None = None) -> None:
        found = checked(NewTable(game, seats=None, practice=True), datetime.date.today())
        self.game: Final[Game[Any]] = game_of(found)
        self.limits: Final = limits_of(found)
        self.guided: Final = guided
        self.score: Final = Score()
        self.number = 0  # of the state; a move names the one it was made at
        self.wrong: Mistake | None = None  # the last move, if it was refused
        self.hint = ""
        self.fresh: list[Event] = []  # what was done since the trainee was told last
        self._mind: Final = Random(seed)
        self._misses = 0  # at the step awaited now
        self.script: Final = Script()
        self.table: Final = self._set_up(seed)
        seat_players(self.table, min(seats, self.table.seating.spots))
        self.felt = self._begin()

    def _set_up(self, seed: int | None) -> Table:
        terms = self.game.terms
        posted = {name: WagerLimit(least, most) for name, (least, most) in self.limits.items()}
        pays = [pay for name in terms.offers for pay in self.game.pays[name].values()]
        return Table(
            self.game,
            Dealer(source_for(terms, seed=seed)),
            limits=PostedLimits(terms, posted, chip=CHIP),
            house=House(meters=dict.fromkeys(meters_of(pays), 5_000_00)),
            log=self.script,
        )

    def _begin(self) -> Felt:
        """Wagers lie on the felt, and the trainee closes the wagering."""
        self.script.events.clear()
        put_wagers_down(self.table, self._mind)
        self.table.deal()
        opened = self.script.events.pop(0)
        assert isinstance(opened, RoundOpened)
        return Felt(self.game, opened)

    @property
    def expected(self) -> list[Expected]:
        """Every step that is right now; nothing once the round is over."""
        if self.script.events:
            return [self._step(self.script.events[index]) for index in self.script.open_to_do()]
        return [
            Expected(step, in_words(self.game, step), citing.asked_by(self.game, step))
            for step in self.table.decisions
        ]

    def _step(self, event: Event) -> Expected:
        assert isinstance(
            event, CardsDealt | CardsTurned | CardPeeked | Say | Tuck | Burn | Discard | LineSettled
        )
        words = in_words(self.game, event)
        if isinstance(event, CardsDealt | CardsTurned | CardPeeked):
            return Expected(event, words, citing.dealt_by(self.game, self.felt.round, event))
        if isinstance(event, LineSettled):
            line = self.line_of(event)
            return Expected(event, words, event.clause, line.reason, line)
        clause = citing.said_by(self.game, event.clause) if isinstance(event, Say) else event.clause
        return Expected(event, words, clause)

    def line_of(self, event: LineSettled) -> Line:
        """The settled line behind an event."""
        key = (event.seat, event.wager, event.part, event.toke)
        return next(e for e in self.table.lines if (e.seat, e.wager, e.part, e.toke) == key)

    def do(self, number: int, move: moves.Asked) -> None:
        """Carry a move out, or refuse it and say which clause it breaks."""
        self._check(number, move)
        self.number += 1
        self.wrong, self.hint, self.fresh = None, "", []
        if self.felt.is_over:
            self.felt = self._begin()
        elif isinstance(move, moves.Hint):
            self.score.hints += 1
            self._misses += 1
            self.hint = self.expected[0].words
        elif isinstance(move, moves.Next):
            self._done(0)
        else:
            self._judge(move)

    def _check(self, number: int, move: moves.Asked) -> None:
        """Refuse what cannot be meant for the table as it stands."""
        if number != self.number:
            raise NotNow("the table has gone on since; look at it as it stands now")
        goes_on = isinstance(move, moves.Next)
        if self.felt.is_over and not goes_on:
            raise NotNow("the round is over; begin the next one")
        if goes_on and not (self.felt.is_over or self.guided):
            raise NotNow("in training every step is the dealer’s own; choose one, or ask for a hint")

    def _judge(self, move: moves.Dealing) -> None:
        right = self.expected
        troubles = [differs(self.game, each, move) for each in right]
        if "" in troubles:
            self._done(troubles.index(""))
            return
        nearest = _nearest(right, move)
        self._misses += 1
        told = right[nearest].words if self._misses >= _TOLD_AFTER else ""
        says = troubles[nearest][:1].upper() + troubles[nearest][1:]
        clause, because = right[nearest].clause, _told_why(right[nearest], move)
        self.wrong = Mistake(self.felt.number, says, clause, because, told)
        self.score.mistakes.append(self.wrong)
        del self.score.mistakes[:-_MOST_MISTAKES]

    def _done(self, index: int) -> None:
        """The step is done; what happens of itself follows."""
        settles = bool(self.script.events) and isinstance(self.script.events[index], LineSettled)
        self._count(settles=settles)
        if self.script.events:
            self._take_in(self.script.events.pop(index))
        else:
            self._ask(index)
        for event in self._of_themselves():
            self._take_in(event)

    def _ask(self, index: int) -> None:
        """The player decides; everything that follows from it is the dealer's to do."""
        step = self.table.decisions[index]
        assert self.table.round is not None
        choice = decided(self.game, self.table.round, step, self._mind)
        spot = self.table.seats[step.seat].spot
        self.table.choose(name_of(spot), spot, choice.name, choice.cents, step.about)

    def _of_themselves(self) -> Iterator[Event]:
        """A choice is the player's, and a round ends when all is done."""
        while self.script.events and isinstance(self.script.events[0], ChoiceMade | RoundClosed):
            yield self.script.events.pop(0)

    def _take_in(self, event: Event) -> None:
        self.felt.take_in(event)
        self.fresh.append(event)
        if isinstance(event, RoundClosed):
            self.score.rounds += 1

    def _count(self, *, settles: bool) -> None:
        at_once = self._misses == 0 and not self.guided
        self.score.steps += 1
        self.score.right_at_once += at_once
        self.score.payouts += settles
        self.score.payouts_right_at_once += settles and at_once
        self._misses = 0


def _nearest(right: list[Expected], move: moves.Dealing) -> int:
    """The awaited step that a wrong move was most likely meant for."""
    return next((index for index, each in enumerate(right) if _is_meant(each, move)), 0)


def _told_why(expected: Expected, move: moves.Dealing) -> str:
    """Why the wager comes out as it does, once the trainee has the right one in hand."""
    return expected.because if _is_meant(expected, move) else ""


def _is_meant(expected: Expected, move: moves.Dealing) -> bool:
    awaited = expected.awaited
    if not isinstance(awaited, LineSettled) or not isinstance(move, moves.Take | moves.Pay | moves.Leave):
        return False
    return (awaited.seat + 1, awaited.wager) == (move.seat, move.wager)
