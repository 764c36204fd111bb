"""A round in progress: the dealer answers steps, players decide, decided wagers are taken and paid."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Final, Protocol

from feltworks.cards import Card
from feltworks.dealing.shoes import CardSource, Commitment, CommittedSource, Reveal
from feltworks.errors import NotNow, WagerRefused, one_of
from feltworks.money import Cents, dollars
from feltworks.rules.advance import advance, peek_answer
from feltworks.rules.game import Game
from feltworks.rules.pay_table import Rest, Share
from feltworks.rules.round import FACE_DOWN, Choice, Face, Place, Round
from feltworks.rules.steps import Chance, Decide, Discard, Draw, Peek, Step, Turn
from feltworks.rules.wager import Line
from feltworks.table.events import (
    ChoiceMade,
    LineSettled,
    OpeningSeat,
    RoundClosed,
    RoundOpened,
    chance_event,
)
from feltworks.table.log import Log
from feltworks.table.seating import House, Player, opening_total

Vault = Callable[[Commitment, str], object]


class DealerProtocol(Protocol):
    """The methods that a table needs of its dealer."""

    def begin_round(self) -> Commitment:
        """Shuffle where that is due, and return the commitment to the shoe."""

    def answer(self, step: Chance) -> tuple[Face, ...]:
        """The cards that answer a chance step."""

    def end_round(self) -> Reveal | None:
        """End the round; returns the seed if its shoe is finished."""


class Dealer:
    """Deals from a card source, and alone knows the cards that lie face down.

    The vault stores the seed before the first card, so that an interrupted round can be resumed.
    """

    def __init__(self, source: CardSource, *, vault: Vault | None = None) -> None:
        self._source = source
        self._vault = vault
        self._faces: dict[Place, tuple[Card, ...]] = {}
        self._restored: Commitment | None = None

    def begin_round(self) -> Commitment:
        self._faces = {}
        if (restored := self._restored) is not None:
            self._restored = None
            return restored
        commitment = self._source.begin_round()
        if self._vault is not None:
            self._vault(commitment, self._source.secret)
        return commitment

    def announce(self) -> Commitment | None:
        """The commitment to the next round's shoe; None if the source has no seed."""
        return self._source.announce() if isinstance(self._source, CommittedSource) else None

    def cut(self, cuts: Sequence[str]) -> None:
        """Mix the players' cuts into the next shoe."""
        if isinstance(self._source, CommittedSource):
            self._source.cut(cuts)

    def restore(self, seed: bytes, commitment: Commitment) -> None:
        """Return the source to the first card of an interrupted round, which begins next."""
        self._source.restore(seed, commitment, 0)
        self._restored = commitment

    def answer(self, step: Chance) -> tuple[Face, ...]:
        faces = self._faces
        if type(step) is Draw:
            place, dealt = step.to, self._source.deal(step.count)
            faces[place] = faces[place] + dealt if place in faces else dealt
            return (FACE_DOWN,) * step.count if step.down else dealt
        if type(step) is Turn:
            return faces[step.at][step.index : step.index + step.count]
        assert type(step) is Peek
        return peek_answer(step, faces[step.at][step.index])

    def end_round(self) -> Reveal | None:
        return self._source.end_round()


def settlement_order(lines: Iterable[Line]) -> list[Line]:
    """FB.18, SP.23, LL.5: from the dealer's right; at each seat losers, then pushes, then winners."""
    return sorted(lines, key=lambda line: (-line.seat, (line.net > 0) - (line.net < 0)))


def drop_boxes(game: Game) -> dict[str, str]:
    """SP.15: the wagers whose losses go into a separate drop box, and the meter that the box feeds."""
    return {
        name: pay.meter for name, pays in game.pays.items() for pay in pays.values() if isinstance(pay, Share | Rest)
    }


def settlement_event(line: Line, *, box: str, keeps_stake: bool) -> LineSettled:
    """The event of a settled line: what is taken, paid and returned."""
    award, net = line.award, line.net
    if award is None:
        taken, paid, meter = (0, net, "") if net > 0 else (-net, 0, "")
    else:
        taken, paid = line.wagered if keeps_stake else 0, award.cents
        meter = award.source if paid and award.source != "tray" else ""
    return LineSettled(
        line.seat,
        line.wager,
        line.outcome,
        line.clauses[0],
        taken,
        paid,
        line.wagered - taken,
        line.part,
        line.toke,
        box if taken else "",
        meter,
    )


def move_money(event: LineSettled, house: House, player: Player) -> None:
    """Move the money of a settled line; winnings and returns of a toke go to the dealers (LB.10)."""
    if event.box:
        house.boxes[event.box] = house.boxes.get(event.box, 0) + event.taken
    else:
        house.tray += event.taken
    if event.meter:
        house.meters[event.meter] -= event.paid  # SP.16: a win lowers the posted amount immediately
    else:
        house.tray -= event.paid
    if event.toke:
        house.tokes += event.paid + event.returned
    else:
        player.stack += event.paid + event.returned


_key = attrgetter("seat", "wager", "part", "toke")  # identifies a line


class LiveRound:
    """One round from its first card to its last payment. Every event is logged before it takes effect."""

    def __init__(
        self,
        game: Game,
        opened: RoundOpened,
        round_: Round,
        players: Sequence[Player],
        *,
        dealer: DealerProtocol,
        house: House,
        boxes: Mapping[str, str],
        log: Log,
    ) -> None:
        self.game: Final = game
        self.opened: Final = opened
        self.round = round_
        self.decisions: tuple[Decide, ...] = ()  # the open decisions, to be answered in any order
        self.lines: list[Line] = []  # taken and paid so far, in order
        self.is_over = False
        self._players = players  # by seat
        self._dealer, self._house, self._boxes, self._log = dealer, house, boxes, log
        self._last: Step | None = None  # the step answered last
        self._discards: dict[int, Discard] = {}

    @property
    def seats(self) -> tuple[OpeningSeat, ...]:
        return self.opened.seats

    @property
    def on_felt(self) -> Cents:
        """The money on unsettled wagers."""
        return sum(map(opening_total, self.round.seats)) - sum(line.wagered for line in self.lines)

    def proceed(self) -> None:
        """Follow the procedure until a decision is open or the round is over."""
        procedure = self.game.procedure
        steps = procedure(self.round)
        step = next(steps, None)
        while type(step) is Draw or type(step) is Turn or type(step) is Peek:
            self._deal(step)
            step = next(steps, None)
            if step is None or type(step) is Decide:
                steps = procedure(self.round)  # continue from the new felt
                step = next(steps, None)
        self._take_and_pay()
        if type(step) is Decide:
            self.decisions = (step, *_further_decisions(steps))
        else:
            self._log.end_round(RoundClosed(self._dealer.end_round()))
            self.is_over = True

    def _deal(self, step: Chance) -> None:
        if type(step) is not Draw and (type(step) is Peek or _may_decide(self._last)):
            self._take_and_pay()
        answer = self._dealer.answer(step)
        after = advance(self.round, step, answer)
        self._log.write(chance_event(step, answer))
        self._apply(after, step)

    def choose(self, spot: int, name: str, cents: Cents | None, about: str | None) -> None:
        """Answer the decision of a spot, and continue the round."""
        step = self._find_decision(spot, name, about)
        after = advance(self.round, step, Choice(name, cents, about or ""))
        choice, player = after.seats[step.seat].choices[-1], self._players[step.seat]
        price = choice.cents or 0
        if price > player.stack:
            wager = next(offer.wager for offer in step.offers if offer.name == name)
            raise WagerRefused(wager, price, f"the stack holds {dollars(player.stack)}")
        self._log.write(ChoiceMade(step.seat, choice.name, price, choice.about))
        player.stack -= price
        self.decisions = ()
        self._apply(after, step)
        self.proceed()

    def _find_decision(self, spot: int, name: str, about: str | None) -> Decide:
        """The open decision of a spot that this choice answers."""
        seats = self.opened.seats
        decisions = [d for d in self.decisions if seats[d.seat].spot == spot and about in (None, d.about)]
        for step in decisions:
            for offer in step.offers:
                if offer.name == name:
                    return step
        if decisions:
            return decisions[0]
        deciding = [seats[step.seat].spot for step in self.decisions]
        if spot in deciding:
            raise NotNow(f"spot {spot} has nothing to decide on {about} now")
        waiting = one_of(f"spot {other}" for other in deciding)
        raise NotNow(f"spot {spot} has nothing to decide now; {waiting} has")

    def _apply(self, after: Round, step: Step) -> None:
        previous, self.round, self._last = self.round, after, step
        for gesture in self.game.gestures(previous, after, step):
            if type(gesture) is Discard:
                self._discards[gesture.seat] = gesture  # SP.23: once the hand is settled
            else:
                self._log.write(gesture)

    def _take_and_pay(self) -> None:
        """Settle decided wagers hand by hand; rack the cards of a hand before the next hand (SP.23)."""
        lines = self.game.settle(self.round)
        if len(lines) > len(self.lines):
            fresh = settlement_order(self._fresh(lines) if self.lines else lines)
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
        event = settlement_event(line, box=self._boxes.get(name, ""), keeps_stake=self.game.wagers[name].keeps_stake)
        self._log.write(event)
        move_money(event, self._house, self._players[line.seat])
        self.lines.append(line)

    def _discard(self, number: int) -> None:
        if number in self._discards:
            self._log.write(self._discards.pop(number))


def _may_decide(last: Step | None) -> bool:
    """Whether a wager can be decided before the next card is turned.

    A card dealt face down decides nothing, and hands turned in succession are settled together.
    """
    return not (type(last) is Turn or (type(last) is Draw and last.down))


def _further_decisions(steps: Iterator[Step]) -> Iterator[Decide]:
    """The decisions that are open together with the first one."""
    for step in steps:
        if not isinstance(step, Decide):
            return
        yield step
