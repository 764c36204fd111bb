"""Shuffles a shoe card by card with unbiased numbers from a 32-byte seed.

Numbers come from ChaCha20 keystreams in batches of 32 words. Batch i = 0, 1, 2 … is the first 128 bytes of
the keystream that ChaCha20-Poly1305 (RFC 8439) encrypts with: blocks 1 and 2, the seed as key, and i as nonce
in twelve bytes, the lowest first.
"""

from collections.abc import Iterable, Iterator
from struct import Struct
from typing import Final

from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from feltworks.cards import Card
from feltworks.errors import FeltError, ShoeExhausted

_AT_A_TIME: Final = 6


class ShoeEmpty(ShoeExhausted):
    """A card was requested after the last one had been dealt."""

    def __init__(self, held: int) -> None:
        self.code, self.held = "", held
        # the message of ShoeExhausted names one face; here all cards are gone
        FeltError.__init__(self, f"all {held} cards of the shoe are dealt; the round can only be voided")


class Shuffle:
    """A Fisher–Yates shuffle from the top: the next card is any of those left, with equal chance.

    The seed fixes the whole order, so cards are computed when needed, a few at a time to save calls.
    """

    __slots__ = ("_cards", "_stream", "_worked_out", "position")

    def __init__(self, unshuffled: Iterable[Card], seed: bytes) -> None:
        self._cards: Final = list(unshuffled)  # in their final order as far as it is computed
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
        for below_top in self._stream.draw_decreasing(len(cards) - top, count):
            place = top + below_top
            cards[place], cards[top] = cards[top], cards[place]
            top += 1
        self._worked_out = top


WORDS: Final = 2**32  # the number of words: a word is four bytes, the lowest first
_BATCH = Struct("<32I")
_BLANK = bytes(_BATCH.size)  # zeros, encrypted, are the keystream itself
_NONCE_BYTES = 12


class Stream:
    """A stream of whole numbers that depends on the seed alone.

    >>> stream = Stream(bytes(32))
    >>> [stream.below(52) for _ in range(6)]
    [38, 24, 25, 2, 32, 21]
    """

    __slots__ = ("_batches", "_cipher", "_words")

    def __init__(self, seed: bytes) -> None:
        # Setting up the plain cipher takes longer than this one with its first batch.
        self._cipher: Final = ChaCha20Poly1305(seed)
        self._batches = 0
        self._words: Iterator[int] = iter(())

    def below(self, limit: int) -> int:
        """A number from 0 to limit − 1; every number corresponds to equally many words."""
        if not 0 < limit <= WORDS:
            raise ValueError(f"a draw has from 1 to {WORDS} possible results, not {limit}")
        return self.draw_decreasing(limit, 1)[0]

    def draw_decreasing(self, limit: int, count: int) -> list[int]:
        """Unbiased numbers below limit, limit − 1, limit − 2 …."""
        numbers: list[int] = []
        share = WORDS // limit  # words for each number; remaining words are skipped
        while count:
            for word in self._words:
                if (drawn := word // share) < limit:
                    numbers.append(drawn)
                    count -= 1
                    if not count:
                        return numbers
                    limit -= 1
                    share = WORDS // limit
            self._words = iter(self._next_batch())
        return numbers

    def _next_batch(self) -> tuple[int, ...]:
        nonce = self._batches.to_bytes(_NONCE_BYTES, "little")
        self._batches += 1
        return _BATCH.unpack_from(self._cipher.encrypt(nonce, _BLANK, None))  # the tag after them is unused
