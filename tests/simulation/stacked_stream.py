"""A random stream that deals chosen hands: it gives a kernel the very words by which it would draw them."""

from collections.abc import Sequence
from ctypes import CFUNCTYPE, c_uint64, c_void_p, cast

from feltworks.cards import Card
from feltworks.machine.streams import Handle, Stream

_WORDS = 1 << 64


class StackedStream(Stream):
    """Words for hands dealt one after the other from an unshuffled deck, each from one word."""

    def __init__(self, deck: Sequence[Card], hands: Sequence[Sequence[Card]]) -> None:
        self._words = iter(_words(list(deck), hands))
        self._draw = CFUNCTYPE(c_uint64, c_void_p)(lambda _state: next(self._words))
        address = cast(self._draw, c_void_p).value
        assert address is not None
        self.stacked: Handle = (address, address, 0)

    @property
    def handle(self) -> Handle:  # type: ignore[override]
        return self.stacked


def _words(deck: list[Card], hands: Sequence[Sequence[Card]]) -> list[int]:
    words, at = [], 0
    for hand in hands:
        number, product = 0, 1
        for card in hand:
            place, left = deck.index(card), len(deck) - at
            number, product = number * left + place - at, product * left
            deck[at], deck[place] = deck[place], deck[at]
            at += 1
        words.append((2 * number + 1) * _WORDS // (2 * product))  # the middle of the words that draw them
    return words
