"""A seat and a dealer on a felt that holds hands and no cards: what the rules want next, and what they pay.

A rule that looks at a single card is refused here, so whatever is asked on such a felt holds for all cards
that make the same hands.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from feltworks.cards import Card
from feltworks.errors import FeltError
from feltworks.hands.spot import Spot, SpotHand
from feltworks.machine.felt import CardsRead, HouseState, NewReading, Readings, SeatState, lay_felt
from feltworks.money import Cents, Odds
from feltworks.rules.game import Game
from feltworks.rules.round import BOARD, DEALER, SEAT, Choice, Round
from feltworks.rules.steps import Decide, Draw, Offer, Peek, Step, Turn
from feltworks.rules.wager import Line

T = TypeVar("T")
UNIT: Final[Cents] = 100_00  # on a hand, to be divided by again


_NO_SPOT: Final = Spot(())


class NoShoeGame(FeltError):
    """Rules that deal otherwise than to a seat and a dealer who draws, or that look at more than hands."""

    def __init__(self, game: Game[Any], because: str) -> None:
        super().__init__(f"{game.terms.rulebook.title} is not solved as a game with split hands: {because}")


class Lying(Struct, frozen=True, gc=False):
    """What lies on the felt."""

    seat: SeatState
    house: HouseState

    @property
    def spot(self) -> Spot:
        """The hands of the seat."""
        return next((hand for hand in self.seat.lying.hands if isinstance(hand, Spot)), _NO_SPOT)

    def takes(self, about: str) -> bool:
        """Whether a choice on this decision becomes part of the seat's hands."""
        return any(hand.takes(about) for hand in self.seat.lying.hands)

    def hand(self, place: int) -> SpotHand:
        """One of the seat's hands."""
        return self.spot.hands[place]


class Pay(Struct, frozen=True):
    """How one hand came out: in the game's words, what it nets and what lay on it, a hand's wager being 1."""

    outcome: str
    net: Fraction
    wagered: Fraction


class Felts:
    """The felts of one seat with a wager; `NewReading` says that a hand is missing: lay them anew."""

    def __init__(self, game: Game[Any], readings: Readings, wager: str, *, is_known: bool = False) -> None:
        self.game, self.readings, self.wager = game, readings, wager
        self.is_known = is_known  # all hands that the rules read: others are refused

    def opened(self) -> Lying:
        """Before the first card."""
        empty = self.readings.empty_place
        seat = SeatState(((self.wager, UNIT),), (), empty(SEAT))
        return Lying(seat, HouseState(empty(DEALER), empty(BOARD)))

    def awaits(self, lying: Lying) -> Step | None:
        """What has to happen next, None where the round is over."""
        return self._ask(self.game.awaits, lying)

    def _ask(self, question: Callable[[Round], T], lying: Lying) -> T:
        try:
            return question(lay_felt(self.readings, (lying.seat,), lying.house, {}))
        except CardsRead:
            raise self.refuse("its rules look at single cards") from None
        except NewReading:
            if self.is_known:
                raise self.refuse("its rules read further hands as play goes on") from None
            raise

    def draw(self, lying: Lying, card: Card) -> Lying:
        """A card comes to the seat."""
        drawn = self.readings.draw(lying.seat.lying, SEAT, card)
        return Lying(replace(lying.seat, lying=drawn), lying.house)

    def dealer_draws(self, lying: Lying, step: Step | None, card: Card) -> Lying:
        """A card comes to the dealer as the step says: drawn, or turned where it lay."""
        dealer, readings = lying.house.dealer, self.readings
        if isinstance(step, Draw) and step.down:
            dealer = readings.lay_down(dealer, DEALER, step.count)
        elif isinstance(step, Draw):
            dealer = readings.draw(dealer, DEALER, card)
        elif isinstance(step, Peek) and card not in step.wanted:
            dealer = readings.bar(dealer, step.index, step.wanted)
        elif isinstance(step, Peek | Turn):
            dealer = readings.turn(dealer, DEALER, step.index, card)
        else:
            raise self.refuse("the dealer does not draw where a hand is complete")
        return Lying(lying.seat, replace(lying.house, dealer=dealer))

    def choose(self, lying: Lying, step: Decide, offer: Offer) -> Lying:
        """The seat takes an offer, of a range of amounts the largest."""
        seat, made = lying.seat, Choice(offer.name, offer.most, step.about)
        if offer.most:
            amounts = dict(seat.wagers)
            amounts[offer.wager] = amounts.get(offer.wager, 0) + offer.most
            seat = replace(seat, wagers=tuple(amounts.items()))
        if lying.takes(step.about):
            taken = [h.choose(made.name) if h.takes(step.about) else h for h in seat.lying.hands]
            return Lying(replace(seat, lying=replace(seat.lying, hands=tuple(taken))), lying.house)
        return Lying(replace(seat, choices=(*seat.choices, made)), lying.house)

    def pays(self, lying: Lying, wager: str) -> list[Pay]:
        """What a wager's hands come to, one after the other; refused while one of them is undecided."""
        lines = [line for line in self._ask(self.game.settle, lying) if line.wager == wager]
        if sum(line.wagered for line in lines) != dict(lying.seat.wagers)[wager]:
            raise self.refuse("a hand is undecided when the dealer's is complete")
        return [self._pay(line) for line in lines]

    def _pay(self, line: Line) -> Pay:
        if not isinstance(line.pay, Odds):
            raise self.refuse(f"{line.outcome} pays no odds")
        wagered = Fraction(line.wagered, UNIT)
        return Pay(line.outcome, line.pay.exact * wagered, wagered)

    def refuse(self, because: str) -> NoShoeGame:
        return NoShoeGame(self.game, because)


def readings_of(game: Game[Any], wagers: Sequence[str], known: Readings | None = None) -> Readings:
    """Which hands the wagers are judged by, and those that the rules are known to read."""
    hands: Mapping[str, Any] = {name: game.wagers[name].hand for name in wagers if game.wagers[name].hand}
    readings = Readings(hands, tuple(game.terms.shoe))
    if known is not None:
        readings.hands, readings.counted = known.hands, known.counted
    return readings
