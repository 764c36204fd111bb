"""Two wagers beside a hand of blackjack: a pair in its first two cards, and a three-card poker hand."""

from typing import Self

from feltworks.cards import Card, Suit
from feltworks.games.blackjack import UP, BlackjackStanding
from feltworks.hands.hand import Hand
from feltworks.hands.poker import (
    FLUSH,
    HIGH_CARD,
    PAIR,
    STANDARD,
    STRAIGHT,
    STRAIGHT_FLUSH,
    THREE_OF_A_KIND,
    PokerHand,
    Ranking,
)
from feltworks.rules.round import DEALER, SEAT, HandOf
from feltworks.rules.wager import Own, Verdict, Wager

SUITED_THREE = "suited three of a kind"
RED = (Suit.DIAMONDS, Suit.HEARTS)
THREE_CARDS = Ranking(
    categories=(STRAIGHT_FLUSH, THREE_OF_A_KIND, STRAIGHT, FLUSH, PAIR, HIGH_CARD),
    ranks=STANDARD.ranks,
    wheel=True,
    size=3,
)


class FirstTwo(Hand, frozen=True):
    """The first card, and after the second the kind of pair."""

    first: Card | None = None
    row: str = ""

    def add(self, card: Card) -> Self:
        one = self.first
        return type(self)(card) if one is None else type(self)(None, _pair(one, card))


def _pair(one: Card, other: Card) -> str:
    if one.rank != other.rank:
        return "no pair"
    if one is other:
        return "perfect pair"
    return "coloured pair" if (one.suit in RED) == (other.suit in RED) else "mixed pair"


class PerfectPairs(Wager[Own[BlackjackStanding, FirstTwo]]):
    """TS.1: a pair in the first two cards."""

    name = "perfect-pairs"
    outcomes = frozenset(["perfect pair", "coloured pair", "mixed pair", "no pair"])
    hand = HandOf(FirstTwo(), ((SEAT, 0), (SEAT, 1)))

    def judge(self, standing: Own[BlackjackStanding, FirstTwo]) -> Verdict | None:
        row = standing.hand.row
        return Verdict(row, f"{{0}} and {{1}} are {'a ' if row != 'no pair' else ''}{row}", ("TS.1",)) if row else None


class Trio(Hand, frozen=True):
    """Three cards as a poker hand, and the suit they share."""

    poker: PokerHand = PokerHand(THREE_CARDS)
    suit: Suit | None = None

    def add(self, card: Card) -> Self:
        is_suited = not self.poker.held or card.suit is self.suit
        return type(self)(self.poker.add(card), card.suit if is_suited else None)


class TwentyOnePlusThree(Wager[Own[BlackjackStanding, Trio]]):
    """TS.2: the first two cards and the dealer's up card as a poker hand."""

    name = "21-3"
    outcomes = frozenset([SUITED_THREE, *(category.name for category in THREE_CARDS.categories)])
    hand = HandOf(Trio(), ((SEAT, 0), (SEAT, 1), (DEALER, UP)))

    def judge(self, standing: Own[BlackjackStanding, Trio]) -> Verdict | None:
        value = standing.hand.poker.value
        if value is None:
            return None
        is_suited_three = value.category == THREE_OF_A_KIND.name and standing.hand.suit is not None
        return Verdict(SUITED_THREE if is_suited_three else value.category, value.words, ("TS.2",))
