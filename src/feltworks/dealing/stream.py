"""A stream of unbiased whole numbers from a 32-byte seed: ChaCha20 keystreams in batches, cut into words.

Batch i = 0, 1, 2 … of 32 words is the first 128 bytes of the keystream that ChaCha20-Poly1305 (RFC 8439)
encrypts with: blocks 1 and 2 of ChaCha20, the seed as key, i in twelve bytes, the lowest first, as nonce.
"""

from collections.abc import Iterator
from struct import Struct
from typing import Final

from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

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
