"""The written hands of a spot, played to their end at once instead of asked step by step."""

from collections.abc import Callable, Sequence

from feltworks.cards import Card
from feltworks.hands.blackjack import COUNTED
from feltworks.hands.spot import Hand, Spot, SpotRules
from feltworks.money import Cents
from feltworks.rules.record import FinishedHand
from feltworks.rules.round import Choice, Seat
from feltworks.rules.steps import Offer

FIRST_HAND = "hand 1"
_MOST_HITS = 24  # more than any hand takes: one of 21 or less has no more than 21 cards
_HIT, _STAND = Choice("hit", 0, FIRST_HAND), Choice("stand", 0, FIRST_HAND)
_HITS = [(_HIT,) * hits for hits in range(_MOST_HITS)]
_HITS_AND_STAND = [(*hits, _STAND) for hits in _HITS]
_SURRENDERED = (Choice("surrender", 0, FIRST_HAND),)
_TWO_CARDS = 1_000_000  # added to what is counted: two cards may do more than three of the same total


class PlayedThrough:
    """Plays by a house's rules; `offered` says what a hand of a spot is offered, so much wagered there.

    What an unsplit hand is offered may depend on its total alone, and on whether it holds two cards.
    """

    def __init__(self, rules: SpotRules, offered: Callable[[Cents, Spot, Hand], tuple[Offer, ...]]) -> None:
        self._rules, self._offered = rules, offered
        self._open: dict[int, frozenset[str]] = {}  # what an unsplit hand may do, by its count

    def __call__(
        self, written: Sequence[FinishedHand], lying: tuple[Card, ...], seat: Seat
    ) -> tuple[Seat, Spot] | None:
        """The seat and its spot at the end; None where the rules do not lead to the written hands."""
        return (
            self._unsplit(written[0], lying, seat) if len(written) == 1 else self._split(written, lying, seat)
        )

    def _split(
        self, written: Sequence[FinishedHand], lying: tuple[Card, ...], seat: Seat
    ) -> tuple[Seat, Spot] | None:
        """BJ.4: several hands, one after another, as they would be asked and dealt to."""
        rules, wagered, choices = self._rules, seat.wagers["blackjack"], [*seat.choices]
        spot, dealt = rules.read(lying[:2], ()), 2
        while (active := spot.active) is not None:
            if spot.wants_card:
                if dealt == len(lying):
                    return None
                spot = rules.dealt(spot, active, lying[dealt])
                dealt += 1
                continue
            name = choice_for(written, spot)
            for offer in self._offered(wagered, spot, spot.hands[active]):
                if offer.name == name:
                    break
            else:
                return None
            wagered += offer.most
            choices.append(Choice(name, offer.most, f"hand {active + 1}"))
            spot = rules.decided(spot, active, name)
        wagers = {**seat.wagers, "blackjack": wagered}
        return Seat(wagers, lying[:dealt], tuple(choices), seat.tokes), spot

    def _unsplit(
        self, written: FinishedHand, lying: tuple[Card, ...], seat: Seat
    ) -> tuple[Seat, Spot] | None:
        """One hand: those of equal totals go the same way."""
        held = len(lying)
        counted = COUNTED[lying[0]] + COUNTED[lying[1]]
        may = self._may(counted + _TWO_CARDS, lying[:2])
        if written.doubled:
            is_lawful = held == 3 and "double" in may and not written.surrendered
            return _doubled(lying, seat) if is_lawful else None
        if written.surrendered:
            is_lawful = held == 2 and "surrender" in may
            return _ended(lying, seat, _SURRENDERED, "surrender") if is_lawful else None
        for index in range(2, held):
            if "hit" not in may:
                return None
            counted += COUNTED[lying[index]]
            may = self._may(counted, lying[: index + 1])
        if not may:
            return _ended(lying, seat, _HITS[held - 2], "")
        return _ended(lying, seat, _HITS_AND_STAND[held - 2], "stand") if "stand" in may else None

    def _may(self, counted: int, held: tuple[Card, ...]) -> frozenset[str]:
        """BJ.4: unsplit, the total is all that counts, and whether it lies in two cards."""
        may = self._open.get(counted)
        if may is not None:
            return may
        spot = self._rules.read(held, ["hit"] * (len(held) - 2))
        offers = () if spot.active is None else self._offered(1, spot, spot.hands[0])
        self._open[counted] = may = frozenset([offer.name for offer in offers])
        return may


def choice_for(written: Sequence[FinishedHand], spot: Spot) -> str:
    """What the active hand of a spot does next, on its way to the hands that were written."""
    if len(spot.hands) < len(written):
        return "split"
    assert spot.active is not None
    hand, held = written[spot.active], len(spot.hands[spot.active].cards)
    if hand.surrendered:
        return "surrender"
    if hand.doubled and held == 2:
        return "double"
    return "hit" if len(hand.cards) > held else "stand"


def _ended(lying: tuple[Card, ...], seat: Seat, way: tuple[Choice, ...], last: str) -> tuple[Seat, Spot]:
    return Seat(seat.wagers, lying, seat.choices + way, seat.tokes), Spot((Hand(lying, False, last),))


def _doubled(lying: tuple[Card, ...], seat: Seat) -> tuple[Seat, Spot]:
    base = seat.wagers["blackjack"]
    wagers = {**seat.wagers, "blackjack": 2 * base}
    choices = (*seat.choices, Choice("double", base, FIRST_HAND))
    return Seat(wagers, lying, choices, seat.tokes), Spot((Hand(lying, False, "double"),))
