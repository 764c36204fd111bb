"""Acey Deucey and its Raise That Pays: the dealer's up card falls between the player's two (AD.6–12)."""

from functools import cache, lru_cache

from feltworks.cards import Rank
from feltworks.games.blackjack import BEFORE_UP_CARD
from feltworks.games.blackjack.wagers import BlackjackStanding
from feltworks.hands.spread import is_between, spread
from feltworks.money import Cents
from feltworks.rules.record import FinishedSeat
from feltworks.rules.round import Choice, Seat, face_up
from feltworks.rules.steps import Offer
from feltworks.rules.terms import Terms
from feltworks.rules.wager import Verdict, Wager

CHECK = Offer("check")
_ROWS = ("spread 1", "spread 2", "spread 3-11", "three of a kind")
OUTCOMES = frozenset(["pair", "not between", *_ROWS, *(f"{row} suited" for row in _ROWS)])


class AceyDeucey(Wager[BlackjackStanding]):
    """AD.6: the Ante of the bonus; its player may raise before the up card."""

    name = "acey-deucey"
    outcomes = OUTCOMES

    def __init__(self, terms: Terms) -> None:
        super().__init__(terms)
        self._open_to = lru_cache(maxsize=1 << 8)(self._reckon_open_to)

    def judge(self, standing: BlackjackStanding) -> Verdict | None:
        """AD.9, AD.10: strictly between wins; a pair wins with a third of its kind and otherwise pushes."""
        up_card = standing.dealer.up_card
        if up_card is None:
            return None
        first, second = standing.first_two
        is_suited = first.suit is second.suit is up_card.suit
        return _placed(first.rank, second.rank, up_card.rank, is_suited)

    def asks(self, moment: str, seat: Seat) -> tuple[Offer, ...]:
        """AD.7, AD.8: check, or raise from $1 to twice the Ante; AD.12: no raise on a pair at a B table."""
        if moment != BEFORE_UP_CARD:
            return ()
        first, second = face_up(seat.cards)  # two alone lie there before the up card
        return self._open_to(first.rank is second.rank, seat.wagers[self.name])

    def _reckon_open_to(self, is_pair: bool, wagered: Cents) -> tuple[Offer, ...]:
        barred = is_pair and not self.terms.switch(self.name, "may_raise_pair")
        raise_ = None if barred else self.terms.offer("raise", "raise", Seat({self.name: wagered}))
        return (CHECK, raise_) if raise_ else (CHECK,)

    def answer(self, finished: FinishedSeat) -> Choice:
        return Choice("raise", finished.raise_) if finished.raise_ else Choice("check")


class Raise(Wager[BlackjackStanding]):
    """AD.11: the Raise That Pays comes out as the Ante does, and is paid by the same table."""

    name = "raise"
    outcomes = OUTCOMES
    paid_by = "acey-deucey"
    judge = AceyDeucey.judge


@cache
def _placed(first: Rank, second: Rank, up_card: Rank, is_suited: bool) -> Verdict:
    suited = " suited" if is_suited else ""
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
