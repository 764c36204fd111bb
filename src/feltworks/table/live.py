"""A round in progress: what the procedure awaits is dealt or asked, what is decided is taken and paid."""

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final

from feltworks.errors import NotNow, WagerRefused, one_of
from feltworks.money import Cents, dollars
from feltworks.rules.advance import advance
from feltworks.rules.game import Game
from feltworks.rules.round import Choice, Round
from feltworks.rules.steps import Chance, Decide, Discard, Draw, Peek, Step, Turn
from feltworks.rules.wager import Line
from feltworks.table.dealer import Dealing
from feltworks.table.events import Chosen, Closed, Opened, SeatOpened, shown
from feltworks.table.house import House
from feltworks.table.log import Log
from feltworks.table.seating import Player, opening_total
from feltworks.table.take_and_pay import in_order, move, settled

_key = attrgetter("seat", "wager", "part", "toke")  # which line it is


class LiveRound:
    """One round from its first card to its last payment. Every event is logged before it takes effect."""

    def __init__(
        self,
        game: Game[Any],
        opened: Opened,
        round_: Round,
        players: Sequence[Player],
        *,
        dealer: Dealing,
        house: House,
        boxes: Mapping[str, str],
        log: Log,
    ) -> None:
        self.game: Final = game
        self.opened: Final = opened
        self.round = round_
        self.decisions: tuple[Decide, ...] = ()  # what stands open now, to be answered in any order
        self.lines: list[Line] = []  # taken and paid so far, in that order
        self.is_over = False
        self._players = players  # by seat
        self._dealer, self._house, self._boxes, self._log = dealer, house, boxes, log
        self._last: Step | None = None  # the step answered last
        self._discards: dict[int, Discard] = {}

    @property
    def seats(self) -> tuple[SeatOpened, ...]:
        return self.opened.seats

    @property
    def on_felt(self) -> Cents:
        """The money lying on wagers that are not settled."""
        return sum(map(opening_total, self.round.seats)) - sum(line.wagered for line in self.lines)

    def proceed(self) -> None:
        """Do what the procedure awaits until a decision is open or the round is over."""
        procedure = self.game.procedure
        steps = procedure(self.round)
        step = next(steps, None)
        while type(step) is Draw or type(step) is Turn or type(step) is Peek:
            self._deal(step)
            step = next(steps, None)
            if step is None or type(step) is Decide:
                steps = procedure(self.round)  # read the felt again
                step = next(steps, None)
        self._take_and_pay()
        if type(step) is Decide:
            self.decisions = (step, *_together(steps))
        else:
            self._log.end_round(Closed(self._dealer.end_round()))
            self.is_over = True

    def _deal(self, step: Chance) -> None:
        if type(step) is not Draw and (type(step) is Peek or _may_decide(self._last)):
            self._take_and_pay()
        answer = self._dealer.answer(step)
        after = advance(self.round, step, answer)
        self._log.write(shown(step, answer))
        self._go_on(after, step)

    def choose(self, spot: int, name: str, cents: Cents | None, about: str | None) -> None:
        """Answer the decision of a spot, and go on."""
        step = self._asked(spot, name, about)
        after = advance(self.round, step, Choice(name, cents, about or ""))
        choice, player = after.seats[step.seat].choices[-1], self._players[step.seat]
        price = choice.cents or 0
        if price > player.stack:
            wager = next(offer.wager for offer in step.offers if offer.name == name)
            raise WagerRefused(wager, price, f"the stack holds {dollars(player.stack)}")
        self._log.write(Chosen(step.seat, choice.name, price, choice.about))
        player.stack -= price
        self.decisions = ()
        self._go_on(after, step)
        self.proceed()

    def _asked(self, spot: int, name: str, about: str | None) -> Decide:
        """The open decision of a spot that this answer is for."""
        seats = self.opened.seats
        asked = [d for d in self.decisions if seats[d.seat].spot == spot and about in (None, d.about)]
        for step in asked:
            for offer in step.offers:
                if offer.name == name:
                    return step
        if asked:
            return asked[0]
        waiting = one_of(f"spot {seats[step.seat].spot}" for step in self.decisions)
        raise NotNow(f"spot {spot} has nothing to decide now; {waiting} has")

    def _go_on(self, after: Round, step: Step) -> None:
        before, self.round, self._last = self.round, after, step
        for gesture in self.game.gestures(before, after, step):
            if type(gesture) is Discard:
                self._discards[gesture.seat] = gesture  # SP.23: once the hand is settled
            else:
                self._log.write(gesture)

    def _take_and_pay(self) -> None:
        """Settle what is decided, hand by hand; a hand's cards are racked before the next hand (SP.23)."""
        lines = self.game.settle(self.round)
        if len(lines) > len(self.lines):
            fresh = in_order(self._fresh(lines) if self.lines else lines)
            hand = fresh[0].seat
            for line in fresh:
                if line.seat != hand:
                    self._discard(hand)
                    hand = line.seat
                self._settle(line)
            self._discard(hand)
        if self._discards:
            for number in tuple(self._discards):
                self._discard(number)

    def _fresh(self, lines: Sequence[Line]) -> list[Line]:
        known = set(map(_key, self.lines))
        return [line for line in lines if _key(line) not in known]

    def _settle(self, line: Line) -> None:
        name = line.wager
        event = settled(line, box=self._boxes.get(name, ""), keeps_stake=self.game.wagers[name].keeps_stake)
        self._log.write(event)
        move(event, self._house, self._players[line.seat])
        self.lines.append(line)

    def _discard(self, number: int) -> None:
        if number in self._discards:
            self._log.write(self._discards.pop(number))


def _may_decide(last: Step | None) -> bool:
    """Whether a wager can have been decided before the next card is turned.

    A card laid face down decides nothing, and hands turned one after another are settled when all lie open.
    """
    return not (type(last) is Turn or (type(last) is Draw and last.down))


def _together(steps: Iterator[Step]) -> Iterator[Decide]:
    """The decisions that stand open beside the first one."""
    for step in steps:
        if not isinstance(step, Decide):
            return
        yield step
