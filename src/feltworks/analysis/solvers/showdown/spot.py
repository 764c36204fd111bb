"""One spot of a showdown game, dealt, played and settled through the grammar for any two hands."""

from collections.abc import Hashable, Mapping
from fractions import Fraction
from typing import Any

from msgspec import Struct

from feltworks.analysis.referee import exact_net
from feltworks.analysis.shape import ranking_of
from feltworks.analysis.solvers.showdown.hands import Hand
from feltworks.cards import Card
from feltworks.errors import FeltError
from feltworks.hands.poker import Ranking
from feltworks.money import Cents, Odds
from feltworks.rules.advance import Answer, advance
from feltworks.rules.game import Game
from feltworks.rules.pay_table import Pay
from feltworks.rules.round import DEALER, FACE_DOWN, Choice, Round, Seat
from feltworks.rules.steps import Decide, Draw, Step, Turn
from feltworks.rules.wager import Line

NOTHING_TO_DECIDE = Choice("")


class SettledLine(Struct, frozen=True):
    """One wager of a settled spot, in exact cents."""

    wager: str
    outcome: str
    net: Fraction
    wagered: Cents


Result = tuple[SettledLine, ...]


def reprice_line(settled: SettledLine, pays: Mapping[str, Pay]) -> SettledLine:
    """The same outcome under other pays; only odds can be exchanged."""
    pay = pays[settled.outcome]
    if not isinstance(pay, Odds):
        raise FeltError(f"the {settled.wager} wager is not paid at odds, so it is solved table by table")
    return SettledLine(settled.wager, settled.outcome, settled.wagered * pay.exact, settled.wagered)


class OpenRound(Struct, frozen=True):
    """A round as far as it goes without the dealer's hand, what it awaits, or its result if that is all."""

    round: Round
    step: Step | None
    result: Result | None


class NoShowdown(FeltError):
    """A game, or a wager of it, that is not one hand against the dealer's: another solver has to serve it."""


def ranking_for(game: Game[Any]) -> Ranking:
    """The ranking a game compares hands by; refused where it compares none."""
    if ranking := ranking_of(game):
        return ranking
    raise NoShowdown(f"{game.terms.rulebook.title} compares no poker hands, so it is no showdown")


class Spot:
    """One spot of a game, settled for given hands: the player's, the player's choice, the dealer's."""

    def __init__(self, game: Game[Any], wagers: Mapping[str, Cents], meters: Mapping[str, Cents]) -> None:
        self.game, self.size = game, ranking_for(game).size
        self.opened = Round((Seat(dict(wagers)),), meters=dict(meters))
        self._first = game.awaits(self.opened)
        self._begun: dict[tuple[Hand, Choice], OpenRound] = {}
        self._known: dict[Hashable, SettledLine] = {}

    def choices(self, hand: Hand, house: Hand) -> tuple[Choice, ...]:
        """What this hand may choose, the least money first."""
        r, step = self._deal(self.opened, self._first, hand, house)
        if not isinstance(step, Decide):
            return (NOTHING_TO_DECIDE,)
        ends = [Choice(offer.name, cents) for offer in step.offers for cents in {offer.least, offer.most}]
        return tuple(sorted(ends, key=lambda choice: _money_on(advance(r, step, choice))))

    def result(self, hand: Hand, choice: Choice, house: Hand) -> Result:
        """How every wager of the spot comes out."""
        begun = self._begun.get((hand, choice)) or self._begin(hand, choice)
        if begun.result is not None:
            return begun.result
        r, step = self._deal(begun.round, begun.step, hand, house, choice)
        if step is not None:
            raise self.no_showdown(f"it goes on with {step}")
        return self._settle(r)

    def is_decided(self, hand: Hand, choice: Choice) -> bool:
        """Whether the result does not depend on the dealer's hand."""
        return (self._begun.get((hand, choice)) or self._begin(hand, choice)).result is not None

    def _begin(self, hand: Hand, choice: Choice) -> "OpenRound":
        r, step = self._deal(self.opened, self._first, hand, None, choice)
        begun = OpenRound(r, step, None if step else self._settle(r))
        return self._begun.setdefault((hand, choice), begun)

    def _settle(self, r: Round) -> Result:
        return tuple([self._exact_line(line, r) for line in self.game.settle(r)])

    def _exact_line(self, line: Line, r: Round) -> SettledLine:
        """A line in exact cents; equal lines share one object, since they are often compared."""
        if line.award:
            return _exact(line, r)
        key = (line.wager, line.outcome, line.pay, line.wagered)
        return self._known.get(key) or self._known.setdefault(key, _exact(line, r))

    def up_cards(self, example: Hand) -> int:
        """How many of the dealer's cards lie open before the player decides."""
        r, step = self._deal(self.opened, self._first, example, example)
        if len(r.seats[0].cards) != self.size:
            raise self.no_showdown(f"a hand has {len(r.seats[0].cards)} cards and not {self.size}")
        seen = sum(isinstance(face, Card) for face in r.dealer) if step else 0
        if seen > 1:
            raise self.no_showdown(f"{seen} of the dealer's cards lie open before the decision")
        return seen

    def _deal(
        self, r: Round, step: Step | None, hand: Hand, house: Hand | None, choice: Choice | None = None
    ) -> tuple[Round, Step | None]:
        """A round that awaits a step, as far as these answers carry it, and the step it then awaits."""
        while step is not None and (answer := self._answer(r, step, hand, house, choice)) is not None:
            r = advance(r, step, answer)
            step = self.game.awaits(r)
        return r, step

    def _answer(
        self, r: Round, step: Step, hand: Hand, house: Hand | None, choice: Choice | None
    ) -> Answer | None:
        if isinstance(step, Decide):
            return None if r.seats[0].choices else choice
        if isinstance(step, Draw) and step.to == 0:
            begin = len(r.seats[0].cards)
            return hand[begin : begin + step.count]
        if isinstance(step, Draw) and step.to == DEALER and step.down:
            return (FACE_DOWN,) * step.count
        if isinstance(step, Draw) and step.to == DEALER:
            begin = len(r.dealer)
            return house and house[begin : begin + step.count]
        if isinstance(step, Turn) and step.at == DEALER:
            return house and house[step.index : step.index + step.count]
        raise self.no_showdown(f"it asks for {step}")

    def no_showdown(self, why: str) -> NoShowdown:
        """The refusal of a game that is dealt or settled otherwise."""
        return NoShowdown(f"{self.game.terms.rulebook.title} is no showdown of two hands: {why}")


def _exact(line: Line, r: Round) -> SettledLine:
    net = exact_net(line)
    if line.award and line.award.share is not None:  # a share of a meter before it is cut to the cent
        net += r.meters[line.award.source] * line.award.share - line.award.cents
    return SettledLine(line.wager, line.outcome, net, line.wagered)


def _money_on(r: Round) -> Cents:
    return sum(r.seats[0].wagers.values())
