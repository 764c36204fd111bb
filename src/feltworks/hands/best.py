"""The best hand of a ranking among more cards than it has, such as five of seven."""

from itertools import combinations
from typing import Self

from feltworks.cards import Card
from feltworks.hands.hand import Hand
from feltworks.hands.poker import HandValue, Ranking


class BestHand(Hand, frozen=True, gc=False, cache_hash=True):
    """The best hand that can be chosen from `of` cards; it has a value as soon as there are enough cards.

    Once all cards are dealt only the value is kept. Before that the hand keeps its cards, sorted, since any
    of them may become part of the best hand.

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
        """Whether all its cards are dealt."""
        return self.held >= self.of

    @property
    def words(self) -> str:
        return self.value.words if self.value else ""


def best_value(ranking: Ranking, cards: tuple[Card, ...]) -> HandValue:
    """The value of the best hand among these cards."""
    return max(map(ranking.value, combinations(cards, ranking.size)))
