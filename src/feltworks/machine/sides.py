"""The numbered states of the seat and of the house, and the transitions of each by a card."""

from collections.abc import Sequence
from math import comb
from typing import Any, Final

from msgspec.structs import replace

from feltworks.cards import Card
from feltworks.errors import FeltError
from feltworks.machine.facts import Columns, Path
from feltworks.machine.felt import HouseState, PlaceState, Readings, SeatState
from feltworks.machine.node import Slot, next_slot
from feltworks.rules.game import Game
from feltworks.rules.round import DEALER, SEAT, Place

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
