"""War: the player's first card against the dealer's up card (AD.4, AD.5)."""

from typing import Self

from feltworks.cards import Card, Rank
from feltworks.games.blackjack import UP, BlackjackStanding
from feltworks.hands.hand import Hand
from feltworks.rules.round import DEALER, SEAT, HandOf
from feltworks.rules.wager import Deal, Own, Verdict, Wager


class WarHand(Hand, frozen=True, gc=False):
    """AD.4: the first card, whether the second is higher, and the up card. AD.3: the ace is high."""

    first: Rank = Rank.JOKER  # before the first card
    is_second_higher: bool | None = None
    up_card: Rank = Rank.JOKER

    def add(self, card: Card) -> Self:
        if not self.first:
            return type(self)(card.rank)
        if self.is_second_higher is None:
            return type(self)(self.first, card.rank > self.first)
        return type(self)(self.first, self.is_second_higher, card.rank)


class War(Wager[Own[BlackjackStanding, WarHand]]):
    """AD.15: settled as soon as the up card is exposed."""

    name = "war"
    hand = HandOf(WarHand(), ((SEAT, 0), (SEAT, 1), (DEALER, UP)))
    decided_by = Deal((1, 1, 1), "player's first and second card and the up card, in order")
    printed_as = "shield"

    @property
    def outcomes(self) -> frozenset[str]:  # type: ignore[override]  # the two tables have different outcomes
        if self.terms.switch("war", "second_card_decides"):
            return frozenset(["higher", "lower", "second card higher", "second card not higher"])
        return frozenset(["higher", "lower", "equal"])

    def judge(self, standing: Own[BlackjackStanding, WarHand]) -> Verdict | None:
        first, up_card = standing.hand.first, standing.hand.up_card
        if not up_card:
            return None
        if first != up_card:
            outcome = "higher" if first > up_card else "lower"
            because = f"the first card, {first.word}, is {outcome} than the dealer's {up_card.word}"
            return Verdict(outcome, because, ("AD.4", "AD.3"))
        if not self.terms.switch("war", "second_card_decides"):
            return Verdict("equal", f"the first card equals the dealer's {up_card.word}", ("AD.5",))
        is_or_not = "is" if standing.hand.is_second_higher else "is not"
        outcome = "second card higher" if standing.hand.is_second_higher else "second card not higher"
        because = "the first cards are equal and the second, {1.rank.word}, " + is_or_not + " higher"
        return Verdict(outcome, because, ("AD.4", "AD.3"))
