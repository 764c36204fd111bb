"""The random stream of a block: numpy's SFC64 with its own seed sequence, and its address for kernels."""

from ctypes import c_void_p, cast
from typing import Final

from numpy.random import SFC64, SeedSequence

Handle = tuple[int, int]  # addresses of the function for 64 bits and of the generator's state
BATCH: Final = 6  # cards shuffled with one word if a round may take any number


class Stream:
    """The random numbers of one block, determined by the seed and the block's number.

    A kernel gets the `handle`; the stream object has to live as long as the kernel uses it.

    >>> first, again, other = Stream(7, 0), Stream(7, 0), Stream(7, 1)
    >>> first.word() == again.word() != other.word()
    True
    """

    def __init__(self, seed: int, block: int) -> None:
        self._bits: Final = SFC64(SeedSequence(seed, spawn_key=(block,)))
        interface = self._bits.ctypes
        self.handle: Final[Handle] = (
            _address(interface.next_uint64),
            int(interface.state_address),
        )

    def word(self) -> int:
        """The next 64 random bits, as a kernel would draw them."""
        return int(self._bits.random_raw())


def _address(function: object) -> int:
    address = cast(function, c_void_p).value  # type: ignore[arg-type]  # a ctypes function is a pointer
    assert address is not None
    return address
