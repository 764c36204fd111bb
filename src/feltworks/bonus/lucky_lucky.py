"""Lucky Lucky: the player's first two cards and the dealer's up card as a three-card hand (LL.1–5)."""

from typing import Self

from feltworks.cards import Card, Rank, Suit
from feltworks.games.blackjack import UP, BlackjackStanding
from feltworks.hands.blackjack import BlackjackHand, count
from feltworks.rules.round import DEALER, SEAT, HandOf
from feltworks.rules.wager import Deal, Own, Verdict, Wager

_SIX_TO_EIGHT = frozenset([Rank.SIX, Rank.SEVEN, Rank.EIGHT])


class LuckyHand(BlackjackHand, frozen=True, gc=False):
    """LL.2: a total, aces counting one or eleven; the suit that all cards share, and the row that a 21 makes.

    >>> from feltworks.cards import cards
    >>> def row(*codes: str) -> str:
    ...     hand = LuckyHand()
    ...     for card in cards(codes):
    ...         hand = hand.add(card)
    ...     return hand.row
    >>> row("7h", "7h", "7h"), row("8c", "6d", "7s"), row("Ah", "9h", "Ah"), row("Kh", "9c", "4d")
    ('suited 7-7-7', '6-7-8', 'suited 21', 'over 21')
    """

    suit: Suit | None = None  # None once the suits differ
    makes: str = "7-7-7"  # three cards from six to eight that make 21 are 7-7-7 or 6-7-8

    def add(self, card: Card) -> Self:
        suit = card.suit if not self.held or card.suit is self.suit else None
        makes = self.makes
        if card.rank not in _SIX_TO_EIGHT:
            makes = "21"
        elif makes == "7-7-7" and card.rank is not Rank.SEVEN:
            makes = "6-7-8"
        return type(self)(*count(self, card), self.held + 1, suit, makes)

    @property
    def row(self) -> str:
        """LL.3: the highest row that three cards fit, in any order."""
        if self.points == 21:
            return f"suited {self.makes}" if self.suit is not None else self.makes
        if self.points > 21:
            return "over 21"
        return str(self.points) if self.points >= 19 else "18 or less"


class LuckyLucky(Wager[Own[BlackjackStanding, LuckyHand]]):
    """LL.5: settled directly after the deal; the rest of the round does not affect it."""

    name = "lucky-lucky"
    outcomes = frozenset(
        [
            "suited 7-7-7",
            "suited 6-7-8",
            "7-7-7",
            "6-7-8",
            "suited 21",
            "21",
            "20",
            "19",
            "18 or less",
            "over 21",
        ]
    )
    hand = HandOf(LuckyHand(), ((SEAT, 0), (SEAT, 1), (DEALER, UP)))
    decided_by = Deal((3,), "first two cards and the dealer's up card, without order")
    printed_as = "clover"

    def judge(self, standing: Own[BlackjackStanding, LuckyHand]) -> Verdict | None:
        if standing.hand.held < 3:
            return None
        row = standing.hand.row
        return Verdict(row, "{0} {1} {2} make " + _say(row), ("LL.3", "LL.2"))


def _say(row: str) -> str:
    return row if row[0] in "s1267" else f"a total {row}"
