"""Hands by the rows of a pay table: categories, and pairs by rank."""

from typing import Self

from msgspec import Struct

from feltworks.cards import Card, Rank
from feltworks.hands.hand import Hand
from feltworks.hands.poker import PAIR, HandValue, PokerHand, Ranking


class PaidRows(Struct, frozen=True):
    """The rows of a pay table under a ranking; rows of pairs start at a rank each, the highest first.

    >>> from feltworks.cards import cards
    >>> from feltworks.hands.poker import STANDARD
    >>> rows = PaidRows(STANDARD, ((Rank.JACK, "jacks or better"), (Rank.TWO, "low pair")))
    >>> rows.row(STANDARD.value(cards("Tc Td 9h 4s 2c")))
    'low pair'
    """

    ranking: Ranking
    pairs: tuple[tuple[Rank, str], ...]

    @property
    def names(self) -> frozenset[str]:
        """Every row."""
        categories = {category.name for category in self.ranking.categories} - {PAIR.name}
        return frozenset([*categories, *(name for _, name in self.pairs)])

    def row(self, value: HandValue) -> str:
        """The row of a complete hand."""
        if value.category != PAIR.name:
            return value.category
        return next(name for lowest, name in self.pairs if value.ranks[0] >= lowest)


class PaidHand(Hand, frozen=True):
    """Cards in their order; the complete hand keeps only its row."""

    any_order = True

    rows: PaidRows
    cards: PokerHand | None = None
    row: str = ""

    def add(self, card: Card) -> Self:
        cards = (self.cards or PokerHand(self.rows.ranking)).add(card)
        if cards.value is None:
            return type(self)(self.rows, cards)
        return type(self)(self.rows, None, self.rows.row(cards.value))
