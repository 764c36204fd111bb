"""The pay of each hand against each of the dealer's hands, settled by the game itself.

Hands with equal pays against all dealer's hands form a class; dealer's hands with equal pays form a column.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import lru_cache

import numpy as np
from msgspec import Struct

from feltworks.analysis.solvers.numbers import Array, Ints, Numbers
from feltworks.analysis.solvers.shoe_game.rules import DOUBLE, HIGHEST, STAND, SURRENDER, End, Pay, TableRules, spot_of

OVER, NATURAL = 0, 1  # the columns of most dealer's hands over 21 and of a natural; totals follow
HAND_OVER = 0  # the class of hands over 21
_LIMIT = 21
PayRow = tuple[Pay, ...]  # by column
PayRows = tuple[tuple[PayRow, ...], ...]  # by money on the hand (one wager, doubled) and the hand's class
HandEnds = dict[tuple[int, int], list[int]]  # the machine's states of a seat, by wagers less one and total
PayByEnd = dict[End, Pay]
SettledHands = dict[tuple[int, int], PayByEnd]  # the pays of each, by end of the dealer's
_NOT_SPLIT = Pay("never split", Fraction(0), Fraction(0))  # the dealer's natural came before the split


class Pays(Struct, frozen=True):
    """The pays of an unsplit hand, of a split's first hand that is not over 21, and of later ones.

    If the dealer peeks, a blackjack ends the round at once, so it takes only the original wager.
    """

    columns: Mapping[int, int]  # by the dealer's total
    classes: tuple[int, ...]  # by the hand's total
    alone: PayRows
    first: PayRows
    later: PayRows
    natural: PayRow
    surrendered: PayRow

    @property
    def width(self) -> int:
        """The number of columns."""
        return len(self.natural)

    @property
    def hand_classes(self) -> int:
        return max(self.classes) + 1

    @property
    def highest(self) -> int:
        """The highest dealer's total with a column of its own."""
        return max((total for total, column in self.columns.items() if column != OVER), default=0)

    def class_of(self, totals: Ints) -> Ints:
        """The classes of hands with these totals."""
        return np.array(self.classes, np.int64)[totals]

    def map_rows(self, change: Callable[[PayRow], PayRow]) -> "Pays":
        """The pays with a function applied to every row."""
        alone, first, later = (
            tuple(tuple(map(change, rows)) for rows in by_wagers) for by_wagers in (self.alone, self.first, self.later)
        )
        one, other = change(self.natural), change(self.surrendered)
        return Pays(self.columns, self.classes, alone, first, later, one, other)

    def widen(self, width: int) -> "Pays":
        """The pays with additional columns for dealer's hands over 21."""
        return self.map_rows(lambda row: row + (row[OVER],) * (width - len(row)))


def nets(rows: PayRows, numbers: Numbers) -> Array:
    """The net of each pay, as an array."""
    return numbers.of([[[pay.net for pay in row] for row in by_class] for by_class in rows])


@lru_cache(maxsize=64)
def pays_of(rules: TableRules) -> Pays:
    """The pays of a table, each computed by the game's settlement."""
    return _Settler(rules).pays()


class _Settler:
    """Plays a seat's hands to their ends and settles each against each of the dealer's."""

    def __init__(self, rules: TableRules) -> None:
        self.rules, self.felts, self.seats = rules, rules.felts, rules.seats
        self.first_two: list[int] = []  # states before their first choice
        self.natural: list[int] = []
        self.surrendered: list[int] = []

    def pays(self) -> Pays:
        alone = {key: self._one(ends) for key, ends in self._unsplit_ends().items()}
        first, later = self._split_hands(alone)
        natural, surrendered = self._one(self.natural), self._one(self.surrendered)
        checked = [end for end in self.rules.houses if end.is_natural and self.rules.peeks]
        at_once = self._one(self.first_two, against=checked)
        never = dict.fromkeys(at_once, _NOT_SPLIT)
        tables = [
            {key: paid | instead for key, paid in table.items()}
            for table, instead in ((alone, at_once), (first, at_once), (later, never))
        ]
        apart = natural, surrendered | at_once
        columns = self._columns([*(paid for table in tables for paid in table.values()), *apart])
        self._check(first, later, tables)
        classes = self._classes(tables)
        by_hand = [_rows(table, classes, columns) for table in tables]
        natural_row, surrendered_row = (_row(paid, columns) for paid in apart)
        return Pays(columns, classes, by_hand[0], by_hand[1], by_hand[2], natural_row, surrendered_row)

    def _unsplit_ends(self) -> HandEnds:
        """The ends of unsplit hands; naturals and surrendered hands are stored separately."""
        seats, ends = self.seats, HandEnds()
        for state in seats.reachable(self.rules.empty):
            if seats.is_natural(state):
                self.natural.append(seats.states[state][0])
                continue
            if seats.may(state, SURRENDER):
                self.surrendered.append(seats.choose(state, SURRENDER))
            if seats.may(state, STAND) and not seats.spots[state].is_begun:
                self.first_two.append(seats.states[state][0])
            self._add_ends(ends, state)
        return ends

    def _split_hands(self, alone: SettledHands) -> tuple[SettledHands, SettledHands]:
        """The pays of split hands: of the first while the other stands, and of the other while the first stands.

        Computed for the lowest pair and aces; if nothing may be split, the pays are those of unsplit hands.
        """
        first, later = HandEnds(), HandEnds()
        roots = self.rules.split_roots
        for value in {*([value for value in roots if value][:1]), *([0] if 0 in roots else [])}:
            for state in self.seats.reachable(roots[value]):
                self._add_ends(first, state)
            other = self.seats.stand(self.seats.states[roots[value]][0], 0)
            for state in self.seats.reachable(self.seats.state(other, 1)):
                self._add_ends(later, state)
        if not roots:
            return alone, alone
        stood = {key: [self.seats.stand(seat, 1) for seat in ends] for key, ends in first.items()}
        paid = {key: self._one(ends) for key, ends in stood.items()}
        return paid, {key: self._one(ends, 1) for key, ends in later.items()}

    def _add_ends(self, ends: HandEnds, state: int) -> None:
        """Add the ends of a hand in this state: finished, stood on, or doubled."""
        seats, (seat, place), total = self.seats, self.seats.states[state], self.seats.hand(state).points
        if not seats.is_active(state):
            ends.setdefault((0, total), []).append(seat)
        if seats.may(state, STAND):
            ends.setdefault((0, total), []).append(seats.choose(state, STAND))
        if seats.may(state, DOUBLE):
            doubled = seats.choose(state, DOUBLE)
            for drawn in self.felts.draw(doubled):
                spot = spot_of(self.felts.seats[drawn])
                if drawn == doubled or spot.active == place:
                    raise self.felts.refuse("a doubled hand takes more or less than one card")
                ends.setdefault((1, spot.hands[place].points), []).append(drawn)

    def _one(self, alike: list[int], place: int = 0, against: Iterable[End] | None = None) -> PayByEnd:
        """The pay of each dealer's hand to these hands; refused if they are not paid alike."""
        pays: PayByEnd = {}
        for on in {(seat := self.felts.seats[each]).lying: seat for each in alike}.values():
            for end in self.rules.houses if against is None else against:
                for house in self.rules.houses[end]:
                    pay = self.felts.pays(on, house, self.rules.main)[place]
                    if pays.setdefault(end, pay) != pay:
                        raise self.felts.refuse("hands of one total are paid in several ways")
        return pays

    def _check(self, first: SettledHands, later: SettledHands, tables: list[SettledHands]) -> None:
        """Check that the pay of a split hand does not depend on the others, except against a natural."""
        for key in first.keys() & later.keys():
            if any(later[key][end] != pay for end, pay in first[key].items() if not end.is_natural):
                raise self.felts.refuse("what a split hand is paid depends on the others")
        for (_, total), paid in (hand for table in tables for hand in table.items()):
            if total > _LIMIT and len({pay for end, pay in paid.items() if not end.is_natural}) > 1:
                raise self.felts.refuse("a hand over 21 is not decided by itself")

    def _columns(self, every: list[PayByEnd]) -> dict[int, int]:
        """The columns of the dealer's totals; `OVER` is that of the largest group of totals over 21."""
        totals = sorted({end.total for end in self.rules.houses if not end.is_natural})
        over: dict[tuple[Pay | None, ...], list[int]] = {}
        for total in totals:
            if total > _LIMIT:
                over.setdefault(tuple(paid.get(End(total, False)) for paid in every), []).append(total)
        most = max(over.values(), key=len, default=[])
        apart = [total for total in totals if total not in most]
        return dict.fromkeys(most, OVER) | {total: 2 + place for place, total in enumerate(apart)}

    def _classes(self, tables: list[SettledHands]) -> tuple[int, ...]:
        """The classes by total: reachable hands with equal pays share a class."""
        by_class: list[list[PayByEnd | None]] = []
        classes = []
        for total in (*range(HIGHEST, _LIMIT, -1), *range(_LIMIT + 1)):
            paid = [table.get((stake, total)) for table in tables for stake in range(2)]
            least = HAND_OVER if total > _LIMIT else HAND_OVER + 1
            fitting = (n for n in range(least, len(by_class)) if _fit(by_class[n], paid))
            place = next(fitting, len(by_class))
            if total > _LIMIT and place != HAND_OVER:
                raise self.felts.refuse("hands over 21 are paid in several ways")
            known = by_class[place] if place < len(by_class) else paid
            by_class[place : place + 1] = [[one or other for one, other in zip(known, paid, strict=True)]]
            classes.append(place)
        over = HIGHEST - _LIMIT
        return (*classes[over:], *classes[:over])


def _fit(known: list[PayByEnd | None], paid: list[PayByEnd | None]) -> bool:
    return all(not one or not other or one == other for one, other in zip(known, paid, strict=True))


def _rows(table: SettledHands, classes: tuple[int, ...], columns: Mapping[int, int]) -> PayRows:
    by_class: dict[tuple[int, int], PayByEnd] = {}
    for (stake, total), paid in table.items():
        by_class[stake, classes[total]] = paid
    every = range(max(classes) + 1)
    return tuple(tuple(_row(by_class.get((stake, c), {}), columns) for c in every) for stake in range(2))


def _row(paid: PayByEnd, columns: Mapping[int, int]) -> PayRow:
    by_column = {NATURAL if end.is_natural else columns[end.total]: pay for end, pay in paid.items()}
    return tuple(by_column.get(column, _NOT_SPLIT) for column in range(2 + len({*columns.values()} - {OVER})))
