"""The records of a graph: the numbered states of seat and house, nodes, slots that cards go to, and settled lines."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from fractions import Fraction
from math import comb
from typing import Any, Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from feltworks.cards import Card
from feltworks.errors import FeltError
from feltworks.machine.facts import Columns, Path
from feltworks.machine.felt import Felt, HouseState, PlaceState, Readings, SeatState
from feltworks.money import Cents, Odds
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, SEAT, Choice, Place
from feltworks.rules.steps import Decide
from feltworks.rules.wager import Line

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


MOST_STATES: Final = 200_000


class TooManyStates(FeltError):
    """Raised for a game whose rounds have too many states to compile."""

    def __init__(self, title: str, states: int = MOST_STATES) -> None:
        super().__init__(f"{title} has more than {states:,} states; its hands keep too many facts to compile")


class Fan:
    """All states that the house can be in after the cards of a slot."""

    def __init__(self, sides: "Sides", house: int, slot: Slot) -> None:
        self.house, self.slot = house, slot
        self.ends = sorted(sides.ends(house, slot))
        self.columns = Columns(lambda place, path: sides.read(self.ends[place], path), len(self.ends))


class Sides:
    """Numbers the states of the seat and of the house; a card changes only one of them, so each has its own table."""

    def __init__(self, game: Game, readings: Readings, faces: tuple[Card, ...]) -> None:
        self._game, self.readings, self.faces = game, readings, faces
        self.seats: list[SeatState] = []
        self.houses: list[HouseState] = []
        self._ids: dict[SeatState | HouseState, int] = {}
        self._rows: dict[tuple[int, Slot], tuple[int, ...]] = {}
        self._ends: dict[tuple[int, Slot], frozenset[int]] = {}

    def read(self, house: int, path: Path) -> Any:
        """The value of a recorded path in a state of the house."""
        place, index, *names = path
        assert isinstance(place, int) and isinstance(index, int)  # noqa: PT018
        value: Any = self.lying(house, place).hands[index]
        for name in names:
            value = getattr(value, str(name))
        return value

    def lying(self, state: int, place: Place, *, shared: bool = False) -> PlaceState:
        if place == SEAT:
            return self.seats[state].lying
        if shared and (board := self.seats[state].board) is not None:
            return board
        return self.houses[state].dealer if place == DEALER else self.houses[state].board

    def ends(self, state: int, slot: Slot) -> frozenset[int]:
        """The states that a side can be in after all cards of a slot."""
        known = self._ends.get((state, slot))
        if known is None:
            known = frozenset(self.row(state, slot))
            if slot.count > 1:
                rest = next_slot(slot)
                self._check_growth(known, rest)
                known = frozenset().union(*(self.ends(after, rest) for after in known))
            self._ends[state, slot] = known
        return known

    def _check_growth(self, after: frozenset[int], rest: Slot) -> None:
        """Refuse early what would have too many states: if every pair of cards leads to its own state."""
        faces = len(self.faces)
        if len(after) < faces or comb(faces, rest.count) <= MOST_STATES:
            return
        if len({end for one in after for end in self.row(one, rest)}) >= comb(faces, 2):
            raise TooManyStates(self._game.terms.rulebook.title)

    def cards_to(self, state: int, slot: Slot, end: int, lying: tuple[Card, ...]) -> tuple[Card, ...] | None:
        """Cards for a slot that lead to an end, if the shoe holds them in addition to those on the table; else None."""
        shoe = self._game.terms.shoe
        for face, after in zip(self.faces, self.row(state, slot), strict=True):
            if lying.count(face) >= shoe[face]:
                continue
            if slot.count == 1:
                if after == end:
                    return (face,)
            elif end in self.ends(after, next_slot(slot)):
                rest = self.cards_to(after, next_slot(slot), end, (*lying, face))
                if rest is not None:
                    return (face, *rest)
        return None

    def row(self, state: int, slot: Slot) -> tuple[int, ...]:
        """The state of a side after each card that may come, in the order of `faces`."""
        known = self._rows.get((state, slot))
        if known is None:
            places = self._places_after(self.lying(state, slot.place, shared=slot.with_seat), slot)
            row = self._rows_with_seat(state, slot, places) if slot.with_seat else []
            numbers: dict[int, int] = {}  # equal places are one object, and each is looked up once
            for lying in () if slot.with_seat else places:
                number = numbers.get(id(lying))
                if number is None:
                    number = numbers[id(lying)] = self._lay_at(state, slot.place, lying)
                row.append(number)
            known = self._rows[state, slot] = tuple(row)
        return known

    def _places_after(self, lying: PlaceState, slot: Slot) -> list[PlaceState]:
        """The state of a place after each card that may come there."""
        place, turned, wanted, readings = slot.place, slot.turned, slot.wanted, self.readings
        if turned is None:
            return readings.draw(lying, place, self.faces)
        shown = readings.turn(lying, place, turned, self.faces)
        if wanted is None:
            return shown
        hidden = readings.bar(lying, turned, wanted)
        return [after if card in wanted else hidden for card, after in zip(self.faces, shown, strict=True)]

    def _rows_with_seat(self, state: int, slot: Slot, places: Sequence[PlaceState]) -> list[int]:
        """The states of a seat after each card of the board, if the seat's hands include the board."""
        on, row = self.seats[state], []
        for card, lying in zip(self.faces, places, strict=True):
            is_seen = slot.wanted is None or card in slot.wanted
            mine = self.readings.add_shared(on.lying, card) if is_seen else on.lying
            row.append(self.number(replace(on, lying=mine, board=lying)))
        return row

    def _lay_at(self, state: int, place: Place, lying: PlaceState) -> int:
        """The number of a side's state with this place replaced."""
        if place == SEAT:
            return self.number(replace(self.seats[state], lying=lying))
        house = self.houses[state]
        if place == DEALER:
            return self.number(replace(house, dealer=lying))
        return self.number(replace(house, board=lying))

    def number(self, state: SeatState | HouseState) -> int:
        known = self._ids.get(state)
        if known is None:
            listed: list[Any] = self.seats if isinstance(state, SeatState) else self.houses
            if len(listed) >= MOST_STATES:
                raise TooManyStates(self._game.terms.rulebook.title)
            known = self._ids[state] = len(listed)
            listed.append(state)
        return known
