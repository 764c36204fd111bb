"""The records of a graph: nodes, the slots that cards go to, and results of settled lines."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from feltworks.cards import Card
from feltworks.machine.felt import Felt
from feltworks.money import Cents, Odds
from feltworks.rules.round import SEAT, Choice, Place
from feltworks.rules.steps import Decide
from feltworks.rules.wager import Line

if TYPE_CHECKING:
    from feltworks.machine.sides import Fan

PART: Final = "hand"  # the name of the line of one hand of a split


class Result(Struct, frozen=True, gc=False, cache_hash=True):
    """A settled line without its texts, so that lines which differ only in their reasons are equal."""

    wager: str
    part: str
    outcome: str
    wagered: Cents
    net: Cents
    exact: Fraction  # the net before any breakage
    toke: bool


Results = tuple[Result, ...]


def result_of(line: Line) -> Result:
    """The result of a line."""
    exact = line.wagered * line.pay.exact if isinstance(line.pay, Odds) else Fraction(line.net)
    return Result(line.wager, line.part, line.outcome, line.wagered, line.net, exact, line.toke)


class Slot(Struct, frozen=True, gc=False):
    """Where the next cards go: dealt to a place, or turned there from an index on."""

    place: Place  # SEAT, DEALER or BOARD
    count: int = 1
    turned: int | None = None  # the index of the first card that is turned
    wanted: frozenset[Card] | None = None  # for a peek: the faces that the dealer shows
    again: bool = False  # turns a card that the dealer has looked at before
    with_seat: bool = False  # a card of the board that the seat's hands include

    @property
    def on_seat(self) -> bool:
        return self.place == SEAT

    @property
    def changes_seat(self) -> bool:
        """Whether its cards change the seat's state instead of the house's."""
        return self.place == SEAT or self.with_seat


def next_slot(slot: Slot) -> Slot:
    """The slot for the cards after the first."""
    turned = None if slot.turned is None else slot.turned + 1
    return replace(slot, count=slot.count - 1, turned=turned)


Example = tuple[tuple[Card, ...], tuple[Card, ...]]  # cards of the seat and of the house
# A decider gets example cards that lead to the decision, None if the shoe holds no such cards; it returns
# the name of its choice, or one name for each true count
Decider = Callable[[Felt, Decide, Example | None], Sequence[str]]
Later = tuple[tuple[tuple[int, Hashable], int], ...]


class Node(Struct):
    """A state of the round, and what it waits for: cards for a slot, or a choice with the node after each."""

    seat: int  # numbers of the two states, after all steps that need neither card nor choice
    house: int
    results: Results = ()  # settled on arrival
    slot: Slot | None = None
    step: Decide | None = None
    choices: tuple[tuple[Choice, int], ...] = ()
    picks: tuple[int, ...] = ()  # with a decider: the place of its choice at each true count
    first: int = -1  # of a split: the node of the hand that is played first,
    later: Later = ()  # and of the other hand, by the number of hands and the trace of finished ones
    fan: "Fan | None" = None  # if the slot leads to many states of the house: these states
    row: NDArray[np.int32] | None = None  # and the node after each of them
    after: tuple[int, ...] = ()  # if one card decides all open wagers: the end after each face

    @property
    def is_end(self) -> bool:
        return self.slot is None and self.step is None and self.first < 0


def choices_of(step: Decide) -> Iterator[Choice]:
    """Every choice that can be best: for a range of amounts both ends, as the worth is linear in the amount."""
    for offer in step.offers:
        for cents in sorted({offer.least, offer.most}):
            yield Choice(offer.name, cents, step.about)


def names_of(choices: Sequence[Choice]) -> tuple[str, ...]:
    """The names of the choices; for a range of amounts the lower end has "least" added."""
    most: dict[str, int] = {}
    for choice in choices:
        cents = choice.cents or 0  # negative if a wager is taken back
        most[choice.name] = max(most.get(choice.name, cents), cents)
    return tuple(
        choice.name if (choice.cents or 0) == most[choice.name] else f"{choice.name} least" for choice in choices
    )
