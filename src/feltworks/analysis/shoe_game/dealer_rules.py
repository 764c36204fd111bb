"""The dealer's hands as states: which the rules draw to, and which are complete."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from feltworks.analysis.shoe_game.felts import Felts, Lying
from feltworks.analysis.shoe_game.seats import FACES, VALUES
from feltworks.hands.blackjack import BlackjackHand
from feltworks.machine.felt import HouseState
from feltworks.rules.round import DEALER
from feltworks.rules.steps import Draw, Turn

HIGHEST: Final = 31  # total: a 21 that was drawn to


class End(Struct, frozen=True):
    """A dealer's hand that is complete."""

    total: int
    is_natural: bool


class DealerRules(Struct, frozen=True):
    """Where each value leads from each of the dealer's hands; state 0 is no card, single cards come next."""

    after: tuple[tuple[int, ...], ...]
    ends: tuple[End | None, ...]  # None while the dealer draws
    hands: tuple[BlackjackHand, ...]

    def draws(self, total: int, *, soft: bool) -> bool:
        """Whether the dealer draws to such a total, of three cards or more where that makes a difference."""
        alike = [n for n, hand in enumerate(self.hands) if (hand.points, hand.soft) == (total, soft)]
        return any(self.ends[n] is None for n in alike[-1:])

    def makes_natural(self, up: int) -> bool:
        """Whether some hole card makes a natural with this up card."""
        return any((end := self.ends[state]) and end.is_natural for state in self.after[1 + up])


class Dealer:
    """Asks for each of the dealer's hands whether it is drawn to, a seat having stood against it."""

    def __init__(self, felts: Felts, stands: Sequence[Lying]) -> None:
        self._felts = felts
        self._after: list[list[int]] = [list(range(1, 11)), *([] for _ in VALUES)]
        self._ends: list[End | None] = [None] * 11
        self._hands = [BlackjackHand(), *map(_hand, stands)]
        self._known: dict[object, int] = {}
        self.houses: dict[End, list[HouseState]] = {}  # every way to each complete hand
        self.holes: dict[tuple[int, int], HouseState] = {}  # by up card and hole card
        for up, lying in enumerate(stands):
            self._after[1 + up] = self._hole_cards(up, lying)
        if any(self._after[1 + up][hole] != self._after[1 + hole][up] for up in VALUES for hole in VALUES):
            raise felts.refuse("the order of the dealer's cards counts")
        self.rules = DealerRules(tuple(map(tuple, self._after)), tuple(self._ends), tuple(self._hands))

    def _hole_cards(self, up: int, lying: Lying) -> list[int]:
        step = self._felts.awaits(lying)
        if not (isinstance(step, Turn | Draw) and step.count == 1):
            raise self._felts.refuse("the dealer does not go on when the seat has played")
        turned = [self._felts.dealer_draws(lying, step, card) for card in FACES]
        self.holes |= {(up, value): each.house for value, each in enumerate(turned)}
        return [self._state(each) for each in turned]

    def _state(self, lying: Lying) -> int:
        """The number of the dealer's hand that lies there, with all that can follow it."""
        known = self._known.get(lying.house.dealer)
        if known is not None:
            return known
        number = self._known[lying.house.dealer] = len(self._hands)
        hand, step = _hand(lying), self._felts.awaits(lying)
        end = End(hand.points, hand.is_blackjack) if step is None else None
        self._hands.append(hand)
        self._ends.append(end)
        self._after.append([-1] * len(VALUES))
        if end:
            self.houses.setdefault(end, []).append(lying.house)
        elif hand.is_over or not isinstance(step, Draw) or step.to != DEALER or step.count != 1:
            raise self._felts.refuse("the dealer does otherwise than draw card by card up to a total")
        else:
            drawn = [self._felts.dealer_draws(lying, step, card) for card in FACES]
            self._after[number] = [self._state(each) for each in drawn]
        return number


def _hand(lying: Lying) -> BlackjackHand:
    return next(hand for hand in lying.house.dealer.hands if isinstance(hand, BlackjackHand))
