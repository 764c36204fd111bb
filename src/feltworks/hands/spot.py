"""Blackjack hands on one spot: which there are after splitting, and what each may still do."""

from collections.abc import Iterable

from msgspec import Struct

from feltworks.cards import Card
from feltworks.hands.blackjack import ACES, Total, is_blackjack, points, total


class Hand(Struct, frozen=True, gc=False):
    """One hand of a spot."""

    cards: tuple[Card, ...]
    is_split: bool = False
    last: str = ""  # the last choice made for it

    @property
    def total(self) -> Total:
        return total(self.cards)

    @property
    def is_over(self) -> bool:
        return self.total.points > 21

    @property
    def is_blackjack(self) -> bool:
        return not self.is_split and is_blackjack(self.cards)

    @property
    def is_doubled(self) -> bool:
        return self.last == "double"

    @property
    def is_surrendered(self) -> bool:
        return self.last == "surrender"

    @property
    def is_split_aces(self) -> bool:
        return self.is_split and self.cards[0] in ACES

    @property
    def wants_card(self) -> bool:
        """A split card without its second, a hit not answered, a double not drawn."""
        held = len(self.cards)
        return held == 1 or self.last == "hit" or (held == 2 and self.last == "double")

    def with_card(self, face: Card) -> "Hand":
        return Hand((*self.cards, face), self.is_split, "" if self.last == "hit" else self.last)


class Spot(Struct, frozen=True, gc=False):
    """A spot's hands as read off the felt: which one is played, and whether it waits for a card."""

    hands: tuple[Hand, ...]
    active: int | None = None
    wants_card: bool = False


class SpotRules(Struct, frozen=True):
    """BJ.1: what a house lets a spot do with its hands."""

    max_hands: int = 4
    doubles_on: range = range(22)
    doubles_after_split: bool = True
    splits_on_value: bool = True
    resplits_aces: bool = False
    hits_split_aces: bool = False
    stands_on_21: bool = False

    def may_hit(self, hand: Hand) -> bool:
        """BJ.4: split aces take one card each unless the house lets them draw."""
        return not hand.is_split or self.hits_split_aces or hand.cards[0] not in ACES

    def may_double(self, hand: Hand) -> bool:
        if len(hand.cards) != 2 or hand.total.points not in self.doubles_on or not self.may_hit(hand):
            return False
        return self.doubles_after_split or not hand.is_split

    def may_split(self, hand: Hand, hands: int) -> bool:
        """BJ.4: two cards of equal value, or by another reading of equal rank."""
        if len(hand.cards) != 2 or hands >= self.max_hands:
            return False
        first, second = hand.cards
        if first.rank != second.rank and not (self.splits_on_value and points(first) == points(second)):
            return False
        return self.resplits_aces or not hand.is_split_aces

    def is_finished(self, hand: Hand, hands: int) -> bool:
        """Whether nothing is left to decide for this hand, `hands` lying on the spot."""
        if hand.last:
            return True
        held = total(hand.cards).points
        if held >= 21 and (held > 21 or self.stands_on_21 or hand.is_blackjack):
            return True
        return hand.is_split and not self.may_hit(hand) and not self.may_split(hand, hands)

    def read(self, cards: tuple[Card, ...], played: Iterable[str]) -> Spot:
        """Follow the choices made for a spot through the cards that came to it, in their order.

        >>> from feltworks.cards import cards
        >>> spot = SpotRules().read(cards("8h 8d Tc 3s"), ["split", "stand"])
        >>> [" ".join(face.code for face in hand.cards) for hand in spot.hands], spot.active
        (['8h Tc', '8d 3s'], 1)
        """
        if len(cards) < 2:
            return Spot((Hand(cards),), 0)
        spot, dealt, choices = self._moved_on((Hand(cards[:2]),), 0), 2, iter(played)
        while (active := spot.active) is not None:
            if spot.wants_card:
                if dealt == len(cards):
                    break
                spot = self.dealt(spot, active, cards[dealt])
                dealt += 1
            elif (name := next(choices, None)) is None:
                break
            else:
                spot = self.decided(spot, active, name)
        return spot

    def dealt(self, spot: Spot, active: int, face: Card) -> Spot:
        """The spot after its active hand got the card it waited for."""
        hands = spot.hands
        return self._moved_on((*hands[:active], hands[active].with_card(face), *hands[active + 1 :]), active)

    def decided(self, spot: Spot, active: int, name: str) -> Spot:
        """The spot after a choice was made for its active hand."""
        hands = spot.hands
        hand = hands[active]
        if name == "split":
            first, second = hand.cards
            played: tuple[Hand, ...] = Hand((first,), is_split=True), Hand((second,), is_split=True)
        else:
            played = (Hand(hand.cards, hand.is_split, name),)
        return self._moved_on((*hands[:active], *played, *hands[active + 1 :]), active)

    def _moved_on(self, hands: tuple[Hand, ...], active: int) -> Spot:
        """The first hand from the active one on that waits for a card or a choice is played next."""
        for index in range(active, len(hands)):
            hand = hands[index]
            if hand.wants_card:
                return Spot(hands, index, wants_card=True)
            if not self.is_finished(hand, len(hands)):
                return Spot(hands, index)
        return Spot(hands)
