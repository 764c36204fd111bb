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
        held = hand.total.points
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
        hands, active, dealt, choices = [Hand(cards[:2])], 0, 2, iter(played)
        if len(cards) < 2:
            return Spot(tuple(hands), 0)
        while active < len(hands):
            hand = hands[active]
            if hand.wants_card:
                if dealt == len(cards):
                    return Spot(tuple(hands), active, wants_card=True)
                hands[active] = hand.with_card(cards[dealt])
                dealt += 1
            elif self.is_finished(hand, len(hands)):
                active += 1
            elif (name := next(choices, None)) is None:
                return Spot(tuple(hands), active)
            elif name == "split":
                hands[active : active + 1] = [Hand((face,), is_split=True) for face in hand.cards]
            else:
                hands[active] = Hand(hand.cards, hand.is_split, name)
        return Spot(tuple(hands))
