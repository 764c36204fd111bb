"""War: the player's first card against the dealer's up card (AD.4, AD.5)."""

from feltworks.games.blackjack import UP, BlackjackStanding
from feltworks.hands.spread import RanksDealt
from feltworks.rules.round import DEALER, SEAT, HandOf
from feltworks.rules.wager import Own, Verdict, Wager


class War(Wager[Own[BlackjackStanding, RanksDealt]]):
    """AD.15: settled as soon as the up card is exposed. AD.3: the ace is high."""

    name = "war"
    hand = HandOf(RanksDealt(), ((SEAT, 0), (SEAT, 1), (DEALER, UP)))

    @property
    def outcomes(self) -> frozenset[str]:  # type: ignore[override]  # the two tables have different outcomes
        if self.terms.switch("war", "second_card_decides"):
            return frozenset(["higher", "lower", "second card higher", "second card not higher"])
        return frozenset(["higher", "lower", "equal"])

    def judge(self, standing: Own[BlackjackStanding, RanksDealt]) -> Verdict | None:
        if len(standing.hand.ranks) < 3:
            return None
        first, second, up_card = standing.hand.ranks
        if first != up_card:
            outcome = "higher" if first > up_card else "lower"
            because = f"the first card, {first.word}, is {outcome} than the dealer's {up_card.word}"
            return Verdict(outcome, because, ("AD.4", "AD.3"))
        if not self.terms.switch("war", "second_card_decides"):
            return Verdict("equal", f"the first card equals the dealer's {up_card.word}", ("AD.5",))
        outcome = "second card higher" if second > up_card else "second card not higher"
        is_or_not = "is" if second > up_card else "is not"
        because = f"the first cards are equal and the second, {second.word}, {is_or_not} higher"
        return Verdict(outcome, because, ("AD.4", "AD.3"))
