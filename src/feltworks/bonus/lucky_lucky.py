"""Lucky Lucky: the player's first two cards and the dealer's up card as a three-card hand (LL.1–5)."""

from feltworks.cards import Card, Rank
from feltworks.games.blackjack.wagers import BlackjackStanding
from feltworks.hands.blackjack import total
from feltworks.rules.wager import Verdict, Wager

_SEVENS = [Rank.SEVEN] * 3
_SIX_SEVEN_EIGHT = [Rank.SIX, Rank.SEVEN, Rank.EIGHT]


class LuckyLucky(Wager[BlackjackStanding]):
    """LL.5: settled directly after the deal; nothing that follows touches it."""

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

    def judge(self, standing: BlackjackStanding) -> Verdict | None:
        if standing.dealer.up_card is None:
            return None
        (first, second), up_card = standing.first_two, standing.dealer.up_card
        outcome = row((first, second, up_card))
        because = f"{first.code} {second.code} {up_card.code} make {_words(outcome)}"
        return Verdict(outcome, because, ("LL.3", "LL.2"))


def row(hand: tuple[Card, ...]) -> str:
    """LL.3: the highest row three cards fit, in whatever order they came.

    >>> from feltworks.cards import cards
    >>> row(cards("7h 7h 7h")), row(cards("8c 6d 7s")), row(cards("Ah 9h Ah")), row(cards("Kh 9c 4d"))
    ('suited 7-7-7', '6-7-8', 'suited 21', 'over 21')
    """
    points = total(hand).points  # LL.2: aces count one or eleven
    if points != 21:
        return str(points) if 19 <= points <= 20 else "18 or less" if points <= 18 else "over 21"
    suited = "suited " if len({face.suit for face in hand}) == 1 else ""
    ranks = sorted([face.rank for face in hand])
    return suited + ("7-7-7" if ranks == _SEVENS else "6-7-8" if ranks == _SIX_SEVEN_EIGHT else "21")


def _words(outcome: str) -> str:
    return outcome if outcome[0] in "s1267" else f"a total {outcome}"
