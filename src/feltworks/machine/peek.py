"""What a round is worth to a player who knows a card before it is turned, or a group that it belongs to.

The card that is known has its place among those to come, so it is gone from what else can come: every value
is worked out for each kind it may be, and the player chooses by the sum over the group that he knows of.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import perm
from typing import Literal

from msgspec import Struct

from feltworks.cards import Card, Shoe
from feltworks.errors import FeltError
from feltworks.machine.tables import Tables
from feltworks.machine.walk import MOST_STEPS, PLAIN, Walk, WalkTooLong

Values = list[Fraction]  # by kind that the card may be


class Glimpse(Struct, frozen=True):
    """Which card is known: the first, second ... to come after the player's first decision."""

    number: int = 1
    to: Literal["house", "seat", "any"] = "house"  # whose cards are counted
    is_early: bool = False  # counted from the first card of the round, and known before the wager

    def takes(self, on_seat: bool) -> bool:
        """Whether a card to the seat, or to the house, is counted."""
        return self.to == "any" or (self.to == "seat") == on_seat


class PeekSight(Struct, frozen=True):
    """A first decision: what each choice is worth by kind of the known card, weighed by its chance."""

    names: tuple[str, ...]
    worth: tuple[Values, ...]


class PeekWalk(Walk):
    """A walk in which the player knows a card, or which of some groups of faces it is in."""

    def __init__(
        self,
        tables: Tables,
        shoe: Shoe,
        glimpse: Glimpse,
        groups: Iterable[frozenset[Card]] | None = None,
        *,
        serving: frozenset[str] | None = None,
    ) -> None:
        """`groups` hold all faces between them; without them the card itself is known."""
        listed = None if groups is None else list(groups)
        super().__init__(tables, shoe, serving=serving, kinds=_split(tables, listed))
        self._glimpse = glimpse
        self._groups = self.group_kinds(listed)
        self._group: Sequence[int] = ()
        self._values: dict[tuple[int, int, int], Values] = {}
        self._plain: dict[tuple[int, int], Fraction] = {}
        steps = self.steps * len(self.counts)
        if steps > MOST_STEPS:
            raise WalkTooLong(tables.game.terms.rulebook.title, steps)
        if any(self._is_look):
            raise FeltError("a card that the dealer looks at cannot be followed together with one that is known")

    def group_kinds(self, groups: Sequence[frozenset[Card]] | None) -> list[list[int]]:
        """The kinds of each group of faces; every kind by itself without groups."""
        kinds = range(len(self.counts))
        if groups is None:
            return [[kind] for kind in kinds]
        return [[kind for kind in kinds if self.members[kind] and self.members[kind][0] in group] for group in groups]

    def expectation(self) -> Fraction:
        """What the wagers served bring on average, in cents, to one who plays best with what he knows."""
        return sum(self.by_group(), Fraction(0))

    def by_group(self) -> list[Fraction]:
        """The same by group that is known, each weighed by its chance."""
        totals: list[Fraction] = []
        for group in self._groups:
            self._group, self._values = group, {}
            values = self._follow(self.tables.start, 0 if self._glimpse.is_early else -1)
            parts = [self.counts[kind] * value for kind, value in zip(group, values, strict=True)]
            totals.append(sum(parts, Fraction(0)) / self._left)
        return totals

    def sights(self) -> list[PeekSight]:
        """Every first decision with the worth of its choices; right where no decision follows another."""
        self._group, self._values = range(len(self.counts)), {}
        met: dict[tuple[int, int], tuple[list[Values], list[str]]] = {}
        chances = [Fraction(count, self._left) for count in self.counts]
        self._gather(self.tables.start, chances, [Fraction(0)] * len(self.counts), met)
        return [PeekSight(tuple(names), tuple(worth)) for worth, names in met.values()]

    def _gather(
        self,
        number: int,
        chances: Values,
        brought: Values,
        met: dict[tuple[int, int], tuple[list[Values], list[str]]],
    ) -> None:
        """Follow a round up to its first decision; `brought` is what was settled on the way."""
        state, arrival = self.states[number], self._net(self._arrival[number])
        brought = [value + arrival * chance for value, chance in zip(brought, chances, strict=True)]
        if state.choices or state.is_end:
            later = [self._follow(child, 0) for _, child in state.choices]
            later = later or [[Fraction(0)] * len(chances)]
            worth = [[b + c * value for b, c, value in zip(brought, chances, each, strict=True)] for each in later]
            before = met.get((number, self._mark))
            if before is not None:
                worth = [_add(one, other) for one, other in zip(before[0], worth, strict=True)]
            met[number, self._mark] = worth, [choice.name for choice, _ in state.choices]
            return
        for kind, child in enumerate(self.rows[number]):
            if not self.counts[kind]:
                continue
            times = [Fraction(self.counts[kind] - (kind == one), self._left - 1) for one in self._group]
            self._take(kind)
            self._gather(child, _times(times, chances), _times(times, brought), met)
            self._return()

    def _follow(self, number: int, came: int) -> Values:
        """The values from a state on; `came` counts the cards since the first decision, -1 before it."""
        key = number, came, self._mark
        known = self._values.get(key)
        if known is None:
            arrival, state = self._net(self._arrival[number]), self.states[number]
            if state.is_end:
                known = [arrival] * len(self._group)
            else:
                later = self._choose_best(number, came) if state.choices else self._draw(number, came)
                known = [arrival + value for value in later]
            self._values[key] = known
        return known

    def _choose_best(self, number: int, came: int) -> Values:
        """The choice that is best for the whole group."""
        choices = [self._follow(child, max(came, 0)) for _, child in self.states[number].choices]
        weights = [self.counts[kind] for kind in self._group]
        return max(choices, key=lambda one: sum(n * value for n, value in zip(weights, one, strict=True)))

    def _draw(self, number: int, came: int) -> Values:
        glimpse, counts, row = self._glimpse, self.counts, self.rows[number]
        if came >= 0 and glimpse.takes(self.states[number].on_seat):
            came += 1
            if came == glimpse.number:
                return [self._turn(kind, row[kind]) if counts[kind] else Fraction(0) for kind in self._group]
        sums = [Fraction(0)] * len(self._group)
        for kind, child in enumerate(row):
            if not counts[kind]:
                continue
            times = [counts[kind] - (kind == hidden) for hidden in self._group]
            self._take(kind)
            values = self._follow(child, came)
            self._return()
            sums = [total + n * value for total, n, value in zip(sums, times, values, strict=True)]
        return [total / (self._left - 1) for total in sums]

    def _turn(self, kind: int, child: int) -> Fraction:
        """The known card comes: from here on the player knows what all know."""
        self._take(kind)
        key = child, self._mark
        value = self._plain.get(key)
        if value is None:
            weights = self._weights(child, PLAIN)
            orders = perm(self._left, self.depth[child])
            value = sum((n * self._net(place) for place, n in weights.items()), Fraction(0)) / orders
            self._plain[key] = value
        self._return()
        return value


def _add(one: Values, other: Values) -> Values:
    return [a + b for a, b in zip(one, other, strict=True)]


def _times(one: Values, other: Values) -> Values:
    return [a * b for a, b in zip(one, other, strict=True)]


def _split(tables: Tables, groups: Sequence[frozenset[Card]] | None) -> tuple[int, ...]:
    """The kinds of the tables, finer where a group holds some cards of a kind and not others."""
    if groups is None:
        return tables.kinds
    missing = [face for face in tables.faces if sum(face in group for group in groups) != 1]
    if missing:
        raise FeltError(f"every card belongs to one group; {missing[0]} does not")
    numbers: dict[tuple[int, int], int] = {}
    keys = [
        (kind, next(place for place, group in enumerate(groups) if face in group))
        for face, kind in zip(tables.faces, tables.kinds, strict=True)
    ]
    return tuple([numbers.setdefault(key, len(numbers)) for key in keys])
