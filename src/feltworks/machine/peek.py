"""The worth of a round to a player who knows some cards, or the groups they belong to, before they are turned.

A known card cannot also come at another place. So every value is computed for each lot, a possible assignment of
kinds to the known cards, and the player maximises the sum over the lots that he cannot tell apart.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from math import perm, prod
from operator import add, mul
from typing import Final

from msgspec import Struct

from feltworks.cards import Card, Shoe
from feltworks.errors import FeltError
from feltworks.machine.tables import Tables
from feltworks.machine.walk import MOST_STEPS, PLAIN, Walk, WalkTooLong
from feltworks.rules.round import DEALER, Place

Values = list[Fraction]  # one value for each lot
Lot = tuple[int, ...]  # the kind of each known card
Groups = Sequence[frozenset[Card]]
_WAITS: Final = -1  # the counting of cards begins at the first decision
_TURNED: Final = -2  # the known card lies face up


class Glimpse(Struct, frozen=True):
    """Which card is known: the first, second and so on after the player's first decision."""

    number: int = 1
    to: Place | None = DEALER  # cards to this place are counted; None: to any place
    is_early: bool = False  # counted from the round's first card and known before wagering

    def takes(self, place: Place) -> bool:
        """Whether a card to this place is counted."""
        return self.to in (None, place)


class PeekSight(Struct, frozen=True):
    """A first decision: the worth of each choice by kind of the known card, weighted by its chance."""

    names: tuple[str, ...]
    worth: tuple[Values, ...]


class PeekWalk(Walk):
    """A walk in which the player knows some cards, or the group of faces that each is in."""

    def __init__(
        self,
        tables: Tables,
        shoe: Shoe,
        glimpses: Sequence[Glimpse],
        groups: Sequence[Groups | None] | None = None,
        *,
        serving: frozenset[str] | None = None,
        lying: frozenset[int] = frozenset(),
    ) -> None:
        """The `groups` of a glimpse partition all faces; None if the card itself is known.

        In the states `lying` the next card is already on the table, so a glimpse of any place does not count it.
        """
        listed = list(groups) if groups is not None else [None] * len(glimpses)
        super().__init__(tables, shoe, serving=serving, kinds=_split(tables, [one for one in listed if one]))
        self._glimpses, self._lying = tuple(glimpses), lying
        self._groups = [self.group_kinds(one) for one in listed]
        self._values: dict[tuple[int, tuple[int, ...], int, int], Values] = {}
        self._plain: dict[tuple[int, int], Fraction] = {}
        self._lots: list[tuple[Lot, ...]] = []
        self._lot_numbers: dict[tuple[Lot, ...], int] = {}
        steps = self.steps * len(self.counts)
        if steps > MOST_STEPS:
            raise WalkTooLong(tables.game.terms.rulebook.title, steps)
        if any(self._is_look):
            raise FeltError("a card that the dealer looks at cannot be followed together with one that is known")

    def group_kinds(self, groups: Groups | None) -> list[list[int]]:
        """The kinds of each group of faces; every kind by itself without groups."""
        kinds = range(len(self.counts))
        if groups is None:
            return [[kind] for kind in kinds]
        return [[kind for kind in kinds if self.members[kind] and self.members[kind][0] in group] for group in groups]

    def expectation(self) -> Fraction:
        """The average net of the wagers served, in cents, under the best play with this knowledge."""
        return sum(self.by_group(), Fraction(0))

    def by_group(self) -> list[Fraction]:
        """The terms of `expectation`: one for each combination of known groups, weighted by its chance."""
        progress = tuple(0 if glimpse.is_early else _WAITS for glimpse in self._glimpses)
        orders, totals = perm(self._left, len(progress)), list[Fraction]()
        for groups in product(*self._groups):
            lots, self._values = tuple(product(*groups)), {}
            values = self._follow(self.tables.start, progress, self._number_of(lots)) if lots else []
            totals.append(sum(map(mul, map(self._ways, lots), values), Fraction(0)) / orders)
        return totals

    def sights(self) -> list[PeekSight]:
        """Every first decision by kind of the one known card; correct only if no decision follows another."""
        decisions: dict[tuple[int, int], tuple[list[Values], list[str]]] = {}
        chances = [Fraction(count, self._left) for count in self.counts]
        self._gather(self.tables.start, chances, [Fraction(0)] * len(self.counts), decisions)
        return [PeekSight(tuple(names), tuple(worth)) for worth, names in decisions.values()]

    def _gather(
        self,
        number: int,
        chances: Values,
        nets: Values,
        decisions: dict[tuple[int, int], tuple[list[Values], list[str]]],
    ) -> None:
        """Follow a round up to its first decision; `nets` is what was settled on the way."""
        state, arrival = self.states[number], self._net(self._arrival[number])
        nets = [value + arrival * chance for value, chance in zip(nets, chances, strict=True)]
        if state.choices or state.is_end:
            every = self._number_of(tuple((kind,) for kind in range(len(chances))))
            later = [self._follow(child, (0,), every) for _, child in state.choices]
            later = later or [[Fraction(0)] * len(chances)]
            worth = [[b + c * value for b, c, value in zip(nets, chances, each, strict=True)] for each in later]
            before = decisions.get((number, self._mark))
            if before is not None:
                worth = [list(map(add, one, other)) for one, other in zip(before[0], worth, strict=True)]
            decisions[number, self._mark] = worth, [choice.name for choice, _ in state.choices]
            return
        for kind, child in enumerate(self.rows[number]):
            if not self.counts[kind]:
                continue
            times = [Fraction(self.counts[kind] - (kind == one), self._left - 1) for one in range(len(chances))]
            self._take(kind)
            self._gather(child, list(map(mul, times, chances)), list(map(mul, times, nets)), decisions)
            self._return()

    def _number_of(self, lots: tuple[Lot, ...]) -> int:
        """The number of a list of lots, which makes a short cache key."""
        if lots not in self._lot_numbers:
            self._lot_numbers[lots] = len(self._lots)
            self._lots.append(lots)
        return self._lot_numbers[lots]

    def _ways(self, lot: Lot) -> int:
        """The number of ways to draw this lot from the cards left."""
        return prod(perm(max(self.counts[kind], 0), lot.count(kind)) for kind in set(lot))

    def _follow(self, number: int, progress: tuple[int, ...], lots: int) -> Values:
        """The values from a state on; `progress` has, for each known card, the cards counted towards it so far."""
        key = number, progress, lots, self._mark
        known = self._values.get(key)
        if known is None:
            arrival, state = self._net(self._arrival[number]), self.states[number]
            if state.is_end:
                known = [arrival] * len(self._lots[lots])
            else:
                later = (self._choose_best if state.choices else self._draw)(number, progress, lots)
                known = [arrival + value for value in later] if arrival else later
            self._values[key] = known
        return known

    def _choose_best(self, number: int, progress: tuple[int, ...], lots: int) -> Values:
        """The values of the choice with the highest weighted sum over all lots."""
        since = tuple(0 if one == _WAITS else one for one in progress)
        choices = [self._follow(child, since, lots) for _, child in self.states[number].choices]
        weights = [self._ways(_hidden(lot, progress)) for lot in self._lots[lots]]
        return max(choices, key=lambda one: sum(map(mul, weights, one)))

    def _draw(self, number: int, progress: tuple[int, ...], lots: int) -> Values:
        to, after, turned = self.states[number].place, list(progress), list[int]()
        for place, (glimpse, count) in enumerate(zip(self._glimpses, progress, strict=True)):
            if count >= 0 and glimpse.takes(to) and (glimpse.to is not None or number not in self._lying):
                after[place] = count + 1 if count + 1 < glimpse.number else _TURNED
                turned += [place] if after[place] == _TURNED else []
        if len(turned) > 1:
            raise FeltError("two of the cards that are to be known can be one and the same; name one of them")
        if turned:
            return self._turn(number, tuple(after), lots, turned[0])
        hidden, counts = [_hidden(lot, progress) for lot in self._lots[lots]], self.counts
        sums = [Fraction(0)] * len(hidden)
        for kind, child in enumerate(self.rows[number]):
            if not counts[kind]:
                continue
            times = [counts[kind] - lot.count(kind) for lot in hidden]
            self._take(kind)
            values = self._follow(child, tuple(after), lots)
            self._return()
            sums = [total + n * value for total, n, value in zip(sums, times, values, strict=True)]
        left = self._left - len(hidden[0])
        return [total / left for total in sums]

    def _turn(self, number: int, after: tuple[int, ...], lots: int, place: int) -> Values:
        """The values when a known card is turned, by its kind; after the last one nothing more is known in advance."""
        by_lot: dict[Lot, Fraction] = {}
        is_last = all(count == _TURNED for count in after)
        for kind in dict.fromkeys(lot[place] for lot in self._lots[lots]):
            same = tuple([lot for lot in self._lots[lots] if lot[place] == kind])
            child = self.rows[number][kind]
            if not self.counts[kind]:
                by_lot |= dict.fromkeys(same, Fraction(0))
                continue
            self._take(kind)
            values = [self._rest(child)] * len(same) if is_last else self._follow(child, after, self._number_of(same))
            self._return()
            by_lot |= zip(same, values, strict=True)
        return [by_lot[lot] for lot in self._lots[lots]]

    def _rest(self, child: int) -> Fraction:
        """The value of the rest of a round once all known cards are turned."""
        key = child, self._mark
        value = self._plain.get(key)
        if value is None:
            weights = self._weights(child, PLAIN)
            orders = perm(self._left, self.depth[child])
            value = sum((n * self._net(place) for place, n in weights.items()), Fraction(0)) / orders
            self._plain[key] = value
        return value


def _hidden(lot: Lot, progress: tuple[int, ...]) -> Lot:
    """The cards of a lot that have not been turned."""
    return tuple([kind for kind, count in zip(lot, progress, strict=True) if count != _TURNED])


def _split(tables: Tables, several: Iterable[Groups]) -> tuple[int, ...]:
    """The kinds of the tables, split further where a group holds only some cards of a kind."""
    keys: list[tuple[int, ...]] = [(kind,) for kind in tables.kinds]
    for groups in several:
        missing = [face for face in tables.faces if sum(face in group for group in groups) != 1]
        if missing:
            raise FeltError(f"every card belongs to one group; {missing[0]} does not")
        places = [next(place for place, group in enumerate(groups) if face in group) for face in tables.faces]
        keys = [(*key, place) for key, place in zip(keys, places, strict=True)]
    numbers: dict[tuple[int, ...], int] = {}
    return tuple([numbers.setdefault(key, len(numbers)) for key in keys])
