"""Acey Deucey and its Raise That Pays: the dealer's up card falls between the player's two (AD.6–12)."""

from feltworks.games.blackjack import BEFORE_UP_CARD, UP, BlackjackStanding
from feltworks.hands.spread import SpreadHand, is_between, spread
from feltworks.rules.round import DEALER, SEAT, HandOf, Round
from feltworks.rules.sights import SPREADS
from feltworks.rules.steps import Offer
from feltworks.rules.wager import Amount, Deal, Own, Verdict, Wager

_ROWS = ("spread 1", "spread 2", "spread 3-11", "three of a kind")
_HELD, _UP_CARD = "the {0.rank.word} and the {1.rank.word}", "{2.rank.word}"
_OF_A_PAIR = frozenset(["pair", "three of a kind", "three of a kind suited"])
OUTCOMES = _OF_A_PAIR | {"not between", *_ROWS, *(f"{row} suited" for row in _ROWS)}


class AceyDeucey(Wager[Own[BlackjackStanding, SpreadHand]]):
    """AD.6: the Ante of the bonus; its player may raise before the up card."""

    name = "acey-deucey"
    outcomes = OUTCOMES
    hand = HandOf(SpreadHand(), ((SEAT, 0), (SEAT, 1), (DEALER, UP)))
    written = Amount("raise", "raise", otherwise="check")
    decided_by = Deal((2, 1), "player's two cards, without order, and the up card")
    printed_as = "spread"
    sights = SPREADS

    def judge(self, standing: Own[BlackjackStanding, SpreadHand]) -> Verdict | None:
        """AD.9, AD.10: strictly between wins; a pair wins with a third card of its rank and otherwise pushes."""
        hand = standing.hand
        if not hand.third:
            return None
        suited = " suited" if hand.suit is not None else ""
        if hand.is_pair:
            if hand.third != hand.low:
                return Verdict("pair", f"the pair of {hand.low.plural} met no third", ("AD.10",))
            return Verdict(f"three of a kind{suited}", f"three {hand.low.plural}", ("AD.10", "AD.11"))
        if not is_between(hand.third, hand.low, hand.high):
            return Verdict("not between", f"the {_UP_CARD} is not between {_HELD}", ("AD.9", "AD.3"))
        between = spread(hand.low, hand.high)
        row = f"spread {between}" if between <= 2 else "spread 3-11"
        because = f"the {_UP_CARD} is between {_HELD}, a spread of {between}"
        return Verdict(row + suited, because, ("AD.11", "AD.9"))

    def asks(self, moment: str, r: Round, seat: int) -> tuple[Offer, ...]:
        """AD.7, AD.8: check, or raise from $1 to twice the Ante; AD.12: no raise on a pair at a B table."""
        if moment != BEFORE_UP_CARD:
            return ()
        is_pair = r.hand_of(self.hand, seat).is_pair
        if is_pair and not self.terms.switch(self.name, "may_raise_pair"):
            return (Offer("check"),)
        raise_ = self.terms.offer("raise", "raise", r.seats[seat])
        return (Offer("check"), raise_) if raise_ else (Offer("check"),)


class Raise(Wager[Own[BlackjackStanding, SpreadHand]]):
    """AD.11: the Raise That Pays has the Ante's outcome and pay table."""

    name = "raise"
    outcomes = OUTCOMES
    paid_by = "acey-deucey"
    hand = AceyDeucey.hand
    decided_by = AceyDeucey.decided_by
    judge = AceyDeucey.judge

    @property
    def possible(self) -> frozenset[str]:
        """AD.12: at a B table a pair is never raised."""
        may_raise = self.terms.switch(AceyDeucey.name, "may_raise_pair")
        return self.outcomes if may_raise else self.outcomes - _OF_A_PAIR
