"""What a kernel offers: rounds of one game at machine speed, and the same rounds slowly, card by card."""

from collections.abc import Iterator, Mapping
from typing import Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.cards import Card
from feltworks.machine.felt import CardsRead
from feltworks.machine.graph import TooManyStates
from feltworks.machine.play import GoesOn
from feltworks.machine.streams import Stream
from feltworks.money import Cents
from feltworks.rules.round import Choice
from feltworks.simulation.plan import Plan
from feltworks.simulation.tally import Layout, Tally


class DealtLine(Struct, frozen=True, gc=False, order=True):
    """One settled line as the kernel has it; a wager on several hands has a line for each."""

    seat: int
    wager: str
    outcome: str
    wagered: Cents
    net: Cents


class DealtRound(Struct, frozen=True):
    """One round of a kernel for the rules to deal again."""

    seats: tuple[Mapping[str, Cents], ...]  # the opening wagers
    cards: tuple[Card, ...]  # in the order the live table draws them
    choices: tuple[Choice, ...]  # in the order the live table asks for them; amounts where they are free
    lines: tuple[DealtLine, ...]  # in any order
    meters: Mapping[str, Cents] = {}
    fresh: bool = True  # whether the shoe was whole when the round began


class Kernel(Protocol):
    """A game's rounds under one plan.

    `tally`, `nets` and `dealt` take the same numbers from the stream, so that each is a witness of the
    others: the first n rounds are the same in all three.
    """

    layout: Layout

    def tally(self, stream: Stream, rounds: int) -> Tally:
        """Count so many rounds: nothing but numbers comes out."""

    def nets(self, stream: Stream, rounds: int) -> NDArray[np.int64]:
        """What seat 1 is up after each round, all its wagers together, in order."""

    def dealt(self, stream: Stream, rounds: int) -> Iterator[DealtRound]:
        """The rounds card by card."""


def kernel_for(plan: Plan) -> Kernel:
    """The kernel of a plan: its rules are compiled or, where that is not possible, deal round by round."""
    from feltworks.simulation.kernels.machine import MachineKernel
    from feltworks.simulation.kernels.plain import PlainKernel

    try:
        return MachineKernel(plan)
    except (CardsRead, TooManyStates, GoesOn):
        return PlainKernel(plan)
