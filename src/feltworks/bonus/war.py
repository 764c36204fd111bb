"""War: the player's first card against the dealer's up card (AD.4, AD.5)."""

from functools import cache

from feltworks.cards import Rank
from feltworks.games.blackjack.wagers import BlackjackStanding
from feltworks.rules.wager import Verdict, Wager


class War(Wager[BlackjackStanding]):
    """AD.15: settled as soon as the up card is exposed. AD.3: the ace is high."""

    name = "war"

    @property
    def outcomes(self) -> frozenset[str]:  # type: ignore[override]  # the two tables have different outcomes
        if self.terms.switch("war", "second_card_decides"):
            return frozenset(["higher", "lower", "second card higher", "second card not higher"])
        return frozenset(["higher", "lower", "equal"])

    def judge(self, standing: BlackjackStanding) -> Verdict | None:
        up_card = standing.dealer.up_card
        if up_card is None:
            return None
        first, second = standing.first_two
        if first.rank != up_card.rank:
            return _compared(first.rank, up_card.rank)
        if not self.terms.switch("war", "second_card_decides"):
            return Verdict("equal", f"the first card equals the dealer's {up_card.rank.word}", ("AD.5",))
        outcome = "second card higher" if second.rank > up_card.rank else "second card not higher"
        is_or_not = "is" if second.rank > up_card.rank else "is not"
        because = f"the first cards are equal and the second, {second.rank.word}, {is_or_not} higher"
        return Verdict(outcome, because, ("AD.4", "AD.3"))


@cache
def _compared(mine: Rank, theirs: Rank) -> Verdict:
    outcome = "higher" if mine > theirs else "lower"
    because = f"the first card, {mine.word}, is {outcome} than the dealer's {theirs.word}"
    return Verdict(outcome, because, ("AD.4", "AD.3"))
