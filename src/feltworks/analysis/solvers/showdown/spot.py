"""Deals, plays and settles one spot of a showdown game for any two hands, by the game's own rules."""

from collections.abc import Hashable, Mapping, Sequence

from msgspec import Struct

from feltworks.analysis.referee import exact_net
from feltworks.analysis.shape import ranking_of
from feltworks.analysis.strategy.file import Cards
from feltworks.cards import Card
from feltworks.errors import FeltError
from feltworks.hands.poker import Ranking
from feltworks.machine.walk import Settled, SettledLine
from feltworks.money import Cents, dollars
from feltworks.rules.advance import Answer, advance
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, FACE_DOWN, Choice, Round, Seat
from feltworks.rules.steps import Decide, Draw, Step, Turn
from feltworks.rules.wager import Line

NOTHING_TO_DECIDE = Choice("")


class OpenRound(Struct, frozen=True):
    """A round up to the dealer's hand, with its next step, or its result if it needs no dealer's hand."""

    round: Round
    step: Step | None
    result: Settled | None


class NoShowdown(FeltError):
    """Raised for a game or wager other than one hand against the dealer's; another solver has to answer."""


def ranking_for(game: Game) -> Ranking:
    """The ranking by which a game compares hands; refused if it compares none."""
    if ranking := ranking_of(game):
        return ranking
    raise NoShowdown(f"{game.terms.rulebook.title} compares no poker hands, so it is no showdown")


class Spot:
    """One spot of a game, settled for given hands: the player's, the player's choice, the dealer's."""

    def __init__(self, game: Game, wagers: Mapping[str, Cents], meters: Mapping[str, Cents]) -> None:
        self.game = game
        self.opened = Round((Seat(dict(wagers)),), meters=dict(meters))
        self._first = game.awaits(self.opened)
        self._begun: dict[tuple[Cards, Choice], OpenRound] = {}
        self._known: dict[Hashable, SettledLine] = {}

    def choices(self, hand: Cards, house: Cards) -> tuple[Choice, ...]:
        """The choices of this hand, the least money first."""
        r, step = self.deal(hand, house)
        if not isinstance(step, Decide):
            return (NOTHING_TO_DECIDE,)
        ends = [Choice(offer.name, cents) for offer in step.offers for cents in {offer.least, offer.most}]
        return tuple(sorted(ends, key=lambda choice: _money_on(advance(r, step, choice))))

    def deal(self, hand: Cards, house: Cards) -> tuple[Round, Step | None]:
        """The round with these hands up to its choice, and the step that it waits for."""
        return self._deal(self.opened, self._first, hand, house)

    def result(self, hand: Cards, choice: Choice, house: Cards) -> Settled:
        """The results of the spot's wagers."""
        start = self._begun.get((hand, choice)) or self._begin(hand, choice)
        return start.result if start.result is not None else self._settle(self.finished_round(hand, choice, house))

    def finished_round(self, hand: Cards, choice: Choice, house: Cards) -> Round:
        """The finished round with these hands and this choice."""
        start = self._begun.get((hand, choice)) or self._begin(hand, choice)
        r, step = self._deal(start.round, start.step, hand, house, choice)
        if step is not None:
            raise self.no_showdown(f"it goes on with {step}")
        return r

    def is_decided(self, hand: Cards, choice: Choice) -> bool:
        """Whether the result does not depend on the dealer's hand."""
        return (self._begun.get((hand, choice)) or self._begin(hand, choice)).result is not None

    def _begin(self, hand: Cards, choice: Choice) -> "OpenRound":
        r, step = self._deal(self.opened, self._first, hand, None, choice)
        start = OpenRound(r, step, None if step else self._settle(r))
        return self._begun.setdefault((hand, choice), start)

    def _settle(self, r: Round) -> Settled:
        return self.results(self.game.settle(r), r)

    def results(self, lines: Sequence[Line], r: Round) -> Settled:
        """The lines of a round in exact cents."""
        return tuple([self._exact_line(line, r) for line in lines])

    def _exact_line(self, line: Line, r: Round) -> SettledLine:
        """A line in exact cents; equal lines share one object, since they are often compared."""
        if line.award:
            return _exact(line, r)
        key = (line.wager, line.outcome, line.pay, line.wagered)
        return self._known.get(key) or self._known.setdefault(key, _exact(line, r))

    def up_cards(self, example: Cards) -> int:
        """The number of the dealer's open cards at the player's decision."""
        r, step = self.deal(example, example)
        if {len(r.seats[0].cards), len(r.dealer) or len(example)} != {len(example)}:
            raise self.no_showdown(f"hands have other numbers of cards than {len(example)}")
        shown = sum(isinstance(face, Card) for face in r.dealer) if step else 0
        if shown > 1:
            raise self.no_showdown(f"{shown} of the dealer's cards lie open before the decision")
        return shown

    def _deal(
        self, r: Round, step: Step | None, hand: Cards, house: Cards | None, choice: Choice | None = None
    ) -> tuple[Round, Step | None]:
        """Play a round on with these cards and choice; returns it and the step that it waits for."""
        while step is not None and (answer := self._answer(r, step, hand, house, choice)) is not None:
            r = advance(r, step, answer)
            step = self.game.awaits(r)
        return r, step

    def _answer(self, r: Round, step: Step, hand: Cards, house: Cards | None, choice: Choice | None) -> Answer | None:
        if isinstance(step, Decide):
            return None if r.seats[0].choices else choice
        if isinstance(step, Draw) and step.to == 0 and not step.down:
            begin = len(r.seats[0].cards)
            if begin + step.count > len(hand):
                raise self.no_showdown(f"a seat takes more than {len(hand)} cards")
            return hand[begin : begin + step.count]
        if isinstance(step, Draw) and step.to == DEALER and step.down:
            return (FACE_DOWN,) * step.count
        if isinstance(step, Draw) and step.to == DEALER:
            return house and self._cards(house, len(r.dealer), step.count)
        if isinstance(step, Turn) and step.at == DEALER:
            return house and self._cards(house, step.index, step.count)
        raise self.no_showdown(f"it asks for {step}")

    def _cards(self, house: Cards, begin: int, count: int) -> Cards:
        if begin + count > len(house):
            raise self.no_showdown(f"the dealer takes more than {len(house)} cards")
        return house[begin : begin + count]

    def no_showdown(self, why: str) -> NoShowdown:
        """The error for a game that is dealt or settled differently."""
        return NoShowdown(f"{self.game.terms.rulebook.title} is no showdown of two hands: {why}")


def _exact(line: Line, r: Round) -> SettledLine:
    net = exact_net(line)
    if line.award and line.award.share is not None:  # a share of a meter before rounding to the cent
        net += r.meters[line.award.source] * line.award.share - line.award.cents
    return SettledLine(line.wager, line.outcome, net, line.wagered)


def choice_labels(choices: Sequence[Choice]) -> tuple[str, ...]:
    """The names of choices, with the amount if a choice can be made for several."""
    names = [choice.name for choice in choices]
    return tuple(
        name if names.count(name) == 1 else f"{name} {dollars(choice.cents or 0)}"
        for name, choice in zip(names, choices, strict=True)
    )


def _money_on(r: Round) -> Cents:
    return sum(r.seats[0].wagers.values())
