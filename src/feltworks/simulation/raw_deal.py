"""Writes random bits from the simulation's own dealing, to be tested by batteries such as dieharder.

`python -m feltworks.simulation.raw_deal SEED | dieharder -g 200 -a` deals six cards of one deck repeatedly,
numbers every ordered deal below 52·51·50·49·48·47, and writes the low 32 bits of the numbers below 3 · 2**32.
A bias towards some deals would bias these bits too.
"""

import sys
from collections.abc import Iterator
from itertools import count

import numpy as np

from feltworks.cards import DECK
from feltworks.machine.compiler import Bytes, Integers, compile_loop, deal
from feltworks.machine.streams import BATCH, Handle, Stream
from feltworks.simulation.rounds.kernel import BLOCK

_CUT = 3 << 32  # the largest multiple of 2**32 below the number of deals, so that all words are equally likely


@compile_loop
def _fill_words(stream: Handle, deck: Bytes, words: Integers) -> int:
    """Fills words from the deals of one block and returns the number of words filled."""
    filled = 0
    for _ in range(BLOCK):
        deal(stream, deck, 0, BATCH)
        number = np.int64(0)
        for place in range(BATCH):
            card = np.int64(deck[place])
            for earlier in range(place):
                card -= np.int64(deck[earlier] < deck[place])
            number = number * (len(deck) - place) + card
        words[filled] = number & 0xFFFFFFFF
        filled += int(number < _CUT)  # branchless, which is faster
    return filled


def raw_bits(seed: int) -> Iterator[bytes]:
    """Yields the bits of one block after the other, without end."""
    words = np.zeros(BLOCK, np.uint32)
    for block in count():
        stream = Stream(seed, block)
        filled = _fill_words(stream.handle, np.arange(len(DECK), dtype=np.uint8), words)
        yield words[:filled].tobytes()


def main(arguments: list[str]) -> None:
    """Writes bits to standard output until the reader stops."""
    try:
        for bits in raw_bits(int(arguments[0]) if arguments else 0):
            sys.stdout.buffer.write(bits)
    except BrokenPipeError:
        sys.stderr.close()  # the reader has stopped


if __name__ == "__main__":
    main(sys.argv[1:])
