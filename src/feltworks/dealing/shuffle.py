"""Shuffles a shoe card by card with unbiased numbers from a 32-byte seed."""

from collections.abc import Iterable, Iterator
from struct import Struct
from typing import Final

from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from feltworks.cards import Card
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


WORDS: Final = 2**32  # how many words there are: a word is four bytes, the lowest first
_BATCH = Struct("<32I")
_BLANK = bytes(_BATCH.size)  # zeros, encrypted, are the keystream itself
_NONCE_BYTES = 12


class Stream:
    """Whole numbers drawn one after the other; the seed alone decides them.

    >>> stream = Stream(bytes(32))
    >>> [stream.below(52) for _ in range(6)]
    [38, 24, 25, 2, 32, 21]
    """

    __slots__ = ("_batches", "_cipher", "_words")

    def __init__(self, seed: bytes) -> None:
        # The bare cipher takes longer to set up than this one and its first batch together.
        self._cipher: Final = ChaCha20Poly1305(seed)
        self._batches = 0
        self._words: Iterator[int] = iter(())

    def below(self, limit: int) -> int:
        """A number from 0 to limit − 1, each from exactly as many words as any other."""
        if not 0 < limit <= WORDS:
            raise ValueError(f"a draw has from 1 to {WORDS} possible results, not {limit}")
        return self.falling(limit, 1)[0]

    def falling(self, limit: int, count: int) -> list[int]:
        """Numbers below limit, limit − 1, limit − 2 …, each without bias."""
        numbers: list[int] = []
        share = WORDS // limit  # words for each number; those left over are passed over
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
        return _BATCH.unpack_from(self._cipher.encrypt(nonce, _BLANK, None))  # the tag behind them is no word
