"""Blackjack hands on one spot: which there are after splitting, and what each may still do."""

from typing import Self

from msgspec import Struct

from feltworks.cards import Card
from feltworks.hands.blackjack import ACES, BlackjackHand, count, points
from feltworks.hands.hand import Hand


class SpotHand(BlackjackHand, frozen=True, gc=False):
    """One hand of a spot. Once nothing is left to decide for it, only what it came to is kept."""

    kind: int = 0  # of its first card, as long as it may become or is a pair
    is_split: bool = False
    is_split_aces: bool = False
    last: str = ""  # the last choice made for it

    @property
    def is_blackjack(self) -> bool:
        return self.held == 2 and self.points == 21 and not self.is_split

    @property
    def is_doubled(self) -> bool:
        return self.last == "double"

    @property
    def is_surrendered(self) -> bool:
        return self.last == "surrender"

    @property
    def wants_card(self) -> bool:
        """Not two cards yet, a hit not answered, a double not drawn."""
        held = self.held
        return held < 2 or self.last == "hit" or (held == 2 and self.last == "double")

    def with_card(self, card: Card, kind: int) -> "SpotHand":
        """This hand with a card of that kind."""
        held = self.held
        total, soft = count(self, card)
        if held:
            kind = kind if held == 1 and kind == self.kind else 0
        last = "" if self.last == "hit" else self.last
        held = held + 1 if held < 3 else 3
        return SpotHand(total, soft, held, kind, self.is_split, self.is_split_aces, last)

    def with_choice(self, name: str) -> "SpotHand":
        """This hand after such a choice."""
        return SpotHand(self.points, self.soft, self.held, self.kind, self.is_split, self.is_split_aces, name)

    def half(self) -> "SpotHand":
        """One of the two hands that a pair is split into; of aces if the pair is soft."""
        worth = 11 if self.soft else self.points // 2
        return SpotHand(worth, self.soft, 1, self.kind, is_split=True, is_split_aces=self.soft)

    def result(self) -> "SpotHand":
        """What a finished hand came to, however it did."""
        return self if self.is_blackjack else SpotHand(self.points, held=3, last=self.last)


class SpotRules(Struct, frozen=True):
    """BJ.1: what a house lets a spot do with its hands."""

    max_hands: int = 4
    doubles_on: range = range(22)
    doubles_after_split: bool = True
    splits_on_value: bool = True
    resplits_aces: bool = False
    hits_split_aces: bool = False
    stands_on_21: bool = False

    def kind(self, card: Card) -> int:
        """BJ.4: cards of one kind make a pair: those of equal value, or by another reading of equal rank."""
        return points(card) if self.splits_on_value else card.rank

    def may_hit(self, hand: SpotHand) -> bool:
        """BJ.4: split aces take one card each unless the house lets them draw."""
        return self.hits_split_aces or not hand.is_split_aces

    def may_double(self, hand: SpotHand) -> bool:
        if hand.held != 2 or hand.points not in self.doubles_on or not self.may_hit(hand):
            return False
        return self.doubles_after_split or not hand.is_split

    def may_split(self, hand: SpotHand, hands: int) -> bool:
        """BJ.4: a pair, as long as there are fewer hands on the spot than the house allows."""
        if hand.held != 2 or not hand.kind or hands >= self.max_hands:
            return False
        return self.resplits_aces or not hand.is_split_aces

    def is_finished(self, hand: SpotHand, hands: int) -> bool:
        """Whether nothing is left to decide for this hand, `hands` lying on the spot."""
        if hand.last:
            return True
        if hand.points >= 21 and (hand.points > 21 or self.stands_on_21 or hand.is_blackjack):
            return True
        return hand.is_split_aces and not self.may_hit(hand) and not self.may_split(hand, hands)

    def hand(self, cards: tuple[Card, ...], *, is_split: bool = False, last: str = "") -> SpotHand:
        """The hand that these cards make, the first one being of the pair where it is split."""
        hand = SpotHand(is_split=is_split, is_split_aces=is_split and cards[0] in ACES)
        for card in cards:
            hand = hand.with_card(card, self.kind(card))
        return hand.with_choice(last)


class Spot(Hand, frozen=True, gc=False):
    """A spot's hands, and which one of them waits for a card or a choice.

    >>> from feltworks.cards import card
    >>> spot = Spot().add(card("8h")).add(card("8d")).choose("split").add(card("Tc")).choose("stand")
    >>> [str(hand) for hand in spot.add(card("3s")).hands], spot.active
    (['18', '11'], 1)
    """

    hands: tuple[SpotHand, ...] = (SpotHand(),)
    active: int | None = 0
    wants_card: bool = True  # otherwise the active hand waits for a choice
    rules: SpotRules = SpotRules()

    @property
    def is_begun(self) -> bool:
        """Whether a choice was made for it."""
        first = self.hands[0]
        return len(self.hands) > 1 or bool(first.last) or first.held > 2

    def takes(self, about: str) -> bool:
        """Decisions on its hands: not insurance, and not what a bonus asks."""
        return about[:5] == "hand "

    def add(self, card: Card) -> Self:
        """A card falls to the hand in play; where none waits for one, nothing changes."""
        if self.active is None or not self.wants_card:
            return self
        hand = self.hands[self.active].with_card(card, self.rules.kind(card))
        return self._go_on(self.active, hand)

    def choose(self, name: str) -> Self:
        if self.active is None or self.wants_card:
            return self
        hand = self.hands[self.active]
        if name == "split":
            return self._go_on(self.active, hand.half(), hand.half())
        return self._go_on(self.active, hand.with_choice(name))

    def _go_on(self, active: int, *played: SpotHand) -> Self:
        """What the active hand became is laid down, and the next hand that waits for anything is active."""
        rules, hands = self.rules, self.hands
        hands = played if len(hands) == 1 else (*hands[:active], *played, *hands[active + 1 :])
        for index in range(active, len(hands)):
            hand = hands[index]
            if hand.wants_card:
                return type(self)(hands, index, True, rules)
            if not rules.is_finished(hand, len(hands)):
                return type(self)(hands, index, False, rules)
            hands = (*hands[:index], hand.result(), *hands[index + 1 :])
        return type(self)(hands, None, False, rules)


class SpotCards(Hand, frozen=True, gc=False):
    """The cards of each hand on a spot, for whoever shows them; no rule reads them."""

    spot: Spot
    cards: tuple[tuple[Card, ...], ...] = ((),)

    @property
    def wants_card(self) -> bool:
        """As the spot does."""
        return self.spot.wants_card

    def takes(self, about: str) -> bool:
        return self.spot.takes(about)

    def add(self, card: Card) -> Self:
        active = self.spot.active
        if active is None or not self.spot.wants_card:
            return self
        return self._follow(self.spot.add(card), (*self.cards[active], card))

    def choose(self, name: str) -> Self:
        active = self.spot.active
        if active is None or self.spot.wants_card:
            return self
        held = self.cards[active]
        return self._follow(self.spot.choose(name), *(((c,) for c in held) if name == "split" else (held,)))

    def _follow(self, spot: Spot, *held: tuple[Card, ...]) -> Self:
        active = self.spot.active
        assert active is not None
        return type(self)(spot, (*self.cards[:active], *held, *self.cards[active + 1 :]))
