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
_HIT, _STAND = Choice("hit", 0, FIRST_HAND), Choice("stand", 0, FIRST_HAND)
_SURRENDER = Choice("surrender", 0, FIRST_HAND)
_BY_VALUE = cards("Ac 2c 3c 4c 5c 6c 7c 8c 9c Tc")  # BJ.4: unsplit, values are all that counts
_KEPT = 1 << 14
Way = tuple[Choice, ...]


class PlayedThrough:
    """Plays by a house's rules; `offered` says what a hand of a spot is offered."""

    def __init__(self, rules: SpotRules, offered: Callable[[Spot, Hand], tuple[Offer, ...]]) -> None:
        self._rules, self._offered = rules, offered
        self._way = lru_cache(_KEPT)(self._reckon_way)
        self._offers = lru_cache(_KEPT)(self._reckon_offers)
        self._drawn_to = lru_cache(_KEPT)(self._reckon_drawn_to)

    def __call__(
        self, written: FinishedHand, lying: tuple[Card, ...], seat: Seat
    ) -> tuple[Seat, Spot] | None:
        """The seat and its spot at the end; None where the rules do not lead to these cards."""
        worth = values(lying)
        if written.doubled:
            return self._doubled(worth, lying, seat) if not written.surrendered else None
        way = self._surrendered(worth) if written.surrendered else self._way(worth)
        if way is None:
            return None
        last = way[-1].name if way and way[-1] is not _HIT else ""
        return Seat(seat.wagers, lying, seat.choices + way, seat.tokes), Spot((Hand(lying, last=last),))

    def _doubled(
        self, worth: tuple[int, ...], lying: tuple[Card, ...], seat: Seat
    ) -> tuple[Seat, Spot] | None:
        if len(worth) != 3 or not self._offers(worth[:2], "double"):
            return None
        base = seat.wagers["blackjack"]
        choices = (*seat.choices, Choice("double", base, FIRST_HAND))
        played = Seat({**seat.wagers, "blackjack": 2 * base}, lying, choices, seat.tokes)
        return played, Spot((Hand(lying, last="double"),))

    def _surrendered(self, worth: tuple[int, ...]) -> Way | None:
        return (_SURRENDER,) if len(worth) == 2 and self._offers(worth, "surrender") else None

    def _reckon_way(self, worth: tuple[int, ...]) -> Way | None:
        """The choices by which one hand draws cards of these values and no more."""
        spot = self._drawn_to(worth)
        if spot is None:
            return None
        hits = (_HIT,) * (len(worth) - 2)
        if spot.active is None:
            return hits
        return (*hits, _STAND) if self._offers(worth, "stand") else None

    def _reckon_drawn_to(self, worth: tuple[int, ...]) -> Spot | None:
        """The spot whose hand hit until it held cards of these values; None where it may not."""
        face = _BY_VALUE[worth[-1] - 1]
        if len(worth) == 2:
            return self._rules.read((_BY_VALUE[worth[0] - 1], face), ())
        before = self._drawn_to(worth[:-1])
        if before is None or not self._offers(worth[:-1], "hit"):
            return None
        return self._rules.dealt(self._rules.decided(before, 0, "hit"), 0, face)

    def _reckon_offers(self, worth: tuple[int, ...], name: str) -> bool:
        """Whether a hand that drew to these values may choose so."""
        spot = self._drawn_to(worth)
        if spot is None or spot.active is None:
            return False
        return any(offer.name == name for offer in self._offered(spot, spot.hands[0]))
