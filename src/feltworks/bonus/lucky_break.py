"""Lucky Break: the dealer goes over 21, paid by the total and multiplied if all cards share a suit (LB.1–14)."""

from collections.abc import Mapping
from typing import Self

from feltworks.cards import Card, Suit
from feltworks.errors import RulebookError
from feltworks.games.blackjack import BlackjackStanding
from feltworks.hands.hand import Hand
from feltworks.hands.spot import Spot
from feltworks.money import Odds
from feltworks.rules.pay_table import Pay
from feltworks.rules.round import DEALER, HandOf
from feltworks.rules.rulebook.model import PayTable
from feltworks.rules.terms import Terms
from feltworks.rules.wager import Own, Verdict, Wager

_TOTALS = ("26", "25", "24", "23", "22")
_SUITED = {"3": "3 suited", "4": "4 suited", "5+": "5 or more suited"}
_LOSING = ("21 or less", "dealer blackjack", "over the limit", "surrendered")


class OneSuit(Hand, frozen=True, gc=False):
    """LB.9: the number of cards while all share a suit; none once the suits differ."""

    suit: Suit | None = None
    held: int = 0
    is_mixed: bool = False

    def add(self, card: Card) -> Self:
        if self.is_mixed or (self.held and card.suit is not self.suit):
            return type(self)(is_mixed=True)
        return type(self)(card.suit, self.held + 1)


class LuckyBreak(Wager[Own[BlackjackStanding, OneSuit]]):
    """Stays in action, whatever the main hand does, until the dealer's hand is complete."""

    name = "lucky-break"
    hand = HandOf(OneSuit(), ((DEALER, None),))
    tucks_hand = "LB.3"
    assumes = "The player's total is taken to keep within the limit of LB.5."
    printed_as = "broken"
    outcomes = frozenset(
        [*_LOSING, *_TOTALS, *(f"{points}, {suited}" for points in _TOTALS for suited in _SUITED.values())]
    )

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        limit = terms["lucky-break.player-limit"]
        self._limit = limit if isinstance(limit, int) else None
        self._limits_all_hands = terms["lucky-break.split-limit"] == "all"
        self._goes_with_surrender = terms["lucky-break.surrender"] == "loses"

    @property
    def possible(self) -> frozenset[str]:
        """LB.5, LB.13: some tables have no limit on the player's total, or no surrender."""
        surrenders = self._goes_with_surrender and self.terms["surrender"] != "none"
        never = [] if self._limit is not None else ["over the limit"]
        return self.outcomes.difference(never, [] if surrenders else ["surrendered"])

    def judge(self, standing: Own[BlackjackStanding, OneSuit]) -> Verdict | None:
        spot, dealer = standing.table.spot, standing.table.dealer
        if self._goes_with_surrender and spot.is_surrendered:
            return Verdict("surrendered", "Lucky Break went with the surrendered hand", ("LB.13",))
        if dealer.has_blackjack:
            return Verdict("dealer blackjack", "the dealer has blackjack", ("LB.2", "LB.14"))
        if dealer.total is None:
            return None
        if dealer.total <= 21:
            return Verdict("21 or less", f"the dealer's {dealer.total} is not over 21", ("LB.5",))
        if self._limit is not None and not self._is_within(self._limit, spot):
            return Verdict("over the limit", f"the player's total is over {self._limit}", ("LB.5", "LB.12"))
        return _pay_dealer_over_21(str(dealer.total), standing.hand)

    def _is_within(self, limit: int, spot: Spot) -> bool:
        """LB.5: compare the player's standing total; LB.12: of split hands any one, or by another reading all."""
        return not spot.has_over(limit) if self._limits_all_hands else spot.has_within(limit)

    def pays(self, table: PayTable) -> Mapping[str, Pay]:
        """LB.8: a suited hand pays base plus base times multiplier, by another reading the product alone."""
        pays = table.price(self.terms.options)
        added = 1 if self.terms["lucky-break.multiplier"] == "added" else 0
        for points in _TOTALS:
            base = pays[points]
            if not isinstance(base, Odds):
                key = f"pay_table.{self.name}.{self.terms.pay_tables[self.name]}.pays.{points}"
                raise RulebookError(self.terms.rulebook.file, key, "a multiplier needs odds to multiply")
            for key, suited in _SUITED.items():
                pays[f"{points}, {suited}"] = Odds(base.win * (table.factors[key] + added), base.per)
        return pays


def _pay_dealer_over_21(total: str, cards: OneSuit) -> Verdict:
    """LB.6: paid by the dealer's total; LB.7, LB.9: multiplied if every card is of one suit."""
    if cards.is_mixed:
        return Verdict(total, f"the dealer went over 21 with {total}", ("LB.6", "LB.5"))
    suited = _SUITED["5+" if cards.held >= 5 else str(cards.held)]
    because = f"the dealer went over 21 with {total} in {cards.held} suited cards"
    return Verdict(f"{total}, {suited}", because, ("LB.7", "LB.6", "LB.8", "LB.9"))
