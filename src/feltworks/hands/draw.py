"""A poker hand with one exchange of cards."""

from typing import Self

from feltworks.cards import Card
from feltworks.hands.hand import Hand, chosen_cards
from feltworks.hands.poker import HandValue, Ranking


class DrawHand(Hand, frozen=True, gc=False, cache_hash=True):
    """Cards in their order until some are discarded; the hand has a value once those are replaced.

    >>> from feltworks.cards import cards
    >>> from feltworks.hands.poker import STANDARD
    >>> hand = DrawHand(STANDARD, about="draw")
    >>> for card in cards("Ah Kh 2c Qh Jh"):
    ...     hand = hand.add(card)
    >>> hand.choose("discard 3").add(*cards("Th")).words
    'royal flush'
    """

    keeps_cards = True

    ranking: Ranking
    about: str  # the decision that chooses the discards
    cards: tuple[Card, ...] = ()
    has_chosen: bool = False

    def add(self, card: Card) -> Self:
        return type(self)(self.ranking, self.about, (*self.cards, card), self.has_chosen)

    @property
    def wants_card(self) -> bool:
        return len(self.cards) < self.ranking.size

    def takes(self, about: str) -> bool:
        return about == self.about

    def choose(self, name: str) -> Self:
        discards = chosen_cards(name)
        left = tuple(card for place, card in enumerate(self.cards) if place not in discards)
        return type(self)(self.ranking, self.about, left, has_chosen=True)

    @property
    def value(self) -> HandValue | None:
        """The value of the hand; None before the draw."""
        return self.ranking.value(self.cards) if self.has_chosen and not self.wants_card else None

    @property
    def words(self) -> str:
        return "" if self.wants_card else self.ranking.value(self.cards).words
