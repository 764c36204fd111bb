"""What a kernel offers: rounds of one game at machine speed, and the same rounds slowly, card by card."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from feltworks.analysis.shape import shoe_game_of
from feltworks.analysis.shipped import is_shipped
from feltworks.analysis.suits import are_suits_alike
from feltworks.cards import Card
from feltworks.machine.felt import CardsRead
from feltworks.machine.graph import TooManyStates
from feltworks.machine.streams import Stream
from feltworks.money import Cents
from feltworks.rules.round import Choice
from feltworks.simulation.plan import Plan
from feltworks.simulation.tally import Layout, Tally

_KERNELS = "feltworks.simulation.kernels"


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
    """The kernel of the plan's base game; refuses what it cannot deal before anything is compiled.

    A game's own kernel has the name of its rules file and defines `kernel(plan)`. Without one the rules are
    compiled; where they read single cards, which no machine follows, they deal the rounds one by one.
    """
    if has_kernel(plan):
        return _load(plan.table.terms.rulebook.game, plan)
    try:
        return _load("machine", plan)
    except (CardsRead, TooManyStates):
        return _load("by_the_rules", plan)


def _load(name: str, plan: Plan) -> Kernel:
    kernel: Kernel = import_module(f"{_KERNELS}.{name}").kernel(plan)
    return kernel


def has_kernel(plan: Plan) -> bool:
    """Whether the plan's base game has a kernel of its own, which a designer's own rules would not follow."""
    game = plan.table
    if not is_shipped(game, ()) or find_spec(f"{_KERNELS}.{game.terms.rulebook.game}") is None:
        return False
    return shoe_game_of(game) is not None or are_suits_alike(game, plan.wagers)
