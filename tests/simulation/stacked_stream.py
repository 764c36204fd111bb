"""A random stream that deals chosen cards: it gives a kernel the very words by which it would draw them."""

from collections.abc import Sequence
from ctypes import CFUNCTYPE, c_uint64, c_void_p, cast

from feltworks.cards import Card
from feltworks.machine.streams import Handle, Stream

_WORDS = 1 << 64


class StackedStream(Stream):
    """Words for cards dealt one after the other from an unshuffled deck, so many from each word."""

    def __init__(self, deck: Sequence[Card], cards: Sequence[Card], batch: int) -> None:
        self._words = iter(_words(list(deck), cards, batch))
        self._draw = CFUNCTYPE(c_uint64, c_void_p)(lambda _state: next(self._words))
        address = cast(self._draw, c_void_p).value
        assert address is not None
        self.stacked: Handle = (address, 0)

    @property
    def handle(self) -> Handle:  # type: ignore[override]
        return self.stacked

    def word(self) -> int:
        return next(self._words)


def _words(deck: list[Card], cards: Sequence[Card], batch: int) -> list[int]:
    words, at = [], 0
    while at < len(cards):
        number, product = 0, 1
        for _ in range(batch):
            place, left = deck.index(cards[at]) if at < len(cards) else at, len(deck) - at
            number, product = number * left + place - at, product * left
            deck[at], deck[place] = deck[place], deck[at]
            at += 1
        words.append((2 * number + 1) * _WORDS // (2 * product))  # the middle of the words that draw them
    return words
