"""A stream of unbiased whole numbers from a 32-byte seed: the ChaCha20 keystream, cut into words."""

from collections.abc import Iterator
from struct import Struct
from typing import Final

from cryptography.hazmat.primitives.ciphers import Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import ChaCha20

WORDS: Final = 2**32  # how many words there are: a word is four bytes, the lowest first
_BATCH = Struct("<16I")
_BLANK = bytes(_BATCH.size)
_BLOCK_AND_NONCE = bytes(16)  # every seed is used once, so counting begins at block 0 with a blank nonce


class Stream:
    """Whole numbers drawn one after the other; the seed alone decides them.

    >>> stream = Stream(bytes(32))
    >>> [stream.below(52) for _ in range(6)]
    [35, 29, 46, 8, 37, 5]
    """

    __slots__ = ("_keystream", "_words")

    def __init__(self, seed: bytes) -> None:
        self._keystream: Final = Cipher(ChaCha20(seed, _BLOCK_AND_NONCE), mode=None).encryptor()
        self._words: Iterator[int] = iter(())

    def below(self, limit: int) -> int:
        """A number from 0 to limit − 1, each from exactly as many words as any other."""
        if not 0 < limit <= WORDS:
            raise ValueError(f"a draw has from 1 to {WORDS} possible results, not {limit}")
        share = WORDS // limit  # words for each number; those left over are passed over
        while True:
            for word in self._words:
                if (drawn := word // share) < limit:
                    return drawn
            self._words = iter(_BATCH.unpack(self._keystream.update(_BLANK)))
