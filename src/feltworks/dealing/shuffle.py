"""A shoe in shuffled order, worked out card by card as it is dealt."""

from collections.abc import Iterable
from typing import Final

from feltworks.cards import Card
from feltworks.dealing.stream import Stream
from feltworks.errors import FeltError, ShoeExhausted

_AT_A_TIME: Final = 6


class ShoeEmpty(ShoeExhausted):
    """A card was wanted after the last one had been dealt."""

    def __init__(self, held: int) -> None:
        self.code, self.held = "", held
        # the sentence of ShoeExhausted speaks of one face; here they are all gone
        FeltError.__init__(self, f"all {held} cards of the shoe are dealt; the round can only be voided")


class Shuffle:
    """Fisher–Yates from the top: the next card is any of those left, each with the same chance.

    The seed fixes the whole order; drawing late or early changes nothing. So a few cards are worked out at
    a time, which costs less than one by one.
    """

    __slots__ = ("_cards", "_stream", "_worked_out", "position")

    def __init__(self, unshuffled: Iterable[Card], seed: bytes) -> None:
        self._cards: Final = list(unshuffled)  # in their order as far as it is worked out
        self._stream: Final = Stream(seed)
        self._worked_out = 0
        self.position = 0

    def deal(self, count: int) -> tuple[Card, ...]:
        """The next cards."""
        top, end = self.position, self.position + count
        if end > self._worked_out:
            self._work_out(end)
        self.position = end
        return tuple(self._cards[top:end])

    def _work_out(self, wanted: int) -> None:
        cards, top = self._cards, self._worked_out
        if wanted > len(cards):
            raise ShoeEmpty(len(cards))
        count = min(max(wanted - top, _AT_A_TIME), len(cards) - top)
        for below_top in self._stream.falling(len(cards) - top, count):
            place = top + below_top
            cards[place], cards[top] = cards[top], cards[place]
            top += 1
        self._worked_out = top
