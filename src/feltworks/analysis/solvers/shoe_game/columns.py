"""Columns of the dealer's hands that distinguish the results of a wager on the completed hand, too.

A player decides by values alone, so given the values of all cards every assignment of suits is equally likely:
the numbers of cards left, of a suit and in all, give the probability that a hand is of one suit.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache, cached_property
from math import perm

import numpy as np
from msgspec import Struct

from feltworks.analysis.solvers.numbers import Array, Ints, Numbers
from feltworks.analysis.solvers.shoe_game.bonus import LONGEST, NATURAL_MADE, BonusRules
from feltworks.analysis.solvers.shoe_game.dealer import MOST_CARDS, Counts, HandGrowth, by_value, without
from feltworks.analysis.solvers.shoe_game.pays import NATURAL, OVER
from feltworks.analysis.solvers.shoe_game.rules import HIGHEST
from feltworks.analysis.solvers.shoe_game.solver import ShoeGame
from feltworks.cards import Suit


class SuitsSeen(Struct, frozen=True):
    """What is known of suits from the first three cards; cards are given by value."""

    values: tuple[int, ...]  # of the player's two cards
    alike: tuple[int, ...]  # of the player's cards of the up card's suit
    suit: Counts  # by value: cards of the up card's suit in the full shoe


class FirstHand(Struct, frozen=True):
    """First two cards and an up card: their probability with each kind, and as a pair that may be split."""

    row: int
    up: int
    seen: SuitsSeen
    hands: Array
    pairs: Array


class Bonus(Struct, frozen=True):
    """The outcomes of the wager, by the player's hand and column: first the results, then kinds of hands over 21.

    `columns`: by total over 21 and number of cards, if of one suit, the column.
    """

    outcomes: tuple[tuple[str, ...], ...]
    columns: Mapping[tuple[int, int], int]
    limit: int | None  # the lowest total beyond it
    one_is_enough: bool  # one split hand beyond the limit, or all of them

    @property
    def width(self) -> int:
        return len(self.outcomes[0])


def bonus_columns(rules: BonusRules, table: ShoeGame) -> Bonus:
    """The columns of the wager by its own verdicts, after those of the dealer's results."""
    pays, standing = table.pays, rules.standing_seat
    totals = {column: total for total, column in pays.columns.items()}
    if any(pays.columns[total] != OVER for total in rules.totals_over_21):
        raise rules.rules.felts.refuse("the main wager tells the dealer's hands over 21 apart")
    made = [(totals.get(column, 0), 0) for column in range(pays.width)]
    made[NATURAL] = NATURAL_MADE
    hands = [(total, size) for total in rules.totals_over_21 for size in (0, *range(3, LONGEST + 1))]
    examples = {rules.judge(standing, hand).outcome: hand for hand in hands}
    names = list(examples)
    columns = {hand: pays.width + names.index(rules.judge(standing, hand).outcome) for hand in hands}
    seats = standing, rules.seat_beyond or standing, rules.surrendered_seat or standing
    outcomes = [[rules.judge(seat, each).outcome for each in (*made, *examples.values())] for seat in seats]
    if table.rules.peeks:  # a blackjack found by the dealer's peek ends the round before anyone can surrender
        outcomes[-1][NATURAL] = outcomes[0][NATURAL]
    limit = rules.limit
    rows = tuple(tuple(row) for row in outcomes)
    return Bonus(rows, columns, limit.total if limit else None, limit is not None and limit.one_is_enough)


class UpColumns:
    """The columns of the dealer's hands against one up card; without a bonus wager those of the results.

    If suits depend on the first hand (`is_apart`), every hand over 21 has its own entry, and `gather` sums these
    into columns later.
    """

    def __init__(self, table: ShoeGame, up: int, bonus: Bonus | None, *, is_apart: bool) -> None:
        self.table, self.dealing, self.up = table, table.dealing, up
        self.bonus, self.is_apart, self.known = bonus, is_apart, table.pays.width

    @cached_property
    def _over(self) -> list[HandGrowth]:
        """The dealer's hands over 21, with the hands that lead to them."""
        return [h for h in self.dealing.possible_hands(self.up, HIGHEST) if not 0 < h.total < 22]

    @cached_property
    def _ends(self) -> list[HandGrowth]:
        return [hand for hand in self._over if hand.total]

    def law_of(self, taken: Ints) -> Array:
        """The dealer's law after each of these sets of cards is removed."""
        law = self.table.laws_against(self.up, taken)
        if self.bonus is None:
            return law
        over = self._law_over(taken)
        return np.concatenate([law, over if self.is_apart else over @ self._gathering(None)], axis=1)

    def _law_over(self, taken: Ints) -> Array:
        law, orders = self.dealing.numbers.zeros(len(self._ends), len(taken)), self.dealing.orders(taken)
        for place, (hand, ways) in enumerate(self.dealing.weigh(self._over, taken)):
            law[place] = self.dealing.numbers.ratio(ways, orders[hand.cards - 1])
        return law.T

    def gather(self, law: Array, seen: SuitsSeen) -> Array:
        """Sum the entries of single hands over 21 into columns, weighted by the suits seen."""
        over = law[..., self.known :] @ self._gathering(seen)
        return np.concatenate([law[..., : self.known], over], axis=-1)

    def _gathering(self, seen: SuitsSeen | None) -> Array:
        """The probability that each hand over 21 is in each column: of several suits, or of one."""
        assert self.bonus is not None
        suited, places = self._suited_chance(seen), np.arange(len(self._ends))
        gathering = self.table.numbers.zeros(len(self._ends), self.bonus.width)
        gathering[places, self._columns[0]] += 1 - suited
        gathering[places, self._columns[1]] += suited
        return gathering[:, self.known :]

    @cached_property
    def _columns(self) -> Ints:
        """The column of each hand over 21: of several suits, and of one."""
        assert self.bonus is not None
        columns = self.bonus.columns
        pairs = [(columns[h.total, 0], columns[h.total, h.cards]) for h in self._ends]
        return np.array(pairs, np.int64).reshape(-1, 2).T

    @cached_property
    def _held(self) -> Ints:
        return np.array([hand.counts for hand in self._ends], np.int64).reshape(-1, 10)

    def _suited_chance(self, seen: SuitsSeen | None) -> Array:
        """The probability that each hand over 21 is of one suit, given its values and the suits seen."""
        shoe, numbers = self.table.shoe, self.table.numbers
        if seen is None:
            every = [_part(numbers, by_value(shoe, suit), by_value(shoe), self._held) for suit in Suit]
            return sum(every, numbers.zeros(len(self._held)))
        drawn = self._held.copy()
        drawn[:, self.up] -= 1
        whole = without(by_value(shoe), (*seen.values, self.up))
        return _part(numbers, without(seen.suit, (*seen.alike, self.up)), whole, drawn)


def _part(numbers: Numbers, of: Counts, whole: Counts, drawn: Ints) -> Array:
    """The probability that all cards drawn from the whole are among the given part."""
    part = numbers.whole(np.ones(len(drawn), np.int64))
    for value in range(10):
        part = part * _parts(numbers, of[value], whole[value])[drawn[:, value]]
    return part


@cache
def _parts(numbers: Numbers, of: int, whole: int) -> Array:
    """For 0, 1, 2, … cards drawn of one value: the probability that all are among the given part."""
    return numbers.of([Fraction(perm(of, n), perm(whole, n)) if n <= whole else Fraction(0) for n in range(MOST_CARDS)])
