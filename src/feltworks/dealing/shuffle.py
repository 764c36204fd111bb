"""A shoe in shuffled order, worked out card by card as it is dealt."""

from collections.abc import Iterable
from typing import Final

from feltworks.cards import Card
from feltworks.dealing.stream import Stream
from feltworks.errors import FeltError, ShoeExhausted


class ShoeEmpty(ShoeExhausted):
    """A card was wanted after the last one had been dealt."""

    def __init__(self, held: int) -> None:
        self.code, self.held = "", held
        # the sentence of ShoeExhausted speaks of one face; here they are all gone
        FeltError.__init__(self, f"all {held} cards of the shoe are dealt; the round can only be voided")


class Shuffle:
    """Fisher–Yates from the top: the next card is any of those left, each with the same chance.

    The seed fixes the whole order; drawing late or early changes nothing.
    """

    __slots__ = ("_cards", "_stream", "position")

    def __init__(self, unshuffled: Iterable[Card], seed: bytes) -> None:
        self._cards: Final = list(unshuffled)
        self._stream: Final = Stream(seed)
        self.position = 0

    def deal(self, count: int) -> tuple[Card, ...]:
        """The next cards."""
        cards, top = self._cards, self.position
        if top + count > len(cards):
            raise ShoeEmpty(len(cards))
        dealt = []
        for below_top in self._stream.falling(len(cards) - top, count):
            dealt.append(cards[top + below_top])
            cards[top + below_top] = cards[top]  # the card from the top takes the place of the one that left
            top += 1
        self.position = top
        return tuple(dealt)
