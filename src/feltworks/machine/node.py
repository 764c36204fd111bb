"""What a round waits for: its states as nodes, the slots that cards go to, and the results on the way."""

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

PART: Final = "hand"  # how the line of one part of a divided hand is named


class Result(Struct, frozen=True, gc=False, cache_hash=True):
    """A settled line without its words: two lines that differ in their reasons alone are one result."""

    wager: str
    part: str
    outcome: str
    wagered: Cents
    net: Cents
    exact: Fraction  # the net before any breakage
    toke: bool


Results = tuple[Result, ...]


def result_of(line: Line) -> Result:
    """What a line comes to."""
    exact = line.wagered * line.pay.exact if isinstance(line.pay, Odds) else Fraction(line.net)
    return Result(line.wager, line.part, line.outcome, line.wagered, line.net, exact, line.toke)


class Slot(Struct, frozen=True, gc=False):
    """Where the next cards go: drawn to a place, or turned there from an index on."""

    place: Place  # SEAT, DEALER or BOARD
    count: int = 1
    turned: int | None = None  # the index of the first card that is turned
    wanted: frozenset[Card] | None = None  # of a peek: the cards that are shown
    again: bool = False  # a card the dealer has looked at before is turned
    with_seat: bool = False  # a card of the board that belongs to the seat's hands

    @property
    def on_seat(self) -> bool:
        return self.place == SEAT

    @property
    def changes_seat(self) -> bool:
        """Whether the seat's state changes with its cards, and not the house's."""
        return self.place == SEAT or self.with_seat


def next_slot(slot: Slot) -> Slot:
    """The slot for the cards after the first."""
    turned = None if slot.turned is None else slot.turned + 1
    return replace(slot, count=slot.count - 1, turned=turned)


Example = tuple[tuple[Card, ...], tuple[Card, ...]]  # cards of the seat and of the house
# A decider gets an example of the cards that lead there, None where the shoe holds no such cards; it names
# its choice, or one for each true count
Decider = Callable[[Felt, Decide, Example | None], Sequence[str]]
Later = tuple[tuple[tuple[int, Hashable], int], ...]


class Node(Struct):
    """A state of the round, and what it waits for: a slot for cards, or choices with where each leads."""

    seat: int  # ids of the two states, once all that needs no answer is done
    house: int
    results: Results = ()  # settled on arrival
    slot: Slot | None = None
    step: Decide | None = None
    choices: tuple[tuple[Choice, int], ...] = ()
    picks: tuple[int, ...] = ()  # where a decider answers: the place of its choice, at each true count
    first: int = -1  # of a hand that was divided: the node of the part that is played first,
    later: Later = ()  # and those of the other part, by how many there are and what went before
    fan: "Fan | None" = None  # where the slot ends in many states of the house
    row: NDArray[np.int32] | None = None  # then: the node that follows with each of them
    after: tuple[int, ...] = ()  # where a card decides all that is open: the end after each face

    @property
    def is_end(self) -> bool:
        return self.slot is None and self.step is None and self.first < 0


def choices_of(step: Decide) -> Iterator[Choice]:
    """Every choice that can be best: of a range of amounts both ends, as what it is worth is linear in it."""
    for offer in step.offers:
        for cents in sorted({offer.least, offer.most}):
            yield Choice(offer.name, cents, step.about)


def names_of(choices: Sequence[Choice]) -> tuple[str, ...]:
    """The names of the choices; of a range of amounts the lower end is the name with "least"."""
    most: dict[str, int] = {}
    for choice in choices:
        cents = choice.cents or 0  # below zero where a wager is taken back
        most[choice.name] = max(most.get(choice.name, cents), cents)
    return tuple(
        choice.name if (choice.cents or 0) == most[choice.name] else f"{choice.name} least" for choice in choices
    )
