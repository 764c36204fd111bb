"""The best hand of a ranking among more cards than it has, such as five of seven."""

from itertools import combinations
from typing import Self

from feltworks.cards import Card
from feltworks.hands.hand import Hand
from feltworks.hands.poker import HandValue, Ranking


class BestHand(Hand, frozen=True, gc=False, cache_hash=True):
    """The best hand that can be chosen from `of` cards; its value is there as soon as enough cards are.

    Once all have come only the value counts. Before that the hand keeps its cards, in one order, since any
    of them may still be part of the best.

    >>> from feltworks.cards import cards
    >>> from feltworks.hands.poker import STANDARD
    >>> hand = BestHand(STANDARD, of=7)
    >>> for card in cards("Ah Kh 2c 3d Qh Jh Th"):
    ...     hand = hand.add(card)
    >>> hand.words, hand.held
    ('royal flush', 7)
    """

    any_order = True

    ranking: Ranking
    of: int
    cards: tuple[Card, ...] = ()
    value: HandValue | None = None
    held: int = 0

    def add(self, card: Card) -> Self:
        cards, held, ranking = tuple(sorted((*self.cards, card))), self.held + 1, self.ranking
        if held < ranking.size:
            return type(self)(ranking, self.of, cards, None, held)
        value = best_value(ranking, cards)
        return type(self)(ranking, self.of, cards if held < self.of else (), value, held)

    @property
    def is_whole(self) -> bool:
        """Whether all of its cards have come."""
        return self.held >= self.of

    @property
    def words(self) -> str:
        return self.value.words if self.value else ""


def best_value(ranking: Ranking, cards: tuple[Card, ...]) -> HandValue:
    """The value of the best hand among these cards."""
    return max(map(ranking.value, combinations(cards, ranking.size)))
