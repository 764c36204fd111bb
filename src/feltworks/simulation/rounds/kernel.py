"""The interface of kernels, which play the rounds of one plan, and the choice of a kernel.

Rounds are counted in blocks, each with its own random stream, and workers take whole batches of blocks. Both
sizes are fixed, so that neither the counts nor the points where a run may stop depend on the workers.
"""

from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from typing import Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.cards import Card
from feltworks.errors import FeltError, one_of
from feltworks.machine.felt import CardsRead
from feltworks.machine.node import TooManyStates
from feltworks.machine.play import GoesOn
from feltworks.machine.streams import Stream
from feltworks.money import Cents
from feltworks.rules.game import Game
from feltworks.rules.round import Choice
from feltworks.simulation.plan import Plan
from feltworks.simulation.tally import Cell, Layout, SettledLine, Tally, add_tallies, cells_of

BLOCK = 1 << 16  # rounds from one random stream
BATCH = 16 * BLOCK  # rounds that one worker counts at a time


class DealtLine(Struct, frozen=True, gc=False, order=True):
    """One settled line of a kernel; a wager on several hands has a line for each."""

    seat: int
    wager: str
    outcome: str
    wagered: Cents
    net: Cents

    @classmethod
    def of(cls, seat: int, line: SettledLine) -> "DealtLine":
        """Converts a line of the rules or of the machine."""
        return cls(seat, line.wager, line.outcome, line.wagered, line.net)


class DealtRound(Struct, frozen=True):
    """One round of a kernel, with everything that the rules need to deal it again."""

    seats: tuple[Mapping[str, Cents], ...]  # the opening wagers
    cards: tuple[Card, ...]  # in the order in which the live table draws them
    choices: tuple[Choice, ...]  # in the order of the live table; with an amount if it can be chosen
    lines: tuple[DealtLine, ...]  # in any order
    meters: Mapping[str, Cents] = {}
    fresh: bool = True  # whether the shoe was whole when the round began

    def net(self, seat: int) -> Cents:
        """Returns the net of a seat."""
        return sum(line.net for line in self.lines if line.seat == seat)

    def cells(self, game: Game) -> list[Cell]:
        """Returns the results of the wagers of all seats as cells."""
        by_seat = [[line for line in self.lines if line.seat == seat] for seat in range(len(self.seats))]
        return [
            cell for opened, lines in zip(self.seats, by_seat, strict=True) for cell in cells_of(game, opened, lines)
        ]


class Kernel(Protocol):
    """Plays the rounds of one plan.

    `tally` and `nets` use the stream in the same way, so that the first n rounds are the same in both.
    """

    layout: Layout

    def tally(self, stream: Stream, rounds: int) -> Tally:
        """Counts this many rounds."""

    def nets(self, stream: Stream, rounds: int) -> NDArray[np.int64]:
        """Returns the net of seat 1 in each round, all its wagers together."""


def kernel_for(plan: Plan) -> Kernel:
    """Returns the kernel of a plan: with compiled rules or, if they cannot be compiled, with plain ones."""
    from feltworks.simulation.rounds.machine import MachineKernel
    from feltworks.simulation.rounds.plain import PlainKernel

    if not plan.table.has_spots:
        from feltworks.simulation.rounds.shapes import NoCourse
        from feltworks.simulation.rounds.showdown import ShowdownKernel

        with suppress(NoCourse):
            return ShowdownKernel(plan)
    try:
        return MachineKernel(plan)
    except (CardsRead, TooManyStates, GoesOn) as refusal:
        if plan.table.spot is not None:  # plain rules are too slow for split hands
            raise _split_refusal(plan, refusal) from None
        return PlainKernel(plan)


def _split_refusal(plan: Plan, refusal: FeltError) -> FeltError:
    """Explains why hands that are hit and split cannot be dealt with these wagers."""
    game = plan.table
    without_hand = [n for n in plan.wagers if game.wagers[n].hand is None and not _is_of_game(game, n)]
    if not without_hand:
        return refusal
    others = " ".join(f"--wager {name}" for name in plan.wagers if name not in without_hand)
    return FeltError(
        f"{game.terms.rulebook.title} cannot be simulated with {one_of(without_hand)}, which reads single cards:"
        f" let it name the hand that it is judged by; {others} counts the others"
    )


def _is_of_game(game: Game, wager: str) -> bool:
    return type(game.wagers[wager]) in game.wager_types


@lru_cache(maxsize=8)
def kernel_of(plan_json: bytes) -> Kernel:
    """Returns the cached kernel of a plan, so that a worker builds it once."""
    return kernel_for(Plan.from_json(plan_json))


def count_batch(plan_json: bytes, seed: int, rounds: int | None, batch: int) -> Tally:
    """Counts one batch, the unit of work of a worker; the last batch of a run may be shorter."""
    kernel = kernel_of(plan_json)
    first = batch * (BATCH // BLOCK)
    size = BATCH if rounds is None else min(BATCH, rounds - batch * BATCH)
    blocks = [
        kernel.tally(Stream(seed, first + number), min(BLOCK, size - begin))
        for number, begin in enumerate(range(0, size, BLOCK))
    ]
    return add_tallies(kernel.layout, blocks)
