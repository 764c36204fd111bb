"""The value of a round to a player who knows cards before they are turned, or groups that they belong to.

A known card has a fixed position among the cards to come, so no other card can be that one. Every value is
computed for each lot of kinds that the known cards may be, and the player chooses by the sum over the lots
that he cannot tell apart.
"""

from collections.abc import Hashable, Iterable, Sequence
from fractions import Fraction
from itertools import product
from math import lcm, perm, prod
from operator import add, mul
from typing import Final

from msgspec import Struct

from feltworks.cards import Card, Shoe, Suit
from feltworks.errors import FeltError
from feltworks.machine.tables import Suits, Tables
from feltworks.machine.walk import MOST_STEPS, PLAIN, Chooser, Walk, WalkTooLong
from feltworks.rules.round import DEALER, Place

Values = list[Fraction]  # by possible lot
Wholes = list[int]
Lot = tuple[int, ...]  # the kind of each known card
Groups = Sequence[frozenset[Card]]
Known = Sequence[Sequence[int]]  # by known card: the kinds that it may be
_WAITS: Final = -1  # counting for this card begins at the first decision
_TURNED: Final = -2  # the card has been turned for everybody to see


class Glimpse(Struct, frozen=True):
    """Which card is known: the first, second ... to come after the player's first decision."""

    number: int = 1
    to: Place | None = DEALER  # the place whose cards are counted; None: all places
    is_early: bool = False  # counted from the first card of the round, and known before the wager

    def takes(self, place: Place) -> bool:
        """Whether a card to this place is counted."""
        return self.to in (None, place)


class PeekSight(Struct, frozen=True):
    """A first decision: the value of each choice by kind of the known card, weighted by its probability."""

    names: tuple[str, ...]
    worth: tuple[Values, ...]


class PeekWalk(Walk):
    """A walk in which the player knows some cards, or only the group of faces that each is in."""

    def __init__(
        self,
        tables: Tables,
        shoe: Shoe,
        glimpses: Sequence[Glimpse],
        groups: Sequence[Groups | None] | None = None,
        *,
        serving: frozenset[str] | None = None,
        lying: frozenset[int] = frozenset(),
        choose: Chooser | None = None,
    ) -> None:
        """The groups of a glimpse cover all faces; None means that the card itself is known.

        In the states `lying` the card has left the shoe already, so glimpses of the shoe's next cards skip it.
        """
        listed = list(groups) if groups is not None else [None] * len(glimpses)
        kinds = _split(tables, [one for one in listed if one])
        super().__init__(tables, shoe, serving=serving, choose=choose, kinds=kinds)
        self._glimpses, self._lying = tuple(glimpses), lying
        self.groups = [self.group_kinds(one) for one in listed]
        # Values are scaled to whole numbers, which add faster than fractions: see `_scale`
        self._values: dict[tuple[int, tuple[int, ...], int, int], Wholes] = {}
        self._plain: dict[tuple[int, int], int] = {}
        self._parts = lcm(*(self._net(place).denominator for place in {*self._arrival}))  # of a cent
        self._scales: dict[tuple[int, int], int] = {}
        self._totals: dict[Hashable, Fraction] = {}
        self._alike = Suits(tables, self._kind, self.counts)
        self._lots: list[tuple[Lot, ...]] = []
        self._lot_numbers: dict[tuple[Lot, ...], int] = {}
        steps = self.steps * len(self.counts)
        if steps > MOST_STEPS:
            raise WalkTooLong(tables.game.terms.rulebook.title, steps)
        if any(self._is_look):
            raise FeltError("a card that the dealer looks at cannot be followed together with one that is known")

    def group_kinds(self, groups: Groups | None) -> list[list[int]]:
        """The kinds of each group of faces; without groups, every kind is its own group."""
        kinds = range(len(self.counts))
        if groups is None:
            return [[kind] for kind in kinds]
        return [[kind for kind in kinds if self.members[kind] and self.members[kind][0] in group] for group in groups]

    def expectation(self) -> Fraction:
        """The mean net of the served wagers under best play with the knowledge, in cents."""
        return sum(map(self.total, product(*self.groups)), Fraction(0))

    def total(self, groups: Known) -> Fraction:
        """The value of a round in which each known card is in its group, times the probability of that."""
        pattern = self._pattern(groups)
        if pattern not in self._totals:
            came = tuple(0 if glimpse.is_early else _WAITS for glimpse in self._glimpses)
            lots, self._values = tuple([lot for lot in product(*groups) if self._ways(lot)]), {}
            values = self._follow(self.tables.start, came, self._number_of(lots)) if lots else []
            whole = self._parts * self._scale(self._left - len(came), self.depth[self.tables.start])
            self._totals[pattern] = Fraction(sum(map(mul, map(self._ways, lots), values)), whole * self.orders)
        return self._totals[pattern]

    @property
    def orders(self) -> int:
        """The number of ordered draws of the known cards."""
        return perm(self._left, len(self._glimpses))

    def ways(self, groups: Known) -> int:
        """In how many of these draws each card is in its group."""
        return sum(map(self._ways, product(*groups)))

    def groups_of(self, faces: Iterable[Card]) -> Known:
        """The groups that these cards are in."""
        kinds = map(self._kind.__getitem__, faces)
        return tuple(
            next(group for group in some if kind in group) for kind, some in zip(kinds, self.groups, strict=True)
        )

    def work(self, most: int) -> tuple[int, int]:
        """The number of different groups, and an estimate, from the first one, of the values to compute for all.

        More than `most` groups are not compared: each counts as different.
        """
        number, lots = (prod(map(count, self.groups)) for count in (len, lambda some: sum(map(len, some))))
        if number <= most:
            possible = filter(self.ways, product(*self.groups))
            unlike = {self._pattern(groups): prod(map(len, groups)) for groups in possible}
            number, lots = len(unlike), sum(unlike.values())
        self.total(next(filter(self.ways, product(*self.groups))))
        return number, lots * len(self._values)

    def _pattern(self, groups: Known) -> Hashable:
        """A key that is equal for cards that differ only by a permutation of interchangeable suits.

        No card has come when they become known, so they have the same value.
        """
        if any(len(group) != 1 for group in groups) or not self._alike.fresh:
            return tuple(map(tuple, groups))
        suits: dict[Suit, int] = {}
        return tuple(
            (self.members[kind][0].rank, suits.setdefault(suit, len(suits)), self._alike.held[suit])
            if suit is not None and self.members[kind]
            else kind
            for (kind,) in groups
            for suit in [self._alike.suit_of[kind]]
        )

    def sights(self) -> list[PeekSight]:
        """Every first decision by kind of the one known card; valid only if no decision follows another."""
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
        """Walk a round up to its first decision; `brought` is the net settled on the way."""
        state, arrival = self.states[number], self._net(self._arrival[number])
        brought = [value + arrival * chance for value, chance in zip(brought, chances, strict=True)]
        if state.choices or state.is_end:
            every = self._number_of(tuple((kind,) for kind in range(len(chances))))
            later = [self._fractions(child, every) for _, child in state.choices]
            later = later or [[Fraction(0)] * len(chances)]
            worth = [[b + c * value for b, c, value in zip(brought, chances, each, strict=True)] for each in later]
            before = met.get((number, self._mark))
            if before is not None:
                worth = [list(map(add, one, other)) for one, other in zip(before[0], worth, strict=True)]
            met[number, self._mark] = worth, [choice.name for choice, _ in state.choices]
            return
        for kind, child in enumerate(self.rows[number]):
            if not self.counts[kind]:
                continue
            times = [Fraction(self.counts[kind] - (kind == one), self._left - 1) for one in range(len(chances))]
            self._take(kind)
            self._gather(child, list(map(mul, times, chances)), list(map(mul, times, brought)), met)
            self._return()

    def _fractions(self, child: int, lots: int) -> Values:
        """The value after a first decision, in cents, by kind of the one known card."""
        whole = self._parts * self._scale(self._left - 1, self.depth[child])
        return [Fraction(value, whole) for value in self._follow(child, (0,), lots)]

    def _scale(self, unseen: int, cards: int) -> int:
        """In how many orders `cards` of the unseen cards can come; cards beyond the last count as a factor of 1.

        Values are multiplied by the number of orders of the most cards that can still come, to be whole numbers.
        """
        key = unseen, cards
        if key not in self._scales:
            self._scales[key] = prod(max(1, unseen - place) for place in range(cards))
        return self._scales[key]

    def _number_of(self, lots: tuple[Lot, ...]) -> int:
        """The number of these lots, which makes short keys for cached values."""
        if lots not in self._lot_numbers:
            self._lot_numbers[lots] = len(self._lots)
            self._lots.append(lots)
        return self._lot_numbers[lots]

    def _ways(self, lot: Lot) -> int:
        """In how many ways this lot can be drawn from the cards left."""
        return prod(perm(max(self.counts[kind], 0), lot.count(kind)) for kind in set(lot))

    def _follow(self, number: int, came: tuple[int, ...], lots: int) -> Wholes:
        """The values from a state on, by lot; `came` is the number of cards counted so far for each known card."""
        key = number, came, lots, self._mark
        known = self._values.get(key)
        if known is None:
            state, arrival = self.states[number], self._whole_net(self._arrival[number])
            if state.is_end:
                known = [arrival] * len(self._lots[lots])
            else:
                known = self._choose_best(number, came, lots) if state.choices else self._draw(number, came, lots)
                if arrival:
                    arrival *= self._scale(self._unseen(came), self.depth[number])
                    known = [arrival + value for value in known]
            self._values[key] = known
        return known

    def _whole_net(self, place: int) -> int:
        return int(self._net(place) * self._parts)

    def _unseen(self, came: tuple[int, ...]) -> int:
        """How many of the cards left are unknown."""
        return self._left - len(came) + came.count(_TURNED)

    def _choose_best(self, number: int, came: tuple[int, ...], lots: int) -> Wholes:
        """The values of the choice that is best over all lots together, or of the prescribed one."""
        since = tuple(0 if one == _WAITS else one for one in came)
        unseen, depth = self._unseen(came), self.depth[number]
        choices: list[Wholes] = []
        for _, child in self.states[number].choices:
            less = self._scale(unseen - self.depth[child], depth - self.depth[child])
            choices.append([less * value for value in self._follow(child, since, lots)])
        if self._choose is not None:
            return choices[self._choose(number, tuple(self.counts))]
        weights = [self._ways(_hidden(lot, came)) for lot in self._lots[lots]]
        return max(choices, key=lambda one: sum(map(mul, weights, one)))

    def _draw(self, number: int, came: tuple[int, ...], lots: int) -> Wholes:
        to, after, turned = self.states[number].place, list(came), list[int]()
        for place, (glimpse, count) in enumerate(zip(self._glimpses, came, strict=True)):
            if count >= 0 and glimpse.takes(to) and (glimpse.to is not None or number not in self._lying):
                after[place] = count + 1 if count + 1 < glimpse.number else _TURNED
                turned += [place] if after[place] == _TURNED else []
        if len(turned) > 1:
            raise FeltError("two of the cards that are to be known can be one and the same; name one of them")
        if turned:
            return self._turn(number, tuple(after), lots, turned[0])
        hidden, counts = [_hidden(lot, came) for lot in self._lots[lots]], self.counts
        sums, since = [0] * len(hidden), tuple(after)
        unseen, depth = self._unseen(came) - 1, self.depth[number] - 1
        for kind, child in enumerate(self.rows[number]):
            if not counts[kind]:
                continue
            less = self._scale(unseen - self.depth[child], depth - self.depth[child])
            times = [less * (counts[kind] - lot.count(kind)) for lot in hidden]
            self._take(kind)
            values = self._follow(child, since, lots)
            self._return()
            sums = [total + n * value for total, n, value in zip(sums, times, values, strict=True)]
        return sums

    def _turn(self, number: int, after: tuple[int, ...], lots: int, place: int) -> Wholes:
        """Turn a known card, which separates lots that differ in it; after the last, no hidden knowledge is left."""
        brought: dict[Lot, int] = {}
        is_last = all(count == _TURNED for count in after)
        for kind in dict.fromkeys(lot[place] for lot in self._lots[lots]):
            same = tuple([lot for lot in self._lots[lots] if lot[place] == kind])
            child = self.rows[number][kind]
            if not self.counts[kind]:
                brought |= dict.fromkeys(same, 0)
                continue
            self._take(kind)
            values = [self._rest(child)] * len(same) if is_last else self._follow(child, after, self._number_of(same))
            less = self._scale(self._unseen(after) - self.depth[child], self.depth[number] - self.depth[child])
            self._return()
            brought |= zip(same, [less * value for value in values], strict=True)
        return [brought[lot] for lot in self._lots[lots]]

    def _rest(self, child: int) -> int:
        """The value of the rest of a round without hidden knowledge."""
        key = child, self._mark
        value = self._plain.get(key)
        if value is None:
            weights = self._weights(child, PLAIN)
            value = self._plain[key] = sum(n * self._whole_net(place) for place, n in weights.items())
        return value


def _hidden(lot: Lot, came: tuple[int, ...]) -> Lot:
    """The cards of a lot that have not been turned."""
    return tuple([kind for kind, count in zip(lot, came, strict=True) if count != _TURNED])


def _split(tables: Tables, several: Iterable[Groups]) -> tuple[int, ...]:
    """The kinds of the tables, split further if a group holds only some cards of a kind."""
    keys: list[tuple[int, ...]] = [(kind,) for kind in tables.kinds]
    for groups in several:
        missing = [face for face in tables.faces if sum(face in group for group in groups) != 1]
        if missing:
            raise FeltError(f"every card belongs to one group; {missing[0]} does not")
        places = [next(place for place, group in enumerate(groups) if face in group) for face in tables.faces]
        keys = [(*key, place) for key, place in zip(keys, places, strict=True)]
    numbers: dict[tuple[int, ...], int] = {}
    return tuple([numbers.setdefault(key, len(numbers)) for key in keys])
