"""Acey Deucey and its Raise That Pays: the dealer's up card falls between the player's two (AD.6–12)."""

from feltworks.games.blackjack import BEFORE_UP_CARD, UP, BlackjackStanding
from feltworks.hands.spread import SuitedRanks, is_between, spread
from feltworks.rules.record import FinishedSeat
from feltworks.rules.round import DEALER, SEAT, Choice, HandOf, Round
from feltworks.rules.steps import Offer
from feltworks.rules.wager import Own, Verdict, Wager

_ROWS = ("spread 1", "spread 2", "spread 3-11", "three of a kind")
OUTCOMES = frozenset(["pair", "not between", *_ROWS, *(f"{row} suited" for row in _ROWS)])


class AceyDeucey(Wager[Own[BlackjackStanding, SuitedRanks]]):
    """AD.6: the Ante of the bonus; its player may raise before the up card."""

    name = "acey-deucey"
    outcomes = OUTCOMES
    hand = HandOf(SuitedRanks(), ((SEAT, 0), (SEAT, 1), (DEALER, UP)))

    def judge(self, standing: Own[BlackjackStanding, SuitedRanks]) -> Verdict | None:
        """AD.9, AD.10: strictly between wins; a pair wins with a third of its kind and otherwise pushes."""
        if len(standing.hand.ranks) < 3:
            return None
        first, second, up_card = standing.hand.ranks
        suited = " suited" if standing.hand.is_suited else ""
        if first == second:
            if up_card != first:
                return Verdict("pair", f"the pair of {first.plural} met no third", ("AD.10",))
            return Verdict(f"three of a kind{suited}", f"three {first.plural}", ("AD.10", "AD.11"))
        held = f"the {first.word} and the {second.word}"
        if not is_between(up_card, first, second):
            return Verdict("not between", f"the {up_card.word} is not between {held}", ("AD.9", "AD.3"))
        between = spread(first, second)
        row = f"spread {between}" if between <= 2 else "spread 3-11"
        because = f"the {up_card.word} is between {held}, a spread of {between}"
        return Verdict(row + suited, because, ("AD.11", "AD.9"))

    def asks(self, moment: str, r: Round, seat: int) -> tuple[Offer, ...]:
        """AD.7, AD.8: check, or raise from $1 to twice the Ante; AD.12: no raise on a pair at a B table."""
        if moment != BEFORE_UP_CARD:
            return ()
        first, second = r.hand_of(self.hand, seat).ranks
        if first == second and not self.terms.switch(self.name, "may_raise_pair"):
            return (Offer("check"),)
        raise_ = self.terms.offer("raise", "raise", r.seats[seat])
        return (Offer("check"), raise_) if raise_ else (Offer("check"),)

    def answer(self, finished: FinishedSeat) -> Choice:
        return Choice("raise", finished.raise_) if finished.raise_ else Choice("check")


class Raise(Wager[Own[BlackjackStanding, SuitedRanks]]):
    """AD.11: the Raise That Pays comes out as the Ante does, and is paid by the same table."""

    name = "raise"
    outcomes = OUTCOMES
    paid_by = "acey-deucey"
    hand = AceyDeucey.hand
    judge = AceyDeucey.judge
