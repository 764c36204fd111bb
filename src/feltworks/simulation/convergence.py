"""How a simulation came to its edges: what every wager's was, and its error, after ever more rounds."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from feltworks.machine.streams import Stream
from feltworks.simulation.blocks import BATCH, BLOCK
from feltworks.simulation.measured import measured
from feltworks.simulation.tally import Layout, Tally

if TYPE_CHECKING:
    from feltworks.simulation.runner import Run

SPACING: Final = 1.15  # each look at so many times the rounds of the one before
_FIRST: Final = 1_000


class Look(Struct, frozen=True):
    """House edge and standard error of every wager after so many rounds."""

    rounds: int
    edges: dict[str, tuple[float, float]]


def look(layout: Layout, tally: Tally) -> Look:
    """The edges by this tally."""
    found = measured(layout, tally)
    return Look(tally.rounds, {name: (each.house_edge, each.standard_error) for name, each in found.items()})


def looks(run: "Run") -> list[Look]:
    """From a thousand rounds to all of them; the run's own first rounds are counted again."""
    layout, counted = run.kernel.layout, run.tally.rounds
    found = [look(layout, tally) for tally in _beginning(run) if tally.rounds < counted]
    return [*found, *(each for each in run.looks if each.rounds < counted), look(layout, run.tally)]


def _beginning(run: "Run") -> Iterator[Tally]:
    """The first batch as it grew: parts of its first block, then block by block."""
    rounds: float = _FIRST
    while rounds < min(BLOCK, run.tally.rounds):
        yield run.kernel.tally(Stream(run.seed, 0), int(rounds))
        rounds *= SPACING
    tally, rounds = Tally.empty(run.kernel.layout), BLOCK
    for block in range(min(BATCH, run.tally.rounds) // BLOCK):
        tally += run.kernel.tally(Stream(run.seed, block), BLOCK)
        if tally.rounds >= rounds:
            yield tally
            rounds = tally.rounds * SPACING
