"""What an outsider writes from the description in dealing/seed.py alone, without any of our code."""

import hashlib
import struct
from collections.abc import Iterator, Sequence
from itertools import count

CONSTANTS = struct.unpack("<4I", b"expand 32-byte k")
COLUMNS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))
DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))


def _rotated(word: int, by: int) -> int:
    return (word << by | word >> 32 - by) & 0xFFFFFFFF


def _quarter_round(state: list[int], a: int, b: int, c: int, d: int) -> None:
    for target, source, mixed, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        state[target] = (state[target] + state[source]) & 0xFFFFFFFF
        state[mixed] = _rotated(state[mixed] ^ state[target], by)


def block(key: bytes, counter: int, nonce: bytes) -> bytes:
    """One block of ChaCha20, as RFC 8439 section 2.3 describes it."""
    initial = [*CONSTANTS, *struct.unpack("<8I", key), counter, *struct.unpack("<3I", nonce)]
    state = list(initial)
    for _ in range(10):
        for places in COLUMNS + DIAGONALS:
            _quarter_round(state, *places)
    return struct.pack("<16I", *((a + b) & 0xFFFFFFFF for a, b in zip(state, initial, strict=True)))


def words(seed: bytes) -> Iterator[int]:
    for batch in count():
        nonce = batch.to_bytes(12, "little")
        for counter in (1, 2):
            yield from struct.unpack("<16I", block(seed, counter, nonce))


def number_below(limit: int, stream: Iterator[int]) -> int:
    size = 2**32 // limit
    return next(word // size for word in stream if word // size < limit)


def order(seed: bytes, unshuffled: Sequence[str]) -> list[str]:
    """The codes of all cards in the order the shoe gives them."""
    stream, lying = words(seed), list(unshuffled)
    for i in range(len(lying)):
        other = i + number_below(len(lying) - i, stream)
        lying[i], lying[other] = lying[other], lying[i]
    return lying


def commitment(seed: bytes, listed: str, shoe_number: int, mode: str) -> str:
    lines = [
        "feltworks shoe v1",
        f"cards {listed}",
        f"shoe {shoe_number}",
        f"mode {mode}",
        f"seed {seed.hex()}",
    ]
    return hashlib.sha256("".join(line + "\n" for line in lines).encode("ascii")).hexdigest()


def announced_seed(number: int, shoe_number: int) -> bytes:
    return hashlib.sha256(f"feltworks test seed v1\nnumber {number}\nshoe {shoe_number}\n".encode()).digest()
