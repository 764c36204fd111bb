"""How a run is cut up: blocks with random streams of their own, and batches of blocks for a worker to count.

Both sizes are fixed, so that what is counted, and where a run may stop, never depends on who counts it.
"""

from functools import lru_cache

from feltworks.machine.streams import Stream
from feltworks.simulation.kernel import Kernel, kernel_for
from feltworks.simulation.plan import Plan
from feltworks.simulation.tally import PackedTally, Tally

BLOCK = 1 << 16  # rounds from one random stream
BATCH = 16 * BLOCK  # rounds that one worker counts at a time


@lru_cache(maxsize=8)
def kernel_of(plan_json: bytes) -> Kernel:
    """A worker makes the kernel of a plan once."""
    return kernel_for(Plan.from_json(plan_json))


def count_batch(plan_json: bytes, seed: int, rounds: int | None, batch: int) -> PackedTally:
    """The tally of a batch, the last of so many rounds perhaps cut short: all that a worker does."""
    kernel = kernel_of(plan_json)
    tally = Tally.empty(kernel.layout)
    first = batch * (BATCH // BLOCK)
    size = BATCH if rounds is None else min(BATCH, rounds - batch * BATCH)
    for number, begin in enumerate(range(0, size, BLOCK)):
        tally += kernel.tally(Stream(seed, first + number), min(BLOCK, size - begin))
    return tally.packed()
