"""Written hands that were not split, played to their end at once: hands of equal values go the same way."""

from collections.abc import Callable
from functools import lru_cache

from feltworks.cards import Card, cards
from feltworks.hands.blackjack import values
from feltworks.hands.spot import Hand, Spot, SpotRules
from feltworks.rules.record import FinishedHand
from feltworks.rules.round import Choice, Seat
from feltworks.rules.steps import Offer

FIRST_HAND = "hand 1"
_BY_VALUE = cards("Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc")
Way = tuple[Choice, ...]


def plays(written: FinishedHand, held: int) -> Choice:
    """What a written hand does next, holding so many cards."""
    if written.surrendered:
        return Choice("surrender")
    if written.doubled and held == 2:
        return Choice("double")
    return Choice("hit" if len(written.cards) > held else "stand")


class PlayedThrough:
    """Plays by a house's rules; `offered` says what a hand of a spot is offered."""

    def __init__(self, rules: SpotRules, offered: Callable[[Spot, Hand], tuple[Offer, ...]]) -> None:
        self._rules, self._offered = rules, offered
        self._way = lru_cache(maxsize=1 << 14)(self._reckon_way)

    def __call__(
        self, written: FinishedHand, lying: tuple[Card, ...], seat: Seat
    ) -> tuple[Seat, Spot] | None:
        """The seat and its spot at the end; None where the rules do not lead to these cards."""
        way = self._way(values(lying), written.doubled, written.surrendered)
        if way is None:
            return None
        wagers = seat.wagers
        if written.doubled:
            base = wagers["blackjack"]
            wagers, way = {**wagers, "blackjack": 2 * base}, (Choice("double", base, FIRST_HAND),)
        last = way[-1].name if way and way[-1].name != "hit" else ""
        return Seat(wagers, lying, seat.choices + way, seat.tokes), Spot((Hand(lying, last=last),))

    def _reckon_way(self, worth: tuple[int, ...], doubled: bool, surrendered: bool) -> Way | None:
        """The choices by which one hand gets cards of these values, each of them offered to it."""
        dealt = tuple([_BY_VALUE[value - 1] for value in worth])  # BJ.4: unsplit, values are all that counts
        written = FinishedHand([face.code for face in dealt], doubled, surrendered)
        rules, to_come, way = self._rules, iter(dealt[2:]), list[Choice]()
        spot = rules.read(dealt[:2], ())
        while (active := spot.active) is not None:
            if not spot.wants_card:
                choice = plays(written, held=len(spot.hands[active].cards))
                if choice.name not in [offer.name for offer in self._offered(spot, spot.hands[active])]:
                    return None
                way.append(Choice(choice.name, 0, FIRST_HAND))
                spot = rules.decided(spot, active, choice.name)
            elif (face := next(to_come, None)) is None:
                return None
            else:
                spot = rules.dealt(spot, active, face)
        hand = spot.hands[0]
        is_as_written = hand.is_doubled == doubled and hand.is_surrendered == surrendered
        return tuple(way) if is_as_written and next(to_come, None) is None else None
